// Programs and builtins that run shell code: from an argument, from a file, from standard input.
import { type Flow, type Outcome, type Walk, plainOutcome } from "./command-flow.ts";
import { pathsOf } from "./command-redirections.ts";
import { optionLength, unwrap, wordFromTemplate } from "./command-wrappers.ts";
import { itemOf } from "./shell-state.ts";
import {
  MAX_POSSIBILITIES,
  type PossibleTexts,
  type ShellWord,
  UNKNOWN_PART,
  either,
  unknownWord,
} from "./shell-value.ts";

type CodeRunner = (walk: Walk, args: readonly ShellWord[], flow: Flow) => Outcome;

/** By name. `flow.wrappers` already ends with that name. */
export const NESTED_CODE: Readonly<Record<string, CodeRunner>> = Object.assign(Object.create(null), {
  sh: runShell,
  bash: runShell,
  rbash: runShell,
  dash: runShell,
  ash: runShell,
  zsh: runShell,
  ksh: runShell,
  mksh: runShell,
  fish: runShell,
  eval: (walk, args, flow) => walk.code(joined(dropDashes(args)), flow),
  ".": runSource,
  source: runSource,
  trap: runTrap,
  su: (walk, args, flow) => runOption(walk, args, flow),
  runuser: (walk, args, flow) => runOptionOr(walk, args, flow),
  script: (walk, args, flow) => runOption(walk, args, flow),
  flock: (walk, args, flow) => runOptionOr(walk, args, flow),
  env: runEnv,
  watch: (walk, args, flow) =>
    runCode(walk, [joined(operandsOf(args, { short: "nq", long: "interval equexit" }))], flow),
  ssh: runRemote,
  parallel: runParallel,
  at: (walk, _args, flow) => runCode(walk, flow.stdin, flow),
  batch: (walk, _args, flow) => runCode(walk, flow.stdin, flow),
} satisfies Record<string, CodeRunner>);

