// Programs that run another program from their arguments: what that other command line is.
import { unwrapFind } from "./command-find.ts";
import { unwrapXargs } from "./command-xargs.ts";
import { type PossibleTexts, type ShellWord, fragmentsOf, wordsOf } from "./shell-value.ts";

/** A command line inside another. */
export interface InnerCommand {
  readonly words: readonly ShellWord[];
  /** Where it runs, if elsewhere. */
  readonly directory?: PossibleTexts;
  readonly stdin?: PossibleTexts;
}

interface WrapperSyntax {
  /** Letters of the options that take a value. */
  readonly short?: string;
  /** Names of the long options whose value is the next word. */
  readonly long?: string;
  /** Words of its own before the command. */
  readonly operands?: number;
  /** `NAME=value` may stand before the command. */
  readonly takesAssignments?: boolean;
  /** The option that names a directory to run in. */
  readonly directoryOption?: RegExp;
  /** With this option nothing is run. */
  readonly queryOption?: RegExp;
}

const PLAIN: WrapperSyntax = {};
const ONE_OPERAND: WrapperSyntax = { operands: 1 };

const WRAPPERS: Readonly<Record<string, WrapperSyntax>> = Object.assign(Object.create(null), {
  env: {
    short: "uCSa",
    long: "unset chdir split-string argv0",
    takesAssignments: true,
    directoryOption: /^(-C|--chdir)/,
  },
  sudo: {
    short: "ugpCDRrtThU",
    long: "user group prompt chdir chroot host role type close-from command-timeout other-user",
    takesAssignments: true,
    directoryOption: /^(-D|--chdir)/,
  },
  doas: { short: "uC", takesAssignments: true },
  pkexec: { long: "user" },
  nice: { short: "n", long: "adjustment" },
  ionice: { short: "cnpPu", long: "class classdata pid pgid uid" },
  nohup: PLAIN,
  timeout: { short: "ks", long: "kill-after signal", operands: 1 },
  time: { short: "fo", long: "format output" },
  stdbuf: { short: "ioe", long: "input output error" },
  setsid: PLAIN,
  command: { queryOption: /^-\w*[vV]/ },
  builtin: PLAIN,
  exec: { short: "a" },
  coproc: PLAIN,
  noglob: PLAIN,
  busybox: PLAIN,
  toybox: PLAIN,
  chroot: { long: "userspec groups", operands: 1 },
  unshare: { short: "RwSG", long: "root wd setuid setgid" },
  nsenter: { short: "tSG", long: "target setuid setgid" },
  strace: { short: "oepsaEIOPSuUXbz" },
  ltrace: { short: "oepsaEnlxu" },
  valgrind: PLAIN,
  taskset: ONE_OPERAND,
  chrt: { short: "TPD", operands: 1 },
  setarch: { operands: 1 },
  linux32: PLAIN,
  linux64: PLAIN,
  numactl: { short: "CmNipl" },
  prlimit: PLAIN,
  setpriv: { long: "reuid regid groups inh-caps ambient-caps bounding-set securebits" },
  "systemd-run": { short: "ptuEHMC", long: "property unit setenv slice uid gid working-directory" },
  fakeroot: PLAIN,
  faketime: ONE_OPERAND,
  firejail: PLAIN,
  unbuffer: PLAIN,
  proxychains: { short: "f" },
  proxychains4: { short: "f" },
  torsocks: PLAIN,
  "xvfb-run": { short: "enspwf" },
  "dbus-run-session": PLAIN,
  caffeinate: { short: "tw" },
  gosu: ONE_OPERAND,
  "su-exec": ONE_OPERAND,
  "dumb-init": PLAIN,
  tini: PLAIN,
  cgexec: { short: "g" },
  runuser: { short: "ugGsw", long: "user group shell" },
  flock: { short: "wE", long: "timeout wait conflict-exit-code", operands: 1 },
} satisfies Record<string, WrapperSyntax>);

/** The command lines that `name` runs; none when it only asks. Undefined when it is no wrapper. */
export function unwrap(
  name: string,
  args: readonly ShellWord[],
  stdin: PossibleTexts,
): readonly InnerCommand[] | undefined {
  if (name === "find") return unwrapFind(args);
  if (name === "xargs") return unwrapXargs(args, stdin);
  if (name === "coproc" && args[1]?.value === "{") return [{ words: args.slice(1) }];
  const syntax = WRAPPERS[name];
  return syntax && unwrapPlain(args, syntax);
}

/** A template as a single argument. */
export function wordFromTemplate(template: string): ShellWord {
  return wordsOf(fragmentsOf(template, true), template)[0] ?? wordsOf([{ text: "", quoted: true }], template)[0]!;
}

/** How many words an option takes: itself, and its value if that is the next word. */
export function optionLength(option: string, syntax: { readonly short?: string; readonly long?: string }): number {
  if (option.startsWith("--")) {
    const name = option.slice(2);
    const takesValue = syntax.long?.split(" ").some((long) => name !== "" && long.startsWith(name)) ?? false;
    return takesValue ? 2 : 1;
  }
  const letter = Array.from(option).findIndex((one, index) => index > 0 && (syntax.short?.includes(one) ?? false));
  return letter === option.length - 1 ? 2 : 1;
}

function unwrapPlain(args: readonly ShellWord[], syntax: WrapperSyntax): InnerCommand[] {
  const inner: InnerCommand[] = [];
  let directory: PossibleTexts | undefined;
  let operands = syntax.operands ?? 0;
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at]!;
    const text = word.value ?? (word.template.startsWith("-") ? word.template : undefined);
    if (text === undefined && operands === 0) {
      // It may be an option, several, none, or the program itself.
      inner.push({ words: args.slice(at), ...(directory && { directory }) });
      continue;
    }
    if (text === "--") {
      at += 1 + operands;
      break;
    }
    if (text !== undefined && syntax.queryOption?.test(text)) return [];
    if (text !== undefined && syntax.directoryOption?.test(text)) directory = [directoryOf(text, args[at + 1])];
    if (text?.startsWith("-") && text !== "-") at += optionLength(text, syntax) - 1;
    else if (text === "-" || (syntax.takesAssignments && /^[A-Za-z_]\w*=/.test(word.template))) continue;
    else if (operands-- <= 0) break;
  }
  const words = args.slice(at);
  if (words.length > 0) inner.push({ words, ...(directory && { directory }) });
  return inner;
}

function directoryOf(option: string, next: ShellWord | undefined): string | undefined {
  const attached = /^(?:--\w+=|-\w)(\/[^]*)$/.exec(option)?.[1];
  const path = attached ?? next?.value;
  return path?.startsWith("/") ? path : undefined;
}
