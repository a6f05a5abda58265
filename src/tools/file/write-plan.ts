// What a file becomes by a write: its bytes in the right encoding, and what is worth saying about that.
import { ToolError } from "../../core/errors.ts";
import { lineEndingsOf } from "./change-notes.ts";
import { detectEncoding, type Detection } from "./detect-encoding.ts";
import type { ExistingFile } from "./existing-file.ts";
import type { FilePath } from "../../core/open-file.ts";
import { decodeText, encodeText, encodingLabel, type TextEncoding, UTF8 } from "./text-encoding.ts";
import { notText } from "./text-file.ts";

export interface WritePlan {
  readonly type: "create" | "update" | "append" | "unchanged";
  /** Of the whole file. */
  readonly bytes: Buffer;
  readonly encoding: TextEncoding;
  /** Undefined where the old file is too large or no text. */
  readonly before: string | undefined;
  readonly after: string;
  readonly notes: readonly string[];
}

/** A larger file is not appended to, as it is written anew as a whole. */
export const MAX_APPEND_BYTES = 100 * 1024 * 1024;

/** UTF-8, unless the file that is replaced has a byte order mark or is UTF-16: then as it was. */
export function planRewrite(old: ExistingFile | undefined, content: string): WritePlan {
  if (!old)
    return { type: "create", bytes: encodeText(content, UTF8), encoding: UTF8, before: "", after: content, notes: [] };
  const was = old.bytes && detectEncoding(old.bytes);
  const encoding = was?.kind === "text" && keepsEncoding(was.encoding) ? was.encoding : UTF8;
  const after = encoding.bom ? content.replace(/^\ufeff/, "") : content;
  const before = was?.kind === "text" && old.bytes ? decodeText(old.bytes, was.encoding) : undefined;
  const notes = [encodingNote(was, encoding, after), lineEndingsNote(before, after)].filter((note) => note !== "");
  return { type: "update", bytes: encodeText(after, encoding), encoding, before, after, notes };
}

/** Adds to a text in its own encoding. Throws `limit_exceeded` or `invalid_input`. */
export function planAppend(file: FilePath, old: ExistingFile, content: string): WritePlan {
  if (!old.bytes) {
    const message = `${file.shown} has ${old.stamp.size} bytes; at most ${MAX_APPEND_BYTES} can be appended to.`;
    throw new ToolError("limit_exceeded", message, { hint: "Append with `cat >> FILE` through BashTool." });
  }
  const was = detectEncoding(old.bytes);
  if (was.kind === "binary") throw notText(file.shown, was.says);
  const { encoding } = was;
  const before = decodeText(old.bytes, encoding);
  const added = encodeText(content, { ...encoding, bom: false });
  const joins = before !== "" && !/[\n\r]$/.test(before) && content !== "";
  return {
    type: "append",
    bytes: Buffer.concat([old.bytes, added]),
    encoding,
    before,
    after: before + content,
    notes: joins ? ["The file had no newline at its end: the text continues its last line."] : [],
  };
}

function keepsEncoding(encoding: TextEncoding): boolean {
  return encoding.bom || encoding.name.startsWith("utf-16");
}

function encodingNote(was: Detection | undefined, encoding: TextEncoding, after: string): string {
  if (was === undefined) return "";
  if (was.kind === "binary") return `Before, it was ${was.says}.`;
  if (keepsEncoding(encoding)) return `Written as ${encodingLabel(encoding)}, as it was.`;
  const other = was.encoding.name !== encoding.name && /[^\p{ASCII}]/u.test(after);
  return other ? `Before, it was ${encodingLabel(was.encoding)}; now it is ${encodingLabel(encoding)}.` : "";
}

function lineEndingsNote(before: string | undefined, after: string): string {
  if (before === undefined) return "";
  const [was, is] = [lineEndingsOf(before), lineEndingsOf(after)];
  if (was === is || was === "none" || is === "none") return "";
  return `Lines ended with ${was.toUpperCase()} before, and end with ${is.toUpperCase()} now.`.replaceAll(
    "MIXED",
    "LF and CRLF",
  );
}
