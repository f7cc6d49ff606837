import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { findPlaceholders } from '../../../../src/email/compose/placeholders.ts';
import { formatEmail, shrinkEmail } from '../../../../src/email/format/index.ts';

const file = new URL('../../../support/cases/placeholders.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly cases: readonly { readonly case: string; readonly in: string }[];
};

const preview =
  '<p>OLD</p>\n      <!-- for authors --><table><tr><td>1</td><td>2</td></tr></table><style>.none{a:b}</style>';
const rows = [
  ...cases.map((one) => one.in),
  `<tr data-dynamic="{post:1}"\n style='a:b'  class="x"><td>${preview}<i></i></td></tr>`,
  `<tr data-dynamic="{post:1}"\n style='a:b'  class="x"><td>${preview}</td></tr>`,
  `<tr><td><p>a\n <span\n  data-dynamic="{date:1}">b\n  <em>x</em></span></p></td></tr>`,
];

describe('Placeholders of the visual editor', () => {
  for (const row of rows) {
    const body = `<div id="acym__wysid__template">\n\n<table><tbody>${row}<tr><td><p>x</p></td></tr></tbody></table></div>\n`;
    const placeholders = findPlaceholders(body).map(({ start, end }) => body.slice(start, end));

    it(`stay as they are: ${placeholders[0]?.slice(0, 60)}`, () => {
      assert.ok(placeholders.length > 0);
      for (const profile of ['acymailing', 'documented'] as const) {
        const formatted = formatEmail(body, { profile, indent: '\t', printWidth: 20 });
        assert.ok('text' in formatted);
        const shrunk = shrinkEmail(body, profile).text;
        assert.notEqual(formatted.text, body);
        for (const text of [formatted.text, shrunk, shrinkEmail(formatted.text, profile).text])
          for (const placeholder of placeholders) assert.ok(text.includes(placeholder), text);
        assert.deepEqual(
          findPlaceholders(formatted.text).map(({ state }) => state),
          findPlaceholders(body).map(({ state }) => state),
        );
      }
    });
  }
});