const SHELL_SYNTAX = { long: "rcfile init-file" };
const STDIN_FILES = new Set(["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]);

/** `sh -c code`, `sh file`, or code on standard input. */
function runShell(walk: Walk, args: readonly ShellWord[], flow: Flow): Outcome {
  let at = 0;
  let isCode = false;
  let isStdin = false;
  for (; at < args.length; at++) {
    const { value, template } = args[at]!;
    if (value === undefined && args[at]!.isMany) continue;
    if (value === "--" || value === "-") {
      at++;
      break;
    }
    if (!/^[-+]./.test(template)) break;
    if (/^-\w*c/.test(template)) isCode = true;
    if (/^-\w*s/.test(template)) isStdin = true;
    if (template.startsWith("--")) at += optionLength(template, SHELL_SYNTAX) - 1;
    else if (/^[-+]\w*[oO]$/.test(template)) at++;
  }
  const { output } = runOperands(walk, args.slice(at), { flow, isCode, isStdin });
  return plainOutcome(flow.state, output);
}

interface ShellCall {
  readonly flow: Flow;
  readonly isCode: boolean;
  readonly isStdin: boolean;
}

function runOperands(walk: Walk, operands: readonly ShellWord[], { flow, isCode, isStdin }: ShellCall): Outcome {
  const [first, ...rest] = operands;
  if (isCode) {
    if (!first) return plainOutcome(flow.state, [""]);
    const inner = inShell(flow, rest.slice(1));
    const isOpen = rest.some((word) => word.isMany);
    if (isOpen) inner.state.positional = undefined;
    if (rest[0]) inner.state.shellName = isOpen ? UNKNOWN_PART : rest[0].template;
    return runCode(walk, [first.template], inner);
  }
  if (!first || isStdin) return runCode(walk, flow.stdin, inShell(flow, operands));
  return runScript(walk, first, { flow: inShell(flow, rest), contents: contentsOf(first, flow) });
}

/** A script is `$0` to itself. One that starts itself is walked no deeper. */
function runScript(
  walk: Walk,
  file: ShellWord,
  { flow, contents }: { readonly flow: Flow; readonly contents: PossibleTexts },
): Outcome {
  if (STDIN_FILES.has(file.template)) return runCode(walk, contents, flow);
  flow.state.shellName = file.template;
  const key = `script ${contents.join("\0")}`;
  const { forking: via, isConditional, site } = flow;
  const isKnown = contents.some((text) => text !== undefined && text !== UNKNOWN_PART);
  if (isKnown && flow.calls.includes(key)) {
    const position = flow.position ?? { start: 0, end: 0 };
    walk.findings.addRecursion({ name: file.raw, isScript: true, via, isConditional, site, position });
    return plainOutcome(flow.state, [undefined]);
  }
  return runCode(walk, contents, { ...flow, calls: [...flow.calls, key], forking: "none", isConditional: false });
}

/** A new shell starts with its own positional parameters. */
function inShell(flow: Flow, args: readonly ShellWord[]): Flow {
  const state = flow.state.forkProcess();
  const items = args.map(itemOf);
  state.positional = args.some((word) => word.isMany) ? undefined : items;
  return { ...flow, state };
}

/** Walks every text in a process of its own; what is not known is undecided. */
function runCode(walk: Walk, texts: PossibleTexts, flow: Flow): Outcome {
  let output: PossibleTexts = [];
  for (const text of texts) {
    if (text === undefined) {
      const position = flow.position ?? { start: 0, end: 0 };
      walk.findings.addUndecided("code", `Which code ${flow.wrappers.at(-1)} runs is not known.`, position);
      output = either(output, [undefined]);
      continue;
    }
    output = either(output, walk.code(text, { ...flow, state: flow.state.fork(), depth: flow.depth + 1 }).output);
  }
  return plainOutcome(flow.state, output);
}

function contentsOf(file: ShellWord, flow: Flow): PossibleTexts {
  if (file.value !== undefined && STDIN_FILES.has(file.value)) return flow.stdin;
  const paths = pathsOf(file, flow.state.directories);
  const contents = paths.flatMap((path) => flow.state.fileContents(path) ?? [undefined]);
  return contents.length > 0 ? contents : [undefined];
}

function runSource(walk: Walk, args: readonly ShellWord[], flow: Flow): Outcome {
  const [file] = dropDashes(args);
  if (!file) return plainOutcome(flow.state, [""]);
  const contents = contentsOf(file, flow);
  const [only] = contents;
  if (contents.length === 1 && only !== undefined) return walk.code(only, { ...flow, depth: flow.depth + 1 });
  return runCode(walk, contents, flow);
}

function runTrap(walk: Walk, args: readonly ShellWord[], flow: Flow): Outcome {
  const [code, signal] = dropDashes(args);
  if (!code || !signal || code.value === "-" || /^-\w/.test(code.template))
    return plainOutcome(flow.state, [undefined]);
  return runCode(walk, [code.template], flow);
}

/** `-c code`, alone or at the end of other letters, or `--command`. */
function codeOption(args: readonly ShellWord[]): ShellWord | undefined {
  for (const [index, { template }] of args.entries()) {
    const attached = /^--(?:command|session-command)=([^]*)$/.exec(template)?.[1];
    if (attached !== undefined) return wordFromTemplate(attached);
    if (/^(?:-\w*c|--command|--session-command)$/.test(template)) return args[index + 1];
  }
  return undefined;
}

function runOption(walk: Walk, args: readonly ShellWord[], flow: Flow): Outcome {
  const code = codeOption(args);
  if (code) return runCode(walk, [code.template], flow);
  return flow.wrappers.at(-1) === "su" ? runCode(walk, flow.stdin, flow) : plainOutcome(flow.state, [undefined]);
}

function runOptionOr(walk: Walk, args: readonly ShellWord[], flow: Flow): Outcome {
  const name = flow.wrappers.at(-1)!;
  const inner = unwrap(name, args, flow.stdin) ?? [];
  const isOwnOption = codeOption(args.slice(0, 4)) !== undefined;
  if (isOwnOption) return runOption(walk, args, flow);
  for (const { words } of inner) walk.run(words, { ...flow, state: flow.state.fork() });
  return plainOutcome(flow.state, [undefined]);
}

/** `env -S` splits a string into words, and `env` gives variables to what it runs. */
function runEnv(walk: Walk, args: readonly ShellWord[], flow: Flow): Outcome {
  const state = flow.state.fork();
  for (const { template } of args) {
    const [, name, value] = /^([A-Za-z_]\w*)=([^]*)$/.exec(template) ?? [];
    if (name !== undefined && value !== undefined) {
      state.assignText(name, value);
      state.export(name);
    }
  }
  const index = args.findIndex(({ template }) => /^(?:-\w*S|--split-string(?:=|$))/.test(template));
  if (index >= 0) {
    const attached = /^(?:-\w*?S|--split-string=)([^]*)$/.exec(args[index]!.template)?.[1] ?? "";
    const text = joined([...(attached === "" ? [] : [wordFromTemplate(attached)]), ...args.slice(index + 1)]);
    return runCode(walk, [text], { ...flow, state });
  }
  let output: PossibleTexts = [undefined];
  for (const inner of unwrap("env", args, flow.stdin) ?? []) {
    const within = state.fork();
    if (inner.directory) within.directories = inner.directory;
    output = walk.run(inner.words, { ...flow, state: within }).output;
  }
  return plainOutcome(flow.state, output);
}

/** Another machine's directories are not known here. */
function runRemote(walk: Walk, args: readonly ShellWord[], flow: Flow): Outcome {
  const [, ...command] = operandsOf(args, { short: "BbcDEeFIiJLlmOopPQRSWw" });
  if (command.length === 0) return plainOutcome(flow.state, [undefined]);
  const state = flow.state.fork();
  state.directories = [undefined];
  return runCode(walk, [joined(command)], { ...flow, state });
}

/** GNU parallel: the command is code, once for each argument after `:::` or each line of its input. */
function runParallel(walk: Walk, args: readonly ShellWord[], flow: Flow): Outcome {
  const operands = operandsOf(args, { short: "jPINnLlaSs", long: "jobs max-args colsep delimiter arg-file joblog" });
  const mark = operands.findIndex(({ value }) => /^:{3,4}\+?$/.test(value ?? ""));
  const command = mark < 0 ? operands : operands.slice(0, mark);
  const inputs = mark < 0 ? linesOf(flow.stdin) : operands.slice(mark + 1);
  const values = inputs.length > MAX_POSSIBILITIES ? [unknownWord("its input")] : inputs;
  const code = joined(command);
  const texts = values.map(({ template }) =>
    code.includes("{}") ? code.replaceAll("{}", () => template) : `${code} ${template}`,
  );
  return runCode(walk, texts.length > 0 ? texts : [code], flow);
}

function linesOf(texts: PossibleTexts): ShellWord[] {
  return texts.flatMap((text) => {
    if (text === undefined) return [unknownWord("its input")];
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map(wordFromTemplate);
  });
}

function operandsOf(
  args: readonly ShellWord[],
  syntax: { readonly short?: string; readonly long?: string },
): readonly ShellWord[] {
  let at = 0;
  while (args[at]?.template.startsWith("-")) {
    if (args[at]!.template === "--") return args.slice(at + 1);
    at += optionLength(args[at]!.template, syntax);
  }
  return args.slice(at);
}

function dropDashes(args: readonly ShellWord[]): readonly ShellWord[] {
  return args[0]?.value === "--" ? args.slice(1) : args;
}

function joined(words: readonly ShellWord[]): string {
  return words.map(({ template }) => template).join(" ");
}
