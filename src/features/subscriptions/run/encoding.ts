import { isUtf8 } from 'node:buffer';

/** VS Code's names of the encodings that can be detected from bytes. */
type DetectableEncoding = 'utf8' | 'utf8bom' | 'utf16le' | 'utf16be';

const byteOrderMarks: readonly { readonly bytes: readonly number[]; readonly encoding: DetectableEncoding }[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf8bom' },
  { bytes: [0xff, 0xfe], encoding: 'utf16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf16be' },
];

/** Bytes to check for the zeros of UTF-16 without a byte order mark. */
const SAMPLE_BYTES = 2000;

/** Detects the encoding of a text file by its byte order mark or its bytes; undefined for single-byte encodings. */
export function detectEncoding(bytes: Uint8Array): DetectableEncoding | undefined {
  const mark = byteOrderMarks.find((each) => each.bytes.every((byte, index) => bytes[index] === byte));
  if (mark !== undefined) return mark.encoding;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = [0, 0];
  sample.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  // Addresses consist mostly of Latin letters, which have a zero byte in UTF-16.
  if (odd > sample.length / 4) return 'utf16le';
  if (even > sample.length / 4) return 'utf16be';
  return isUtf8(bytes) ? 'utf8' : undefined;
}
