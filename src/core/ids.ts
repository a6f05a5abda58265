import { randomUUID } from "node:crypto";

// Crockford's base 32 (https://www.crockford.com/base32.html): no I, L, O, U.
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * A new id such as `call_01k9…`: a prefix, ten digits of time in milliseconds, sixteen random ones (80 bits).
 * Sorts by time, and is safe in a file name on every system.
 */
export function newId(prefix: string, now: number = Date.now()): string {
  let time = "";
  for (let rest = now, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = ALPHABET[rest % 32] + time;
  return `${prefix}_${time}${randomDigits()}`;
}

/** Node keeps random bytes ready for UUIDs, so that they cost no system call each. Their fixed bits are left out. */
function randomDigits(): string {
  const uuid = randomUUID().replaceAll("-", "");
  let bits = BigInt(`0x${uuid.slice(0, 12)}${uuid.slice(13, 16)}${uuid.slice(17, 22)}`);
  let digits = "";
  for (let i = 0; i < 16; i++, bits >>= 5n) digits += ALPHABET[Number(bits & 31n)];
  return digits;
}
