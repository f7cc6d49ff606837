import { readFileSync } from 'node:fs';

/** The project's folder. */
export const root = new URL('../../', import.meta.url);

/** Returns the text of one of the project's files. */
export const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

export const readJson = <T>(path: string): T => JSON.parse(read(path)) as T;

/** Returns package.json with the texts of package.nls.json. Throws if a text is missing. */
export function readManifest<T>(): T {
  const texts = readJson<Readonly<Record<string, string>>>('package.nls.json');
  return JSON.parse(read('package.json'), (_, value: unknown) => {
    const key = typeof value === 'string' ? /^%(.+)%$/u.exec(value)?.[1] : undefined;
    if (key === undefined) return value;
    const text = texts[key];
    if (text === undefined) throw new Error(`package.nls.json has no "${key}".`);
    return text;
  }) as T;
}
