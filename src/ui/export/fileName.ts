/** A file's name (without an ending) that every file system takes, of what it holds. */
export function fileNameOf(text: string): string {
  return text.normalize('NFC').replace(/[^\p{L}\p{N}_ -]+/gu, ' ').trim().replace(/\s+/gu, '-').slice(0, 80).toLowerCase();
}
