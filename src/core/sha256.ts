import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/**
 * SHA-256 (FIPS 180-4) of a short text, in hex. Every start hashes a few; loading `node:crypto` for that would take a fifth
 * of the time in which Node itself starts. For much data use `node:crypto`, which gives the same.
 */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}
