import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readBlocks } from '../../../scripts/lib/blocks.mjs';
import { check, clientFamilies } from '../../../src/email/checks/index.ts';
import { composeBlockPage, expandSnippet } from '../../../src/email/compose/blocks.ts';
import { applyLens, lensNames } from '../../../src/email/lenses/index.ts';
import { composeSent } from '../../../src/email/sent/index.ts';
import { tagLanguage } from '../../../src/email/tags/index.ts';
import { read, root } from '../../support/manifest.ts';
import { attribute, elementsOf, forOutlook, mendings } from './markup.ts';

const blocks = readBlocks();
const profiles = ['documented', 'acymailing'] as const;
const clients = clientFamilies.map(({ name }) => name);
/** An email with two places for a block: in a cell, and between two others. */
const surround = (block: string) =>
  `<div lang="en" dir="ltr"><table role="presentation" width="100%"><tr><td>${block}</td></tr></table>
<p>Before</p>${block}<p>After</p><p><a href="{unsubscribe}{/unsubscribe}">Unsubscribe</a></p></div>`;
/** A VML element without content ends itself, as Outlook needs it. */
const repairs = (html: string) => mendings(html).filter((text) => !text.includes('trailing-solidus'));

function listWarnings(body: string, profile: (typeof profiles)[number]) {
  return check({ body }, { profile, clients, language: tagLanguage('acymailing') })
    .filter(({ severity }) => severity === 'error' || severity === 'warning')
    .map(({ rule, start, message }) => `${rule}, ${body.slice(start, start + 40)}: ${message}`);
}

describe('Blocks', () => {
  it('are the files of their folder, in the order of their names', () => {
    const files = readdirSync(new URL('media/blocks/', root)).filter((name) => name.endsWith('.html'));
    assert.deepEqual(
      blocks.map(({ name }) => `${name}.html`),
      files.sort(),
    );
  });

  it('are listed in the documentation', () => {
    const rows = [...read('docs/blocks.md').matchAll(/^\| `!([\w-]+)` +\| (.*?) +\|/gmu)];
    assert.deepEqual(
      rows.map(([, name, title]) => [name, title]),
      blocks.map(({ name, title }) => [name, title]),
    );
  });

  it('show on one page without warnings', () => {
    for (const profile of profiles) assert.deepEqual(listWarnings(composeBlockPage(blocks), profile), []);
  });

  for (const { name, snippet } of blocks) {
    describe(name, () => {
      const text = expandSnippet(snippet);

      it('is well-formed HTML, also for Outlook', () => {
        assert.doesNotMatch(text, /\$|undefined|^\s|\s$/u);
        assert.deepEqual(repairs(text), []);
        assert.deepEqual(repairs(forOutlook(text)), []);
        for (const table of elementsOf(text).filter(({ tagName }) => tagName === 'table'))
          assert.equal(attribute(table, 'role'), 'presentation');
      });

      it('links only to examples and merge tags', () => {
        for (const [, address] of text.matchAll(/(?:href|src|background)="([^"]*)"/gu))
          assert.match(address ?? '', /^(?:https:\/\/\w+\.example\.com\/|\{(unsubscribe|readonline)\}\{\/\1\}$)/u);
      });

      for (const profile of profiles) {
        it(`has no warnings in any mail client when sent by ${profile}`, () => {
          const alone = listWarnings(text, profile).filter((found) => !found.includes('no unsubscribe link'));
          assert.deepEqual(alone, []);
          assert.deepEqual(listWarnings(surround(text), profile), []);
        });

        it(`is sent completely by ${profile}, and shown by all lenses`, () => {
          const { html } = composeSent({ body: text }, { profile });
          const listParts = (of: string) => of.match(/<!--\[if !?mso\]>|<!\[endif\]-->|<v:\w+|\{\/?\w+/gu) ?? [];
          // AcyMailing adds comments of its own to the head, and encodes braces in URLs.
          const body = html.replace(/<head[^]*<\/head>/u, '').replaceAll('%7B', '{');
          assert.deepEqual(listParts(body), listParts(text));
          for (const lens of lensNames) assert.ok(applyLens(lens, html).text.length > 20, lens);
        });
      }
    });
  }
});
