import { type Recursion, Findings, type ProgramUse, type Redirection, type Undecided } from "./command-flow.ts";
import { CommandWalk } from "./command-walk.ts";
import type { ParseShell, ShellParser } from "./shell-parser.ts";
import { type ShellContext, ShellState, WorkBudget, WorkLimitError } from "./shell-state.ts";
import { parsePlainCommand } from "./shell-words.ts";

export type { ProgramUse, Recursion, Redirection, Undecided } from "./command-flow.ts";
export type { ShellContext } from "./shell-state.ts";

/** Everything that a shell command may run, read and write, and what stays undecided. */
export interface CommandAnalysis {
  readonly text: string;
  readonly context: ShellContext;
  /** In the order of the text. One command stands here once for every set of arguments that it may have. */
  readonly programs: readonly ProgramUse[];
  readonly redirections: readonly Redirection[];
  /** Nothing in here may be taken as harmless. */
  readonly undecided: readonly Undecided[];
  readonly recursions: readonly Recursion[];
  /** Code, the text itself or nested in it, that does not parse as a whole. */
  readonly unparsed: readonly string[];
}

const WORK_LIMIT = 200_000;

/**
 * Reads a bash command without running anything. Never throws on any text: what cannot be decided is in `undecided`.
 * Rejects only when the parser's own files cannot be loaded; then nothing may run.
 */
export async function analyzeCommand(
  text: string,
  context: ShellContext,
  parser: ShellParser,
): Promise<CommandAnalysis> {
  const plain = analyzePlain(text, context);
  if (plain) return plain;
  const parse = await parser.load();
  return analyzeWith(parse, text, context);
}

/** The analysis by a parser that is already loaded. */
export function analyzeWith(parse: ParseShell, text: string, context: ShellContext): CommandAnalysis {
  const findings = new Findings();
  const state = new ShellState(context, new WorkBudget(WORK_LIMIT));
  const whole = { start: 0, end: text.length };
  try {
    new CommandWalk(findings, parse).start(text, state);
  } catch (error) {
    if (error instanceof ParserNeeded) throw error;
    const isLimit = error instanceof WorkLimitError || error instanceof RangeError;
    const reason = isLimit ? "The command is too large to be judged as a whole." : "The command could not be judged.";
    findings.addUndecided("limit", reason, whole);
  }
  const { programs, redirections, undecided, recursions, unparsed } = findings;
  return { text, context, programs, redirections, undecided, recursions, unparsed };
}

class ParserNeeded extends Error {}

/** Undefined when some code in it needs the real parser. */
function analyzePlain(text: string, context: ShellContext): CommandAnalysis | undefined {
  if (!parsePlainCommand(text)) return undefined;
  const parsePlain: ParseShell = (code) => {
    const tree = parsePlainCommand(code);
    if (!tree) throw new ParserNeeded();
    return tree;
  };
  try {
    return analyzeWith(parsePlain, text, context);
  } catch (error) {
    if (error instanceof ParserNeeded) return undefined;
    throw error;
  }
}
