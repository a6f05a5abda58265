// Builtins that change what is known about the shell.
import { posix } from "node:path";
import { type Flow, type Outcome, type Walk, plainOutcome } from "./command-flow.ts";
import { realPaths } from "./command-links.ts";
import { printfOutput } from "./command-output.ts";
import { pathsOf } from "./command-redirections.ts";
import { type Binding, UNKNOWN_BINDING, itemOf, known } from "./shell-state.ts";
import { type PossibleTexts, type ShellWord, UNKNOWN_PART } from "./shell-value.ts";

type Builtin = (walk: Walk, args: readonly ShellWord[], flow: Flow) => Outcome;

/** By name. `eval`, `.` and `trap` run code and are with the other programs that do. */
export const BUILTINS: Readonly<Record<string, Builtin>> = Object.assign(Object.create(null), {
  cd: changeDirectory,
  chdir: changeDirectory,
  pushd: changeDirectory,
  popd: (_walk, _args, flow) => {
    flow.state.directories = [undefined];
    return plainOutcome(flow.state, [undefined]);
  },
  read: readVariables,
  mapfile: readLines,
  readarray: readLines,
  getopts: unknownVariables,
  printf: printTo,
  set: setPositional,
  shift: shiftPositional,
  exit: endHere,
  return: endHere,
  alias: defineAliases,
  pwd: (_walk, args, flow) => plainOutcome(flow.state, workingDirectories(args, flow)),
} satisfies Record<string, Builtin>);

/** With `-P`, links are followed. */
function workingDirectories(args: readonly ShellWord[], { state }: Flow): PossibleTexts {
  const isPhysical = args.some(({ value }) => /^-\w*P/.test(value ?? ""));
  const following = { followsLast: true, links: new Map<string, string>() };
  return state.directories.map((path) => {
    const shown = isPhysical && path !== undefined ? (realPaths(path, following)[0] ?? path) : path;
    return shown === undefined ? undefined : `${shown}\n`;
  });
}

/** Where it fails, the shell stays where it was, so that either is possible after it; but the root is always there. */
function changeDirectory(_walk: Walk, args: readonly ShellWord[], flow: Flow): Outcome {
  const target = args.find(({ value }) => value === "-" || !value?.startsWith("-"));
  const ok = flow.state.fork();
  const before = flow.state.directories;
  ok.directories = target === undefined ? homeOf(flow) : directoriesAt(target, flow);
  ok.assign(
    "OLDPWD",
    before.map((text) => ({ items: [{ text, mayBeEmpty: false }] })),
  );
  return { ok, failed: target?.value === "/" ? ok : flow.state, output: [""] };
}

function homeOf(flow: Flow): PossibleTexts {
  return flow.state.variable("HOME").map(({ items }) => items[0]?.text);
}

/** A pattern stays one: what it leads to is judged as such. */
function directoriesAt(target: ShellWord, flow: Flow): PossibleTexts {
  if (target.value === "-") return flow.state.variable("OLDPWD").map(({ items }) => items[0]?.text);
  if (target.value === "") return flow.state.directories;
  if (target.value === undefined) return [undefined, ...rootIfEmpty(target)];
  const paths = [...pathsOf(target, flow.state.directories), ...searched(target.value, flow)];
  const resolved = paths.map((path) => posix.resolve(path));
  const isKnown = target.value.startsWith("/") || !flow.state.directories.includes(undefined);
  return [...new Set(isKnown && !target.isMany ? resolved : [undefined, ...resolved])];
}

/** `cd "$X/"` is `cd /` when X comes out empty. */
function rootIfEmpty({ valueIfEmpty, template }: ShellWord): PossibleTexts {
  const isRoot = valueIfEmpty?.startsWith("/") && posix.resolve(valueIfEmpty) === "/";
  return isRoot && template.split(UNKNOWN_PART).length === 2 ? ["/"] : [];
}

/** Where `CDPATH` leads. */
function searched(value: string, flow: Flow): string[] {
  if (/^\.{0,2}(?:\/|$)|^\.\.?$/.test(value)) return [];
  const texts = flow.state.variable("CDPATH").flatMap(({ items }) => items[0]?.text?.split(":") ?? []);
  const starts = texts.filter((text) => text !== "" && !text.includes(UNKNOWN_PART));
  return starts.flatMap((start) => flow.state.directories.map((from) => posix.resolve(from ?? "/", start, value)));
}

