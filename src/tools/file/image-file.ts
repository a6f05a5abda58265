import { ToolError } from "../../core/errors.ts";
import type { ImageContent } from "../../core/result.ts";

export type ImageMediaType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

export interface ImageInfo {
  readonly mediaType: ImageMediaType;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

export interface ImageFile extends ImageInfo {
  /** Size of the file in bytes. */
  readonly size: number;
  readonly content: ImageContent;
}

export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

/** Recognises an image by its first bytes, whatever its name says. */
export function imageMediaType(head: Uint8Array): ImageMediaType | undefined {
  const start = Buffer.from(head.subarray(0, 12)).toString("latin1");
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (start.startsWith("GIF87a") || start.startsWith("GIF89a")) return "image/gif";
  if (start.startsWith("RIFF") && start.endsWith("WEBP")) return "image/webp";
  return undefined;
}

/** True for the names of files that should be images. */
export function hasImageName(name: string): boolean {
  return /\.(?:png|jpe?g|gif|webp)$/i.test(name);
}

/** An image for a model to look at. Throws `limit_exceeded` over 10 MB, and `invalid_input` for what is no whole image. */
export function readImage(bytes: Buffer, shown: string): ImageFile {
  refuseLargeImage(bytes.length, shown);
  const info = imageInfo(bytes);
  if (!info) throw notAnImage(bytes, shown);
  return {
    ...info,
    size: bytes.length,
    content: { type: "image", media_type: info.mediaType, data: bytes.toString("base64") },
  };
}

/** Throws `limit_exceeded` for an image that is not worth reading, by its size in bytes. */
export function refuseLargeImage(size: number, shown: string): void {
  if (size <= MAX_IMAGE_BYTES) return;
  throw new ToolError("limit_exceeded", `${shown} has ${size} bytes; an image may have ${MAX_IMAGE_BYTES}.`, {
    hint: "Make it smaller first, for instance with ImageMagick through BashTool.",
  });
}

/** Type and size in pixels; undefined for what is no image or is cut off. */
export function imageInfo(bytes: Buffer): ImageInfo | undefined {
  const mediaType = imageMediaType(bytes);
  const size = mediaType && SIZES[mediaType](bytes);
  return size && size.width > 0 && size.height > 0 ? { mediaType, ...size } : undefined;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const SIZES: Readonly<Record<ImageMediaType, (bytes: Buffer) => Size | undefined>> = {
  "image/png": pngSize,
  "image/jpeg": jpegSize,
  "image/gif": gifSize,
  "image/webp": webpSize,
};

// https://www.w3.org/TR/png-3/#5Chunk-layout: length, type, data and check sum, from IHDR to IEND.
function pngSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 33 || bytes.toString("latin1", 12, 16) !== "IHDR") return undefined;
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (bytes.toString("latin1", at + 4, at + 8) !== "IEND") continue;
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  return undefined;
}

// https://www.w3.org/Graphics/JPEG/itu-t81.pdf, annex B: segments up to the frame header (SOF), and an end mark (EOI).
function jpegSize(bytes: Buffer): Size | undefined {
  if (bytes.lastIndexOf(Buffer.of(0xff, 0xd9)) === -1) return undefined;
  for (let at = 2; at + 9 <= bytes.length;) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at++;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function gifSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 14 || bytes.lastIndexOf(0x3b) < 13) return undefined;
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

// https://developers.google.com/speed/webp/docs/riff_container
function webpSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 > bytes.length) return undefined;
  const format = bytes.toString("latin1", 12, 16);
  if (format === "VP8X") return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (format === "VP8 ") return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (format !== "VP8L") return undefined;
  const bits = bytes.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

function notAnImage(bytes: Buffer, shown: string): ToolError {
  const mediaType = imageMediaType(bytes);
  const says = mediaType
    ? `${shown} begins like an image (${mediaType}) but is damaged or cut off.`
    : `${shown} is not an image, whatever its name says.`;
  return new ToolError("invalid_input", says, { hint: "Find out what it is with `file` through BashTool." });
}
