// One rule for each program that can destroy a machine or stop it.
import { execCommands, parseFind } from "./command-find.ts";
import type { ProgramUse } from "./command-flow.ts";
import type { CatastropheRule } from "./command-operands.ts";
import { DEVICE_RULES } from "./command-device-rules.ts";
import { split } from "./command-operands.ts";
import { PROCESS_RULES } from "./command-process-rules.ts";
import { type PathUse, type Place, type ProtectedPlaces, placeOf } from "./command-places.ts";
import type { ShellWord } from "./shell-value.ts";

const REMOVERS = /^(?:rm|unlink|shred|truncate|mv|srm)$/;

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
  ...DEVICE_RULES,
  ...PROCESS_RULES,
} satisfies Record<string, CatastropheRule>);

/** The rule for a program. GNU tools on macOS have a `g` before their name. */
export function ruleFor(name: string): CatastropheRule | undefined {
  if (/^mkfs(?:\.|$)|^newfs|^mk(?:dosfs|ntfs|exfatfs|udffs|reiserfs)$/.test(name)) return RULES.mke2fs;
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
  const place = firstPlace(operands, following(use), places);
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
  const place = firstPlace(roots, following(use), places);
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
  const place = firstPlace(operands.slice(-1), following(use), places);
  return place && `removes what is in ${place.label} and not in its source`;
}

/** An argument that is not known, and can be one of several, may hold the option too. */
function isRecursive(use: ProgramUse, options: readonly string[], letter: RegExp): boolean {
  if (use.args.some((word) => word.isMany && word.template === "\ue000")) return true;
  return options.some((option) =>
    option.startsWith("--") ? "--recursive".startsWith(option) && option !== "--" : letter.test(option),
  );
}

function following({ directories }: ProgramUse): PathUse {
  return { directories, followsLast: true };
}

function firstPlace(words: readonly ShellWord[], use: PathUse, places: ProtectedPlaces): Place | undefined {
  for (const word of words) {
    const place = placeOf(word, use, places);
    if (place) return place;
  }
  return undefined;
}

function baseName(path: string | undefined): string {
  return path?.slice(path.lastIndexOf("/") + 1) ?? "";
}
