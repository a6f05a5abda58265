interface LookAlike {
  readonly says: string;
  /** Removes the difference; applied to both texts. */
  readonly even: (text: string) => string;
}

// In this order: each takes the ones before it for granted.
const LOOK_ALIKES: readonly LookAlike[] = [
  { says: "invisible characters", even: (text) => text.replaceAll(/[\u00ad\u200b-\u200f\u2060\ufeff]/gu, "") },
  { says: "the Unicode form of letters (composed or decomposed)", even: (text) => text.normalize("NFC") },
  { says: "quotes (straight or curly)", even: evenQuotes },
  { says: "dashes (hyphen or long)", even: (text) => text.replaceAll(/[\u2010-\u2015\u2212]/gu, "-") },
  { says: "blanks (no-break or other special ones)", even: (text) => text.replaceAll(/[^\S\n\t\r ]/gu, " ") },
  { says: "indentation", even: (text) => text.replaceAll(/^[ \t]+/gm, "") },
  { says: "blanks at line ends", even: (text) => text.replaceAll(/(?<=[^ \t]|^)[ \t]+$/gm, "") },
  { says: "the number or kind of blanks between words", even: (text) => text.replaceAll(/(?<=\S)[ \t]+(?=\S)/gu, " ") },
  { says: "upper and lower case", even: (text) => text.toLowerCase() },
];

/** Names what keeps `wanted` from being found in `there`, for two texts that look alike. */
export function nameDifferences(there: string, wanted: string): string {
  const names = LOOK_ALIKES.filter((skipped) => {
    const rest = LOOK_ALIKES.filter((kind) => kind !== skipped);
    const even = (text: string) => rest.reduce((text, kind) => kind.even(text), text);
    return !even(there).includes(even(wanted));
  }).map(({ says }) => (says === "indentation" ? `${says} (${describeIndentation(there, wanted)})` : says));
  if (names.length === 0) return "letters that look alike";
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** Brings quotes to the straight ones. */
export function evenQuotes(text: string): string {
  return text
    .replaceAll(/[\u2018\u2019\u201a\u201b\u02bc\u00b4`]/gu, "'")
    .replaceAll(/[\u201c\u201d\u201e\u201f]/gu, '"');
}

function describeIndentation(there: string, wanted: string): string {
  const [left, right] = [there.split("\n"), wanted.split("\n")];
  const index = right.findIndex((line, index) => indentation(line) !== indentation(left[index] ?? ""));
  const at = index === -1 ? 0 : index;
  return `the file has ${nameBlanks(indentation(left[at]!))}, old_string ${nameBlanks(indentation(right[at]!))}`;
}

function indentation(line: string): string {
  return /^[ \t]*/.exec(line)![0];
}

function nameBlanks(blanks: string): string {
  const tabs = blanks.split("\t").length - 1;
  const spaces = blanks.length - tabs;
  const parts = [
    tabs > 0 ? `${tabs} tab${tabs === 1 ? "" : "s"}` : "",
    spaces > 0 ? `${spaces} space${spaces === 1 ? "" : "s"}` : "",
  ];
  return parts.filter((part) => part !== "").join(" and ") || "none";
}
