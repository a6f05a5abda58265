// Programs that end the system, or every process of it.
import type { ProgramUse } from "./command-flow.ts";
import { type CatastropheRule, judgeWords } from "./command-operands.ts";
import type { ShellWord } from "./shell-value.ts";

const QUERY = /^--(?:help|version)$/;
const EVERYTHING = "ends every process that it may";
/** Names that have nothing in common: a pattern that finds them all finds any. */
const SAMPLES = ["init", "bash", "sshd", "kworker/0:1", "X", "systemd", "node"];
const STOPPING =
  /^(?:poweroff|reboot|halt|kexec|soft-reboot|rescue|emergency|suspend|hibernate|hybrid-sleep)(?:\.target)?$/;
const STARTING = /^(?:start|restart|reload-or-restart|try-restart|isolate)$/;
const SERVICE_OPTION =
  /^(?:-[tspnoPHM]|--(?:type|state|property|signal|lines|output|host|machine|root|job-mode|when))$/;

export const PROCESS_RULES = {
  shutdown: (use) => (use.args.some(({ value }) => /^(?:-c|-k)$/.test(value ?? "")) ? undefined : judgeStop(use)),
  reboot: judgeStop,
  halt: judgeStop,
  poweroff: judgeStop,
  init: (use) => judgeWords(use, /^[016sS]$/, "ends or restarts the system"),
  telinit: (use) => judgeWords(use, /^[016sS]$/, "ends or restarts the system"),
  systemctl: judgeService,
  loginctl: judgeService,
  kexec: (use) => judgeWords(use, /^(?:-\w*e\w*|--exec)$/, "restarts the system"),
  kill: judgeKill,
  killall: judgeKillAll,
  pkill: judgePatternKill,
  killall5: () => "ends every process",
} satisfies Record<string, CatastropheRule>;

/** Only what is done counts, and what is started: a unit may be looked at, whatever its name. */
function judgeService(use: ProgramUse): string | undefined {
  const words = use.args.filter(
    ({ template }, index) => !template.startsWith("-") && !SERVICE_OPTION.test(use.args[index - 1]?.template ?? ""),
  );
  const [verb, ...units] = words;
  const isStart = verb?.value === undefined || STARTING.test(verb.value);
  const counting = [verb, ...(isStart ? units : [])];
  const stops = counting.some((word) => word?.value !== undefined && STOPPING.test(word.value));
  return stops ? "ends or restarts the system" : undefined;
}

/** A program of that name in the workspace is somebody's own script. */
function judgeStop({ args, program, directories }: ProgramUse): string | undefined {
  if (args.some(({ value }) => QUERY.test(value ?? ""))) return undefined;
  const path = program.value ?? "";
  const isOwn =
    path.includes("/") && !path.startsWith("/") && directories.every((directory) => !/\bs?bin$/.test(directory ?? ""));
  return isOwn ? undefined : "ends or restarts the system";
}

function judgeKill({ args }: ProgramUse): string | undefined {
  const words = args.map(({ template }) => template);
  const takesValue = /^(?:-s|-n|--signal)$/.test(words[0] ?? "");
  const targets = words.slice(takesValue ? 2 : words[0]?.startsWith("-") ? 1 : 0);
  return targets.some((target) => /^-0*1$/.test(target)) ? EVERYTHING : undefined;
}

/** Names are taken as they are, unless `-r` is given. */
function judgeKillAll({ args }: ProgramUse): string | undefined {
  const { options, operands } = readOptions(
    args,
    /^(?:-[unsoyZ]|--(?:user|ns|signal|older-than|younger-than|context))$/,
  );
  if (!options.some((option) => /^(?:-[a-zA-Z]*r|--regexp)/.test(option) && !option.startsWith("-SIG")))
    return undefined;
  return operands.some(({ value }) => value !== undefined && findsAll(value)) ? EVERYTHING : undefined;
}

function judgePatternKill({ args }: ProgramUse): string | undefined {
  const valued =
    /^(?:-[FgGPstuUOqr]|--(?:pidfile|pgroup|group|parent|session|terminal|euid|uid|ns|nslist|signal|older))$/;
  const { options, operands } = readOptions(args, valued);
  if (options.some((option) => /^(?:-[PFgst]|--(?:parent|pidfile|pgroup|session|terminal|help|version))/.test(option)))
    return undefined;
  if (options.some((option) => /^(?:-v|--inverse)$/.test(option))) return EVERYTHING;
  return operands.some(({ value }) => value !== undefined && findsAll(value)) ? EVERYTHING : undefined;
}

function readOptions(args: readonly ShellWord[], valued: RegExp) {
  const options: string[] = [];
  const operands: ShellWord[] = [];
  let isOver = false;
  for (const [index, word] of args.entries()) {
    if (!isOver && valued.test(args[index - 1]?.template ?? "")) continue;
    if (isOver || !/^-./.test(word.template)) operands.push(word);
    else if (word.template === "--") isOver = true;
    else options.push(word.template);
  }
  return { options, operands };
}

function findsAll(pattern: string): boolean {
  if (pattern.length > 100) return false;
  try {
    const matcher = new RegExp(pattern.replaceAll(/\[\[:\w+:\]\]/g, "[^]"));
    return SAMPLES.every((sample) => matcher.test(sample));
  } catch {
    return false;
  }
}
