import { ToolError } from "../../core/errors.ts";

const MOST_ALTERNATIVES = 1_000;

/** `a{b,c}d` → `abd`, `acd`, as bash does; braces without a comma stay as they are. Throws `invalid_input` for too many. */
export function expandBraces(pattern: string): readonly string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const found = firstBraces(next);
    if (!found) done.push(next);
    else {
      const { before, choices, after } = found;
      open.push(...choices.map((choice) => before + choice + after).toReversed());
    }
    if (done.length + open.length > MOST_ALTERNATIVES) throw tooMany(pattern);
  }
  return [...new Set(done)];
}

interface Braces {
  readonly before: string;
  readonly choices: readonly string[];
  readonly after: string;
}

function firstBraces(text: string): Braces | undefined {
  for (let start = nextPlain(text, 0, "{"); start >= 0; start = nextPlain(text, start + 1, "{")) {
    const found = closeBraces(text, start);
    if (found) return found;
  }
  return undefined;
}

/** The braces that open at `start`, or undefined when they do not close or hold no comma of their own. */
function closeBraces(text: string, start: number): Braces | undefined {
  const choices: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === "\\") at += 1;
    else if (character === "{") depth += 1;
    else if (character === "," && depth === 1) {
      choices.push(text.slice(from, at));
      from = at + 1;
    } else if (character === "}") {
      depth -= 1;
      if (depth > 0) continue;
      if (choices.length === 0) return undefined;
      choices.push(text.slice(from, at));
      return { before: text.slice(0, start), choices, after: text.slice(at + 1) };
    }
  }
  return undefined;
}

/** Where `wanted` stands next without a backslash before it; -1 when nowhere. */
function nextPlain(text: string, from: number, wanted: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === wanted) return at;
  }
  return -1;
}

function tooMany(pattern: string): ToolError {
  return new ToolError(
    "invalid_input",
    `The braces of the pattern ${JSON.stringify(pattern.slice(0, 100))} stand for more than ${MOST_ALTERNATIVES} patterns`,
    { hint: "Use * in place of some of them." },
  );
}
