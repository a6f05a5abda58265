import { posix } from "node:path";
import type { CommandAnalysis, ProgramUse, Recursion } from "./command-analysis.ts";
import { judgeRemoval, ruleFor } from "./command-catastrophe-rules.ts";
import { isDevice } from "./command-devices.ts";
import { type MadeLinks, TooManyLookups, rememberLookups } from "./command-links.ts";
import type { ProtectedPlaces } from "./command-places.ts";
import { MAX_SCANNED, scanTokens } from "./command-token-scan.ts";

export type { ProtectedPlaces } from "./command-places.ts";

/** Why a command may not run. */
export interface Catastrophe {
  /** The program that would do it, as it is called in the text. */
  readonly program: string;
  /** Continues "it …": "removes the root directory (/) with everything in it". */
  readonly reason: string;
}

/**
 * Finds what would destroy the machine, a home or what the workspace lies in, or stop the system, wherever in the
 * command it stands. Fails closed: a command too large to be judged counts as one, and where the text does not parse
 * its bare words are searched. What merely stays unknown at run time (a path in a variable that is read) does not count.
 */
export function findCatastrophe(analysis: CommandAnalysis, given: ProtectedPlaces): Catastrophe | undefined {
  const places = { ...given, links: madeLinks(analysis.programs) };
  rememberLookups(places.links);
  try {
    return findIn(analysis, places);
  } catch (error) {
    if (!(error instanceof TooManyLookups)) throw error;
    return { program: "the command", reason: "names too many paths to be judged" };
  }
}

function findIn(
  analysis: CommandAnalysis,
  places: ProtectedPlaces & { readonly links: MadeLinks },
): Catastrophe | undefined {
  for (const use of analysis.programs) {
    const reason = judge(use, places);
    if (reason !== undefined) return { program: use.program.raw, reason };
  }
  for (const { access, target, directories } of analysis.redirections) {
    if (access !== "read" && isDevice(target, { directories }, places.links))
      return { program: ">", reason: `writes over the device ${target.raw}` };
  }
  return findBomb(analysis.recursions) ?? findInUnparsed(analysis, places) ?? findLimit(analysis);
}

/** `ln -s target link`, or a link of the target's name in a directory. */
function madeLinks(programs: readonly ProgramUse[]): Map<string, string> {
  const links = new Map<string, string>();
  for (const { name, args, directories } of programs) {
    if (name !== "ln" && name !== "gln") continue;
    if (!args.some(({ template }) => /^(?:-\w*s|--sy)/.test(template))) continue;
    const [target, link] = args.filter(({ template }) => !template.startsWith("-")).map(({ value }) => value);
    if (target === undefined) continue;
    const own = posix.basename(target) || ".";
    for (const directory of directories) {
      if (directory === undefined) continue;
      const path = posix.resolve(directory, link ?? own);
      if (path !== "/") links.set(path, target).set(posix.join(path, own), target);
    }
  }
  return links;
}

function judge(use: ProgramUse, places: ProtectedPlaces): string | undefined {
  if (use.name !== undefined) return ruleFor(use.name)?.(use, places);
  const reason = judgeRemoval(use, places);
  return reason && `may be any program; if it is rm, it ${reason}`;
}

/** Copies of a function that start copies of it: in the background, or in a pipeline with nothing to stop it. */
function findBomb(recursions: readonly Recursion[]): Catastrophe | undefined {
  for (const { name, via, isConditional, isScript } of recursions) {
    const same = recursions.filter((other) => other.name === name && other.via === "pipeline");
    const sites = new Set(same.map(({ site }) => site));
    const isBomb = via === "background" || (via === "pipeline" && (!isConditional || sites.size > 1));
    if (isScript && !isBomb && !isConditional)
      return { program: name, reason: "is a script that starts itself again without end" };
    if (isBomb) return { program: name, reason: "starts copies of itself without end (a fork bomb)" };
  }
  return undefined;
}

function findInUnparsed({ unparsed, context }: CommandAnalysis, places: ProtectedPlaces): Catastrophe | undefined {
  for (const text of unparsed) {
    if (text.length > MAX_SCANNED)
      return { program: "the command", reason: "does not parse, and is too long to be searched" };
    for (const use of scanTokens(text, context)) {
      const reason = judge(use, places);
      if (reason === undefined) continue;
      return { program: use.program.raw, reason: `does not parse as a whole, and as far as its words tell ${reason}` };
    }
  }
  return undefined;
}

function findLimit({ undecided }: CommandAnalysis): Catastrophe | undefined {
  const limit = undecided.find(({ kind }) => kind === "limit");
  return limit && { program: "the command", reason: "is too large or too deeply nested to be judged" };
}
