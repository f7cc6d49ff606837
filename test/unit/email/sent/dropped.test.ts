import assert from 'node:assert/strict';
import { composeSent, droppedMessages } from '../../../../src/email/sent/index.ts';
import type { Email } from '../../../../src/email/sent/index.ts';

/** Returns the dropped kinds and their source texts. */
function findDropped(email: Email): [kind: string, text: string][] {
  const found = composeSent(email, { profile: 'acymailing', site: 'https://news.example.org' }).dropped;
  return found.map(({ kind, part, start, end }) => [kind, (email[part] ?? '').slice(start, end)]);
}

const inDocument = (css: string): Email => ({
  body: `<html><head><style>${css}</style></head><body><p class="a">x</p></body></html>`,
});

describe('composeSent reports what the service drops', () => {
  const css: readonly (readonly [css: string, expected: readonly (readonly [kind: string, text: string])[]])[] = [
    ['p{color:red}', []],
    ['@import url("x.css");p{color:red}', [['import', '@import url("x.css");']]],
    ['p{color:red!important}', [['important', 'color:red!important']]],
    ['@media screen{.a{color:red!important}}', []],
    ['[data-ogsc] .a{color:red}', [['selector', '[data-ogsc] .a']]],
    ['.a, #outlook a{color:red}', [['selector', '#outlook a']]],
    ['html{color:red}', [['root', 'html']]],
    ['p{width:100%;width:calc(100% - 4px)}', [['fallback', 'width:100%']]],
    ['@media handheld{p{color:red}}', [['media', '@media handheld{p{color:red}}']]],
    ['@font-face{font-family:X}', [['fontFace', '@font-face{font-family:X}']]],
    ['@font-face{font-family:X;src:url(x)}', []],
    ['@layer a{p{color:red}}', [['atRule', '@layer a{p{color:red}}']]],
    ['.a:hover{color:red}', []],
    ['.b:hover{color:red}', [['selector', '.b:hover']]],
  ];
  for (const [text, expected] of css) {
    it(`in a style element: ${text}`, () => assert.deepEqual(findDropped(inDocument(text)), expected));
    it(`in the stylesheet: ${text}`, () => {
      assert.deepEqual(findDropped({ ...inDocument(''), stylesheet: text }), expected);
    });
  }

  const bodies: readonly (readonly [body: string, expected: readonly (readonly [kind: string, text: string])[]])[] = [
    ['<p>x</p>', []],
    ['<section>x</section>', [['fragmentStart', '<section>x</section>']]],
    ['<html><body><section>x</section></body></html>', []],
    ['<!DOCTYPE html><p>x</p>', [['doctype', '<!DOCTYPE html>']]],
    ['<html lang="en"><body>x</body></html>', [['htmlAttribute', 'lang="en"']]],
    [
      '<html><head><title>t</title><meta name="color-scheme" content="dark"></head><body>x</body></html>',
      [
        ['head', '<title>t</title>'],
        ['head', '<meta name="color-scheme" content="dark">'],
      ],
    ],
    [
      '<html><head><!--[if mso]><xml></xml><![endif]--></head><body>x</body></html>',
      [['head', '<!--[if mso]><xml></xml><![endif]-->']],
    ],
    ['<p>x</p><script>1</script>', [['script', '<script>1</script>']]],
    [
      '<p><![if !mso]>x<![endif]></p>',
      [
        ['revealed', '<![if !mso]>'],
        ['revealed', '<![endif]>'],
      ],
    ],
    ['<p><!--[if !mso]><!-->x<!--<![endif]--></p>', []],
    ['<html><body>x</body></html> late', [['afterBody', 'late']]],
    ['<a href="{if:x=1}y{/if}">x</a>', [['conditionInAddress', 'href="{if:x=1}y{/if}"']]],
  ];
  for (const [body, expected] of bodies)
    it(`in the body: ${body}`, () => assert.deepEqual(findDropped({ body }), expected));

  it('for a class that only the headers field uses', () => {
    assert.deepEqual(findDropped({ body: '<p class="k">x</p>', headers: '<style>.k{color:red}</style>' }), [
      ['headersClass', 'class="k"'],
    ]);
    assert.deepEqual(
      findDropped({ ...inDocument('.a:hover{color:red}'), headers: '<style>.a{color:red}</style>' }),
      [],
    );
  });

  it('with a message for each kind', () => {
    for (const sentence of Object.values(droppedMessages)) assert.match(sentence, /^[A-Z].*\.$/s);
  });
});

describe('composeSent for a service without a known pipeline', () => {
  it('returns the stored body and stylesheet and no text part', () => {
    const sent = composeSent({ body: '<p onclick="x()">é</p>', stylesheet: 'p{color:red}' }, { profile: 'documented' });
    assert.deepEqual(sent, {
      html: '<style>p{color:red}</style><p onclick="x()">é</p>',
      text: '',
      bytes: 50,
      dropped: [],
    });
    assert.equal(composeSent({ body: '<p>x</p>' }, { profile: 'documented' }).html, '<p>x</p>');
  });
});
