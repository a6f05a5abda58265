// What simple programs are known to print: enough to follow `$(echo …)` and `echo … | sh`.
import type { Flow } from "./command-flow.ts";
import { PATH_OUTPUT } from "./command-path-output.ts";
import { pathsOf } from "./command-redirections.ts";
import { decodeEchoEscapes } from "./shell-quoting.ts";
import { type PossibleTexts, type ShellWord, UNKNOWN_PART, either } from "./shell-value.ts";

/** Nothing is printed by these. */
const SILENT = new Set(
  "true false : test [ cd mkdir touch rm rmdir mv cp ln chmod chown sleep export unset wait kill trap umask ulimit".split(
    " ",
  ),
);

/** What a program prints, as templates; `[undefined]` when that is not known. */
export function outputOf(name: string, args: readonly ShellWord[], flow: Flow): PossibleTexts {
  if (SILENT.has(name)) return [""];
  const printer = PATH_OUTPUT[name];
  if (printer) return printer(args, flow);
  const operands = args.filter(({ value }) => !value?.startsWith("-") || value === "-");
  switch (name) {
    case "echo":
      return [echoOutput(args)];
    case "printf":
      return [printfOutput(args)];
    case "cat":
    case "tac":
      return args.length === operands.length ? catOutput(operands, flow) : [undefined];
    case "tee":
      return flow.stdin;
    case "base64":
      return hasOption(args, /^(-\w*[dD]\w*|--decode)$/)
        ? mapKnown(catOutput(operands, flow), decodeBase64)
        : [undefined];
    case "xxd":
      return hasOption(args, /^-\w*r/) ? mapKnown(catOutput(operands, flow), decodeHex) : [undefined];
    case "rev":
      return mapKnown(catOutput(operands, flow), (text) => text.split("\n").map(reversed).join("\n"));
    case "which":
      return [`/usr/bin/${operands[0]?.template ?? UNKNOWN_PART}\n`];
    default:
      return [undefined];
  }
}

/** `printf`'s output; undefined when a format is one that is not followed here. */
export function printfOutput(args: readonly ShellWord[]): string | undefined {
  const [first, ...others] = args;
  const [format, ...rest] = first?.value === "--" ? others : args;
  if (format?.value === undefined || args.some((word) => word.isMany)) return undefined;
  if (/%[^sbdic%qu]/.test(format.value)) return undefined;
  const values = rest.map((word) => word.template);
  let output = "";
  do {
    const before = values.length;
    output += format.value.replace(/%(.)|\\0?[0-7]{1,3}|\\x[0-9a-fA-F]{1,2}|\\[^]/g, (token, kind?: string) => {
      if (kind === undefined) return decodeEchoEscapes(token);
      if (kind === "%") return "%";
      const value = values.shift() ?? "";
      return kind === "b" ? decodeEchoEscapes(value) : kind === "c" ? value.slice(0, 1) : value;
    });
    if (values.length === before || output.length > 100_000) break;
  } while (values.length > 0);
  return output;
}

function echoOutput(args: readonly ShellWord[]): string {
  let first = 0;
  while (/^-[neE]+$/.test(args[first]?.value ?? "")) first++;
  const options = args
    .slice(0, first)
    .map(({ value }) => value)
    .join("");
  const text = args
    .slice(first)
    .map((word) => word.template)
    .join(" ");
  const isDecoded = options.lastIndexOf("e") > options.lastIndexOf("E");
  return (isDecoded ? decodeEchoEscapes(text) : text) + (options.includes("n") ? "" : "\n");
}

function catOutput(operands: readonly ShellWord[], flow: Flow): PossibleTexts {
  const [file, ...others] = operands;
  if (file === undefined || file.value === "-" || file.value === "/dev/stdin") return flow.stdin;
  const paths = pathsOf(file, flow.state.directories);
  if (others.length > 0 || paths.length === 0) return [undefined];
  return paths.map((path) => flow.state.fileContents(path) ?? [undefined]).reduce(either);
}

function hasOption(args: readonly ShellWord[], pattern: RegExp): boolean {
  return args.some(({ value }) => value !== undefined && pattern.test(value));
}

function mapKnown(texts: PossibleTexts, change: (text: string) => string): PossibleTexts {
  return texts.map((text) => (text === undefined || text.includes(UNKNOWN_PART) ? undefined : change(text)));
}

function decodeBase64(text: string): string {
  return Buffer.from(text, "base64").toString("utf8");
}

function decodeHex(text: string): string {
  return Buffer.from(text.replace(/\s/g, ""), "hex").toString("utf8");
}

function reversed(line: string): string {
  return Array.from(line).toReversed().join("");
}
