const MAX_TEXT_FILE_BYTES = 10 * 1024 * 1024;

/** The files below the folder of `mailing.json`. Paths are relative and have slashes. */
export interface Files {
  /** Returns the text of a file; undefined if there is none. @throws if it can't be read, or is outside of the folder */
  read(path: string): Promise<string | undefined>;
  /**
   * Writes a file and creates its folders.
   * @param expected the text that was last read; any other text is not overwritten
   * @throws `FileChangedError`; or if the file can't be written or is outside of the folder
   */
  write(path: string, text: string, expected?: ExpectedFile): Promise<void>;
}

/** The expected text of a file; undefined if the file must not exist. */
export interface ExpectedFile {
  readonly text: string | undefined;
}

/** A file changed after it was read. Nothing was written. */
export class FileChangedError extends Error {
  constructor(path: string) {
    super(`Couldn't write ${path}: it changed in the meantime. Try again.`);
  }
}

/** @throws if a file is too large to be read */
export function checkSize(path: string, bytes: number): void {
  if (bytes > MAX_TEXT_FILE_BYTES) throw new Error(`${path} is larger than 10 MB.`);
}

/** @throws if the bytes aren't valid UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}
