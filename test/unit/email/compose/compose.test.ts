import assert from 'node:assert/strict';
import { parse } from 'parse5';
import { serialize } from 'parse5';
import type { DefaultTreeAdapterTypes } from 'parse5';
import {
  composeEmail,
  composeCampaignBody,
  composeSegments,
  GMAIL_CLIP_BYTES,
  countUtf8Bytes,
} from '../../../../src/email/compose/compose.ts';

const envelope = {
  subject: 'Tea & <cake>',
  preheader: 'Only "today" <b>',
  from_name: 'Ann',
  from_email: 'ann@example.com',
};

type Node = DefaultTreeAdapterTypes.Node;

function elements(node: Node, name: string): DefaultTreeAdapterTypes.Element[] {
  const own = 'tagName' in node && node.tagName === name ? [node] : [];
  return 'childNodes' in node ? [...own, ...node.childNodes.flatMap((child) => elements(child, name))] : own;
}

function textOf(node: Node): string {
  if ('value' in node && node.nodeName === '#text') return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

function parentOf(node: DefaultTreeAdapterTypes.Element | undefined): string | undefined {
  return node?.parentNode && 'tagName' in node.parentNode ? node.parentNode.tagName : undefined;
}

describe('An email is composed', () => {
  it('from a fragment into a document', () => {
    const document = parse(composeEmail({ body: '<p>Hello</p>', stylesheet: 'p { color: red }', envelope }));
    assert.equal(document.mode, 'no-quirks');
    assert.equal(textOf(elements(document, 'title')[0] as Node), 'Tea & <cake>');
    const [style] = elements(document, 'style');
    assert.equal(textOf(style as Node).trim(), 'p { color: red }');
    assert.equal(parentOf(style), 'head');
    const [body] = elements(document, 'body');
    const [hidden, paragraph] = (body?.childNodes ?? []).filter((node) => 'tagName' in node);
    assert.equal(textOf(hidden as Node), 'Only "today" <b>');
    assert.match(serialize(body as DefaultTreeAdapterTypes.Element), /^\n?<div style="display:none/);
    assert.equal(textOf(paragraph as Node), 'Hello');
  });

  it('with style and preheader in the places of a whole document, and its own text unchanged', () => {
    const body =
      '<!DOCTYPE html><html lang="en"><head><title>x</title></head>\n<body class="a>b">\n<p>Hello</p></body></html>';
    const html = composeEmail({ body, stylesheet: 'p{}', envelope });
    const document = parse(html);
    assert.equal(parentOf(elements(document, 'style')[0]), 'head');
    const first = elements(document, 'body')[0]?.childNodes.find((node) => 'tagName' in node);
    assert.equal(textOf(first as Node), envelope.preheader);
    const own = composeSegments({ body, stylesheet: 'p{}', envelope }).filter((piece) => piece.source === 'body');
    assert.equal(own.map((piece) => piece.text).join(''), body);
    assert.deepEqual(
      own.map((piece) => body.slice(piece.offset, (piece.offset ?? 0) + piece.text.length)),
      own.map((piece) => piece.text),
    );
  });

  const incomplete: readonly (readonly [title: string, body: string])[] = [
    ['without a head', '<html><body><p>Hello</p></body></html>'],
    ['with a head that is not closed', '<html><head><title>x</title><body><p>Hello</p>'],
    ['with nothing but a doctype', '<!doctype html><p>Hello</p>'],
    ['with nothing but <html>', '<html><p>Hello</p>'],
    [
      'with tags of a document in a comment and in a style before',
      '<!-- <head></head><body> --><html><head><style>/* </head><body> */</style></head><body><p>Hello</p>',
    ],
  ];
  for (const [title, body] of incomplete) {
    it(`of a document ${title}`, () => {
      const document = parse(composeEmail({ body, stylesheet: 'p{}', envelope }));
      const style = elements(document, 'style').find((element) => textOf(element).trim() === 'p{}');
      assert.equal(parentOf(style), 'head');
      assert.equal(parentOf(elements(document, 'div')[0]), 'body');
      assert.equal(textOf(elements(document, 'p')[0] as Node), 'Hello');
    });
  }

  it('with a stylesheet that cannot break out', () => {
    const stylesheet = 'a::after { content: "</style><script>alert(1)</script>" } </STYLE ><b>';
    for (const body of ['<p>x</p>', '<html><head></head><body><p>x</p>']) {
      const document = parse(composeEmail({ body, stylesheet }));
      assert.equal(elements(document, 'script').length, 0);
      assert.equal(elements(document, 'b').length, 0);
      assert.equal(elements(document, 'style').length, 1);
    }
  });

  it('without empty elements where stylesheet and preheader are empty', () => {
    const html = composeEmail({ body: '<p>x</p>', stylesheet: ' \n', envelope: { ...envelope, preheader: ' ' } });
    assert.doesNotMatch(html, /<style|<div/);
    const whole = '<!doctype html><html><head></head><body>x</body></html>';
    assert.equal(composeEmail({ body: whole, stylesheet: '' }), whole);
  });

  it('of any text, half-typed or hostile', () => {
    for (const body of [
      '',
      '<',
      '<html',
      '<head><',
      '<!--',
      '<body class="',
      '\0',
      '<!doctype',
      '<style>',
      '<body></head>',
      '</head><html>',
      '<__proto__><constructor>',
    ]) {
      const html = composeEmail({ body, stylesheet: 'p{}', envelope });
      assert.ok(html.includes(body.slice(0, 1)), body);
      assert.doesNotThrow(() => parse(html));
    }
  });
});

describe('A campaign’s body', () => {
  it('is a fragment with the style first and the hidden preheader next', () => {
    const body = composeCampaignBody({ body: '<p>Hello</p>', stylesheet: 'p { color: red }', envelope });
    assert.match(
      body,
      /^<style>\np \{ color: red \}\n<\/style>\n<div style="display:none[^"]*">Only &quot;today&quot; &lt;b&gt;<\/div>\n<p>Hello<\/p>$/,
    );
  });

  it('stays the fragment it was where there is nothing to add', () => {
    assert.equal(composeCampaignBody({ body: '<p>Hello</p>', stylesheet: '' }), '<p>Hello</p>');
  });
});

describe('A message’s size', () => {
  it('is counted in bytes of UTF-8', () => {
    assert.equal(countUtf8Bytes('aé€😀'), 1 + 2 + 3 + 4);
    assert.equal(countUtf8Bytes('é€😀\ud800x'), Buffer.byteLength('é€😀\ud800x'));
  });

  it('is compared with 102 KB', () => assert.equal(GMAIL_CLIP_BYTES, 104_448));
});
