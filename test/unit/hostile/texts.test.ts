import assert from 'node:assert/strict';
import Papa from 'papaparse';
import { createCampaignTree } from '../../../src/features/campaigns/tree.ts';
import { composeEmail, composeCampaignBody, readEnvelope } from '../../../src/email/compose/compose.ts';
import { createSwatch, formatTooltip } from '../../../src/platform/explorer/display.ts';
import type { TreeCollection } from '../../../src/platform/explorer/model.ts';
import { getOpenableLink } from '../../../src/email/compose/safety.ts';
import { list, subscriber, template } from '../../../src/service/client/records.ts';
import { listTree } from '../../../src/features/lists/tree.ts';
import { createListCard, formatListsTitle } from '../../../src/features/subscriptions/subscribers/cards.ts';
import { templateTree } from '../../../src/features/templates/tree.ts';
import { formatCell, formatCsv } from '../../../src/ui/export/write.ts';
import { escapeMarkdown, escapeMessage, toSingleLine } from '../../../src/service/text.ts';
import { errorText } from '../../../src/ui/errors.ts';
import { toDisplayText } from '../../../src/email/compose/fieldText.ts';
import { TableColumns } from '../../../src/ui/page/table/columns.ts';
import { subscriberColumns } from '../../../src/features/subscriptions/model.ts';
import { safeParse } from 'valibot';
import { allEmails, allTexts, heavyEmails, countHostileInputs, texts } from '../../support/hostile/index.ts';
import type { Json, JsonObject } from '../../../src/service/client/shapes.ts';

