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

/** Unlike any other, but no secret: whoever wants one of those takes it from `node:crypto`. */
function randomDigits(): string {
  return Array.from({ length: 16 }, () => ALPHABET[Math.floor(Math.random() * 32)]).join("");
}
