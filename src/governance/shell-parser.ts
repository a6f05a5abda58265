// tree-sitter and its bash grammar, loaded on first need, and the plain tree that the analysis walks.
import { monotonicMs } from "../core/monotonic.ts";
import type { Parser, Tree, TreeCursor } from "web-tree-sitter";

/** One node of a shell syntax tree. Offsets count UTF-16 units of `source`. */
export interface ShellNode {
  /** The grammar's name for it, or the token itself (`&&`, `do`). */
  readonly type: string;
  readonly field: string | null;
  readonly start: number;
  readonly end: number;
  readonly children: readonly ShellNode[];
  readonly source: string;
}

/** Why a text has no tree that can be trusted as a whole. */
export type ParseProblem = "syntax" | "limit";

export interface ShellTree {
  readonly root: ShellNode;
  readonly problem?: ParseProblem;
}

/** Hostile input ends here: a text beyond these limits has the problem `limit`. */
export const PARSE_LIMITS = { characters: 1_000_000, nodes: 200_000, depth: 2_000, milliseconds: 500 } as const;

/** Parses shell text; made by {@link ShellParser.load}, so that a walk need not wait. */
export type ParseShell = (text: string) => ShellTree;

/** Owns the loaded grammar. One per application: loading takes some 20 ms and 60 MB. */
export class ShellParser {
  #loading: Promise<ParseShell> | undefined;

  /** Resolves to the parse function; loads it on the first call. Rejects when the grammar files are missing. */
  load(): Promise<ParseShell> {
    this.#loading ??= loadParser();
    return this.#loading;
  }
}

/** The source text of a node. */
export function textOf(node: ShellNode): string {
  return node.source.slice(node.start, node.end);
}

async function loadParser(): Promise<ParseShell> {
  const [{ Parser, Language }, runtime, grammar] = await Promise.all([
    import("web-tree-sitter"),
    readAsset("web-tree-sitter.wasm", "web-tree-sitter/web-tree-sitter.wasm"),
    readAsset("tree-sitter-bash.wasm", "tree-sitter-bash/tree-sitter-bash.wasm"),
  ]);
  const language = await withoutOptimizing(async () => {
    await Parser.init({ wasmBinary: runtime });
    return Language.load(grammar);
  });
  const newParser = () => {
    const parser = new Parser();
    parser.setLanguage(language);
    return parser;
  };
  return (text) => parseWith(newParser, text);
}

/**
 * Loads WebAssembly that V8 shall run as it first compiles it. Its optimizing compiler takes a second and half a gigabyte
 * for the one large function of the grammar, and a process that is done waits for it: no command line is worth that.
 */
async function withoutOptimizing<Value>(load: () => Promise<Value>): Promise<Value> {
  const { setFlagsFromString } = await import("node:v8");
  setFlagsFromString("--wasm-tiering-budget=2000000000");
  try {
    return await load();
  } finally {
    // V8's default: what others load is not touched.
    setFlagsFromString("--wasm-tiering-budget=13000000");
  }
}

/** A bundle has the files in `assets/` beside itself; from sources they lie in their packages. */
async function readAsset(name: string, specifier: string): Promise<Uint8Array> {
  const { readFile } = await import("node:fs/promises");
  try {
    return await readFile(new URL(`./assets/${name}`, import.meta.url));
  } catch {
    return readFile(new URL(import.meta.resolve(specifier)));
  }
}

function parseWith(newParser: () => Parser, received: string): ShellTree {
  // bash skips NUL; the parser takes a time that grows with the square of their number.
  const text = received.replaceAll("\0", "");
  const limited: ShellTree = { root: leaf("program", text), problem: "limit" };
  if (text.length > PARSE_LIMITS.characters) return limited;
  const parser = newParser();
  const started = monotonicMs();
  let tree: Tree | null = null;
  try {
    const progressCallback = () => monotonicMs() - started > PARSE_LIMITS.milliseconds;
    tree = parser.parse(text, null, { progressCallback });
    return tree ? copyTree(tree, text) : limited;
  } finally {
    tree?.delete();
    parser.delete();
  }
}

/** Copies without recursion: the depth of the tree is up to whoever wrote the text. */
function copyTree(tree: Tree, source: string): ShellTree {
  const cursor = tree.walk();
  const root = nodeAt(cursor, source);
  const path = [root];
  let problem: ParseProblem | undefined;
  let count = 0;
  try {
    for (;;) {
      const top = path.at(-1)!;
      if (cursor.nodeType === "ERROR" || cursor.nodeIsMissing) problem ??= "syntax";
      if (++count > PARSE_LIMITS.nodes || path.length > PARSE_LIMITS.depth) return { root, problem: "limit" };
      if (cursor.gotoFirstChild()) {
        path.push(append(top, nodeAt(cursor, source)));
        continue;
      }
      path.pop();
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) return problem ? { root, problem } : { root };
        path.pop();
      }
      path.push(append(path.at(-1)!, nodeAt(cursor, source)));
    }
  } finally {
    cursor.delete();
  }
}

function nodeAt(cursor: TreeCursor, source: string): ShellNode {
  const { startIndex: start, endIndex: end, nodeType: type, currentFieldName: field } = cursor;
  return { type, field, start, end, children: [], source };
}

function append(parent: ShellNode, child: ShellNode): ShellNode {
  (parent.children as ShellNode[]).push(child);
  return child;
}

function leaf(type: string, source: string): ShellNode {
  return { type, field: null, start: 0, end: source.length, children: [], source };
}
