import { randomBytes } from "node:crypto";

// Crockford's base 32 (https://www.crockford.com/base32.html): no I, L, O, U.
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * A new id such as `call_01k9…`: a prefix, ten digits of time in milliseconds, sixteen random ones.
 * Sorts by time, and is safe in a file name on every system.
 */
export function newId(prefix: string, now: number = Date.now()): string {
  let time = "";
  for (let rest = now, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = ALPHABET[rest % 32] + time;
  const random = Array.from(randomBytes(16), (byte) => ALPHABET[byte % 32]).join("");
  return `${prefix}_${time}${random}`;
}
