// One expanded command line: a function, a builtin, a program, or a program that runs another.
import { BUILTINS } from "./command-builtins.ts";
import { type Flow, type Outcome, type Walk, plainOutcome, stateAfter } from "./command-flow.ts";
import { NESTED_CODE } from "./command-nested.ts";
import { outputOf } from "./command-output.ts";
import { unwrap } from "./command-wrappers.ts";
import { itemOf } from "./shell-state.ts";
import { type PossibleTexts, type ShellWord, either } from "./shell-value.ts";

/** A function that calls itself is walked this often, with the arguments it gives itself. */
const MAX_RECURSION = 3;
const NOWHERE = { start: 0, end: 0 };

/** Records the program and walks whatever it runs in turn. */
export function runWords(walk: Walk, words: readonly ShellWord[], flow: Flow): Outcome {
  const [program, ...args] = words;
  if (!program) return plainOutcome(flow.state, [""]);
  flow.state.spend(1 + words.length);
  const position = flow.position ?? NOWHERE;
  const name = program.isPattern || program.value === "" ? undefined : nameOf(program);
  if (name === "{" || name === "!") return runWords(walk, args, flow);
  if (name === "}") return plainOutcome(flow.state, [""]);
  const { directories } = flow.state;
  const { wrappers, stdin } = flow;
  walk.findings.addProgram({ name, program, args, directories, wrappers, stdin, position });
  if (name === undefined) {
    walk.findings.addUndecided("program", `Which program ${program.raw} names is not known.`, position);
    return plainOutcome(flow.state, [undefined]);
  }
  for (const word of args) {
    if (word.value === undefined)
      walk.findings.addUndecided("value", `What ${word.raw} becomes is not known.`, position);
  }
  if (flow.state.bodies(program.value!).length > 0) return callFunction(walk, words, flow);
  const builtin = BUILTINS[name];
  if (builtin) return builtin(walk, args, flow);
  return runProgram(walk, words, flow);
}

function nameOf({ value }: ShellWord): string | undefined {
  return value?.slice(value.lastIndexOf("/") + 1);
}

function runProgram(walk: Walk, words: readonly ShellWord[], flow: Flow): Outcome {
  const name = nameOf(words[0]!)!;
  const args = words.slice(1);
  const within = { ...flow, wrappers: [...flow.wrappers, name] };
  const nested = NESTED_CODE[name];
  if (nested) return nested(walk, args, within);
  const inner = unwrap(name, args, flow.stdin);
  if (!inner) return runFile(walk, words, flow) ?? plainOutcome(flow.state, outputOf(name, args, flow));
  let output: PossibleTexts = [""];
  for (const { words: innerWords, directory, stdin } of inner) {
    const state = name === "command" || name === "builtin" || name === "time" ? flow.state : flow.state.fork();
    if (directory) state.directories = directory;
    const outcome = walk.run(innerWords, { ...within, state, stdin: stdin ?? flow.stdin });
    if (state === flow.state) return outcome;
    output = inner.length === 1 ? outcome.output : either(output, outcome.output);
  }
  return plainOutcome(flow.state, inner.length === 0 ? outputOf(name, args, flow) : output);
}

/** A script that this very text wrote. */
function runFile(walk: Walk, words: readonly ShellWord[], flow: Flow): Outcome | undefined {
  const [program] = words;
  return program?.value?.includes("/") ? NESTED_CODE.sh!(walk, words, flow) : undefined;
}

function callFunction(walk: Walk, words: readonly ShellWord[], flow: Flow): Outcome {
  const name = words[0]!.value!;
  const position = flow.position ?? NOWHERE;
  const levels = flow.calls.filter((call) => call === name).length;
  const { forking: via, isConditional, site } = flow;
  if (levels > 0) walk.findings.addRecursion({ name, via, isConditional, site, position });
  if (levels >= MAX_RECURSION) return plainOutcome(flow.state, [undefined]);
  const { positional } = flow.state;
  const args = words.slice(1).map(itemOf);
  const isClear = words.every((word) => !word.isMany);
  let output: PossibleTexts = [];
  let state = flow.state;
  for (const body of flow.state.bodies(name)) {
    const inner = state.fork();
    inner.positional = isClear ? args : undefined;
    const calls = [...flow.calls, name];
    const outcome = walk.statement(body, { ...flow, state: inner, calls, forking: "none", isConditional: false });
    const after = stateAfter(outcome);
    after.positional = positional;
    after.hasEnded = state.hasEnded;
    output = either(output, outcome.output);
    state = after;
  }
  return plainOutcome(state, output);
}
