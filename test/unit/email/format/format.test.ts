import assert from 'node:assert/strict';
import fc from 'fast-check';
import { check } from '../../../../src/email/checks/index.ts';
import { GMAIL_CLIP_BYTES } from '../../../../src/email/compose/compose.ts';
import { formatEmail, shrinkEmail } from '../../../../src/email/format/index.ts';
import { readParts } from '../../../../src/email/format/parts.ts';
import { Proof } from '../../../../src/email/format/proof.ts';
import { composeSent, type SentOptions } from '../../../../src/email/sent/index.ts';
import { listTextLines, listVisibleContent } from '../../../support/visibleContent.ts';
import { isSoak, TIMEOUT_MS } from '../../fuzz/setup.ts';
import { randomlyEdited, readRealEmails } from '../../fuzz/edits.ts';

type Profile = SentOptions['profile'];

const profiles: readonly Profile[] = ['documented', 'acymailing'];
const EDITS_PER_EMAIL = isSoak ? 1000 : 20;

function format(body: string, profile: Profile = 'acymailing', options: Parameters<typeof formatEmail>[1] = {}) {
  const formatted = formatEmail(body, { ...options, profile });
  assert.ok('text' in formatted, 'refused' in formatted ? formatted.refused : '');
  return formatted.text;
}

/** Asserts that recipients get the same, and returns both sizes. */
function assertSentSame(body: string, text: string, profile: Profile): readonly [before: number, after: number] {
  const [before, after] = [body, text].map((each) => composeSent({ body: each }, { profile }));
  assert.ok(before && after);
  assert.deepEqual(listVisibleContent(after.html), listVisibleContent(before.html));
  assert.deepEqual(listTextLines(after.text), listTextLines(before.text));
  return [before.bytes, after.bytes];
}

const listFindings = (body: string, profile: Profile) =>
  check({ body }, { profile })
    .map(({ rule, severity, related = [] }) => `${rule} ${severity} ${related.length}`)
    .sort();

/** Texts whose white space is shown, around elements that the service ends the text's element before. */
const preservedTexts = ['pre', 'p style="white-space: pre"', 'div style="white-space: pre"'].flatMap((tag) =>
  [
    '<table><tr><td>x</td></tr></table>',
    ...(tag.startsWith('p style') ? [] : ['<ul><li>x</li></ul>', '<form>x</form>']),
  ].map((inner) => `<${tag}>1\n   2 ${inner}\n      3   4\n   5</${tag.split(' ')[0]}>`),
);

const getStyles = (body: string): readonly string[] => body.match(/<style\b[^]*?<\/style>/giu) ?? [];

