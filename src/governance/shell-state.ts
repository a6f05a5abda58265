// What is known about the shell at one point of the text: directory, variables, functions.
import type { ShellNode } from "./shell-parser.ts";
import { type Expansion, MAX_POSSIBILITIES, type PossibleTexts, type ShellWord, either } from "./shell-value.ts";

/** What a command line is judged against. */
export interface ShellContext {
  readonly cwd: string;
  readonly home: string;
  /** The environment that the command will run with. What is missing here is unset. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** One value that a variable may have: no item when unset, several for an array. */
export interface Binding {
  readonly items: readonly BoundItem[];
  /** The same before its quotes were forgotten, where it is used at once: `${x:-'a b'}`. */
  readonly expansion?: Expansion;
  /** Which index or key an item has is not known. */
  readonly isLoose?: boolean;
  /** The variable that this one is another name of. */
  readonly reference?: string;
}

export interface BoundItem {
  /** A template; undefined when nothing of it is known. */
  readonly text: string | undefined;
  readonly mayBeEmpty: boolean;
  /** Stands for the file names that a pattern matches. */
  readonly isPattern?: boolean;
  /** Stands for any number of items. */
  readonly isMany?: boolean;
}

export const UNKNOWN_BINDING: Binding = { items: [{ text: undefined, mayBeEmpty: true }] };
export const UNSET_BINDING: Binding = { items: [] };

const MAX_REFERENCES = 8;
const MAX_VALUE_LENGTH = 30_000;

/** Set by bash itself, and hardly ever empty. */
const SELF_SET = new Set(
  (
    "_ BASHOPTS BASHPID BASH_VERSION BASH_COMMAND BASH_SOURCE EPOCHSECONDS EPOCHREALTIME EUID GROUPS HOSTNAME HOSTTYPE " +
    "LINENO MACHTYPE OSTYPE PPID RANDOM SECONDS SHELLOPTS SRANDOM UID DIRSTACK PIPESTATUS FUNCNAME OPTIND OPTARG " +
    "REPLY COLUMNS LINES COPROC MAPFILE ZSH_VERSION"
  ).split(" "),
);

/** Counts the work of one analysis; throws {@link WorkLimitError} when it is used up. */
export class WorkBudget {
  #left: number;

  constructor(units: number) {
    this.#left = units;
  }

  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw new WorkLimitError();
  }
}

export class WorkLimitError extends Error {}

/** Changed in place by what runs; forked where the shell forks or where the text branches. */
export class ShellState {
  readonly context: ShellContext;
  readonly #budget: WorkBudget;
  #variables = new Map<string, readonly Binding[]>();
  #exported = new Set<string>();
  #functions = new Map<string, readonly ShellNode[]>();
  /** Contents of files that this text writes before it runs them; every fork sees the same files. */
  #files = new Map<string, PossibleTexts>();
  /** Every directory that this point may run in; undefined stands for one that is not known. */
  directories: PossibleTexts;
  /** `$1` and on; undefined when they are not known. */
  positional: readonly BoundItem[] | undefined = [];
  /** `$0`. */
  shellName = "bash";
  /** After `exit` or `return`: this point is only reached if that had no effect. */
  hasEnded = false;

  constructor(context: ShellContext, budget: WorkBudget) {
    this.context = context;
    this.#budget = budget;
    this.directories = [context.cwd];
  }

  /** Counts work done on behalf of this text; throws {@link WorkLimitError}. */
  spend(units: number): void {
    this.#budget.spend(units);
  }

