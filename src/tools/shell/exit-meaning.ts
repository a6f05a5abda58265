// Exit codes that say something other than failure.

const NO_MATCH = "no line matched";
const DIFFERENT = "the inputs differ";

/** Program, or program and subcommand → what its exit code 1 means (POSIX for the plain ones, git-grep(1), git-diff(1)). */
const MEANING_OF_ONE: Readonly<Record<string, string>> = {
  grep: NO_MATCH,
  egrep: NO_MATCH,
  fgrep: NO_MATCH,
  zgrep: NO_MATCH,
  rg: NO_MATCH,
  ag: NO_MATCH,
  "git grep": NO_MATCH,
  diff: DIFFERENT,
  cmp: DIFFERENT,
  "git diff": DIFFERENT,
  test: "the condition is false",
  "[": "the condition is false",
  "[[": "the condition is false",
  pgrep: "no process matched",
  find: "some places could not be searched",
};

/** What exit code 1 means after `lastCommand`, the simple command that ran last; undefined: it means failure. */
export function interpretExit(exitCode: number | null, lastCommand: string | undefined): string | undefined {
  if (exitCode !== 1 || lastCommand === undefined) return undefined;
  const words = lastCommand.split(/\s+/).filter((word) => !/^[A-Za-z_][A-Za-z0-9_]*=/.test(word));
  const [path = "", subcommand = ""] = words;
  const program = path.slice(path.lastIndexOf("/") + 1);
  return MEANING_OF_ONE[`${program} ${subcommand}`] ?? MEANING_OF_ONE[program];
}
