import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { GenericSchema } from 'valibot';
import { InvalidDocumentError, readJson, writeJson } from '../../../src/sync/fields/jsonDocument.ts';
import { campaignDetailsSchema } from '../../../src/features/campaigns/documents.ts';
import { findProblems } from '../../../src/sync/fields/fieldSchemas.ts';
import { followUpDetailsSchema, mailSchema } from '../../../src/features/followUps/validation.ts';
import { templateDetailsSchema } from '../../../src/sync/mapping/templateLayout.ts';
import {
  isEmailAddress,
  parseAddressCells,
  parseAddressText,
  normalizeAddress,
} from '../../../src/features/subscriptions/run/parseAddresses.ts';
import { listCells, parseTable } from '../../../src/features/subscriptions/run/parseTable.ts';
import {
  getIdChanges,
  parseDetails as readDetails,
  computeReplacement,
} from '../../../src/platform/documents/form/text.ts';
import { anyJson, anyText, anyValue, TIMEOUT_MS, createRunOptions } from './setup.ts';
import type { Row } from '../../../src/service/client/shapes.ts';

const schemas = {
  template: templateDetailsSchema,
  campaign: campaignDetailsSchema,
  'follow-up': followUpDetailsSchema,
  mail: mailSchema,
};

/** Valid and almost valid JSON. */
const nearlyJson = fc.oneof(
  anyJson,
  anyText,
  fc.tuple(anyJson, fc.nat(200)).map(([text, end]) => text.slice(0, end)),
  fc.tuple(anyJson, anyText).map(([text, more]) => text + more),
  anyJson.map((text) => `{"name":"N","subject":"S","sending_type":${text}}`),
  anyJson.map((text) => `{"name":${text},"__proto__":${text}}`),
);

