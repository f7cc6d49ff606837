import assert from 'node:assert/strict';
import { composeBlockPage, expandSnippet } from '../../../../src/email/compose/blocks.ts';

describe('expandSnippet', () => {
  const cases: readonly (readonly [snippet: string, text: string])[] = [
    ['<p>${1:Text}</p>$0', '<p>Text</p>'],
    ['<a href="$1">${1:Link}</a> ${1}', '<a href="Link">Link</a> Link'],
    ['${TM_SELECTED_TEXT:<b>${1:none}</b>}', '<b>none</b>'],
    ['<td align="${1|left,right|}" valign="$1">', '<td align="left" valign="left">'],
    ['height:${1:32}px;line-height:$1px', 'height:32px;line-height:32px'],
    // Merge tags end with a brace, which ends a placeholder unless it is escaped.
    ['{subscriber:name|default:you}', '{subscriber:name|default:you}'],
    ['${1:Hi {subscriber:name\\}} $1', 'Hi {subscriber:name} Hi {subscriber:name}'],
    ['{if:${1:City}=${2:Paris}}$3{/if}', '{if:City=Paris}{/if}'],
    ['\\$5 or \\${1:x\\} or \\\\ or a $ or 5 $.', '$5 or ${1:x} or \\ or a $ or 5 $.'],
    ['@media { .a { color: $1} }', '@media { .a { color: } }'],
    ['${unfinished ${1:', '${unfinished ${1:'],
  ];
  for (const [snippet, text] of cases) it(snippet, () => assert.equal(expandSnippet(snippet), text));

  it('limits the length of a text that repeats a long default', () => {
    const text = expandSnippet(`\${1:${'x'.repeat(30_000)}}${'$1'.repeat(15_000)}`);
    assert.ok(text.length < 20_000_000, String(text.length));
  });

  it('inserts unfinished placeholders as text', () => {
    for (const start of ['${1:', '${1|', '${1|a,', '$', '${', '\\', '${1:${1|'])
      for (const repeated of [`${start}${'x'.repeat(64_000)}`, start.repeat(64_000 / start.length)])
        assert.ok(expandSnippet(repeated).length <= repeated.length);
  });
});

describe('The page of all blocks', () => {
  it('shows titles, names and texts as text', () => {
    const page = composeBlockPage([
      { name: 'a<b>', snippet: '<p>${1:One}</p>' },
      { name: 'two', title: 'T & wo', snippet: '<p>Two</p>' },
    ]);
    assert.match(page, /<h2>a&lt;b&gt; <code>!a&lt;b&gt;<\/code><\/h2>\n<p>One<\/p>/u);
    assert.match(page, /<h2>T &amp; wo <code>!two<\/code><\/h2>\n<p>Two<\/p>/u);
  });
});
