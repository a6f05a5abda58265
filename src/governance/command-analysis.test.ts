import { describe, expect, it } from "vitest";
import { type CommandAnalysis, analyzeCommand } from "./command-analysis.ts";
import { ShellParser } from "./shell-parser.ts";

const parser = new ShellParser();
const context = { cwd: "/w", home: "/home/ann", environment: { HOME: "/home/ann", LIST: "a b" } };

async function analyze(command: string): Promise<CommandAnalysis> {
  return analyzeCommand(command, context, parser);
}

/** The arguments of every use of `p`; unknown ones as `?`. */
async function argumentsOf(command: string): Promise<string[][]> {
  const { programs } = await analyze(command);
  return programs.filter(({ name }) => name === "p").map(({ args }) => args.map(({ value }) => value ?? "?"));
}

async function directoriesOf(command: string): Promise<(readonly (string | undefined)[])[]> {
  const { programs } = await analyze(command);
  return programs.filter(({ name }) => name === "p").map(({ directories }) => directories);
}

describe("analyzeCommand on words", () => {
  it.each([
    [String.raw`p \a 'b c' "d e" f''g $'\x41\t\u00e9' $"t"`, ["a", "b c", "d e", "fg", "A\té", "t"]],
    [String.raw`p "\$x \"q\" \n" a\ b`, ['$x "q" \\n', "a b"]],
    ["p {a,b}c {1..3} {c..a} x{,y} {a} {$HOME,z}", "ac bc 1 2 3 c b a x xy {a} /home/ann z".split(" ")],
    ["p ~ ~/x ~root ~bob/y a~ '~'", ["/home/ann", "/home/ann/x", "/root", "/home/bob/y", "a~", "~"]],
    ['p $LIST "$LIST" $NONE "$NONE"', ["a", "b", "a b", ""]],
    ["x=1 y=$x; p $x${y}z", ["11z"]],
    [
      "x=a.tar.gz; p ${x%.*} ${x%%.*} ${x#*.} ${x##*.} ${x/a/b} ${x//a/b} ${x:2:3} ${x: -2}",
      "a.tar a tar.gz gz b.tar.gz b.tbr.gz tar gz".split(" "),
    ],
    ["x=aB; p ${x^^} ${x,,} ${x^} ${#x}", ["AB", "ab", "AB", "?"]],
    ["p ${u:-d} ${u-d} ${u:=e} $u ${LIST:+set} ${v:+no}", ["d", "d", "e", "e", "set"]],
    ["n=x x=1; p ${!n}", ["1"]],
    ['a=(1 "2 3"); a+=(4); a[0]=0; p "${a[@]}" ${a[1]} $a', ["0", "2 3", "4", "2", "3", "0"]],
    ['set -- a "b c"; p "$@" $1 $#; shift; p "$1"', ["a", "b c", "a", "?"]],
    ["p $((1 + 2)) $((7))", ["?", "7"]],
    ['p $(echo a b) "$(echo a b)" `printf "%s-" x y`', ["a", "b", "a b", "x-y-"]],
    [String.raw`p $(echo -e 'a\tb' | cat) $(pwd)`, ["a", "b", "/w"]],
    ["p a\\\nb \\\n c", ["ab", "c"]],
    ["p x$A-y$LIST/", ["x-ya", "b/"]],
    ["IFS=,; x=a,b; p $x", ["a", "b"]],
    ["printf -v x %d 5; p $x", ["5"]],
    ['p $(date) "$RANDOM" $?', ["?", "?", "?"]],
  ])("expands %s", async (command, expected) => {
    expect((await argumentsOf(command))[0]).toEqual(expected);
  });

  it("keeps patterns apart from quoted text", async () => {
    const { programs } = await analyze("p /* '/*' [a]b");
    expect(programs[0]?.args.map(({ value, isPattern }) => [value, isPattern])).toEqual([
      ["/*", true],
      ["/*", false],
      ["[a]b", true],
    ]);
  });

  it("says what an unknown word would be if it came out empty", async () => {
    const { programs } = await analyze('read -r d; p "$d"/* "${d:?}/x" "$(mktemp)"');
    expect(programs.at(-1)?.args.map(({ valueIfEmpty }) => valueIfEmpty)).toEqual(["/*", undefined, undefined]);
  });

  it("gives every set of arguments that a command may have", async () => {
    expect(await argumentsOf("if a; then x=1; else x=2; fi; p $x")).toEqual([["1"], ["2"]]);
    expect(await argumentsOf("for x in a b; do p $x; done")).toEqual([["a"], ["b"]]);
    expect(await argumentsOf("a && x=1; p $x")).toEqual([["1"], []]);
    expect(await argumentsOf("printf 'a\\nb\\n' | while read -r x; do p \"$x\"; done")).toEqual([["a"], ["b"], [""]]);
    expect(await argumentsOf('case $1 in a) x=1 ;& b) p "$x" ;; esac')).toEqual([[""], ["1"]]);
    expect(await argumentsOf('while a; do p "$x"; x=1; done')).toEqual([[""], ["1"]]);
  });

  it("takes more possibilities than it can follow as unknown", async () => {
    const branches = Array.from({ length: 8 }, (_, i) => `if a; then x${i}=1; else x${i}=2; fi`).join("; ");
    const words = Array.from({ length: 8 }, (_, i) => `$x${i}`).join("");
    expect(new Set((await argumentsOf(`${branches}; p ${words}`)).flat())).toEqual(new Set(["?"]));
  });
});