describe('Any text of a JSON document', function () {
  this.timeout(TIMEOUT_MS);

  for (const [noun, schema] of Object.entries<GenericSchema>(schemas)) {
    it(`of a ${noun} is read, or rejected at its line`, () =>
      fc.assert(
        fc.property(nearlyJson, (text) => {
          try {
            const fields = readJson(text, schema);
            assert.ok(typeof fields === 'object' && fields !== null);
            assert.ok([Object.prototype, null].includes(Object.getPrototypeOf(fields) as object | null));
            assert.deepEqual(readJson(writeJson(fields), schema), fields);
          } catch (error) {
            assert.ok(error instanceof InvalidDocumentError, String(error));
            assert.ok(
              error.line >= 0 && error.line < text.split('\n').length && error.column >= 0 && error.message.length > 0,
            );
          }
        }),
        createRunOptions(700),
      ));

    it(`of a ${noun} is rejected without a crash at 10,000 levels`, () => {
      for (const text of [
        '['.repeat(10_000),
        `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
        `${'{"name":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
      ])
        assert.throws(() => readJson(text, schema), InvalidDocumentError);
    });
  }

  it('is validated by the forms without an error', () =>
    fc.assert(
      fc.property(anyValue, (value) => {
        for (const schema of [campaignDetailsSchema, followUpDetailsSchema])
          for (const { message } of findProblems(schema, value)) assert.equal(typeof message, 'string');
      }),
      createRunOptions(800),
    ));

  it('is shown by the forms, and editing a field changes that field only', () =>
    fc.assert(
      fc.property(
        nearlyJson,
        fc.array(
          fc.oneof(
            fc.constantFrom('name', 'listIds', '__proto__', 'constructor', 'frequency_options', 'unit', ''),
            fc.integer({ min: -1, max: 5 }),
          ),
          { minLength: 1, maxLength: 3 },
        ),
        anyValue,
        (text, path, value) => {
          const reading = readDetails(text);
          if (reading.kind === 'broken') return void assert.ok(reading.line >= 1 && reading.message.length > 0);
          const [field] = path;
          getIdChanges(reading.details, path, 5, true);
          if (typeof field !== 'string' || path.length > 1) return;
          const replacement = computeReplacement(text, [{ path, value }], ['name', 'listIds']);
          if (replacement === undefined) return;
          const after =
            text.slice(0, replacement.offset) + replacement.text + text.slice(replacement.offset + replacement.length);
          const again = JSON.parse(after) as Row;
          assert.equal(JSON.stringify(Object.getOwnPropertyDescriptor(again, field)?.value), JSON.stringify(value));
        },
      ),
      createRunOptions(1000),
    ));

  it('is rejected at the line of a duplicate field, which readers and edits would treat differently', () => {
    const text = '{\n  "name": "One",\n  "subject": "S",\n  "name": "Two"\n}';
    assert.deepEqual(readDetails(text), { kind: 'broken', line: 4, message: 'Duplicate field "name".' });
    assert.throws(
      () => readJson(text, templateDetailsSchema),
      (error) =>
        error instanceof InvalidDocumentError && error.line === 3 && error.message === 'Duplicate field "name".',
    );
    assert.equal(readDetails('{"a":{"x":1},"b":{"x":2},"c":[{"x":3},{"x":4}]}').kind, 'details');
  });

  it('does not crash the forms at 10,000 levels', () => {
    for (const text of ['{"a":'.repeat(10_000), `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`])
      assert.deepEqual(readDetails(text), { kind: 'broken', line: 1, message: 'This is nested too deeply.' });
  });
});

/** Text with well-formed and malformed addresses. */
const lines = fc
  .array(
    fc.oneof(
      anyText,
      fc.emailAddress(),
      fc.emailAddress().map((email) => `"Doe, Ann" <${email}>`),
      fc.constantFrom(
        'email',
        ',',
        ';',
        '\t',
        '\n',
        '\r\n',
        '|',
        '"',
        '<',
        '>',
        '<>',
        'mailto:a@b.example',
        '@',
        'a@b',
        'a@@b.example',
        '\u202Ea@b.example',
        'A@B.example',
        'a@b.example',
        '""',
        '=cmd|x',
      ),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

describe('Any text with email addresses', function () {
  this.timeout(TIMEOUT_MS);

  it('is read as unique addresses and malformed entries', () =>
    fc.assert(
      fc.asyncProperty(lines, async (text) => {
        for (const reading of [await parseAddressText(text), await parseAddressCells([text, text])]) {
          for (const address of reading.addresses) {
            assert.ok(isEmailAddress(address));
            assert.doesNotMatch(address, /[\s\p{Cc}<>",;|\u202A-\u202E\u200B]/u);
          }
          assert.equal(new Set(reading.addresses.map(normalizeAddress)).size, reading.addresses.length);
          assert.equal(new Set(reading.malformed).size, reading.malformed.length);
          assert.ok(reading.duplicates >= 0);
        }
      }),
      createRunOptions(1000),
    ));

  // A leading brace or quote counts as punctuation around the address.
  it('yields every well-formed address', () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(
          fc.emailAddress({ size: 'small' }).filter((email) => isEmailAddress(email) && !/^[{']/u.test(email)),
          { maxLength: 8, selector: normalizeAddress },
        ),
        fc.constantFrom(', ', '; ', '\n', '\r\n', '\t', ' | ', ' '),
        async (emails, separator) => {
          assert.deepEqual(
            (await parseAddressText(emails.join(separator))).addresses,
            emails.map((email) => email.normalize('NFC')),
          );
        },
      ),
      createRunOptions(400),
    ));

  it('is read as a table or not', () =>
    fc.assert(
      fc.asyncProperty(lines, async (text) => {
        const table = await parseTable(text);
        if (table !== undefined) for (const cell of listCells(table, undefined)) assert.ok(cell.includes('@'));
      }),
      createRunOptions(800),
    ));

  for (const [name, make] of Object.entries({
    'unclosed quotes': () => '"'.repeat(100_000),
    'unclosed angle brackets': () => '<a@b.example,'.repeat(50_000),
    'at signs': () => '@'.repeat(100_000),
    'one long word': () => 'a'.repeat(500_000),
    dots: () => `a@${'b.'.repeat(50_000)}`,
    spaces: () => `${' '.repeat(300_000)}x`,
    'alternating quotes and angle brackets': () => '"<'.repeat(50_000),
    'nested brackets': () => `${'(['.repeat(50_000)}a@b.example${'])'.repeat(50_000)}`,
    hyphens: () => `a@${'-'.repeat(200)}.${'b-'.repeat(30)}`,
    'one line of a million words': () => 'ab '.repeat(300_000),
  })) {
    it(`is read with ${name}`, async () => {
      const text = make();
      await parseAddressText(text);
      await parseTable(text);
    });
  }
});
