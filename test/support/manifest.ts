import { readFileSync } from 'node:fs';

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

/** Returns package.json with the texts of package.nls.json. Throws if a text is missing. */
export function readManifest<T>(): T {
  const texts = JSON.parse(read('package.nls.json')) as Readonly<Record<string, string>>;
  return JSON.parse(read('package.json'), (_, value: unknown) => {
    const key = typeof value === 'string' ? /^%(.+)%$/u.exec(value)?.[1] : undefined;
    if (key === undefined) return value;
    const text = texts[key];
    if (text === undefined) throw new Error(`package.nls.json has no "${key}".`);
    return text;
  }) as T;
}