describe("analyzeCommand on statements", () => {
  it.each([
    "a; p",
    "a && p",
    "a || p",
    "a | p",
    "a & p",
    "a\np",
    "! p",
    "(p)",
    "{ p; }",
    "if p; then :; fi",
    "if a; then :; elif p; then :; fi",
    "while p; do :; done",
    "until a; do p; done",
    "for x in a; do p; done",
    "for ((i=0; i<3; i++)); do p; done",
    "select x in a; do p; done",
    "case x in x) p ;; esac",
    "case $(p) in x) ;; esac",
    "[[ $(p) ]]",
    "[ $(p) ]",
    "(( $(p) ))",
    "echo $(p)",
    'echo "`p`"',
    "cat <(p)",
    "a > >(p)",
    "x=$(p)",
    "x[$(p)]=1",
    "echo ${x:-$(p)}",
    "echo ${x[$(p)]}",
    "echo $(($(p)))",
    "cat <<E\n$(p)\nE",
    "cat <<< $(p)",
    "f() { p; }",
    "f() { p; } > x; f",
    "coproc p",
    "coproc X { p; }",
    "time p",
    "time { p; }",
    "time (p)",
    "a 2>&1 <<< x | p",
    "cat <<E | p\nx\nE",
    "cat <<E && p\nx\nE",
    "export X=$(p)",
    "local x=$(p)",
    "unset $(p)",
    "a && b 2>&1 | p",
    "echo \\\n $(p)",
    "{ p; } &",
    "if a; then :; else p; fi",
    "exec p",
    "X=1 p",
    "2>x p",
    "p x=1",
  ])("finds p in %s", async (command) => {
    expect(await argumentsOf(command)).not.toEqual([]);
  });

  it("tracks the working directory", async () => {
    expect(await directoriesOf("cd x && p")).toEqual([["/w/x"]]);
    expect(await directoriesOf("cd x; p")).toEqual([["/w/x", "/w"]]);
    expect(await directoriesOf("cd x || exit; p")).toEqual([["/w/x"]]);
    expect(await directoriesOf("(cd /); p")).toEqual([["/w"]]);
    expect(await directoriesOf("cd / | a; p")).toEqual([["/w"]]);
    expect(await directoriesOf("cd / && a 2>&1 | b; p")).toEqual([["/"]]);
    expect(await directoriesOf("cd && p")).toEqual([["/home/ann"]]);
    expect(await directoriesOf("cd / && cd - && p")).toEqual([["/w"]]);
    expect(await directoriesOf('cd "$(a)" && p')).toEqual([[undefined]]);
    expect(await directoriesOf("pushd /x && popd && p")).toEqual([[undefined]]);
    expect(await directoriesOf("env -C /x p")).toEqual([["/x"]]);
    expect(await directoriesOf("f() { cd /; }; f && p")).toEqual([["/"]]);
  });

  it("records what the shell itself opens", async () => {
    const { redirections } = await analyze("a < in > out 2>> err &> all <> both 2>&1 >&- > x; b > $(c)");
    expect(redirections.map(({ access, target }) => [access, target.value])).toEqual([
      ["read", "in"],
      ["write", "out"],
      ["append", "err"],
      ["write", "all"],
      ["read_write", "both"],
      ["write", "x"],
      ["write", undefined],
    ]);
  });

  it("gives the place of a command, and for nested code the place of what runs it", async () => {
    const { programs } = await analyze("a; sh -c 'b'");
    expect(programs.map(({ name, position }) => [name, position])).toEqual([
      ["a", { start: 0, end: 1 }],
      ["sh", { start: 3, end: 12 }],
      ["b", { start: 3, end: 12 }],
    ]);
  });

  it("reports what it cannot decide", async () => {
    const kindsIn = async (command: string) => (await analyze(command)).undecided.map(({ kind }) => kind);
    expect(await kindsIn("ls -la")).toEqual([]);
    expect(await kindsIn("curl x | sh")).toEqual(["code"]);
    expect(await kindsIn("bash script.sh")).toEqual(["code"]);
    expect(await kindsIn(". ./env")).toEqual(["code"]);
    expect(await kindsIn("$(a)")).toEqual(["program"]);
    expect(await kindsIn("./x* a")).toEqual(["program"]);
    expect(await kindsIn("rm $(a)")).toEqual(["value"]);
    expect(await kindsIn("a > $(b)")).toEqual(["value"]);
    expect(await kindsIn('echo "')).toEqual(["syntax"]);
    expect(await kindsIn("cat <<E\nx\nE y\nE")).toContain("syntax");
    expect(await kindsIn("a <<< b 2> c <<< d; exec 3<>e")).toEqual([]);
  });

  it("walks a function that is never called", async () => {
    expect(await argumentsOf('f() { p "$1"; }')).toEqual([["?"]]);
    expect(await argumentsOf('f() { p "$1"; }; f x')).toEqual([["x"]]);
  });

  it("reports functions that call themselves", async () => {
    const { recursions } = await analyze("f() { f | f; }; f");
    expect(recursions[0]).toMatchObject({ name: "f", via: "pipeline", isConditional: false });
  });
});
