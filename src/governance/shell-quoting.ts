// Decoding of what quotes and backslashes stand for, as bash's manual describes it ("Quoting", "ANSI-C Quoting").

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  e: "\u001b",
  E: "\u001b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

const ANSI_ESCAPE =
  /\\(?:x\{?([0-9a-fA-F]{1,2})\}?|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c([^])|([^]))/g;

/** The text of `$'…'` without its delimiters. */
export function decodeAnsiC(body: string): string {
  const text = body.replace(ANSI_ESCAPE, (whole, ...groups: (string | undefined)[]) => {
    const [hex, short, long, octal, control, other] = groups;
    const unicode = hex ?? short ?? long;
    if (unicode !== undefined) return codePoint(Number.parseInt(unicode, 16));
    if (octal !== undefined) return codePoint(Number.parseInt(octal, 8) & 0xff);
    if (control !== undefined) return codePoint(control.charCodeAt(0) & 0x1f);
    return SIMPLE_ESCAPES[other ?? ""] ?? (/["'?\\]/.test(other ?? "") ? other! : whole);
  });
  return untilNul(text);
}

/** Inside double quotes and unquoted here-documents a backslash escapes only these. */
export function decodeDoubleQuoted(body: string): string {
  return body.replace(/\\([$`"\\\n])/g, (_, escaped: string) => (escaped === "\n" ? "" : escaped));
}

/** Unquoted here-documents leave `\"` alone. */
export function decodeHeredoc(body: string): string {
  return body.replace(/\\([$`\\\n])/g, (_, escaped: string) => (escaped === "\n" ? "" : escaped));
}

/** The escapes of `echo -e`, and of `printf`'s format and `%b`. */
export function decodeEchoEscapes(text: string): string {
  return text.replace(
    /\\(?:0([0-7]{0,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([1-7][0-7]{0,2})|(.))/gs,
    decodeOne,
  );
}

function decodeOne(whole: string, ...groups: (string | undefined)[]): string {
  const [zeroOctal, hex, short, long, octal, other] = groups;
  const unicode = hex ?? short ?? long;
  if (unicode !== undefined) return codePoint(Number.parseInt(unicode, 16));
  const octalDigits = zeroOctal ?? octal;
  if (octalDigits !== undefined) return codePoint(Number.parseInt(octalDigits || "0", 8) & 0xff);
  return SIMPLE_ESCAPES[other ?? ""] ?? (other === "\\" ? "\\" : whole);
}

/** One unquoted run of a word, as its literal characters and whether each run was escaped. */
export function splitEscapes(text: string): { readonly text: string; readonly quoted: boolean }[] {
  const runs: { text: string; quoted: boolean }[] = [];
  for (const [match] of text.matchAll(/\\[^]?|[^\\]+/g)) {
    if (!match.startsWith("\\")) runs.push({ text: match, quoted: false });
    else if (match !== "\\\n") runs.push({ text: match.slice(1) || "\\", quoted: true });
  }
  return runs;
}

function codePoint(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
}

/** bash ends the string at a NUL. */
function untilNul(text: string): string {
  const end = text.indexOf("\0");
  return end < 0 ? text : text.slice(0, end);
}