/** The lines of a known input are the values that `while read` takes; of any other input nothing is known. */
function readVariables(_walk: Walk, args: readonly ShellWord[], flow: Flow): Outcome {
  const lines = flow.stdin.flatMap((text) => (text === undefined ? [undefined] : text.split(/[\n\0]/)));
  const names = args.flatMap(({ value }) => (value && /^[A-Za-z_]\w*$/.test(value) ? [value] : []));
  const isPlain = names.length <= 1 && args.every(({ value }) => value === "-r" || (value && !value.startsWith("-")));
  const bindings: Binding[] = lines.map((line) => (line === undefined ? UNKNOWN_BINDING : known(line.trim())));
  for (const name of names.length > 0 ? names : ["REPLY"]) {
    flow.state.assign(name, isPlain || names.length === 1 ? bindings : wordsOfLines(lines));
  }
  return plainOutcome(flow.state, [""]);
}

/** `read a b`: which word goes where is left open. */
function wordsOfLines(lines: PossibleTexts): readonly Binding[] {
  if (lines.includes(undefined)) return [UNKNOWN_BINDING];
  const words = new Set(lines.flatMap((line) => [line!.trim(), ...line!.trim().split(/\s+/)]));
  return [...words].map(known);
}

/** The lines of a known input are the items; options other than `-t` leave open which. */
function readLines(_walk: Walk, args: readonly ShellWord[], flow: Flow): Outcome {
  const isLoose = args.slice(0, -1).some(({ value }) => value !== "-t");
  const last = args.at(-1)?.value;
  const name = last !== undefined && /^[A-Za-z_]\w*$/.test(last) ? last : "MAPFILE";
  const bindings = flow.stdin.map((text): Binding => {
    if (text === undefined) return { items: [{ text, mayBeEmpty: true, isMany: true }], isLoose: true };
    const lines = text.replace(/[\n\0]$/, "").split(/[\n\0]/);
    return { items: lines.map((line) => ({ text: line, mayBeEmpty: line === "" })), isLoose };
  });
  flow.state.assign(name, bindings);
  return plainOutcome(flow.state, [""]);
}

function unknownVariables(_walk: Walk, args: readonly ShellWord[], flow: Flow): Outcome {
  for (const { value } of args) if (value && /^[A-Za-z_]\w*$/.test(value)) flow.state.assign(value, [UNKNOWN_BINDING]);
  return plainOutcome(flow.state, [""]);
}

function printTo(_walk: Walk, args: readonly ShellWord[], flow: Flow): Outcome {
  const toVariable = args[0]?.value === "-v" ? args[1]?.value : undefined;
  const output = printfOutput(toVariable === undefined ? args : args.slice(2));
  if (toVariable === undefined) return plainOutcome(flow.state, [output]);
  flow.state.assign(toVariable, [output === undefined ? UNKNOWN_BINDING : known(output)]);
  return plainOutcome(flow.state, [""]);
}

function setPositional(_walk: Walk, args: readonly ShellWord[], flow: Flow): Outcome {
  const first = args.findIndex(({ value }) => value === "--" || value === undefined || !/^[-+]/.test(value));
  if (first >= 0) {
    const rest = args[first]?.value === "--" ? args.slice(first + 1) : args.slice(first);
    const items = rest.map(itemOf);
    flow.state.positional = rest.some((word) => word.isMany) ? undefined : items;
  }
  return plainOutcome(flow.state, [""]);
}

function shiftPositional(_walk: Walk, args: readonly ShellWord[], flow: Flow): Outcome {
  const count = args[0] ? Number(args[0].value ?? Number.NaN) : 1;
  flow.state.positional = Number.isInteger(count) ? flow.state.positional?.slice(count) : undefined;
  return plainOutcome(flow.state, [""]);
}

function endHere(_walk: Walk, _args: readonly ShellWord[], flow: Flow): Outcome {
  const ended = flow.state.fork();
  ended.hasEnded = true;
  return plainOutcome(ended, [""]);
}

function defineAliases(walk: Walk, args: readonly ShellWord[], flow: Flow): Outcome {
  for (const { value } of args) {
    const [, name, code] = /^([^=/\s]+)=([^]*)$/.exec(value ?? "") ?? [];
    if (name === undefined || code === undefined) continue;
    const tree = walk.parse(`${code} "$@"`);
    walk.define(name, { ...tree.root, type: "compound_statement" }, flow);
  }
  return plainOutcome(flow.state, [undefined]);
}
