// Shell patterns as regular expressions, for texts and patterns small enough to match in no time.

const MAX_STARS = 4;
const MAX_LENGTH = 1_000;

/**
 * A regular expression that matches what the shell pattern does, or more: extended patterns match anything.
 * `*` stops at `/` when `isPath`. Undefined when the pattern is too costly to try.
 */
export function globSource(pattern: string, isPath: boolean): string | undefined {
  const stars = pattern.match(/\*+|[@+!?]\(/g)?.length ?? 0;
  if (pattern.length > MAX_LENGTH || stars > MAX_STARS) return undefined;
  const any = isPath ? "[^/]" : "[^]";
  if (/[@+!?*]\(/.test(pattern)) return `${escapeRegExp(pattern.slice(0, pattern.search(/[@+!?*]\(/)))}[^]*`;
  return pattern.replace(/\*+|\?|\[[!^]?\]?[^\]/]*\]|\\[^]|[^]/g, (token) => {
    if (token.startsWith("*")) return `${any}*`;
    if (token === "?") return any;
    if (token.length > 2 && token.startsWith("[")) return classSource(token);
    return escapeRegExp(token.length === 2 && token.startsWith("\\") ? token.slice(1) : token);
  });
}

/** Quotes what a pattern would treat as special. */
export function escapeGlob(text: string): string {
  return text.replace(/[*?[\]\\]|[@+!](?=\()/g, "\\$&");
}

function classSource(token: string): string {
  const isNegated = /^\[[!^]/.test(token);
  const body = token.slice(isNegated ? 2 : 1, -1);
  if (/\[[:.=]/.test(body)) return "[^/]";
  const source = `[${isNegated ? "^" : ""}${body.replace(/[\\\][^]/g, "\\$&")}]`;
  try {
    return new RegExp(source).source;
  } catch {
    return "[^/]";
  }
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
