// What programs that print paths are known to print: parts of their arguments, or what a directory holds.
import { posix } from "node:path";
import { parseFind } from "./command-find.ts";
import type { Flow } from "./command-flow.ts";
import { realPaths } from "./command-links.ts";
import { type PossibleTexts, type ShellWord, UNKNOWN_PART } from "./shell-value.ts";

type Printer = (args: readonly ShellWord[], flow: Flow) => PossibleTexts;

const NO_LINKS = new Map<string, string>();
const FIND_VALUE = /^-(?:maxdepth|mindepth|type)$/;
const FIND_PLAIN = /^-(?:print0?|maxdepth|mindepth|type|xdev|mount|depth)$/;
const FIND_NAME = /^-i?(?:name|path)$/;

/** By name. A list is told by a pattern for whatever is in the directory, or by nothing known, as it may be empty. */
export const PATH_OUTPUT: Readonly<Record<string, Printer>> = Object.assign(Object.create(null), {
  dirname: (args) => changed(args, (path) => posix.dirname(path)),
  basename: (args) => baseNames(args),
  realpath: (args, flow) => resolved(args, flow),
  readlink: (args, flow) =>
    args.some(({ value }) => /^(?:-[a-z]*[fem][a-z]*|--canonicalize.*)$/.test(value ?? ""))
      ? resolved(args, flow)
      : [undefined],
  ls: (args, flow) => listOf(args, flow),
  find: (args) => foundBy(args),
} satisfies Record<string, Printer>);

function changed(args: readonly ShellWord[], change: (path: string) => string): PossibleTexts {
  if (args.some(({ isMany, isPattern }) => isMany || isPattern)) return [undefined];
  const paths = args.filter(({ template }) => !/^-./.test(template)).map(({ value }) => value);
  if (paths.length === 0 || paths.includes(undefined)) return [undefined];
  const isNul = args.some(({ value }) => value === "-z" || value === "--zero");
  return [paths.map((path) => change(path!) + (isNul ? "\0" : "\n")).join("")];
}

/** `basename PATH SUFFIX`; its options are left open. */
function baseNames(args: readonly ShellWord[]): PossibleTexts {
  const [path, suffix, ...rest] = args[0]?.value === "--" ? args.slice(1) : args;
  if (!path || rest.length > 0 || /^-./.test(path.template) || (suffix && suffix.value === undefined))
    return [undefined];
  return changed([path], (text) => posix.basename(text, suffix?.value) || "/");
}

function resolved(args: readonly ShellWord[], { state }: Flow): PossibleTexts {
  if (args.some(({ value }) => /^--(?:relative|base)/.test(value ?? ""))) return [undefined];
  const [directory, ...others] = state.directories;
  if (directory === undefined || others.length > 0) return [undefined];
  return changed(args, (text) => {
    const path = text.startsWith("/") ? text : `${directory}/${text}`;
    return realPaths(path, { followsLast: true, links: NO_LINKS })[0] ?? path;
  });
}

function listOf(args: readonly ShellWord[], flow: Flow): PossibleTexts {
  const options = args.filter(({ template }) => /^-./.test(template));
  if (options.some(({ template }) => /^-\w*[lsiRZ]|^--(?:format|recursive|size|help|version)/.test(template)))
    return [undefined];
  const operands = args.filter(({ template }) => !/^-./.test(template));
  if (operands.some(({ value, isMany, isPattern }) => value === undefined || (isMany && !isPattern)))
    return [undefined];
  const isItself = options.some(({ template }) => /^-\w*d|^--directory/.test(template));
  if (isItself) return operands.length > 0 ? maybe(operands.map(({ value }) => value!)) : ["."];
  if (operands.length > 0) return maybe(operands.map(({ value }) => below(value!)));
  return flow.state.directories.includes(undefined) ? [undefined] : maybe(["*"]);
}

/** Where a test narrows what is found, nothing is known of it. */
function foundBy(args: readonly ShellWord[]): PossibleTexts {
  const { roots, expression } = parseFind(args);
  if (roots.some(({ value, isMany }) => value === undefined || isMany)) return [undefined];
  const texts = expression.map(({ template }) => template);
  const isPlain = texts.every((text, index) => {
    const before = texts[index - 1] ?? "";
    if (FIND_VALUE.test(before)) return true;
    if (FIND_NAME.test(before)) return /^[*?.]*\*[*?.]*$/.test(text);
    return FIND_PLAIN.test(text) || FIND_NAME.test(text);
  });
  if (!isPlain) return [undefined];
  const hasRoot = !texts.some(
    (text, index) => /^-(?:mindepth|type)$/.test(text) && !/^[0d]$/.test(texts[index + 1] ?? ""),
  );
  const end = texts.includes("-print0") ? "\0" : "\n";
  const paths = roots.flatMap(({ value }) => (hasRoot ? [value!, below(value!)] : [below(value!)]));
  return [paths.map((path) => path + end).join("")];
}

function below(directory: string): string {
  return directory.endsWith("/") ? `${directory}*` : `${directory}/*`;
}

function maybe(paths: readonly string[]): PossibleTexts {
  if (paths.some((path) => path.includes(UNKNOWN_PART))) return [undefined];
  return [paths.map((path) => `${path}\n`).join(""), undefined];
}