describe('Format Email', () => {
  it('proves no change of white space that is shown', () => {
    for (const text of preservedTexts) {
      const parts = readParts(text, 0);
      for (const shown of ['\n      3', '   4', '\n   5', '\n   2 ']) {
        const start = text.indexOf(shown);
        const edits = [{ start, end: start + shown.length, text: ` ${shown.trim()}` }];
        assert.deepEqual(new Proof(text, parts, 'documented').filterEdits(edits), [], text);
      }
      const edits = [{ start: 0, end: 0, text: '\n  ' }];
      assert.deepEqual(new Proof(text, parts, 'documented').filterEdits(edits), edits);
    }
  });

  it('indents by structure, with conditional comments and merge tags', () => {
    const body = `<table><tbody><tr><td><p>Hi</p></td></tr></tbody></table>
<!--[if mso]>
<table><tr><td>
<v:rect
   fill="true"></v:rect>
<![endif]-->
<!--[if !mso]><!-->
<div><p>New</p></div>
<!--<![endif]-->
{if:name=x}
<p>Bye</p>
{/if}
`;
    assert.equal(
      format(body),
      `<table>
  <tbody>
    <tr>
      <td>
        <p>Hi</p>
      </td>
    </tr>
  </tbody>
</table>
<!--[if mso]>
  <table><tr><td>
        <v:rect
   fill="true"></v:rect>
<![endif]-->
<!--[if !mso]><!-->
  <div>
    <p>New</p>
  </div>
<!--<![endif]-->
{if:name=x}
  <p>Bye</p>
{/if}
`,
    );
  });

  it('breaks long tags at attributes and declarations, and joins short ones', () => {
    const style = 'color:#333;font-family:Arial, sans-serif;background:url("a;b.png")';
    const body = `<td align="center"
 class='x'><img src="a.png" alt="A picture" width="600" height="200" style="${style.replaceAll('"', "'")}"></td>`;
    assert.equal(
      format(body, 'acymailing', { printWidth: 60 }),
      `<td align="center" class='x'><img src="a.png" alt="A picture" width="600" height="200"
      style="color:#333;font-family:Arial, sans-serif;
      background:url('a;b.png')"></td>`,
    );
  });

  it('breaks a style with repeated spaces at the same declarations when formatting again', () => {
    const style = 'color: red;  margin: 0; padding: 0;  border: 0; width: 100%;  line-height: 1.5; font-size: 12px';
    for (let printWidth = 60; printWidth < 120; printWidth++) {
      const text = format(`<p style="${style}">x</p>`, 'acymailing', { printWidth });
      assert.equal(format(text, 'acymailing', { printWidth }), text);
    }
  });

  it('keeps inline content, preformatted text, comments and styles', () => {
    for (const body of [
      '<p>One <b>two</b><i>three</i> <a href="https://example.com/">four</a></p>\n',
      '<pre>\n  a\n b</pre>\n',
      '<!-- a\n      b -->\n',
      '<style>\n      .a { color: red }\n</style>\n',
      '<p style="white-space: pre-line">a\n   b</p>\n',
      '<td><img src="a.png"></td>\n',
      '<TD Align=center>&nbsp;&eacute;</TD>\n',
    ])
      assert.equal(format(body), body);
  });

  it('adds no space between columns that are shown in a line', () => {
    const inline = '<div style="display:inline-block">1</div>';
    assert.equal(format(`<div>${inline}${inline}</div>`), `<div>${inline}${inline}</div>`);
    const styled =
      '<style>.col { display: inline-block }</style>\n<div><div class="col">1</div><div class="col">2</div></div>\n';
    assert.equal(format(styled), styled);
    for (const [selector, name] of [
      ['.row > *', ''],
      ['DIV', ''],
      ['div:not(.x, .y)', ''],
      ['div[class*="col"]', 'col-1'],
      ['.sm\\:col /* columns */', 'sm:col'],
      ['.col:nth-child(2n + 1)', 'col'],
    ] as const) {
      const columns = `<div class="${name}">1</div><div class="${name}">2</div>`;
      const text = `<style>${selector} { display: inline-block }</style>\n<section>${columns}</section>\n`;
      assert.ok(format(text).includes(columns), selector);
    }
  });

  it('reads the stylesheet of a template', () => {
    const columns = '<div class="col">1</div><div class="col">2</div>';
    for (const text of preservedTexts)
      for (const profile of profiles) {
        const body = `<div>${text}</div>`;
        assert.ok(format(body, profile).includes(text), format(body, profile));
        assert.ok(shrinkEmail(body, profile).text.includes(text), shrinkEmail(body, profile).text);
      }
    const stylesheet = '.col { display: inline-block }\n.pre { white-space: pre }';
    assert.ok(format(`<section>${columns}</section>`, 'acymailing', { stylesheet }).includes(columns));
    const pre = '<p class="pre">1\n  2</p>';
    assert.equal(shrinkEmail(pre, 'documented', stylesheet).text, pre);
    assert.notEqual(shrinkEmail(pre, 'documented').text, pre);
  });

  it('keeps white space that a stylesheet or an element without an end tag shows', () => {
    for (const name of ['pre', 'textarea', 'title']) {
      const text = `<${name}>\n a\n   b\n`;
      assert.equal(format(text), text);
    }
    for (const selector of ['*', '[class]', 'p:not(.x)']) {
      const text = `<style>${selector} { white-space: pre }</style>\n<p class="a">1\n  2</p>\n`;
      assert.equal(format(text), text);
    }
  });

  it('keeps words joined or apart in the text part', () => {
    assert.equal(format('<div><p>One\ntwo</p></div>'), '<div>\n  <p>One\n\t\ttwo</p>\n</div>');
    assert.equal(
      format('<div><p>One\n  two</p></div>', 'acymailing', { indent: '\t' }),
      '<div>\n\t<p>One\n\t\t two</p>\n</div>',
    );
    // The text part starts no line at a header cell.
    assert.equal(
      format('<table><tr><th>A</th><th>B</th></tr></table>'),
      '<table>\n  <tr>\n    <th>A</th><th>B</th>\n  </tr>\n</table>',
    );
  });

  it('formats a range', () => {
    const body = '<div><p>One</p></div>\n<div><p>Two</p></div>\n';
    const range = { start: body.lastIndexOf('<div>'), end: body.length };
    assert.equal(format(body, 'acymailing', { range }), '<div><p>One</p></div>\n<div>\n  <p>Two</p>\n</div>\n');
  });

  it('refuses an email that would pass the limit of Gmail, and only then', () => {
    const row = '<tr><td><p>A row of a long email, with some text in it.</p></td></tr>';
    const body = (rows: number) => `<html><body><table>${row.repeat(rows)}</table></body></html>`;
    const rows = Math.floor((GMAIL_CLIP_BYTES - 200) / row.length);
    for (const profile of profiles) {
      const large = formatEmail(body(profile === 'documented' ? rows : rows - 20), { profile });
      assert.ok('refused' in large && large.refused.includes('102'), profile);
    }
    assertSentSame(body(rows * 2), format(body(rows * 2), 'documented'), 'documented');
  });

  it('leaves an email alone that is too deep to parse', () => {
    assert.ok('refused' in formatEmail('<div>'.repeat(5000)));
  });

  for (const profile of profiles) {
    it(`keeps the emails of the corpus as sent, within the limits of their sizes: ${profile}`, function () {
      this.timeout(TIMEOUT_MS);
      const growths = readRealEmails(this).map(({ name, body }) => {
        const text = format(body, profile);
        const [before, after] = assertSentSame(body, text, profile);
        assert.deepEqual(listFindings(text, profile), listFindings(body, profile), name);
        assert.deepEqual(getStyles(text), getStyles(body), name);
        assert.equal(format(text, profile), text, name);
        const [elements, lines] = [text.match(/<[a-z]/giu) ?? [], text.split('\n')];
        assert.ok(lines.length >= elements.length / 4, name);
        assert.ok(after <= 1.25 * before, `${name}: ${before} → ${after}`);
        return after / before;
      });
      growths.sort((one, other) => one - other);
      assert.ok((growths[growths.length >> 1] ?? 0) <= 1.12, String(growths));
    });
  }

  it('keeps randomly edited emails as sent', function () {
    const emails = readRealEmails(this);
    this.timeout(emails.length * TIMEOUT_MS);
    let round = 0;
    for (const { name, body: original } of emails)
      for (const body of fc.sample(randomlyEdited(original), { numRuns: EDITS_PER_EMAIL, seed: 1 })) {
        round += 1;
        const profile = profiles[round % 2] ?? 'acymailing';
        const formatted = formatEmail(body, { profile });
        if ('refused' in formatted) continue;
        assertSentSame(body, formatted.text, profile);
        if (round % 4 === 0) assert.equal(format(formatted.text, profile), formatted.text, `${name}, ${round}`);
      }
  });
});

