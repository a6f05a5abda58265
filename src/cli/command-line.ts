// The command line's grammar, over Node's own `parseArgs`: what starts with every call has to start fast.
import { parseArgs } from "node:util";
import { ToolError } from "../core/errors.ts";
import { didYouMean } from "../core/nearest.ts";

export interface OptionSpec {
  /** What the value is called in the help; undefined: a switch. */
  readonly value?: string;
  readonly about: string;
}

export interface ArgumentSpec {
  readonly name: string;
  readonly about: string;
  /** Taken when the argument is left out; undefined: it may not be. */
  readonly byDefault?: string;
}

export interface Given {
  readonly arguments: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

export interface CommandSpec {
  /** One word, or two, such as `audit list`. */
  readonly name: string;
  readonly about: string;
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: Readonly<Record<string, OptionSpec>>;
  /** Resolves to the exit status. */
  readonly run: (given: Given) => Promise<number>;
}

export type Invocation =
  | { readonly kind: "run"; readonly command: CommandSpec; readonly given: Given }
  | { readonly kind: "help"; readonly command?: CommandSpec; readonly family?: readonly CommandSpec[] }
  | { readonly kind: "version" };

const HELP = new Set(["--help", "-h"]);

/** What the words ask for. Throws `invalid_input` with the nearest command or option. */
export function readCommandLine(words: readonly string[], commands: readonly CommandSpec[]): Invocation {
  const [first = "--help", second] = words;
  if ((HELP.has(first) || first === "help") && second === undefined) return { kind: "help" };
  if (["--version", "-V", "-v", "version"].includes(first)) return { kind: "version" };
  if (HELP.has(first) || first === "help") return readCommandLine([...words.slice(1), "--help"], commands);
  const command = commands.find(({ name }) => name === first || name === `${first} ${second}`);
  const family = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (!command && family.length > 0 && (second === undefined || HELP.has(second))) return { kind: "help", family };
  if (!command) throw unknownCommand(words, commands);
  const rest = words.slice(command.name.split(" ").length);
  if (rest.some((word) => HELP.has(word))) return { kind: "help", command };
  return { kind: "run", command, given: readGiven(rest, command) };
}

function readGiven(words: readonly string[], command: CommandSpec): Given {
  const { positionals, values } = parseWords(words, command);
  const specs = command.arguments ?? [];
  if (positionals.length > specs.length) {
    throw misuse(
      command,
      `${command.name} takes no ${JSON.stringify(positionals[specs.length])}; quote what belongs together`,
    );
  }
  const given = specs.map((spec, index) => {
    const value = positionals[index] ?? spec.byDefault;
    if (value === undefined) throw misuse(command, `${command.name} needs <${spec.name}>`);
    return value;
  });
  return { arguments: given, options: values };
}

function parseWords(
  words: readonly string[],
  command: CommandSpec,
): { positionals: string[]; values: Given["options"] } {
  const specs = Object.entries(command.options ?? {});
  const options = Object.fromEntries(
    specs.map(([name, spec]) => [
      name,
      { type: spec.value === undefined ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    const message = error instanceof Error ? (error.message.split(". ")[0] ?? "") : String(error);
    const unknown = words.find((word) => word.startsWith("--") && !Object.hasOwn(options, word.slice(2)));
    throw misuse(
      command,
      message,
      unknown &&
        didYouMean(
          unknown,
          Object.keys(options).map((name) => `--${name}`),
        ),
    );
  }
}

function misuse(command: CommandSpec, message: string, near = ""): ToolError {
  return new ToolError("invalid_input", message, {
    hint: [near, `\`pawl ${command.name} --help\` shows how.`].filter(Boolean).join(" "),
  });
}

function unknownCommand(words: readonly string[], commands: readonly CommandSpec[]): ToolError {
  const [first = "", second = ""] = words;
  const family = commands.filter(({ name }) => name.startsWith(`${first} `));
  const wanted = family.length > 0 ? `${first} ${second}`.trim() : first;
  const hint = [
    didYouMean(
      wanted,
      commands.map(({ name }) => name),
    ),
    "`pawl --help` lists the commands.",
  ]
    .filter(Boolean)
    .join(" ");
  return new ToolError("invalid_input", `pawl has no command ${JSON.stringify(wanted.slice(0, 100))}`, { hint });
}

/** The help of one command, or the list of all. */
export function helpText(commands: readonly CommandSpec[], command?: CommandSpec): string {
  if (!command) {
    const rows = commands.map((spec) => [usageOf(spec), spec.about] as const);
    return `pawl: a governed tool runtime for coding agents\n\n${columns(rows)}\n\n\`pawl COMMAND --help\` shows a command's options; \`pawl --version\` the version.`;
  }
  const arguments_ = (command.arguments ?? []).map((spec) => [`<${spec.name}>`, spec.about] as const);
  const options = Object.entries(command.options ?? {}).map(
    ([name, spec]) => [spec.value === undefined ? `--${name}` : `--${name} <${spec.value}>`, spec.about] as const,
  );
  const parts = [`pawl ${usageOf(command)}`, `${command.about}.`, columns([...arguments_, ...options])];
  return parts.filter(Boolean).join("\n\n");
}

function usageOf(command: CommandSpec): string {
  const names = (command.arguments ?? []).map((spec) =>
    spec.byDefault === undefined ? `<${spec.name}>` : `[${spec.name}]`,
  );
  return [command.name, ...names].join(" ");
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}
