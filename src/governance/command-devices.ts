// Block devices and memory: writing to one destroys what lies on it.
import { posix } from "node:path";
import { type MadeLinks, realPaths } from "./command-links.ts";
import { globSource } from "./shell-glob.ts";
import type { PossibleTexts, ShellWord } from "./shell-value.ts";

const DEVICE =
  /^\/dev\/(?:sd[a-z]|hd[a-z]|vd[a-z]|xvd[a-z]|nvme\d|mmcblk\d|r?disk\d|md\d|dm-\d|pmem\d|nbd\d|mapper\/.|disk\/.|mem$|kmem$|port$|root$)/;
const SAMPLES = [
  "/dev/sda",
  "/dev/sda1",
  "/dev/nvme0n1",
  "/dev/vda",
  "/dev/mmcblk0",
  "/dev/hda",
  "/dev/disk0",
  "/dev/mem",
];
const TRIGGER = /^\/proc\/(?:sysrq-trigger|kcore|kmem)$/;

/** Where a word is used. */
export interface DeviceUse {
  readonly directories: PossibleTexts;
}

/** Whether a word names or leads to a disk, the memory, or the kernel's own trigger. */
export function isDevice(word: ShellWord, use: DeviceUse, links: MadeLinks = new Map()): boolean {
  return pathsOf(word, use).some((path) => {
    if (isDevicePath(posix.resolve(path))) return true;
    return word.value !== undefined && realPaths(path, { followsLast: true, links }).some(isDevicePath);
  });
}

function isDevicePath(path: string): boolean {
  if (DEVICE.test(path) || TRIGGER.test(path)) return true;
  if (!path.startsWith("/dev/") || !/[*?[]/.test(path)) return false;
  const source = globSource(path, true);
  return source === undefined || SAMPLES.some((sample) => new RegExp(`^${source}$`).test(sample));
}

/** Whether a word names anything below `/dev`. */
export function isBelowDev(word: ShellWord, use: DeviceUse): boolean {
  return pathsOf(word, use).some((path) => {
    const resolved = posix.resolve(path);
    return (
      resolved.startsWith("/dev/") && !/^\/dev\/(?:null|stdout|stderr|stdin|tty|fd\/|loop|zero|full)/.test(resolved)
    );
  });
}

function pathsOf({ value, template }: ShellWord, { directories }: DeviceUse): string[] {
  const text = value ?? template;
  if (text.startsWith("/")) return [text];
  if (text === "") return [];
  return directories.flatMap((directory) => (directory === undefined ? [] : [`${directory}/${text}`]));
}
