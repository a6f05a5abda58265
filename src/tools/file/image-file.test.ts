import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { png } from "../../../test/support/sample-files.ts";
import { hasImageName, imageInfo, imageMediaType, MAX_IMAGE_BYTES, readImage } from "./image-file.ts";

const jpeg = Buffer.from("ffd8ffe000104a46494600010100000100010000ffffc0000b080010002001011100ffd9", "hex");
const gif = Buffer.from("47494638396102000300800000000000ffffff2c00000000020003000002024401003b", "hex");

function webp(format: string, body: readonly number[]): Buffer {
  const data = Buffer.alloc(18);
  data.set(body);
  const riff = Buffer.concat([Buffer.from("RIFF\0\0\0\0WEBP"), Buffer.from(format), Buffer.alloc(4), data]);
  riff.writeUInt32LE(riff.length - 8, 4);
  return riff;
}

describe("readImage", () => {
  it("gives a PNG with its size, for a model to look at", () => {
    const bytes = png(30, 20);
    expect(readImage(bytes, "a.png")).toEqual({
      mediaType: "image/png",
      width: 30,
      height: 20,
      size: bytes.length,
      content: { type: "image", media_type: "image/png", data: bytes.toString("base64") },
    });
  });

  it("knows JPEG, GIF and the three kinds of WebP by their content", () => {
    expect(imageInfo(jpeg)).toEqual({ mediaType: "image/jpeg", width: 32, height: 16 });
    expect(imageInfo(gif)).toEqual({ mediaType: "image/gif", width: 2, height: 3 });
    expect(imageInfo(webp("VP8X", [0, 0, 0, 0, 9, 0, 0, 4, 0, 0]))).toEqual({
      mediaType: "image/webp",
      width: 10,
      height: 5,
    });
    expect(imageInfo(webp("VP8 ", [0, 0, 0, 0x9d, 1, 0x2a, 7, 0, 8, 0]))).toEqual({
      mediaType: "image/webp",
      width: 7,
      height: 8,
    });
    expect(imageInfo(webp("VP8L", [0x2f, 4, 0x40, 1, 0]))).toEqual({ mediaType: "image/webp", width: 5, height: 6 });
    expect(imageInfo(webp("NONE", []))).toBeUndefined();
  });

  it("refuses an image over 10 MB", () => {
    const error = { code: "limit_exceeded", message: "a.png has 10485761 bytes; an image may have 10485760." };
    expect(() => readImage(Buffer.alloc(MAX_IMAGE_BYTES + 1), "a.png")).toThrow(expect.objectContaining(error));
  });

  it("says that a file is no image although its name says so", () => {
    const error = { code: "invalid_input", message: "a.png is not an image, whatever its name says." };
    expect(() => readImage(Buffer.from("hello"), "a.png")).toThrow(expect.objectContaining(error));
    expect(hasImageName("photo.JPEG")).toBe(true);
    expect(hasImageName("photo.txt")).toBe(false);
  });

  it("says that an image is cut off", () => {
    const error = {
      code: "invalid_input",
      message: "a.png begins like an image (image/png) but is damaged or cut off.",
    };
    const bytes = png(30, 20);
    expect(() => readImage(bytes.subarray(0, bytes.length - 12), "a.png")).toThrow(expect.objectContaining(error));
    for (const [whole, type] of [
      [jpeg, "image/jpeg"],
      [gif, "image/gif"],
    ] as const) {
      expect(() => readImage(whole.subarray(0, -2), "a")).toThrow(`(${type}) but is damaged`);
    }
  });

  it("never crashes on damaged images", () => {
    const heads = [png(3, 3), jpeg, gif, webp("VP8X", []), webp("VP8L", [])];
    const damaged = fc.tuple(fc.constantFrom(...heads), fc.nat(60), fc.uint8Array({ maxLength: 40 }));
    fc.assert(
      fc.property(damaged, ([head, cut, tail]) => {
        const bytes = Buffer.concat([head.subarray(0, cut), tail]);
        const info = imageInfo(bytes);
        if (info) expect(info.mediaType).toBe(imageMediaType(bytes));
      }),
      { numRuns: 500 },
    );
  });
});
