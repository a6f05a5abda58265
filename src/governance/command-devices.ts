// Block devices and memory: writing to one destroys what lies on it.
import { globSource } from "./shell-glob.ts";
import type { ShellWord } from "./shell-value.ts";

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

/** Whether a word names a disk, the memory, or the kernel's own trigger. */
export function isDevice(word: ShellWord): boolean {
  const path = (word.value ?? word.template).replace(/\/{2,}|\/\.(?=\/)/g, "/");
  if (DEVICE.test(path) || TRIGGER.test(path)) return true;
  if (!path.startsWith("/dev/") || !/[*?[]/.test(path)) return false;
  const source = globSource(path, true);
  return source === undefined || SAMPLES.some((sample) => new RegExp(`^${source}$`).test(sample));
}

/** Whether a word names anything below `/dev`. */
export function isBelowDev(word: ShellWord): boolean {
  return (
    word.template.startsWith("/dev/") &&
    !/^\/dev\/(?:null|stdout|stderr|stdin|tty|fd\/|loop|zero|full)/.test(word.template)
  );
}
