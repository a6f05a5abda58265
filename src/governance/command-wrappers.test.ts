import { describe, expect, it } from "vitest";
import { analyzeCommand } from "./command-analysis.ts";
import { ShellParser } from "./shell-parser.ts";

const parser = new ShellParser();
const context = { cwd: "/w", home: "/home/ann", environment: { HOME: "/home/ann" } };

async function usesOf(command: string): Promise<string[]> {
  const { programs } = await analyzeCommand(command, context, parser);
  return programs
    .filter(({ name }) => name === "p")
    .map(({ wrappers, args }) => [...wrappers, "p", ...args.map(({ value }) => value ?? "?")].join(" "));
}

describe("programs that run programs", () => {
  it.each([
    ["env -i -u X A=1 p a", "env p a"],
    ["env -S 'p a' b", "env p a b"],
    ["sudo -u root -g x --user=me -- p a", "sudo p a"],
    ["sudo A=1 -n p", "sudo p"],
    ["doas -u me p", "doas p"],
    ["nice -n 5 p", "nice p"],
    ["nice -5 p", "nice p"],
    ["ionice -c2 -n 7 p", "ionice p"],
    ["timeout --signal KILL -k 5 10s p a", "timeout p a"],
    ["timeout --sig=KILL 10s p", "timeout p"],
    ["stdbuf -o L -eL p", "stdbuf p"],
    ["time -p p", "time p"],
    ["command -p p a", "command p a"],
    ["exec -c -a name p", "exec p"],
    ["busybox p", "busybox p"],
    ["chroot --userspec=a /x p", "chroot p"],
    ["flock -w 5 /l p a", "flock p a"],
    ["flock /l -c 'p a'", "flock p a"],
    ["nsenter -t 1 -m -- p", "nsenter p"],
    ["nohup setsid p a", "nohup setsid p a"],
    ["find x y -name z -exec p {} \\;", "find p x|find p y"],
    ["find -execdir p a{}b \\;", "find p a.b"],
    ["find . -exec p a \\; -o -ok p b {} +", "find p a|find p b ."],
    ["echo 'a b' | xargs p -x", "xargs p -x a b"],
    ["printf 'a b\\nc\\n' | xargs -I % p %", "xargs p a b|xargs p c"],
    ["printf 'a\\0b' | xargs -0 -n 1 p", "xargs p a b"],
    ["echo a,b | xargs -d , p", "xargs p a b"],
    ["cat f | xargs --max-args 1 p", "xargs p ?"],
    ["cat f | xargs -i p {}.x", "xargs p ?"],
    ["xargs -a f p", "xargs p ?"],
    ["sh -c 'p \"$1\" $0' n a", "sh p a n"],
    ["bash -exo pipefail -c 'p'", "bash p"],
    ["bash --rcfile x -c p", "bash p"],
    ["sudo -E bash -lc 'p a'", "sudo bash p a"],
    ["echo p a | sh -s x", "sh p a"],
    ["echo 'p $1' | bash -s x", "bash p x"],
    ["bash <<E\np a\nE", "bash p a"],
    ["bash <<< 'p a'", "bash p a"],
    ["bash < <(echo p a)", "bash p a"],
    ["bash <(echo p a)", "bash p a"],
    ["echo p a > f; sh f", "sh p a"],
    ["echo p a > f && chmod +x f && ./f", "p a"],
    ["echo p a > f; . ./f", ". p a"],
    ["eval p 'a b'", "eval p a b"],
    ["trap 'p a' EXIT", "trap p a"],
    ["su - me -c 'p a'", "su p a"],
    ["echo p a | su", "su p a"],
    ["runuser -u me -- p a", "runuser p a"],
    ["script -q -c 'p a' /dev/null", "script p a"],
    ["script --command='p a'", "script p a"],
    ["watch -n 2 -d p a", "watch p a"],
    ["ssh -p 22 host p a", "ssh p a"],
    ["parallel -j 2 p {} x ::: a b", "parallel p a x|parallel p b x"],
    ["printf 'a\\nb\\n' | parallel p", "parallel p a|parallel p b"],
    ["echo p a | at now", "at p a"],
    ["echo cCBhCg== | base64 -d | sh", "sh p a"],
    ["echo 'a p' | rev | sh", "sh p a"],
    ["echo 70 20 61 | xxd -r -p | sh", "sh p a"],
    ["echo p a | tee f | sh", "sh p a"],
    ["$(which p) a", "p a"],
    ["X=a; sh -c 'p $X'", "sh p|sh p a"],
    ["export X=a; sh -c 'p $X'", "sh p a"],
    ["declare -x X=a; sh -c 'p $X'", "sh p a"],
    ["X=a sh -c 'p $X'", "sh p a"],
    ["env X=a sh -c 'p $X'", "env sh p a"],
    ["sudo $(a) p b", "sudo p b"],
    ["alias q='p a'; q b", "p a b"],
  ])("walks %s", async (command, expected) => {
    expect((await usesOf(command)).toSorted()).toEqual(expected.split("|").toSorted());
  });

  it.each([
    "command -v p",
    "find . -name p",
    "echo p | cat",
    "sh -c",
    "trap - EXIT",
    "trap p",
    "script x",
    "ssh host",
    "p() { :; }",
  ])("finds no run of p in %s", async (command) => {
    expect(await usesOf(command)).toEqual([]);
  });
});