/** Not allowed in a line of text: control characters, line endings, direction changes, unpaired surrogates. */
const forbiddenCharacters = /[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/u;

/** Not allowed in pages, which draw unpaired surrogates as boxes. */
const forbiddenPageCharacters = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Creates a record with a text in each of its fields. */
function createRecord(text: string): JsonObject {
  const fields = [
    'name',
    'display_name',
    'description',
    'subject',
    'preheader',
    'from_name',
    'from_email',
    'reply_to_email',
    'headers',
    'creation_date',
    'color',
    'type',
    'sending_type',
    'sending_date',
    'email',
    'subscription_date',
    'opened_with',
  ];
  return {
    id: '7',
    ...Object.fromEntries(fields.map((field) => [field, text])),
    [text]: text,
    drag_editor: '0',
    active: '1',
    visible: '1',
    sent: 1,
  };
}

describe('hostile corpus', () => {
  it('has more than 200 inputs with unique ids', () => {
    const all = [...allEmails, ...heavyEmails, ...allTexts, ...texts.ids].map(({ id }) => id);
    assert.equal(new Set(all).size, all.length);
    assert.ok(allEmails.length >= 200);
    assert.equal(
      countHostileInputs().reduce((sum, { count }) => sum + count, 0),
      all.length,
    );
  });
});

describe('hostile texts', () => {
  for (const { id, description, text } of allTexts) {
    it(`are shown as one line of text: ${id} (${description})`, () => {
      for (const shown of [toSingleLine(text), escapeMessage(text), errorText(new Error(text)), toDisplayText(text)])
        assert.doesNotMatch(shown, forbiddenPageCharacters);
      for (const shown of [toSingleLine(text), escapeMessage(text), errorText(new Error(text))])
        assert.doesNotMatch(shown, forbiddenCharacters);
      assert.doesNotMatch(escapeMessage(text), /\$\(|\]\(/u);
      assert.doesNotMatch(escapeMarkdown(text).replace(/&#\d+;/gu, ''), /[!-/:-@[-`{-~\n]/u);
      assert.ok(toSingleLine(text).length <= 120 * 32);
    });
  }

  it('add no links, scripts or images to tree tooltips', () => {
    const collections = [
      templateTree,
      listTree,
      createCampaignTree(() => false),
    ] as readonly object[] as readonly TreeCollection<{
      readonly id: number;
    }>[];
    for (const { id, text } of allTexts) {
      for (const collection of collections) {
        const { tooltip, icon, contextValue } = collection.item(
          { ...createRecord(text), id: 7 },
          { connection: 'c', id: 7 },
        );
        const markdown = formatTooltip(tooltip);
        // Apart from character references, only the tooltip's own markup is left.
        assert.doesNotMatch(
          markdown.replace(/^\*\*(.*?)\*\*: /gmu, '$1').replace(/&#\d+;/gu, ''),
          /[!-/:-@[-`{-~]/u,
          id,
        );
        assert.match(contextValue, /^mailing\.[a-z.]+$/u, id);
        if ('swatch' in icon)
          assert.ok(createSwatch(icon.swatch) === undefined || /^#[0-9a-f]{6}$/iu.test(icon.swatch.trim()), id);
        else assert.match(icon.codicon, /^[a-z-]+$/u, id);
      }
    }
  });

  it('are accepted in records and shown in tables', () => {
    for (const { id, text } of allTexts) {
      for (const kind of [template, list, subscriber])
        assert.ok(safeParse(kind.schema, createRecord(text)).success, id);
      const columns = new TableColumns(subscriberColumns());
      const row = { ...createRecord(text), status: text, confirmed: text };
      columns.addRows([row]);
      for (const column of columns.all) {
        assert.equal(typeof columns.text(column, row), 'string', id);
        assert.doesNotMatch(`${column.label} ${columns.text(column, row)}`, forbiddenPageCharacters, id);
      }
      const record = safeParse(list.schema, createRecord(text));
      if (!record.success) continue;
      const card = createListCard(record.output as Parameters<typeof createListCard>[0]);
      assert.match(card.color ?? '#000000', /^#[\da-f]{6}$/iu, id);
      for (const shown of [
        card.name,
        formatListsTitle([record.output as Parameters<typeof createListCard>[0]]),
        ...card.details.flat(),
      ])
        assert.doesNotMatch(shown, forbiddenCharacters, id);
    }
  });

  it('are accepted as ids only if they are integers', () => {
    for (const { id, text } of [...texts.ids, ...allTexts]) {
      const read = safeParse(list.schema, { ...createRecord('x'), id: text });
      if (read.success)
        assert.ok(
          /^\s*[+-]?\d+\s*$/u.test(text) && Number.isSafeInteger((read.output as { readonly id: Json }).id),
          id,
        );
    }
  });

  it('are never formulas in CSV, and stay in their cell', () => {
    const rows = allTexts.map(({ text }) => [formatCell(text), 'end']);
    const { data } = Papa.parse<string[]>(formatCsv(rows).trimEnd(), { newline: '\r\n' });
    assert.equal(data.length, rows.length);
    for (const [index, { id, text }] of allTexts.entries()) {
      const [cell = '', end] = data[index] ?? [];
      assert.equal(end, 'end', id);
      const isFormula = (part: string) => /^[\s"\p{Cf}\p{Cc}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/u.test(part);
      const guarded = (part: string) => (isFormula(part) ? `'${part}` : part);
      const [first = '', ...others] = text.split(/(?<=[;\t\r\n])/u);
      // Only text that a spreadsheet would run gets an apostrophe prefix.
      assert.equal(
        cell,
        [/^[\t\r\n]/u.test(text) || isFormula(text) ? `'${first}` : first, ...others.map(guarded)].join(''),
        id,
      );
      assert.doesNotMatch(cell, /^[\s\p{Cf}\p{Cc}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/u, id);
    }
  });

  it('are opened as links only with a web or mailto URL', () => {
    for (const { id, text } of allTexts) assert.match(getOpenableLink(text) ?? 'https:', /^(?:https?|mailto):/u, id);
  });

  it('stay text in a composed email', () => {
    for (const { id, text } of allTexts) {
      const envelope = { subject: text, preheader: text, from_name: text, from_email: text };
      const html = composeEmail({ body: '<p>x</p>', stylesheet: '', envelope });
      assert.deepEqual(
        html
          .match(/<(?:\/?[a-z]+|!doctype)/giu)
          ?.map((tag) => tag.toLowerCase())
          .filter((tag) => !/^<(?:!doctype|\/?(?:html|head|meta|title|body|div|p))$/u.test(tag)) ?? [],
        [],
        id,
      );
      assert.ok(composeCampaignBody({ body: '<p>x</p>', stylesheet: '', envelope }).endsWith('<p>x</p>'), id);
      assert.equal(readEnvelope(JSON.stringify({ name: 'x', ...envelope }, null, 2)).subject, text, id);
    }
  });
});

describe('readEnvelope', () => {
  it('takes the preheader of the record only if the details have no such field', () => {
    assert.equal(readEnvelope('{"subject": "s"}', { preheader: 'stored' }).preheader, 'stored');
    assert.equal(readEnvelope('{"preheader": ""}', { preheader: 'stored' }).preheader, '');
    assert.equal(readEnvelope('{}', { preheader: 7 }).preheader, '');
  });

  it('reads fields of 10 MB and unterminated strings', () => {
    const long = 'x'.repeat(10_000_000);
    assert.equal(readEnvelope(JSON.stringify({ subject: long, preheader: 'p' })).preheader, 'p');
    assert.equal(readEnvelope(`{"subject": "${long}`).subject, '');
    assert.equal(readEnvelope('"subject":'.repeat(200_000)).preheader, '');
  });
});
