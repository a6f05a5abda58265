// `$(…)`, backticks and `<(…)`: what runs in them, and what they are known to print.
import { type Flow, type Walk, positionOf } from "./command-flow.ts";
import { openRedirections } from "./command-redirections.ts";
import type { ExpansionScope } from "./shell-expansion.ts";
import { type ShellNode, textOf } from "./shell-parser.ts";
import type { BoundItem } from "./shell-state.ts";
import type { PossibleTexts } from "./shell-value.ts";

/** Programs that print something whenever they succeed. */
const NEVER_EMPTY = /^(?:\$\(|`)\s*(?:mktemp|pwd|date|uname|hostname|whoami|nproc|id)\b[^;|&]*$/;

/** The scope for expanding words that stand at this point. */
export function scopeOf(walk: Walk, flow: Flow): ExpansionScope {
  return {
    state: flow.state,
    substitute: (node) => walkSubstitution(walk, node, flow),
    visit: (node) => walk.visit(node, flow),
  };
}

/** Walks the inside, in a shell of its own. Returns every text that may come out. */
export function walkSubstitution(walk: Walk, node: ShellNode, flow: Flow): readonly BoundItem[] {
  const inner: Flow = { ...flow, state: flow.state.fork(), depth: flow.depth + 1 };
  if (node.type === "process_substitution") {
    const { output } = walk.sequence(node.children, inner);
    return [processFile(node, output, flow)];
  }
  const output = outputOf(walk, node, inner);
  const isNeverEmpty = NEVER_EMPTY.test(textOf(node).trimStart());
  return output.map((text) => {
    const trimmed = text === undefined ? undefined : trimNewlines(text);
    return { text: trimmed, mayBeEmpty: trimmed === undefined ? !isNeverEmpty : trimmed === "" };
  });
}

function outputOf(walk: Walk, node: ShellNode, flow: Flow): PossibleTexts {
  const text = textOf(node).trimStart();
  if (text.startsWith("`") && text.includes("\\")) {
    const code = text.slice(1, -1).replace(/\\([$`\\])/g, "$1");
    return walk.code(code, { ...flow, position: positionOf(node, flow) }).output;
  }
  const redirections = node.children.filter(({ field }) => field === "redirect");
  if (redirections.length > 0) return openRedirections(walk, redirections, flow).stdin ?? [undefined];
  return walk.sequence(node.children, flow).output;
}

/** The shell passes a path to a pipe; the path made up here leads back to what is in it. */
function processFile(node: ShellNode, output: PossibleTexts, flow: Flow): BoundItem {
  const path = `/dev/fd/pawl-${node.start}`;
  flow.state.writeFile(path, textOf(node).startsWith("<") ? output : [undefined]);
  return { text: path, mayBeEmpty: false };
}

function trimNewlines(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === "\n") end--;
  return text.slice(0, end);
}
