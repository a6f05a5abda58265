// File formats that are no text, by their first bytes.

interface Signature {
  readonly bytes: string;
  readonly at?: number;
  readonly says: string;
}

const SIGNATURES: readonly Signature[] = [
  { bytes: "PK\x03\x04", says: "a ZIP archive (also .docx, .xlsx, .ods, .jar)" },
  { bytes: "PK\x05\x06", says: "an empty ZIP archive" },
  { bytes: "%PDF-", says: "a PDF document" },
  { bytes: "\x89PNG\r\n\x1a\n", says: "a PNG image" },
  { bytes: "\xff\xd8\xff", says: "a JPEG image" },
  { bytes: "GIF8", says: "a GIF image" },
  { bytes: "WEBP", at: 8, says: "a WebP image" },
  { bytes: "WAVE", at: 8, says: "a WAV sound" },
  { bytes: "ftyp", at: 4, says: "an MP4 or HEIF file" },
  { bytes: "ID3", says: "an MP3 sound" },
  { bytes: "OggS", says: "an Ogg file" },
  { bytes: "\x7fELF", says: "an ELF program or library" },
  { bytes: "MZ", says: "a Windows program" },
  { bytes: "\xca\xfe\xba\xbe", says: "a Java class or a universal macOS program" },
  { bytes: "\xcf\xfa\xed\xfe", says: "a macOS program" },
  { bytes: "\0asm", says: "a WebAssembly module" },
  { bytes: "SQLite format 3\0", says: "a SQLite database" },
  { bytes: "\x1f\x8b", says: "gzip-compressed data" },
  { bytes: "BZh", says: "bzip2-compressed data" },
  { bytes: "\xfd7zXZ\0", says: "xz-compressed data" },
  { bytes: "\x28\xb5\x2f\xfd", says: "zstd-compressed data" },
  { bytes: "7z\xbc\xaf\x27\x1c", says: "a 7-Zip archive" },
  { bytes: "Rar!", says: "a RAR archive" },
  { bytes: "ustar", at: 257, says: "a tar archive" },
  { bytes: "\xd0\xcf\x11\xe0", says: "an old Office document" },
  { bytes: "wOFF", says: "a web font" },
  { bytes: "wOF2", says: "a web font" },
  { bytes: "PAR1", says: "a Parquet table" },
];

/** What a file that is no text is, in words: "a ZIP archive", or "binary data" for what has no known mark. */
export function describeBinary(head: Uint8Array): string {
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, 512)).toString("latin1");
  return SIGNATURES.find(({ bytes, at }) => start.startsWith(bytes, at ?? 0))?.says ?? "binary data";
}
