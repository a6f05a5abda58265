// One rule for each program that can destroy a machine or stop it.
import { execCommands, parseFind } from "./command-find.ts";
import type { ProgramUse } from "./command-flow.ts";
import { isBelowDev, isDevice } from "./command-devices.ts";
import { type Place, type ProtectedPlaces, placeOf } from "./command-places.ts";
import type { ShellWord } from "./shell-value.ts";

/** Says why a use of a program is catastrophic; undefined when it is not. */
export type CatastropheRule = (use: ProgramUse, places: ProtectedPlaces) => string | undefined;

const REMOVERS = /^(?:rm|unlink|shred|truncate|mv|srm)$/;
const QUERY = /^--(?:help|version)$/;

const RULES: Readonly<Record<string, CatastropheRule>> = Object.assign(Object.create(null), {
  rm: judgeRemoval,
  srm: judgeRemoval,
  chmod: judgeRecursiveChange,
  chown: judgeRecursiveChange,
  chgrp: judgeRecursiveChange,
  chattr: judgeRecursiveChange,
  setfacl: judgeRecursiveChange,
  mv: judgeMove,
  find: judgeFind,
  rsync: judgeSync,
  dd: judgeDiskDump,
  cp: judgeDeviceWrite,
  tee: judgeDeviceWrite,
  shred: judgeDeviceWrite,
  truncate: judgeDeviceWrite,
  install: judgeDeviceWrite,
  wipefs: (use) => judgeDisk(use, /^(?:-\w*[ao]|--all|--offset)/),
  blkdiscard: (use) => judgeDisk(use),
  mke2fs: (use) => judgeDisk(use),
  mkswap: (use) => judgeDisk(use),
  fdisk: (use) => judgeDiskEditor(use, /^(?:-\w*[lsx]|--list)/),
  cfdisk: (use) => judgeDiskEditor(use),
  gdisk: (use) => judgeDiskEditor(use, /^-l/),
  sfdisk: (use) => judgeDiskEditor(use, /^(?:-[ldsFTV]|--list|--dump|--show|--json)/),
  sgdisk: (use) => judgeDiskEditor(use, /^(?:-[piVL]|--print|--info|--verify)/),
  parted: (use) => judgeDiskEditor(use, /^(?:-l|--list|print)$/),
  badblocks: (use) => judgeDisk(use, /^-\w*w/),
  cryptsetup: (use) => judgeDisk(use, /^(?:luksFormat|erase|luksErase|reencrypt)$/),
  hdparm: (use) => judgeDisk(use, /^--(?:security-erase|trim-sector|write-sector|make-bad)/),
  nvme: (use) => judgeDisk(use, /^(?:format|sanitize|write)/),
  diskutil: (use) => judgeWords(use, /^(?:erase\w*|partitionDisk|zeroDisk|secureErase|reformat)$/i, "erases a disk"),
  zpool: (use) => judgeWords(use, /^(?:destroy|labelclear)$/, "destroys a storage pool"),
  shutdown: (use) => (use.args.some(({ value }) => /^(?:-c|-k)$/.test(value ?? "")) ? undefined : judgeStop(use)),
  reboot: judgeStop,
  halt: judgeStop,
  poweroff: judgeStop,
  init: (use) => judgeWords(use, /^[016sS]$/, "ends or restarts the system"),
  telinit: (use) => judgeWords(use, /^[016sS]$/, "ends or restarts the system"),
  systemctl: (use) => judgeWords(use, STOPPING, "ends or restarts the system"),
  loginctl: (use) => judgeWords(use, STOPPING, "ends or restarts the system"),
  kexec: (use) => judgeWords(use, /^(?:-\w*e\w*|--exec)$/, "restarts the system"),
  kill: judgeKill,
  killall5: () => "ends every process",
} satisfies Record<string, CatastropheRule>);

const STOPPING =
  /^(?:poweroff|reboot|halt|kexec|soft-reboot|rescue|emergency|suspend|hibernate|hybrid-sleep)(?:\.target)?$/;

/** The rule for a program. GNU tools on macOS have a `g` before their name. */
export function ruleFor(name: string): CatastropheRule | undefined {
  if (/^mkfs(?:\.|$)|^newfs/.test(name)) return (use) => judgeDisk(use);
  return (
    RULES[name] ??
    (/^g(?:rm|chmod|chown|chgrp|mv|dd|cp|tee|shred|truncate|find)$/.test(name) ? RULES[name.slice(1)] : undefined)
  );
}

/** `rm`, in whatever way its options are written. */
export function judgeRemoval(use: ProgramUse, places: ProtectedPlaces): string | undefined {
  const { options, operands } = split(use.args);
  if (options.some((option) => option.startsWith("--no-p"))) return "tells rm not to spare the root directory";
  if (!isRecursive(use, options, /[rR]/)) return undefined;
  const place = firstPlace(operands, use, places);
  return place && `removes ${place.label} with everything in it`;
}

