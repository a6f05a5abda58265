/** Characters that are shown of one line. */
const MOST_CHARACTERS = 500;
/** Characters before the match. */
const LEAD = 150;

export interface CutLine {
  readonly text: string;
  readonly isCut: boolean;
}

/** The part of a long line around its match, with what is left out on each side. */
export function cutLine(text: string, matchStart: number): CutLine {
  if (text.length <= MOST_CHARACTERS) return { text, isCut: false };
  const latest = text.length - MOST_CHARACTERS;
  const start = wholeCharacter(text, Math.max(0, Math.min(matchStart - LEAD, latest)));
  const end = wholeCharacter(text, start + MOST_CHARACTERS);
  return { text: `${gap(start)}${text.slice(start, end)}${gap(text.length - end)}`, isCut: true };
}

function gap(characters: number): string {
  return characters === 0 ? "" : `[… ${characters.toLocaleString("en-US")} characters …]`;
}

/** Not between the two halves of a character. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc_00 && code <= 0xdf_ff ? at - 1 : at;
}
