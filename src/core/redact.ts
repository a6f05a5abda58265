// Secrets are masked by the name of their key and by their shape, before anything is stored or sent.

const SECRET_KEY =
  /(?:^|[_\-.\s])(?:pass(?:word|wd|phrase)?|secrets?|tokens?|api[_-]?keys?|access[_-]?keys?|private[_-]?keys?|credentials?|authorization|auth|cookies?|client[_-]?secret|bearer)$|password$|passwd$|_pwd$/i;

const MASK = "[redacted]";

/** Well-known shapes of credentials, each with the part that is kept. */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, MASK],
  [/\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g, MASK],
  [/\bgh[pousr]_[A-Za-z0-9]{20,255}\b/g, MASK],
  [/\bgithub_pat_[A-Za-z0-9_]{20,255}\b/g, MASK],
  [/\bglpat-[A-Za-z0-9_-]{20,255}\b/g, MASK],
  [/\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,255}\b/g, MASK],
  [/\bxox[abposr]-[A-Za-z0-9-]{10,255}\b/g, MASK],
  [/\bAIza[0-9A-Za-z_-]{35}\b/g, MASK],
  [/\bnpm_[A-Za-z0-9]{36}\b/g, MASK],
  [/\beyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,2000}/g, MASK],
  [/\b(bearer|basic)\s+[A-Za-z0-9+/_.~=-]{8,4000}/gi, `$1 ${MASK}`],
  [/([a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@'"]{0,200}):[^\s/@'"]{1,200}@/gi, `$1:${MASK}@`],
  // `curl -u user:password`, `mysql -ppassword`, `sshpass -p password`, `--password password`
  [/(\s(?:-u|--user)[ =]["']?[^\s:"']{1,100}:)[^\s"']{1,200}/g, `$1${MASK}`],
  [/(\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^|;&\n]{0,200}?\s-p)[^\s|;&]{1,200}/g, `$1${MASK}`],
  [/(\bsshpass\s+-p\s?)[^\s|;&]{1,200}/g, `$1${MASK}`],
  [/(--(?:password|passwd|passphrase|token|secret|api-key)\s+)["']?[^\s"'|;&-][^\s"'|;&]{0,200}/gi, `$1${MASK}`],
  [
    /((?:^|[\s;&|"'?,{(_-])[A-Za-z0-9_]{0,60}(?:password|passwd|passphrase|_pwd|secret|token|api[_-]?key|access[_-]?key)["']?\s{0,3}[=:]\s{0,3}["']?)[^\s"'&;,|)}]{4,500}/gi,
    `$1${MASK}`,
  ],
];

/** `text` with every credential of a known shape masked. */
export function redactText(text: string): string {
  let result = text;
  for (const [shape, replacement] of SHAPES) result = result.replace(shape, replacement);
  return result;
}

/**
 * A copy of a JSON-like value with secrets masked: strings and numbers under a key that names a secret,
 * and credentials of a known shape anywhere. Depth beyond 64 is cut off rather than followed.
 */
export function redactValue(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= 64) return "[too deep]";
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1));
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const masked = isSecretKey(key) && item !== null && item !== "" && typeof item !== "boolean";
    copy[key] = masked ? MASK : redactValue(item, depth + 1);
  }
  return copy;
}

function isSecretKey(key: string): boolean {
  return SECRET_KEY.test(key.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2"));
}
