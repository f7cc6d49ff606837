import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { closeBrowser, openBrowser, openModule } from '../browser.ts';
import type * as randomEdits from './randomEdits.ts';

type Tested = typeof randomEdits;

/** Real emails, if available: see its README. */
const corpus = new URL('../../../../shared/corpus/', import.meta.url);
/** Random edits of each email in the corpus, and seeds for each sample. The soak run makes more. */
const { edits, seeds } =
  Number(process.env['MAILING_STUDIO_FUZZ_RUNS'] ?? 1) > 1 ? { edits: 200, seeds: 10 } : { edits: 5, seeds: 4 };

const samples: Readonly<Record<string, string>> = {
  'a fragment':
    '<style>p { margin: 0 }</style>\n<p>Hello <b>world</b> &amp; all</p>\n<table><tr><td>One<td>Two</table><a href="https://x.example/?a=1&amp;b=2" title=\'it\'>link</a>',
  'a document with conditional comments':
    '<!DOCTYPE html><html><head><title>T &amp; t</title><style>p{color:red}</style><!--[if mso]><style>p{}</style><![endif]--></head>' +
    '<body bgcolor="#ffffff"><!--[if mso]><table><tr><td><![endif]--><div class="a">Text<br>more text</div><!--[if mso]></td></tr></table><![endif]--></body></html>',
  'misnested tags':
    '<b><p>one</b> two</p><i>three<div>four</i></div><table>lost<tr><td>cell</table><font color=red><p>five<p>six</font>',
};

describe('The preview equals a fresh rendering', function () {
  let page: Page;
  before(async () => {
    page = await openModule(await openBrowser(), 'test/page/preview/randomEdits.ts');
  });
  after(async () => {
    await page?.close();
    await closeBrowser();
  });

  const edit = (text: string, seed: number, count: number) =>
    page.evaluate(
      ([body, from, edits]) =>
        (globalThis as typeof globalThis & { tested: Tested }).tested.editAtRandom(body, from, edits),
      [text, seed, count] as const,
    );

  for (const [name, text] of Object.entries(samples)) {
    it(`after random edits of ${name}`, async () => {
      for (let seed = 1; seed <= seeds; seed += 1) assert.equal(await edit(text, seed, 60), undefined);
    });
  }

  it('after random edits of each email of the corpus', async function () {
    if (!existsSync(corpus)) {
      console.log('      The corpus of real emails is not here.');
      return this.skip();
    }
    const names = readdirSync(corpus).filter((name) => name.endsWith('.html'));
    assert.ok(names.length > 0);
    for (const [seed, name] of names.entries()) {
      const wrong = await edit(readFileSync(new URL(name, corpus), 'utf8'), seed + 1, edits);
      assert.equal(wrong, undefined, name);
    }
  });

  const cases: readonly (readonly [title: string, marked: string, inserted: string, inPlace: boolean])[] = [
    ['text', '<body><p>Hello wo|rld</p></body>', 'x', true],
    ['text at its beginning', '<body><p>|Hello</p></body>', 'x', true],
    ['text at its end', '<body><p>Hello|</p></body>', 'x', true],
    ['a character reference', '<body><p>Hello |world</p></body>', '&amp;', true],
    ['the beginning of one', '<body><p>Hello |amp; world</p></body>', '&', true],
    ['the value of an attribute', '<body><p style="color:re|d">x</p></body>', 'a', true],
    ['an address that is no longer safe', '<body><a href="|alert(1)">x</a></body>', 'javascript:', true],
    ['a comment', '<body><p>x</p><!-- no|te --></body>', '<b>', true],
    ['a stylesheet', '<head><style>p{color:re|d}</style></head>', 'a', true],
    ['a tag', '<body><p>Hello |world</p></body>', '<b>', false],
    ['text in a table', '<body><table>lo|st<tr><td>x</table></body>', 'x', false],
    ['text in an element that was opened anew', '<body><b title="a|"><p>x</b>y</p></body>', 'x', false],
    ['the end of a comment', '<body><!-- a |b --><p>x</p></body>', '-->', false],
    ['a quote in a value', '<body><p title="a|b">x</p></body>', '"', false],
    ['NUL', '<body><p>a|b</p></body>', '\0', false],
    ['the type of a field', '<body><table><input type="hidde|"></table></body>', 'n', false],
  ];
  for (const [title, marked, inserted, inPlace] of cases) {
    it(`${inPlace ? 'changing one node for' : 'parsing anew for'} ${title}`, async () => {
      const result = await page.evaluate(
        ([text, more]) => (globalThis as typeof globalThis & { tested: Tested }).tested.inPlace(text, more),
        [marked, inserted] as const,
      );
      assert.equal(result.inPlace, inPlace);
      if (inPlace) assert.equal(result.equal, true);
    });
  }
});