function judgeRecursiveChange(use: ProgramUse, places: ProtectedPlaces): string | undefined {
  const { options, operands } = split(use.args);
  if (!isRecursive(use, options, /R/)) return undefined;
  const place = firstPlace(operands, use, places);
  return place && `changes the rights of everything in ${place.label}`;
}

function judgeMove(use: ProgramUse, places: ProtectedPlaces): string | undefined {
  const { options, operands } = split(use.args);
  const hasTarget = options.some((option) => /^(?:-\w*t|--target)/.test(option));
  const place = firstPlace(hasTarget ? operands : operands.slice(0, -1), use, places);
  return place && `moves ${place.label} away`;
}

function judgeFind(use: ProgramUse, places: ProtectedPlaces): string | undefined {
  const { roots, expression } = parseFind(use.args);
  const deletes = expression.some(({ value }) => value === "-delete");
  const removes = execCommands(expression).some((words) => words.some(({ value }) => REMOVERS.test(baseName(value))));
  if (!deletes && !removes) return undefined;
  const place = firstPlace(roots, use, places);
  if (!place || place.kind === "temporary") return undefined;
  const isNarrow = isNarrowed(expression) && (place.kind === "home" || place.kind === "workspace");
  return isNarrow ? undefined : `removes what it finds in ${place.label}`;
}

/** Only files of a certain name are found. */
function isNarrowed(expression: readonly ShellWord[]): boolean {
  const texts = expression.map(({ template }) => template);
  if (texts.some((text) => /^(?:-o|-or|,|!|-not)$/.test(text))) return false;
  const name = texts[texts.findIndex((text) => /^-i?name$/.test(text)) + 1];
  return texts.some((text) => /^-i?name$/.test(text)) && (name?.replace(/[*?[\].]/g, "").length ?? 0) >= 2;
}

function judgeSync(use: ProgramUse, places: ProtectedPlaces): string | undefined {
  const { options, operands } = split(use.args);
  if (!options.some((option) => /^--(?:del|remove-source)/.test(option))) return undefined;
  const place = firstPlace(operands.slice(-1), use, places);
  return place && `removes what is in ${place.label} and not in its source`;
}

function judgeDiskDump(use: ProgramUse): string | undefined {
  const target = use.args.find(({ template }) => template.startsWith("of="));
  if (!target) return undefined;
  const template = target.template.slice(3);
  return isDevice({ ...target, value: target.value?.slice(3), template })
    ? `writes over the device ${template}`
    : undefined;
}

function judgeDeviceWrite(use: ProgramUse): string | undefined {
  const { options, operands } = split(use.args);
  const isCopy = use.name === "cp" || use.name === "install";
  const attached = options.flatMap((option) => /^--target-directory=(.+)$/.exec(option)?.[1] ?? []);
  const device = (isCopy ? operands.slice(-1) : operands).find(isDevice);
  return device || attached.length > 1 ? `writes over the device ${device?.raw ?? ""}` : undefined;
}

/** Programs that write to the disk they are given, perhaps only when told so by `writing`. */
function judgeDisk(use: ProgramUse, writing?: RegExp): string | undefined {
  if (writing && !use.args.some(({ template }) => writing.test(template))) return undefined;
  const device = use.args.find((word) => word.value === undefined || isBelowDev(word));
  return device && `destroys what is on ${device.raw}`;
}

function judgeDiskEditor(use: ProgramUse, reading?: RegExp): string | undefined {
  if (reading && use.args.some(({ template }) => reading.test(template))) return undefined;
  return judgeDisk(use);
}

function judgeWords(use: ProgramUse, words: RegExp, reason: string): string | undefined {
  return use.args.some(({ value }) => value !== undefined && words.test(value)) ? reason : undefined;
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
  return targets.includes("-1") ? "ends every process that it may" : undefined;
}

/** Options and operands as getopt sees them: mixed, until `--`. */
function split(args: readonly ShellWord[]): { readonly options: string[]; readonly operands: ShellWord[] } {
  const end = args.findIndex(({ value }) => value === "--");
  const before = end < 0 ? args : args.slice(0, end);
  const options = before.filter(({ template }) => /^-./.test(template)).map(({ template }) => template);
  const operands = before.filter(({ template }) => !/^-./.test(template));
  return { options, operands: end < 0 ? operands : [...operands, ...args.slice(end + 1)] };
}

/** An argument that is not known, and can be one of several, may hold the option too. */
function isRecursive(use: ProgramUse, options: readonly string[], letter: RegExp): boolean {
  if (use.args.some((word) => word.isMany && word.template === "\ue000")) return true;
  return options.some((option) =>
    option.startsWith("--") ? "--recursive".startsWith(option) && option !== "--" : letter.test(option),
  );
}

function firstPlace(words: readonly ShellWord[], use: ProgramUse, places: ProtectedPlaces): Place | undefined {
  for (const word of words) {
    const place = placeOf(word, use.directories, places);
    if (place) return place;
  }
  return undefined;
}

function baseName(path: string | undefined): string {
  return path?.slice(path.lastIndexOf("/") + 1) ?? "";
}
