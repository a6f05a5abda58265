// What the parts of the walk hand to each other, and what they find.
import type { ParseShell, ShellNode } from "./shell-parser.ts";
import type { ShellState } from "./shell-state.ts";
import type { PossibleTexts, ShellWord } from "./shell-value.ts";

/** Offsets into the text that was analyzed. What nested code runs has the place of the command that runs it. */
export interface TextPosition {
  readonly start: number;
  readonly end: number;
}

/** One program, function or builtin that the text may run, with one set of arguments. */
export interface ProgramUse {
  /** The last part of its path; undefined when only run time knows it. */
  readonly name: string | undefined;
  readonly program: ShellWord;
  readonly args: readonly ShellWord[];
  /** Every directory it may run in; undefined stands for one that is not known. */
  readonly directories: PossibleTexts;
  /** The programs that run it, outermost first: `["sudo", "sh"]`. */
  readonly wrappers: readonly string[];
  /** What its standard input may hold, as far as the text says so. */
  readonly stdin: PossibleTexts;
  readonly position: TextPosition;
}

/** A file that the shell itself opens. */
export interface Redirection {
  readonly access: "read" | "write" | "append" | "read_write";
  readonly target: ShellWord;
  readonly directories: PossibleTexts;
  readonly position: TextPosition;
}

/**
 * Something that only run time decides. `syntax`: the text does not parse as a whole. `limit`: too deep, long or
 * costly; the findings are incomplete. `program`: which program runs. `code`: which code a shell runs.
 * `value`: an argument or a file.
 */
export interface Undecided {
  readonly kind: "syntax" | "limit" | "program" | "code" | "value";
  readonly reason: string;
  readonly position: TextPosition;
}

/** A function or a script that calls itself. */
export interface Recursion {
  readonly name: string;
  readonly isScript?: boolean;
  /** What the call is put into: copies of the shell that run beside it, or none. */
  readonly via: Forking;
  /** Some test stands before the call. */
  readonly isConditional: boolean;
  /** Tells two calls in the same body apart. */
  readonly site: number;
  readonly position: TextPosition;
}

export type Forking = "none" | "pipeline" | "background";

/** Where a statement stands. Immutable but for the shell state. */
export interface Flow {
  readonly state: ShellState;
  readonly stdin: PossibleTexts;
  readonly wrappers: readonly string[];
  /** Functions that are being walked, outermost first. */
  readonly calls: readonly string[];
  readonly forking: Forking;
  readonly isConditional: boolean;
  /** Set inside nested code: the command that runs it. */
  readonly position: TextPosition | undefined;
  /** Where the command stands in the code that is being walked, nested or not. */
  readonly site: number;
  readonly depth: number;
}

/** The state after a statement that succeeded, and that failed; the same object where it makes no difference. */
export interface Outcome {
  readonly ok: ShellState;
  readonly failed: ShellState;
  readonly output: PossibleTexts;
}

/** The walk, as its parts see it. */
export interface Walk {
  readonly findings: Findings;
  readonly parse: ParseShell;
  statement(node: ShellNode, flow: Flow): Outcome;
  /** The statements among `nodes`, one after the other. */
  sequence(nodes: readonly ShellNode[], flow: Flow): Outcome;
  /** Whatever runs inside a node that is no statement: arithmetic, tests, patterns. */
  visit(node: ShellNode, flow: Flow): void;
  /** A command line that is already expanded. */
  run(words: readonly ShellWord[], flow: Flow): Outcome;
  /** Shell code; a template. */
  code(text: string, flow: Flow): Outcome;
  define(name: string, body: ShellNode, flow: Flow): void;
}

/** Collects without repeating: loops are walked more than once. */
export class Findings {
  readonly programs: ProgramUse[] = [];
  readonly redirections: Redirection[] = [];
  readonly undecided: Undecided[] = [];
  readonly recursions: Recursion[] = [];
  /** Code that did not parse as a whole. */
  readonly unparsed: string[] = [];
  readonly #seen = new Set<string>();

  addProgram(use: ProgramUse): void {
    const args = use.args.map((word) => word.template).join("\0");
    const key = [use.position.start, use.program.template, args, use.directories.join("\0"), use.wrappers.join("\0")];
    if (this.#isNew(key)) this.programs.push(use);
  }

  addRedirection(use: Redirection): void {
    const key = [use.position.start, use.position.end, use.access, use.target.template, use.directories.join("\0")];
    if (this.#isNew(key)) this.redirections.push(use);
  }

  addUndecided(kind: Undecided["kind"], reason: string, position: TextPosition): void {
    if (this.#isNew([kind, reason, position.start])) this.undecided.push({ kind, reason, position });
  }

  addRecursion(recursion: Recursion): void {
    this.recursions.push(recursion);
  }

  #isNew(key: readonly (string | number)[]): boolean {
    const text = key.join("\u0001");
    const isNew = !this.#seen.has(text);
    this.#seen.add(text);
    return isNew;
  }
}

/** The outcome of something that changes nothing whether it succeeds or not. */
export function plainOutcome(state: ShellState, output: PossibleTexts): Outcome {
  return { ok: state, failed: state, output };
}

/** The state after a statement, however it ended. */
export function stateAfter({ ok, failed }: Outcome): ShellState {
  return ok === failed ? ok : ok.join(failed);
}

/** The place to report for a node. */
export function positionOf(node: ShellNode, flow: Flow): TextPosition {
  return flow.position ?? { start: node.start, end: node.end };
}