describe('Shrink Email', () => {
  it('removes indentation, comments for authors and unused rules', () => {
    const body = `<style>
  .used { color: red }
  .unused, .gone td { color: blue }
  .ExternalClass { width: 100% }
</style>
<!-- Header -->
<div class="used">

  <!--[if mso]><p>Outlook</p><![endif]-->
  <p
    id="a">One</p>
</div>
`;
    const { text, bytesBefore, bytesAfter } = shrinkEmail(body, 'documented');
    assert.equal(
      text,
      `<style>
  .used { color: red }
  .ExternalClass { width: 100% }
</style>
<div class="used">
<!--[if mso]><p>Outlook</p><![endif]-->
<p id="a">One</p>
</div>
`,
    );
    assert.deepEqual([bytesBefore, bytesAfter], [body.length, text.length]);
  });

  it('keeps the emails of the corpus as sent', function () {
    this.timeout(TIMEOUT_MS);
    for (const { name, body } of readRealEmails(this))
      for (const profile of profiles) {
        const { text, bytesBefore, bytesAfter } = shrinkEmail(body, profile);
        assert.ok(bytesAfter <= bytesBefore, name);
        assert.equal(bytesAfter, composeSent({ body: text }, { profile }).bytes);
        assert.equal(shrinkEmail(text, profile).text, text, name);
      }
  });
});
