import assert from 'node:assert/strict';
import { parseFragment } from 'parse5';
import { applyParts } from '../../../../src/sync/parts/index.ts';

const quote = (value: string) => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('>', '&gt;');

/** Returns the text of a part for a use with an attribute `x`, or the message of its problem. */
function fill(part: string, x: string): string {
  const [start, end] = [`<!-- part: p x="${quote(x)}" -->`, '<!-- /part -->'];
  const { text, problems } = applyParts(start + end, { p: part });
  if (problems.length > 0) assert.equal(text, start + end);
  return problems[0]?.message ?? text.slice(start.length, -end.length);
}

const hostile = `<b a='1' c="2">&amp; --> </style> {x} $& \``;

describe('Attributes of linked parts', () => {
  it('are escaped in text', () => {
    assert.equal(fill('<p>[[x]] [[ x ]]</p>', 'Tom & "Ann" <3'), '<p>Tom &amp; "Ann" &lt;3 Tom &amp; "Ann" &lt;3</p>');
  });

  it('are escaped in attributes with any quotes', () => {
    assert.equal(
      fill(`<p title="a [[x]]" lang='[[x]]'>`, `"1" '2' &`),
      `<p title="a &quot;1&quot; &#39;2&#39; &amp;" lang='&quot;1&quot; &#39;2&#39; &amp;'>`,
    );
    assert.equal(fill('<td width=[[x]]>', '100'), '<td width=100>');
    assert.equal(fill('<td width=[[x]] b>', ''), '<td width="" b>');
    assert.equal(fill('<td title = a[[x]] b>', 'b c=d'), '<td title = "ab c=d" b>');
  });

  for (const part of ['<i title="[[x]]">[[x]]</i>', "<i title='[[x]]'>[[x]]</i>", '<i title=[[x]]>[[x]]</i>'])
    it(`never end ${part} early`, () => {
      const { childNodes } = parseFragment(fill(part, hostile));
      assert.equal(childNodes.length, 1);
      const [element] = childNodes;
      assert.ok(element && 'attrs' in element);
      assert.deepEqual(element.attrs, [{ name: 'title', value: hostile }]);
      assert.deepEqual(
        element.childNodes.map((child) => 'value' in child && child.value),
        [hostile],
      );
    });

  it('are filled once', () => {
    assert.equal(fill('[[x]]', '[[x]] $1 <!-- /part -->'), '[[x]] $1 &lt;!-- /part --&gt;');
  });

  it('are filled in code for Outlook, and in the defaults of slots', () => {
    assert.equal(
      fill(
        '<!--[if mso]><v:rect href="[[x]]" a=[[x]]>[[x]]</v:rect><![endif]--><!-- slot: s -->[[x]]<!-- /slot -->',
        'https://a.example?b&c=d',
      ),
      '<!--[if mso]><v:rect href="https://a.example?b&amp;c=d" a="https://a.example?b&amp;c=d">https://a.example?b&amp;c=d</v:rect><![endif]--><!-- slot: s -->https://a.example?b&amp;c=d<!-- /slot -->',
    );
  });

  it('stay as they are in other comments', () => {
    assert.equal(fill('<!-- [[x]] -->', 'y'), '<!-- [[x]] -->');
  });

  for (const url of [
    'http://a.example',
    'HTTPS://a.example?x=1',
    'mailto:a@b.example',
    'tel:+49123',
    'images/a.png',
    '../a.html?b=c:d',
    '//a.example',
    '#top',
    '',
    '{unsubscribe}x{/unsubscribe}',
    '{readonline}',
    'https://a.example/{user:id}',
  ])
    it(`accepts the address "${url}"`, () => {
      assert.equal(fill('<a href="[[x]]">', url), `<a href="${url}">`);
    });

  for (const url of [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\tscript:alert(1)',
    'java\r\nscript:alert(1)',
    ' \u0001javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'sms:1',
    '{user:none}javascript:alert(1)',
    'java{user:none}script:alert(1)',
    '%7Buser:none%7Djavascript:alert(1)',
  ])
    it(`refuses the address ${JSON.stringify(url)}`, () => {
      for (const part of [
        '<a href="[[x]]">',
        '<img src=[[x]]>',
        "<td background='[[x]]'>",
        '<!--[if mso]><v:fill src="[[x]]"><![endif]-->',
      ])
        assert.match(fill(part, url), /URL isn't allowed/);
    });

  it('are refused in addresses that they complete to another scheme', () => {
    assert.match(fill('<a href="java[[x]]">', 'script:alert(1)'), /isn't allowed/);
    assert.match(fill('<a href="[[x]]&colon;alert(1)">', 'javascript'), /isn't allowed/);
    assert.equal(
      fill('<a href="https://a.example/?q=[[x]]">', 'javascript:'),
      '<a href="https://a.example/?q=javascript:">',
    );
  });

  it('may be colors and lengths in stylesheets', () => {
    assert.equal(fill('<style>a{color:[[x]]}</style>', '#f00'), '<style>a{color:#f00}</style>');
    assert.match(fill('<style>a{color:[[x]]}</style>', 'red}</style>'), /isn't allowed/);
  });

  for (const part of [
    '<script>[[x]]</script>',
    '<[[x]]>',
    '<p [[x]]>',
    '<p [[x]]="a">',
    '<p onclick="[[x]]">',
    '<p a="[[x]]" a="[[x]]">',
  ])
    it(`are refused in ${part}`, () => {
      assert.match(fill(part, 'x'), /isn't allowed/);
    });

  it('must be given', () => {
    assert.match(fill('[[label]]', 'x'), /attribute "label" is missing/);
  });
});
