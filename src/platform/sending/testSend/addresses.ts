import { uniqueAddresses } from './model.ts';

/** What can be an address: the service decides whether it is somebody's. */
const ADDRESS_PATTERN = /^[^\s@,;<>()"]+@[^\s@,;<>()"]+\.[^\s@,;<>()".]+$/u;

/** The addresses in what somebody typed, where each part of it is one. Between them stand commas, semicolons or blanks. */
export function parseAddresses(text: string): readonly string[] | undefined {
  const parts = text
    .split(/[\s,;]+/u)
    .filter((part) => part !== '')
    .map((part) => part.replace(/^<|>$/gu, ''));
  return parts.length > 0 && parts.every((part) => ADDRESS_PATTERN.test(part)) ? uniqueAddresses(parts) : undefined;
}
