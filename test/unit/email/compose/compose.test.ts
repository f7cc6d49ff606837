import assert from 'node:assert/strict';
import { parse, serialize, type DefaultTreeAdapterTypes } from 'parse5';
import {
  composeEmail,
  composeCampaignBody,
  composeSegments,
  formatKilobytes,
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

function findElements(node: Node, name: string): DefaultTreeAdapterTypes.Element[] {
  const own = 'tagName' in node && node.tagName === name ? [node] : [];
  return 'childNodes' in node ? [...own, ...node.childNodes.flatMap((child) => findElements(child, name))] : own;
}

function getText(node: Node): string {
  if ('value' in node && node.nodeName === '#text') return node.value;
  return 'childNodes' in node ? node.childNodes.map(getText).join('') : '';
}

const getFirstText = (document: Node, name: string): string =>
  findElements(document, name).slice(0, 1).map(getText).join('');

function getParentName(node: DefaultTreeAdapterTypes.Element | undefined) {
  return node?.parentNode && 'tagName' in node.parentNode ? node.parentNode.tagName : undefined;
}

describe('composeEmail', () => {
  it('turns a fragment into a document', () => {
    const document = parse(composeEmail({ body: '<p>Hello</p>', stylesheet: 'p { color: red }', envelope }));
    assert.equal(document.mode, 'no-quirks');
    assert.equal(getFirstText(document, 'title'), 'Tea & <cake>');
    const [style] = findElements(document, 'style');
    assert.equal(getText(style as Node).trim(), 'p { color: red }');
    assert.equal(getParentName(style), 'head');
    const [body] = findElements(document, 'body');
    const [hidden, paragraph] = (body?.childNodes ?? []).filter((node) => 'tagName' in node);
    assert.equal(getText(hidden as Node), 'Only "today" <b>');
    assert.match(serialize(body as DefaultTreeAdapterTypes.Element), /^\n?<div style="display:none/);
    assert.equal(getText(paragraph as Node), 'Hello');
  });

  it('inserts style and preheader into a complete document and keeps its own text', () => {
    const body =
      '<!DOCTYPE html><html lang="en"><head><title>x</title></head>\n<body class="a>b">\n<p>Hello</p></body></html>';
    const html = composeEmail({ body, stylesheet: 'p{}', envelope });
    const document = parse(html);
    assert.equal(getParentName(findElements(document, 'style')[0]), 'head');
    const first = findElements(document, 'body')[0]?.childNodes.find((node) => 'tagName' in node);
    assert.equal(getText(first as Node), envelope.preheader);
    const own = composeSegments({ body, stylesheet: 'p{}', envelope }).filter((piece) => piece.source === 'body');
    assert.equal(own.map((piece) => piece.text).join(''), body);
    assert.deepEqual(
      own.map((piece) => body.slice(piece.offset, (piece.offset ?? 0) + piece.text.length)),
      own.map((piece) => piece.text),
    );
  });

  const incomplete: readonly (readonly [title: string, body: string])[] = [
    ['without a head', '<html><body><p>Hello</p></body></html>'],
    ['with an unclosed head', '<html><head><title>x</title><body><p>Hello</p>'],
    ['with only a doctype', '<!doctype html><p>Hello</p>'],
    ['with only <html>', '<html><p>Hello</p>'],
    [
      'after document tags in a comment and a style',
      '<!-- <head></head><body> --><html><head><style>/* </head><body> */</style></head><body><p>Hello</p>',
    ],
  ];
  for (const [title, body] of incomplete) {
    it(`composes a document ${title}`, () => {
      const document = parse(composeEmail({ body, stylesheet: 'p{}', envelope }));
      const style = findElements(document, 'style').find((element) => getText(element).trim() === 'p{}');
      assert.equal(getParentName(style), 'head');
      assert.equal(getParentName(findElements(document, 'div')[0]), 'body');
      assert.equal(getFirstText(document, 'p'), 'Hello');
    });
  }

  it('prevents the stylesheet from closing its element', () => {
    const stylesheet = 'a::after { content: "</style><script>alert(1)</script>" } </STYLE ><b>';
    for (const body of ['<p>x</p>', '<html><head></head><body><p>x</p>']) {
      const document = parse(composeEmail({ body, stylesheet }));
      assert.equal(findElements(document, 'script').length, 0);
      assert.equal(findElements(document, 'b').length, 0);
      assert.equal(findElements(document, 'style').length, 1);
    }
  });

  it('adds no elements for an empty stylesheet and preheader', () => {
    const html = composeEmail({ body: '<p>x</p>', stylesheet: ' \n', envelope: { ...envelope, preheader: ' ' } });
    assert.doesNotMatch(html, /<style|<div/);
    const whole = '<!doctype html><html><head></head><body>x</body></html>';
    assert.equal(composeEmail({ body: whole, stylesheet: '' }), whole);
  });

  it('accepts any text, incomplete or hostile', () => {
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

describe('composeCampaignBody', () => {
  it('puts the style first and the hidden preheader next', () => {
    const body = composeCampaignBody({ body: '<p>Hello</p>', stylesheet: 'p { color: red }', envelope });
    assert.match(
      body,
      /^<style>\np \{ color: red \}\n<\/style>\n<div style="display:none[^"]*">Only &quot;today&quot; &lt;b&gt;<\/div>\n<p>Hello<\/p>$/,
    );
  });

  it('keeps a fragment if there is nothing to add', () => {
    assert.equal(composeCampaignBody({ body: '<p>Hello</p>', stylesheet: '' }), '<p>Hello</p>');
  });
});

describe('countUtf8Bytes', () => {
  it('counts UTF-8 bytes', () => {
    assert.equal(countUtf8Bytes('aé€😀'), 1 + 2 + 3 + 4);
    assert.equal(countUtf8Bytes('é€😀\ud800x'), Buffer.byteLength('é€😀\ud800x'));
  });

  it('has a Gmail limit of 102 KB', () => assert.equal(GMAIL_CLIP_BYTES, 104_448));
});

describe('formatKilobytes', () => {
  it('shows one decimal of small sizes, and 0 KB only for 0 bytes', () =>
    assert.deepEqual([0, 14, 1536, 10_239, 14_592].map(formatKilobytes), [
      '0 KB',
      '0.1 KB',
      '1.5 KB',
      '10 KB',
      '14 KB',
    ]));
});
