import { uniqueAddresses } from './model.ts';

/** Only a rough check: the service decides whether the address belongs to a user. */
const ADDRESS_PATTERN = /^[^\s@,;<>()"]+@[^\s@,;<>()"]+\.[^\s@,;<>()".]+$/u;

/** Parses addresses separated by commas, semicolons or whitespace. Undefined if any part isn't an address. */
export function parseAddresses(text: string): readonly string[] | undefined {
  const parts = text
    .split(/[\s,;]+/u)
    .filter((part) => part !== '')
    .map((part) => part.replace(/^<|>$/gu, ''));
  return parts.length > 0 && parts.every((part) => ADDRESS_PATTERN.test(part)) ? uniqueAddresses(parts) : undefined;
}
