// Programs that write over a disk, or over whatever file they are told.
import { isBelowDev, isDevice } from "./command-devices.ts";
import type { ProgramUse } from "./command-flow.ts";
import { type CatastropheRule, judgeWords, split } from "./command-operands.ts";
import type { ProtectedPlaces } from "./command-places.ts";
import type { ShellWord } from "./shell-value.ts";

export const DEVICE_RULES = {
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
  zpool: judgePool,
  pvcreate: (use) => judgeDisk(use),
  vgcreate: (use) => judgeDisk(use),
  mdadm: (use) => judgeDisk(use, /^(?:-C|--create|--zero-superblock)/),
  curl: (use, places) => judgeOutput(use, /^(?:-[a-zA-Z#]*?o|--output$|--output=)(.*)$/, places),
  wget: (use, places) => judgeOutput(use, /^(?:-[a-zA-Z]*?O|--output-document$|--output-document=)(.*)$/, places),
  openssl: (use, places) => judgeOutput(use, /^-out$()/, places),
} satisfies Record<string, CatastropheRule>;

function judgeDiskDump(use: ProgramUse, { links }: ProtectedPlaces): string | undefined {
  for (const word of use.args.filter(({ template }) => template.startsWith("of="))) {
    const target = withoutStart(word, "of=".length);
    if (isDevice(target, use, links)) return `writes over the device ${target.template}`;
  }
  return undefined;
}

function judgeDeviceWrite(use: ProgramUse, { links }: ProtectedPlaces): string | undefined {
  const { options, operands } = split(use.args);
  const isCopy = use.name === "cp" || use.name === "install";
  const attached = options.flatMap((option) => /^--target-directory=(.+)$/.exec(option)?.[1] ?? []);
  const device = (isCopy ? operands.slice(-1) : operands).find((word) => isDevice(word, use, links));
  return device || attached.length > 1 ? `writes over the device ${device?.raw ?? ""}` : undefined;
}

/** The file stands behind its option, or in the same word. */
function judgeOutput(use: ProgramUse, option: RegExp, { links }: ProtectedPlaces): string | undefined {
  for (const [index, word] of use.args.entries()) {
    const attached = option.exec(word.template)?.[1];
    if (attached === undefined) continue;
    const file = attached === "" ? use.args[index + 1] : withoutStart(word, word.template.length - attached.length);
    if (file && isDevice(file, use, links)) return `writes over the device ${file.template}`;
  }
  return undefined;
}

function withoutStart(word: ShellWord, length: number): ShellWord {
  return { ...word, value: word.value?.slice(length), template: word.template.slice(length) };
}

/** Programs that write to the disk they are given, perhaps only when told so by `writing`. */
function judgeDisk(use: ProgramUse, writing?: RegExp): string | undefined {
  if (writing && !use.args.some(({ template }) => writing.test(template))) return undefined;
  const device = use.args.find((word) => word.value === undefined || isBelowDev(word, use));
  return device && `destroys what is on ${device.raw}`;
}

function judgeDiskEditor(use: ProgramUse, reading?: RegExp): string | undefined {
  if (reading && use.args.some(({ template }) => reading.test(template))) return undefined;
  return judgeDisk(use);
}

/** A pool's disks may be named without their directory. */
function judgePool(use: ProgramUse): string | undefined {
  const destroys = judgeWords(use, /^(?:destroy|labelclear)$/, "destroys a storage pool");
  if (destroys !== undefined) return destroys;
  const inDev = { directories: ["/dev", ...use.directories] };
  const device = use.args.slice(1).find((word) => word.value === undefined || isDevice(word, inDev));
  const writes = use.args.some(({ value }) => /^(?:create|add|attach|replace)$/.test(value ?? ""));
  return writes && device ? `destroys what is on ${device.raw}` : undefined;
}