  fork(): ShellState {
    this.spend(4 + this.#variables.size + this.#functions.size);
    const copy = new ShellState(this.context, this.#budget);
    copy.#variables = new Map(this.#variables);
    copy.#exported = new Set(this.#exported);
    copy.#functions = new Map(this.#functions);
    copy.#files = this.#files;
    copy.directories = this.directories;
    copy.positional = this.positional;
    copy.shellName = this.shellName;
    copy.hasEnded = this.hasEnded;
    return copy;
  }

  /** Every value that a variable may have here. */
  variable(given: string): readonly Binding[] {
    const name = this.#referred(given);
    const assigned = this.#variables.get(name);
    if (assigned) return assigned;
    if (name === "PWD") return this.directories.map((text) => ({ items: [{ text, mayBeEmpty: false }] }));
    if (name === "HOME") return [known(this.context.environment.HOME ?? this.context.home)];
    const inherited = this.context.environment[name];
    if (inherited !== undefined) return [known(inherited)];
    if (name === "IFS") return [known(" \t\n")];
    if (SELF_SET.has(name)) return [{ items: [{ text: undefined, mayBeEmpty: false }] }];
    return [UNSET_BINDING];
  }

  assign(given: string, bindings: readonly Binding[]): void {
    const name = this.#referred(given);
    const isTooLong = bindings.some(({ items }) => items.some((item) => (item.text?.length ?? 0) > MAX_VALUE_LENGTH));
    this.#variables.set(name, isTooLong || bindings.length > MAX_POSSIBILITIES ? [UNKNOWN_BINDING] : bindings);
  }

  /** `declare -n name=target`. */
  refer(name: string, target: string): void {
    if (this.#referred(target) !== name) this.#variables.set(name, [{ items: [], reference: target }]);
  }

  #referred(given: string): string {
    let name = given;
    for (let steps = 0; steps < MAX_REFERENCES; steps++) {
      const next = this.#variables.get(name)?.[0]?.reference;
      if (next === undefined) break;
      name = next;
    }
    return name;
  }

  assignText(name: string, text: string): void {
    this.assign(name, [known(text)]);
  }

  /** Programs that are started from now on get this variable. */
  export(name: string): void {
    this.#exported.add(name);
  }

  /** The state that a new shell starts with: it may lack what is not exported. */
  forkProcess(): ShellState {
    const copy = this.fork();
    for (const [name, bindings] of this.#variables) {
      const isInherited = this.#exported.has(name) || this.context.environment[name] !== undefined;
      if (!isInherited) copy.assign(name, distinct([...bindings, UNSET_BINDING]));
    }
    return copy;
  }

  /** A function's bodies: more than one when branches define it differently. */
  bodies(name: string): readonly ShellNode[] {
    return this.#functions.get(name) ?? [];
  }

  define(name: string, body: ShellNode): void {
    this.#functions.set(name, [body]);
  }

  forget(name: string): void {
    this.#functions.delete(name);
  }

  writeFile(path: string, contents: PossibleTexts): void {
    this.#files.set(path, either(this.#files.get(path) ?? [], contents));
  }

  /** What a file holds if this very text wrote it; undefined otherwise. */
  fileContents(path: string): PossibleTexts | undefined {
    return this.#files.get(path);
  }

  /** A state for either way of getting here. A way that has ended counts only when both have. */
  join(other: ShellState): ShellState {
    if (other === this || (other.hasEnded && !this.hasEnded)) return this;
    if (this.hasEnded && !other.hasEnded) return other;
    const joined = this.fork();
    joined.directories = either(this.directories, other.directories);
    if (this.positional !== other.positional) joined.positional = undefined;
    for (const name of new Set([...this.#variables.keys(), ...other.#variables.keys()])) {
      const [mine, theirs] = [this.variable(name), other.variable(name)];
      if (mine !== theirs) joined.assign(name, distinct([...mine, ...theirs]));
    }
    for (const name of other.#exported) joined.#exported.add(name);
    for (const [name, bodies] of other.#functions) {
      joined.#functions.set(name, [...new Set([...this.bodies(name), ...bodies])]);
    }
    return joined;
  }

  /** Whether a loop that started as `before` and ended here has nothing new to show in another round. */
  equals(before: ShellState): boolean {
    const same = (a: readonly unknown[], b: readonly unknown[]) => JSON.stringify(a) === JSON.stringify(b);
    if (!same(this.directories, before.directories) || this.#functions.size !== before.#functions.size) return false;
    return [...this.#variables].every(([name, bindings]) => same(bindings, before.variable(name)));
  }

  /** Gives up on every variable that differs from `before`. */
  blur(before: ShellState): void {
    for (const [name, bindings] of this.#variables) {
      if (bindings !== before.#variables.get(name)) this.#variables.set(name, [UNKNOWN_BINDING]);
    }
    if (JSON.stringify(this.directories) !== JSON.stringify(before.directories)) this.directories = [undefined];
  }
}

/** A variable with one known text. */
export function known(text: string): Binding {
  return { items: [{ text, mayBeEmpty: text === "" }] };
}

/** What a variable, parameter or array item holds after it got this argument. */
export function itemOf({ template, isPattern, isMany }: ShellWord): BoundItem {
  return { text: template, mayBeEmpty: template === "", isPattern, isMany };
}

function distinct(bindings: readonly Binding[]): readonly Binding[] {
  const seen = new Map(bindings.map((binding) => [JSON.stringify(binding.items), binding]));
  return [...seen.values()];
}
