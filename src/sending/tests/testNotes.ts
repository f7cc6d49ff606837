import { hasFields, Journal, type Entry } from '../journal.ts';

/** Says that a test was told to go out to addresses, or that a template made for one is to be deleted. */
export interface TestNote extends Entry {
  /** Of the e-mail, for messages. */
  readonly name: string;
  /** Those of whom it is not known whether they got it. */
  readonly addresses: readonly string[];
  /** Of the template, as soon as it is known. */
  readonly templateId?: number;
}

/** The tests to addresses of which something is left. */
export class TestNotes extends Journal<TestNote> {
  constructor(folder: string, now?: () => number) {
    super(folder, isTestNote, now);
  }
}

const fieldTypes: Readonly<Record<Exclude<keyof TestNote, 'templateId'>, string>> = {
  connection: 'string',
  baseUrl: 'string',
  what: 'string',
  asked: 'number',
  name: 'string',
  addresses: 'object',
};

function isTestNote(value: unknown): value is TestNote {
  if (!hasFields(value, fieldTypes)) return false;
  const { addresses, templateId } = value as { readonly addresses: unknown; readonly templateId?: unknown };
  const isId = templateId === undefined || typeof templateId === 'number';
  return isId && Array.isArray(addresses) && addresses.every((address) => typeof address === 'string');
}
