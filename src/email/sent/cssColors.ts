import type { CssReader } from './cssReader.ts';
import { readSize, writeSize } from './cssNumbers.ts';
import type { Size } from './cssNumbers.ts';

/** A color component: a number, or the text of `none` or a variable. */
type Component = Size | string;
type Components = ReadonlyMap<string, Component>;

/** Reads `#…`, `rgb(…)`, `hsl(…)` and their variants, and returns the service's notation. */
export function readCssColor(reader: CssReader, readFunction: (reader: CssReader) => string): string {
  return reader.next === '#' ? readHex(reader) : readColorFunction(reader, readFunction);
}

function readHex(reader: CssReader): string {
  reader.expect('#');
  const source = reader.readIdentifier();
  const digits = source.length === 3 || source.length === 4 ? source.replace(/[^]/g, '$&$&') : source;
  if (digits.length !== 6 && digits.length !== 8) reader.fail();
  const value = (at: number): number => Number.parseInt(/^[0-9a-f]*/i.exec(digits.slice(at, at + 2))?.[0] || '0', 16);
  const components = new Map<string, Component>(
    [...'rgb'].map((key, index) => [key, { size: value(index * 2), unit: undefined }]),
  );
  if (digits.length === 8) components.set('a', { size: Math.round((value(6) / 255) * 100) / 100, unit: undefined });
  return writeColor(components);
}

function readColorFunction(reader: CssReader, readFunction: (reader: CssReader) => string): string {
  const mode = reader.readIdentifier().toLowerCase();
  reader.skipSpace();
  reader.expect('(');
  const keys = mode === 'rgb' || mode === 'hsl' ? `${mode}a` : mode;
  const mayEndEarly = keys === 'rgba' || keys === 'hsla';
  const components = new Map<string, Component>();
  let hasVariable = false;
  let hasNone = false;
  let hasCommas = false;
  for (let index = 0; index < keys.length; index += 1) {
    reader.skipSpace();
    const key = keys.charAt(index);
    if (reader.startsWith('var')) {
      components.set(key, readFunction(reader));
      hasVariable = true;
    } else if (!hasCommas && reader.startsWith('none')) {
      components.set(key, reader.readIdentifier().toLowerCase());
      hasNone = true;
    } else components.set(key, readSize(reader));
    reader.skipSpace();
    if ((hasVariable || (mayEndEarly && index >= keys.length - 2)) && reader.next === ')') break;
    if (index === 0 && !hasNone) {
      if (reader.next === ')') reader.fail();
      hasCommas = reader.next === ',';
    }
    if (hasCommas && index < keys.length - 1) reader.expect(',');
    if (!hasCommas && hasVariable && reader.next === '/') reader.expect('/');
    if (!hasCommas && !hasVariable && keys.charAt(index + 1) === 'a') reader.expect('/');
  }
  reader.expect(')');
  return hasVariable ? `${mode}(${[...components.values()].map(writeComponent).join(',')})` : writeColor(components);
}

function writeComponent(component: Component): string {
  return typeof component === 'string' ? component : writeSize(component);
}

/** Prefers `#rrggbb`. Mixed numbers and percentages, and `none`, need the space-separated syntax. */
function writeColor(components: Components): string {
  const name = [...components.keys()].join('');
  const parts = [...components.values()];
  const isHex = name === 'rgb' && parts.every((part) => typeof part !== 'string' && part.unit === undefined);
  if (isHex) return writeHex(parts.map((part) => (typeof part === 'string' ? 0 : part.size)));
  if (!needsSpaceSyntax(name, components)) return `${name}(${parts.map(writeComponent).join(',')})`;
  const alpha = components.get('a');
  const colors = [...components]
    .filter(([key]) => key !== 'a')
    .map(([, part]) => writeComponent(part))
    .join(' ');
  return `${name}(${colors}${alpha === undefined ? '' : `/${writeComponent(alpha)}`})`;
}

function needsSpaceSyntax(name: string, components: Components): boolean {
  if ([...components.values()].includes('none')) return true;
  if (name !== 'rgb' && name !== 'rgba') return false;
  const units = [...components]
    .filter(([key]) => key !== 'a')
    .map(([, part]) => (typeof part === 'string' ? 'text' : part.unit));
  return units.every((unit) => unit === undefined || unit === '%') && units.includes(undefined) && units.includes('%');
}

function writeHex(parts: readonly number[]): string {
  const hex = parts
    .map((part) =>
      BigInt.asUintN(64, BigInt(Math.trunc(part)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('');
  const isShort = hex[0] === hex[1] && hex[2] === hex[3] && hex[4] === hex[5];
  return `#${isShort ? `${hex[0]}${hex[2]}${hex[4]}` : hex}`;
}
