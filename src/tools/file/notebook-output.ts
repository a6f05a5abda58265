import { stripVTControlCharacters } from "node:util";

import type { ImageContent } from "../../core/result.ts";
import { imageInfo } from "./image-file.ts";

// The kinds of text that an output may offer, best for reading first.
const TEXT_KINDS = ["text/markdown", "text/plain", "application/json", "text/latex", "text/html", "image/svg+xml"];
const MAX_CHARACTERS = 10_000;
const MAX_IMAGES = 20;

/** One output of a code cell (nbformat 3 and 4) as text. Images are added to `images` and named in the text. */
export function renderOutput(output: Record<string, unknown>, images: ImageContent[]): string {
  switch (output["output_type"]) {
    case "stream":
      return bounded(joinedText(output["text"]));
    case "error":
    case "pyerr":
      return bounded(errorText(output));
    default:
      return renderData(output, images);
  }
}

/** Text that may be stored as one string or as a list of lines; anything else is shown as JSON. */
export function joinedText(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((line) => typeof line === "string")) return value.join("");
  return JSON.stringify(value);
}

export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function errorText(output: Record<string, unknown>): string {
  const traceback = Array.isArray(output["traceback"]) ? output["traceback"].map(joinedText).join("\n") : "";
  return traceback === "" ? `${joinedText(output["ename"])}: ${joinedText(output["evalue"])}` : traceback;
}

function renderData(output: Record<string, unknown>, images: ImageContent[]): string {
  const data = { ...olderData(output), ...asRecord(output["data"]) };
  const pictures = Object.entries(data).filter(([kind]) => kind.startsWith("image/") && kind !== "image/svg+xml");
  const shown = pictures.map(([kind, value]) => addImage(kind, joinedText(value), images));
  const kind = TEXT_KINDS.find((kind) => kind in data);
  const text = kind === undefined ? "" : bounded(joinedText(data[kind]));
  const others = Object.keys(data).filter((kind) => !kind.startsWith("image/") && !TEXT_KINDS.includes(kind));
  const unknown = text === "" && shown.length === 0 && others.length > 0 ? [`(${others.join(", ")}, not shown)`] : [];
  return [...shown, ...(text === "" ? [] : [text]), ...unknown].join("\n");
}

/** Format 3 keeps the data beside the type, under short names. */
function olderData(output: Record<string, unknown>): Record<string, unknown> {
  const names = {
    text: "text/plain",
    html: "text/html",
    png: "image/png",
    jpeg: "image/jpeg",
    svg: "image/svg+xml",
    latex: "text/latex",
  };
  return Object.fromEntries(
    Object.entries(names).flatMap(([short, kind]) => (short in output ? [[kind, output[short]]] : [])),
  );
}

function addImage(kind: string, base64: string, images: ImageContent[]): string {
  const bytes = Buffer.from(base64, "base64");
  const info = imageInfo(bytes);
  if (!info) return `(${kind}: damaged, not shown)`;
  const size = `${info.width}×${info.height}`;
  if (images.length >= MAX_IMAGES) return `(${kind}, ${size}: not shown, there are ${MAX_IMAGES} images before it)`;
  images.push({ type: "image", media_type: info.mediaType, data: bytes.toString("base64") });
  return `(image ${images.length}: ${info.mediaType}, ${size})`;
}

function bounded(text: string): string {
  const plain = stripVTControlCharacters(text).trimEnd();
  if (plain.length <= MAX_CHARACTERS) return plain;
  return `${plain.slice(0, MAX_CHARACTERS).toWellFormed()}\n(cut: the output has ${plain.length} characters)`;
}
