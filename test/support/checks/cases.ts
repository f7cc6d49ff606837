import { checkParts } from '../../../src/sync/parts/check.ts';
import type { CheckOptions, Email, Severity } from '../../../src/email/checks/index.ts';

/** A rule and an email. `«` and `»` mark the ranges of its first finding; without marks, no finding is expected. */
export interface RuleCase {
  readonly rule: string;
  readonly title: string;
  readonly email: Partial<Email>;
  readonly severity?: Severity;
  readonly options?: CheckOptions;
  /** Pattern of the fixed email. Tests assert for every fix that it removes the finding. */
  readonly fixed?: RegExp;
  /** Pattern of the sent email after the fix. */
  readonly sent?: RegExp;
  readonly clients?: readonly string[];
  readonly message?: RegExp;
}

const acymailing: CheckOptions = { profile: 'acymailing' };

type CaseRow = readonly [
  severity: Severity | 'accepted',
  title: string,
  email: Partial<Email> | string,
  rest?: Partial<RuleCase>,
];

/** Creates the cases of each rule. */
const createCases = (
  options: CheckOptions | undefined,
  rows: Readonly<Record<string, readonly CaseRow[]>>,
): readonly RuleCase[] =>
  Object.entries(rows).flatMap(([rule, own]) =>
    own.map(([severity, title, email, rest]) => ({
      rule,
      title,
      email: typeof email === 'string' ? { body: email } : email,
      ...(severity !== 'accepted' && { severity }),
      ...(options && { options }),
      ...rest,
    })),
  );
const outlookWindows = ['Outlook for Windows'];

const linked: CheckOptions = {
  checkParts: (body) => checkParts(body, { f: '<p>new<!-- slot: s --><!-- /slot --></p>', b: '<b>[[x]]</b>' }).findings,
};

const headline =
  '<h1>Summer sale</h1><p style="font-size:18px">30% off everything</p><a href="https://x.example">Shop now</a>';
const products = '<img alt="Lamp" width="600" height="600" src="b.png">'.repeat(3);

const commonCases = createCases(undefined, {
  1: [
    [
      'error',
      'an unclosed conditional comment',
      '<p>a</p>«<!--[if mso]>»<b>x</b>«-->»<p>b</p>',
      {
        fixed: /<b>x<\/b><!\[endif\]-->/u,
      },
    ],
    [
      'error',
      'a conditional comment that never ends',
      '<p>a</p>«<!--[if mso]>»<b>x</b>',
      {
        fixed: /<b>x<\/b><!\[endif\]-->$/u,
      },
    ],
    [
      'error',
      'an end marker with a slash',
      'x«<!--[if mso]>»a«<![endif]/-->»b',
      {
        fixed: /a<!\[endif\]-->b/u,
      },
    ],
    ['error', 'an end marker without a start', '<p>a</p>«<![endif]-->»', { fixed: /^<p>a<\/p>$/u }],
    [
      'error',
      'an inner comment',
      '«<!--[if mso]>»a«<!-- note -->»b<![endif]-->',
      {
        fixed: /mso\]>ab<!\[endif\]-->/u,
      },
    ],
    [
      'error',
      'nested conditional comments',
      '«<!--[if mso]>»a«<!--[if gte mso 9]>b<![endif]-->»c<![endif]-->',
      {
        fixed: /mso\]>abc<!\[endif\]-->/u,
      },
    ],
    [
      'error',
      'an unclosed revealed block',
      '«<!--[if !mso]><!-->»<b>x</b>',
      {
        fixed: /<b>x<\/b><!--<!\[endif\]-->$/u,
      },
    ],
    [
      'accepted',
      'both forms',
      '<!--[if mso]>a<![endif]--><!--[if !mso]><!-->b<!--<![endif]--><!--[if !mso]><!-- -->c<!--<![endif]--><!-- n -->',
    ],
  ],
  2: [
    [
      'error',
      'content that no client shows',
      'a«<!--[if !mso]><b>x</b><![endif]-->»',
      {
        fixed: /<!--\[if !mso\]><!--><b>x<\/b><!--<!\[endif\]-->/u,
      },
    ],
    [
      'accepted',
      'content for all clients except Outlook',
      '<!--[if !mso]><!--><b>x</b><!--<![endif]--><!--[if mso]>y<![endif]-->',
    ],
  ],
  9: [
    ['error', 'a link to this computer', '<a «href="http://localhost:3000/x"»>Shop</a>'],
    ['error', 'a link to a file', '<a «href="file:///C:/x.html"»>Shop</a>'],
    ['error', 'a relative link', '<a «href="shop.html"»>Shop</a>'],
    ['warning', 'placeholder links', '<a «href="#"»>Shop</a> <a «href=\'#\'»>Shop</a>'],
    ['warning', 'an empty link', '<a «href=""»>Shop</a>'],
    [
      'warning',
      'links without an address or number',
      '<a «href="mailto:"»>Write</a><a «href="mailto:info?subject=Hi"»>Write</a><a «href="tel: "»>Call</a>',
    ],
    [
      'accepted',
      'links whose recipient readers choose',
      '<a href="mailto:?subject=Look%20at%20this">Forward</a><a href="mailto:a%40x.example">A</a><a href="mailto:{subscriber:email}">B</a><a href="sms:?body=x">Text</a>',
    ],
    [
      'accepted',
      'valid links',
      '<a href="https://x.example">S</a><a href="mailto:a@x.example">S</a><a href="#top">S</a><a href="{readonly}{/readonly}">S</a>',
    ],
    [
      'accepted',
      'a relative link that the service makes absolute',
      '<a href="shop.html">Shop</a>',
      {
        options: acymailing,
      },
    ],
  ],
  10: [
    [
      'info',
      'links',
      '<a «href="http://x.example/"»>S</a><img src="https://x.example/a.png"><a «href="http://x.example/b"»>T</a>',
      { fixed: /https:\/\/x\.example\/b/u, message: /^(?!.*block)/u },
    ],
    [
      'info',
      'an image',
      '<a href="https://x.example/">S</a><img «src="http://x.example/a.png"»>',
      { fixed: /https:\/\/x\.example\/a\.png/u, message: /Some clients block/u },
    ],
    ['accepted', 'encrypted addresses', '<a href="https://x.example/">S</a>'],
  ],
  11: [
    ['hint', 'a generic link text', '<a href="https://x.example">«Click here »</a>'],
    ['accepted', 'a descriptive link text', '<a href="https://x.example">Our summer sale</a>'],
  ],
  12: [
    [
      'warning',
      'images without alt',
      '«<img src="a.png">»«<img src="b.png" width="9">»',
      {
        fixed: /^<img alt="" src="a\.png"><img alt=""/u,
      },
    ],
    [
      'accepted',
      'images with alt or a role',
      '<img src="a.png" alt=""><img src="b.png" alt="A tree"><img src="c.png" role="presentation">',
    ],
  ],
  13: [
    [
      'warning',
      'an image with a width in its style only',
      '«<img src="a.png" alt="" style="width:200px">»',
      {
        fixed: /width="200"/u,
        clients: outlookWindows,
      },
    ],
    [
      'warning',
      'an image without any width',
      '«<img src="a.png" alt="">»',
      {
        clients: outlookWindows,
      },
    ],
    [
      'warning',
      'an image in a cell without a font size',
      '<table role="presentation"><tr><td style="font-size:0">«<img src="a.png" alt="">»</td></tr></table>',
    ],
    ['accepted', 'an image with the attribute', '<img src="a.png" alt="" width="200">'],
    [
      'accepted',
      'an image without width if Outlook is not selected',
      '<img src="a.png" alt="">',
      {
        options: { clients: ['gmail'] },
      },
    ],
  ],
  14: [
    [
      'error',
      'a data image',
      '<img alt="" width="1" «src="data:image/png;base64,AAAA"»>',
      {
        clients: ['Gmail', 'Outlook for Windows'],
      },
    ],
    ['error', 'a data background', '<p style="color:red;«background:url(data:image/png;base64,AAAA)»">x</p>'],
    [
      'accepted',
      'a data image if only Apple Mail is selected',
      '<img alt="" src="data:image/png;base64,AAAA">',
      {
        options: { clients: ['Apple Mail'] },
      },
    ],
  ],
  15: [
    [
      'warning',
      'an SVG image',
      '<img alt="" width="9" «src="https://x.example/a.svg?v=1"»>',
      {
        clients: ['Gmail'],
      },
    ],
    ['warning', 'a new format', '<img alt="" width="9" «src="a.webp"»>', { clients: outlookWindows }],
    ['accepted', 'old formats', '<img alt="" width="9" src="a.svg.png"><img alt="" src="a.gif">'],
  ],
  16: [
    ['info', 'images alone', '«<img alt="" width="600" height="400" src="a.png">»'],
    ['info', 'a large image with a few words', '«<img alt="" width="600" height="800" src="a.png">»<p>Buy now</p>'],
    [
      'info',
      'a headline below a large image',
      `«<img alt="" width="600" height="700" src="a.png">»${headline}${products}`,
    ],
    ['accepted', 'a headline, an offer and a button above many images', `${headline}${products}`],
    [
      'accepted',
      'text with an image',
      `<img alt="" width="200" height="50" src="a.png"><p>${'Words to read. '.repeat(40)}</p>`,
    ],
  ],
  17: [
    [
      'warning',
      'a background image without a color',
      '<table role="presentation"><tr><td «background="a.png"»>x</td></tr></table>',
      {
        clients: outlookWindows,
      },
    ],
    [
      'warning',
      'a declaration in a rule',
      '<style>.hero { «background-image: url(a.png)» }</style><div class="hero">x</div>',
    ],
    [
      'accepted',
      'a background image with a color',
      '<table background="a.png" bgcolor="#333"></table><div style="background: #333 url(a.png)">x</div>' +
        '<p style="background-image:url(b.png);background-color:red">x</p>',
    ],
    [
      'accepted',
      'a background image with a VML shape',
      '<div style="background-image:url(a.png)"><!--[if gte mso 9]><v:rect fill="true"></v:rect><![endif]-->x</div>',
    ],
  ],
  18: [
    [
      'warning',
      'gray on white',
      '<p style="«color:#aaa»">Some text</p>',
      { message: /^Contrast of #aaaaaa on #ffffff in <p> is 2\.32:1\. Aim for at least 4\.5:1\.$/u },
    ],
    [
      'warning',
      'several colors, the worst first',
      '<p style="«color:#999»">Some text</p><b style="«color:#ddd»">More text</b>',
      { message: /^Contrast of #dddddd on #ffffff in <b> /u },
    ],
    [
      'warning',
      'colors from a rule and an attribute',
      '<style>.low { «color: #777» }</style><table role="presentation" bgcolor="#666666"><tr><td class="low">Text</td></tr></table>',
    ],
    [
      'info',
      'text that is readable in light mode only',
      '<div style="background-color:#8a8a8a"><p style="«color:#000»">Text to read</p></div>',
    ],
    [
      'accepted',
      'black on white, large text, and undetermined backgrounds',
      '<p>a</p><p style="color:#888;font-size:30px">Large</p><div style="background:url(a.png)"><p style="color:#eee">x</p></div>',
    ],
    [
      'warning',
      'text with a font size in a cell without one',
      '<table role="presentation"><tr><td style="font-size:0"><div style="font-size:16px;«color:#aaa»">Text</div></td></tr></table>',
    ],
    ['accepted', 'text with a font size of 0', '<div style="font-size:0;color:#fff">Preheader</div>'],
    ['accepted', 'hidden text', '<div style="display:none;color:#fff">Preheader</div>'],
  ],
  58: [
    [
      'info',
      'dummy text, and a block with its own text',
      '<p>«Lorem ipsum dolor sit amet»</p><p> «First\n column» </p><p>«Write to shop@example.com»</p><img width="9" src="a.png" «alt="Example Books"»>',
      { message: /"Lorem ipsum dolor sit amet"/u },
    ],
    [
      'info',
      'sample text in the fields',
      { body: '<p>x</p>', subject: '«Four days in Huehuetenango, and one very good bag»', preheader: '«Lorem ipsum»' },
    ],
    [
      'info',
      'addresses for examples',
      {
        body:
          '<a «href="https://www.example.com/shop?id=1"»>Shop</a><a «href="mailto:info@example.org?subject=x"»>Write</a>' +
          '<a «href="//yourdomain.com"»>x</a><img alt="" width="9" «src="https://via.placeholder.com/200x50"»>',
        fromEmail: '«shop@mail.example.com»',
      },
      { message: /on www\.example\.com\./u },
    ],
    [
      'warning',
      'sample text before a send',
      '<p>«Lorem ipsum»</p>',
      { options: { profile: 'acymailing', isForSending: true } },
    ],
    [
      'accepted',
      'text and addresses that resemble samples',
      {
        body:
          '<p>The first column of our new series</p><p>Unsubscribe</p><h1>Read the full story</h1><p>Lorem Café, Ipsum Street</p>' +
          '<a href="https://myexample.com/">x</a><a href="https://example.company/">x</a><a href="https://shop.test/?to=https://example.com/">x</a>' +
          '<a href="https://example.com.au">x</a><a href="{readonline}{/readonline}">x</a><a href="mailto:example.com@shop.test">x</a>' +
          '<!-- Lorem ipsum --><style>/* lorem ipsum */</style>',
        subject: 'Our first column',
        preheader: '',
        fromEmail: 'shop@x.example',
      },
    ],
  ],
  19: [
    [
      'info',
      'a document without a language',
      '<!doctype html>«<html>»<body><p>Das ist der Text für Sie und nicht die Welt</p></body></html>',
      { fixed: /<html lang="de">/u },
    ],
    ['info', 'right-to-left text without dir', '«<p>»שלום לכולם</p>', { fixed: /<p dir="rtl">/u }],
    [
      'accepted',
      'a document with lang and dir',
      '<!doctype html><html lang="he" dir="rtl"><body><p>שלום לכולם</p></body></html>',
    ],
  ],
  20: [
    [
      'hint',
      'a layout table',
      '«<table width="600">»<tr><td>x</td></tr></table>',
      {
        fixed: /<table role="presentation" width="600">/u,
      },
    ],
    [
      'accepted',
      'a table with a role, and a data table',
      '<table role="presentation"><tr><td>x</td></tr></table><table><tr><th>Price</th></tr></table>',
    ],
  ],
  21: [
    ['warning', 'a heading that skips a level', '<h1>a</h1>«<h3>»b</h3>'],
    ['warning', 'an empty link', '<p>x</p>«<a href="https://x.example">»</a>'],
    [
      'warning',
      'a link around an image with an empty alt',
      '«<a href="https://x.example">»<img alt="" src="a.png" width="9"></a>',
    ],
    [
      'accepted',
      'headings in order, links with names',
      '<h1>a</h1><h2>b</h2><h1>c</h1><a href="https://x.example" title="Shop"></a><a href="x"><img src="a.png"></a><a name="top"></a>',
    ],
  ],
  22: [
    ['hint', 'small text', '<p style="«font-size:12px»">Terms</p>'],
    [
      'accepted',
      'text that phones enlarge',
      '<style>p { font-size: 12px } @media (max-width: 600px) { p { font-size: 16px } }</style><p>Terms</p>',
    ],
  ],
  24: [
    [
      'warning',
      'styles over 16 KB',
      `<style>${'a{color:red}'.repeat(100)}</style>«<style>${'b{color:red}'.repeat(1400)}</style>»`,
      { clients: ['Gmail'] },
    ],
    ['accepted', 'styles under 16 KB', `<style>${'a{color:red}'.repeat(1000)}</style>`],
  ],
  25: [
    [
      'error',
      'an at-rule in an at-rule',
      '<style>@media screen { «@media (max-width:600px) { p { color: red } }» }</style>',
      {
        clients: ['Gmail'],
      },
    ],
    [
      'hint',
      'fonts in an at-rule',
      '<style>@media screen { «@font-face { font-family: A; src: url(a.woff) }» }</style>',
    ],
    [
      'accepted',
      'sibling at-rules',
      '<style>@media screen { p { color: red } } @media print { p { color: red } }</style>',
    ],
  ],
  26: [
    ['hint', 'a rule after a leading comment', '<style>\n/* a */\n«p { color: red }» b { color: red }</style>'],
    ['accepted', 'a comment between rules', '<style>p { color: red } /* a */ b { color: red }</style>'],
  ],
  27: [
    ['error', 'a script', '<p>x</p>«<script>»1</script>'],
    ['error', 'a frame', '«<iframe src="https://x.example">»</iframe>'],
    ['warning', 'a form', '«<form action="https://x.example">»</form>', { clients: outlookWindows }],
    ['warning', 'a video', '«<video src="a.mp4">»</video>'],
    [
      'warning',
      'linked styles',
      '<!doctype html><html lang="en"><head>«<link rel="stylesheet" href="https://x.example/a.css">»</head><body>x</body></html>',
    ],
    ['warning', 'imported styles', '<style>«@import url(https://x.example/a.css);» p{color:red}</style>'],
    ['hint', 'imported fonts', '<style>«@import url(https://fonts.example.com/css);» p{color:red}</style>'],
    ['accepted', 'a picture', '<p><img src="a.png" alt=""></p>'],
  ],
  28: [
    ['warning', 'flexible boxes', '<div style="«display:flex»">x</div>', { clients: outlookWindows }],
    [
      'warning',
      'a grid',
      '<style>.g { «display: grid» }</style><div class="g">x</div>',
      {
        clients: outlookWindows,
      },
    ],
    ['hint', 'flexible boxes with a fallback', '<div style="display:block;«display:flex»">x</div>'],
    ['warning', 'a position', '<div style="«position:absolute»;top:0">x</div>'],
    [
      'warning',
      'a position of HTML for Outlook',
      '<p>x</p><!--[if mso]><div style="«position:absolute»">y</div><![endif]-->',
      { clients: outlookWindows },
    ],
    [
      'accepted',
      'a position of a VML shape',
      '<p>x</p><!--[if mso]><v:image style="position:absolute;top:0;width:600px" src="https://x.example/a.png" /><![endif]-->',
    ],
    ['warning', 'a negative margin', '<div style="«margin-top:-20px»">x</div>'],
    [
      'warning',
      'a max-width that Outlook ignores',
      '<div style="«max-width:600px»;margin:0 auto">x</div>',
      {
        clients: outlookWindows,
        fixed: /<!--\[if mso\]><table[^>]* width="600">/u,
      },
    ],
    [
      'warning',
      'a declaration in a rule',
      '<style>.box { «max-width: 600px» }</style><div class="box">x</div>',
      {
        fixed: /<\/div><!--\[if mso\]><\/td>/u,
      },
    ],
    [
      'warning',
      'a shorthand',
      '<div style="«background: #222 url(a.png) no-repeat»">x</div>',
      {
        fixed: /no-repeat; background-color: #222"/u,
      },
    ],
    [
      'accepted',
      'a max-width with a ghost table',
      '<!--[if mso]><table width="600"><tr><td><![endif]--><div style="max-width:600px">x</div><!--[if mso]></td></tr></table><![endif]-->',
    ],
    [
      'accepted',
      'content hidden from Outlook, and a plain color',
      '<!--[if !mso]><!--><div style="max-width:600px">x</div><!--<![endif]--><p style="background:#fff">x</p>',
    ],
  ],
  29: [
    [
      'warning',
      'a padded button without an Outlook variant',
      '<p><a href="https://x.example" style="background:#00f;color:#fff;«padding:12px 24px»">Buy</a></p>',
      { fixed: /<!--\[if mso\]><i/u },
    ],
    [
      'warning',
      'a button in a card with a color',
      '<table role="presentation"><tr><td bgcolor="#ffffff"><p>New</p><a href="https://x.example" style="background:#00f;«padding:12px 24px»">Buy</a></td></tr></table>',
    ],
    [
      'accepted',
      'a button whose cell has the color',
      '<table><tr><td bgcolor="#0000ff"><a href="https://x.example" style="background:#00f;padding:12px 24px">Buy</a></td></tr></table>',
    ],
  ],
  31: [
    ['warning', 'no subject', { body: 'x', subject: '«»' }],
    ['info', 'a long subject', { body: 'x', subject: `«${'Word '.repeat(13)}»` }],
    ['warning', 'capitals', { body: 'x', subject: '«BUY NOW»' }],
    ['info', 'exclamation marks', { body: 'x', subject: '«Buy now!!!»' }],
    ['warning', 'a fake reply', { body: 'x', subject: '«Re: your order»' }],
    ['accepted', 'a subject', { body: 'x', subject: 'Hello {subscriber:name}, summer is here' }],
    ['accepted', 'an absent subject', { body: 'x' }],
  ],
  32: [
    [
      'info',
      'no preheader',
      { body: '<p>Summer is here</p>', subject: 'Hello', preheader: '«»' },
      { fixed: /Summer is here/u },
    ],
    [
      'info',
      'a preheader equal to the subject',
      { body: '<p>Summer is here</p>', subject: 'Hello', preheader: '«Hello»' },
      { fixed: /Summer is here/u },
    ],
    [
      'info',
      'a long preheader',
      { body: 'x', subject: 'Hello', preheader: `«${'word '.repeat(30)}»` },
      { fixed: /word$/u },
    ],
    ['accepted', 'a preheader', { body: 'x', subject: 'Hello', preheader: 'Summer' }],
    [
      'accepted',
      'a preheader in the body',
      {
        body: '<div style="display:none">Summer</div><p>x</p>',
        subject: 'Hello',
        preheader: '',
      },
    ],
  ],
  33: [
    ['info', 'no domain', { body: 'x', fromEmail: '«shop»' }],
    ['info', 'free mail', { body: 'x', fromEmail: '«shop@gmail.com»' }],
    ['accepted', 'a custom domain', { body: 'x', fromEmail: 'shop@example.com' }],
  ],
  34: [
    [
      'hint',
      'an unsupported property',
      '<p style="«border-radius:4px»">x</p>',
      {
        options: { rules: { support: 'hint' } },
        clients: outlookWindows,
      },
    ],
    [
      'hint',
      'an unsupported attribute',
      '<div «inert»><p>x</p></div>',
      {
        options: { rules: { support: 'hint' } },
      },
    ],
    ['accepted', 'unsupported properties by default', '<p style="border-radius:4px">x</p>'],
  ],
});

const wrapDocument = (head: string, body = '<p>x</p>') =>
  `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`;
const partCases = createCases(linked, {
  59: [
    [
      'warning',
      'a part with an earlier content',
      'a«<!-- part: f -->»<p>old<!-- slot: s -->kept<!-- /slot --></p><!-- /part -->b',
      { fixed: /-->\s*<p>new<!-- slot: s -->kept<!-- \/slot -->/u, message: /"f" is out of date/u },
    ],
    [
      'warning',
      'a part in a slot of a current one',
      '<!-- part: f --><p>new<!-- slot: s -->«<!-- part: f -->»old<!-- /part --><!-- /slot --></p><!-- /part -->',
      { fixed: /<!-- part: f --><p>new<!-- slot: s --><!-- \/slot -->/u },
    ],
    ['accepted', 'a current part', '<!-- part: f --><p>new<!-- slot: s -->x<!-- /slot --></p><!-- /part -->'],
  ],
  60: [
    ['warning', 'a mark without an end', '<p>a</p>«<!-- part: f -->»<p>b</p>', { fixed: /^<p>a<\/p><p>b<\/p>$/u }],
    [
      'warning',
      'a missing attribute',
      '<p>a</p>«<!-- part: b -->»<b>x</b><!-- /part -->',
      { fixed: /^<p>a<\/p><b>x<\/b>$/u },
    ],
    ['warning', 'a slot outside of a part', '<p>a«<!-- slot: s -->»x<!-- /slot --></p>', { fixed: /^<p>ax<\/p>$/u }],
    ['accepted', 'whole marks', '<!-- part: b x="1" --><b>1</b><!-- /part -->'],
  ],
  61: [
    [
      'warning',
      'a part without a file',
      '<p>a</p>«<!-- part: g -->»<b>x<!-- slot: s -->y<!-- /slot --></b><!-- /part -->',
      { fixed: /^<p>a<\/p><b>xy<\/b>$/u },
    ],
    ['accepted', 'a part with a file', '<!-- part: b x="1" --><b>1</b><!-- /part -->'],
  ],
  62: [
    [
      'warning',
      'a slot that the part no longer has',
      '<!-- part: b x="1" --><b>1</b>«<!-- slot: s -->»y<!-- /slot --><!-- /part -->',
      { fixed: /<\/b><!-- \/part -->$/u, message: /no slot "s"/u },
    ],
    ['accepted', 'a slot of the part', '<!-- part: f --><p>new<!-- slot: s -->x<!-- /slot --></p><!-- /part -->'],
  ],
});

export const ruleCases = [...commonCases, ...partCases];

export const serviceCases = createCases(acymailing, {
  30: [
    [
      'info',
      'content of the head',
      wrapDocument(
        '«<meta name="color-scheme" content="light dark">»«<!--[if mso]><style>p{color:red}</style><![endif]-->»',
      ),
      {
        fixed: /<meta name="color-scheme" content="light dark">\n<!--\[if mso\]>/u,
        sent: /<meta name="color-scheme" content="light dark">\n<!--\[if mso\]>.*<\/head>/u,
      },
    ],
    [
      'info',
      'a comment between head and body',
      '<html><head></head>«<!--[if mso]><style>p{color:red}</style><![endif]-->»<body>x</body></html>',
      {
        fixed: /<head><\/head><body>x/u,
        sent: /<!--\[if mso\]><style>p\{color:red\}<\/style><!\[endif\]--><\/head>/u,
      },
    ],
    [
      'accepted',
      'meta tags that the service writes',
      wrapDocument('<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>x</title>'),
    ],
  ],
  35: [
    [
      'error',
      'a fragment that begins with a section',
      '<!-- a -->\n«<section class="x">»<p>Text</p></section>',
      {
        fixed: /<div><section/u,
        sent: /<div><section><p>Text/u,
      },
    ],
    [
      'error',
      'a fragment that begins with a row',
      '«<tr>»<td>x</td></tr>',
      {
        fixed: /^<table role="presentation"><tr>/u,
        sent: /<tr><td>x/u,
      },
    ],
    [
      'error',
      'a comment for Outlook at the start',
      '<style>p{margin:0}</style>\n«<!--[if mso]><table><tr><td><![endif]-->»<p>x</p>',
      {
        fixed: /<\/style>\n<div><!--\[if mso\]><table>.*<p>x<\/p><\/div>$/u,
        sent: /<div><!--\[if mso\]><table>/u,
      },
    ],
    [
      'error',
      'a revealed block at the start',
      '«<!--[if !mso]><!-->»<b>x</b><!--<![endif]--><p>y</p>',
      {
        fixed: /^<div><!--\[if/u,
        sent: /<div><!--\[if !mso\]><!--><b>/u,
      },
    ],
    ['accepted', 'a comment for Outlook in the body', '<html><body><!--[if mso]>a<![endif]--><p>x</p></body></html>'],
    ['accepted', 'a supported first element', '<div><section>x</section></div>'],
    ['accepted', 'text before an unsupported element', 'Hello <section>x</section>'],
    ['accepted', 'a whole document', wrapDocument('', '<section>x</section>')],
  ],
  36: [
    ['info', 'an import of fonts', '<style>«@import url(https://fonts.example.com/css);» p{color:red}</style><p>x</p>'],
    ['warning', 'an import of styles', '<style>«@import url(https://x.example/a.css);» p{color:red}</style><p>x</p>'],
    ['warning', 'linked styles', wrapDocument('«<link rel="stylesheet" href="https://x.example/a.css">»')],
    [
      'accepted',
      'a font in the styles',
      '<style>@font-face{font-family:A;src:url(a.woff)} p{color:red}</style><p>x</p>',
    ],
  ],
  37: [
    [
      'info',
      'hooks for single clients',
      '<style>«#outlook a» { padding: 0 } p, «.ExternalClass» { color: red } p { margin: 0 }</style><p>x</p>',
      {
        fixed: /<style> p \{ color: red \} p \{ margin/u,
        sent: /<p style="color:red;margin:0">/u,
      },
    ],
    [
      'info',
      'an unmatched rule in the stylesheet',
      {
        body: '<p>x</p>',
        stylesheet: '«[data-ogsc] .x» { color: red }',
      },
    ],
    [
      'accepted',
      'matching selectors',
      '<style>p > b, .x:hover, div[style*="margin"] a { color: red } @keyframes k { from { color: red } }</style>' +
        '<p><b class="x">x</b></p><div style="margin:0"><a>x</a></div>',
    ],
  ],
  38: [
    [
      'warning',
      'a class that only the headers field uses',
      {
        body: '<p class="«dark» other">x</p>',
        headers: '<style>.dark{color:red}</style>',
      },
    ],
    [
      'accepted',
      'a class that a media rule uses too',
      {
        body: '<style>@media (max-width:9px){.dark{color:red}}</style><p class="dark">x</p>',
        headers: '<style>.dark{color:red}</style>',
      },
    ],
  ],
  39: [
    ['warning', 'a fallback', '<p style="«width:100%»;width:calc(100% - 2px)">x</p>'],
    [
      'accepted',
      'a fallback in a media rule',
      '<style>@media screen { p { width:100%; width:calc(100% - 2px) } }</style><p style="color:red;margin:0">x</p>',
    ],
  ],
  40: [
    [
      'warning',
      '!important that is lost',
      '<style>p { «color: red !important» }</style><p>x</p>',
      {
        fixed: /color: red \}/u,
        sent: /<p style="color:red">/u,
      },
    ],
    [
      'warning',
      'missing !important',
      '<style>p { padding: 9px } @media (max-width:600px) { p { «padding: 0» } }</style><p>x</p>',
      { fixed: /padding: 0 !important/u, sent: /@media \(max-width:600px\)\{p\{padding: 0 !important/u },
    ],
    [
      'accepted',
      '!important in a media rule',
      '<style>p { padding: 9px } @media (max-width:600px) { p { padding: 0 !important; color: red } }</style><p>x</p>',
    ],
  ],
  57: [
    [
      'warning',
      'content after the body',
      '<html lang="en"><body><p>x</p></body></html>\n«<p>Footer</p>»\n',
      { fixed: /<p>x<\/p><p>Footer<\/p>\n<\/body>/u, sent: /<p>x<\/p><p>Footer<\/p>/u },
    ],
    [
      'warning',
      'text between the end tags',
      '<body>x</body><!-- a -->«Footer <b>1</b>» </html>',
      { fixed: /<body>xFooter <b>1<\/b>\n<\/body>/u, sent: /xFooter <b>1<\/b>/u },
    ],
    [
      'accepted',
      'comments, scripts and end tags after the body, and no end of the body',
      '<body>x</body> <!--[if mso]></td></tr></table><![endif]--><script>1</script></html>\n',
    ],
    ['accepted', 'an email without an end tag', '<!-- </body> --><p>x</p><p>y</p>'],
  ],
  41: [
    ['warning', 'a character that is escaped twice', '<p>Write «&amp;lt;»b> here &amp; there</p>'],
    ['warning', 'a character that is escaped twice, after a sign that starts no tag', '<p>1 < 2 «&amp;lt;»b></p>'],
    ['accepted', 'escaped characters', '<p>Salt &amp; pepper &lt;3</p>'],
  ],
  42: [
    [
      'warning',
      'a character with an HTML entity in content',
      '<style>a::before { «content: "→ é"» }</style><a href="https://x.example">x</a>',
    ],
    ['warning', 'its CSS escape', '<style>a::before { «content: "\\2192"» }</style><a href="https://x.example">x</a>'],
    [
      'accepted',
      'characters without HTML entities',
      '<style>a::before { content: "✓ \\2713 Ж" }</style><a href="https://x.example">x</a>',
    ],
  ],
  43: [
    [
      'error',
      'an address without a scheme',
      '<img alt="" width="9" «src="//cdn.example/a.png"»><a «href="www.x.example"»>x</a>',
      { fixed: /src="https:\/\/cdn.*href="https:\/\/www/u, sent: /src="https:\/\/cdn.*href="https:\/\/www/u },
    ],
    [
      'error',
      'a domain without a scheme',
      '<a «href="facebook.com"»>x</a><a «href="shop.example.co.uk/sale?id=1"»>y</a><img alt="" width="9" «src="cdn.shop.de/a.png"»>',
      {
        fixed: /href="https:\/\/facebook\.com"/u,
        sent: /href="https:\/\/facebook\.com".*href="https:\/\/shop\.example\.co\.uk\/sale\?id=1"/u,
      },
    ],
    ['accepted', 'an absolute URL', '<a href="https://www.x.example">x</a>'],
    [
      'accepted',
      'files and folders of the site',
      '<a href="index.php">x</a><a href="shop.html">x</a><a href="a.b/guide.com.pdf">x</a><img alt="" width="9" src="img/com.png"><a href="script.pl?x=shop.com">x</a>',
    ],
  ],
  44: [
    [
      'warning',
      'single quotes',
      "<a «href='shop.html'»>x</a>",
      {
        fixed: /href="shop\.html"/u,
        sent: /href="https:\/\/site\.example\/shop\.html"/u,
      },
    ],
    [
      'warning',
      'no quotes',
      '<a «href=shop.html»>x</a>',
      {
        fixed: /<a href="shop\.html">/u,
        sent: /href="https:\/\/site\.example\/shop\.html"/u,
      },
    ],
    ['accepted', 'double quotes, and absolute URLs', '<a href="shop.html">x</a><a href=\'https://x.example\'>x</a>'],
  ],
  3: [
    ...(
      [
        ['*|FNAME|*', '{subscriber:name|part:first}'],
        ['{{first_name}}', '{subscriber:name|part:first}'],
        ['{{ contact.LASTNAME }}', '{subscriber:name|part:last}'],
        ['{{ person.first_name | default: "there" }}', '{subscriber:name|part:first|default:there}'],
        ['[[name]]', '{subscriber:name}'],
        ['%%emailaddr%%', '{subscriber:email}'],
        ['{$email}', '{subscriber:email}'],
        ['{% unsubscribe %}', '{unsubscribe}{/unsubscribe}'],
        ['*|ARCHIVE|*', '{readonline}{/readonline}'],
        ['{{{city}}}', '{subscriber:city}'],
      ] as const
    ).map(([foreign, own]): CaseRow => [
      'warning',
      `${foreign}, a tag of another service`,
      { body: `<p>Hi «${foreign}»</p>` },
      {
        fixed: new RegExp(`Hi ${own.replace(/[{|}]/gu, '\\$&')}<`, 'u'),
        sent: /Hi [^<]/u,
        options: { ...acymailing, fields: [{ namekey: 'city', label: 'City' }] },
      },
    ]),
    [
      'warning',
      'blocks and tags of other services without an equivalent, in one finding',
      '<p>«{{#if first_name}}»x«{{else}}»y«{{/if}}» «*|IF:CITY|*»z«*|END:IF|*» «%%=v(@x)=%%»</p><a href="«{{action_url}}»">x</a>',
      { message: /^"\{\{#if first_name\}\}" is/u },
    ],
    [
      'warning',
      'a tag of another service in code for Outlook and in a subject',
      { body: '<p>x</p><!--[if mso]><v:rect href="«{{url}}»"></v:rect><![endif]-->', subject: 'For {subscriber:name}' },
    ],
    [
      'warning',
      'a tag of another service in a subject',
      { body: '<p>x</p>', subject: 'For «*|FNAME|*»' },
      {
        fixed: /For \{subscriber:name\|part:first\}/u,
        sent: /x/u,
      },
    ],
    [
      'accepted',
      'text that resembles tags of other services',
      '<style>a{b:c} *|a{}</style><p>Write [[ and ]], {{}}, 50%% off, 100 %% of 5%, [name], {{subscriber:name}}, { $5 }, *|*</p>' +
        '<!-- {{first_name}} --><p>{if:name=x}{{subscriber:name}}{/if}</p><script>{{x}}</script>',
    ],
    [
      'accepted',
      'tags of a service whose tags are not known',
      '<p>{{first_name}}</p>',
      { options: { profile: 'documented' } },
    ],
    [
      'warning',
      'a tag of another service in single braces',
      '<p>Hi «{name}»</p>{unsubscribe}x{/unsubscribe}',
      {
        fixed: /\{subscriber:name\}/u,
        sent: /\{subscriber:name\}/u,
      },
    ],
    [
      'warning',
      'a field in capitals',
      '<p>{subscriber:«NAME»}</p>{unsubscribe}x{/unsubscribe}',
      {
        fixed: /subscriber:name/u,
        sent: /\{subscriber:name\}/u,
      },
    ],
    ['accepted', 'a field of the service', '<p>{subscriber:name}</p>'],
    ['accepted', 'tags without a service profile', '<p>{name}</p>', { options: {} }],
    ['accepted', 'a tag in a title, which is replaced', wrapDocument('<title>{nmae}</title>')],
  ],
  4: [
    [
      'error',
      'half a pair',
      '<p>«{unsubscribe}»Leave</p>',
      {
        fixed: /\{\/unsubscribe\}/u,
        sent: /\{unsubscribe\}.*\{\/unsubscribe\}/u,
      },
    ],
    ['accepted', 'both halves', '<p>{unsubscribe}Leave{/unsubscribe}</p>'],
    [
      'error',
      'the end of a condition without its start',
      '<p>x«{/if}»</p>',
      { fixed: /<p>x<\/p>/u, sent: /<p>x<\/p>/u },
    ],
    ['accepted', 'the end of a block of another service', '<p>{{#if city}}x{{/if}} {{unsubscribe}}</p>'],
  ],
  5: [
    ['warning', 'a condition without an operator', '<p>«{if:City}»a{/if}</p>'],
    ['accepted', 'a condition', '<p>{if:City=Paris}a{/if}</p>'],
  ],
  6: [
    ['warning', 'a pair in a subject', { body: 'x', subject: 'A «{readonline}»b{/readonline}' }],
    ['accepted', 'a field in a subject', { body: 'x', subject: 'A {subscriber:name}' }],
  ],
  7: [
    [
      'warning',
      'a body without an unsubscribe link',
      '«<»p>x</p>',
      {
        fixed: /\{unsubscribe\}\{\/unsubscribe\}/u,
        sent: /<a href="%7Bunsubscribe%7D%7B\/unsubscribe%7D">/u,
      },
    ],
    ['info', 'a complete email from another source', '«<»html><body><p>x</p></body></html>'],
    ['accepted', 'a link that unsubscribes', '<a href="{unsubscribe}{/unsubscribe}">Leave</a>'],
    [
      'warning',
      'a link to unsubscribe after the body',
      '«<»html><body><p>{subscriber:name}</p></body></html>{unsubscribe}x{/unsubscribe}',
    ],
    ['warning', 'a link to unsubscribe in a comment', '«<»p>x</p><!-- {unsubscribe}x{/unsubscribe} -->'],
  ],
  8: [
    [
      'warning',
      'markup inside a tag',
      '<p>«{sub<b>scriber:name}»</b></p>',
      {
        fixed: /\{subscriber:name\}/u,
        sent: /\{subscriber:name\}/u,
      },
    ],
    ['accepted', 'markup around a tag', '<p><b>{subscriber:name}</b></p>'],
  ],
  45: [
    ['error', 'a condition in a link', '<a «href="https://x.example/{if:city=Paris}fr{/if}"»>x</a>'],
    ['accepted', 'a tag in a link', '<a href="https://x.example/{subscriber:id}">x</a>'],
  ],
  46: [
    [
      'error',
      'a bare condition',
      '«<![if !mso]>»<b>x</b>«<![endif]>»',
      {
        fixed: /^<!--\[if !mso\]><!--><b>x<\/b><!--<!\[endif\]-->$/u,
        sent: /<body><b>x<\/b>/u,
      },
    ],
    ['accepted', 'a condition in a comment', '<!--[if !mso]><!--><b>x</b><!--<![endif]-->'],
  ],
  47: [
    ['info', 'words on two lines', '<p>one «two\nthree» four\n  five</p>'],
    ['accepted', 'lines that begin with a space', '<p>one\n two<br>\nthree</p>'],
  ],
  48: [
    ['info', 'an address as text', '<a href="https://x.example/"> «https://x.example» </a>'],
    ['accepted', 'a link text', '<a href="https://x.example/">Shop</a>'],
  ],
  49: [
    [
      'info',
      'a stylesheet that the installation does not store',
      { body: 'x', stylesheet: '«p{color:red}»' },
      { options: { profile: 'acymailing', supportsStylesheet: false } },
    ],
    [
      'accepted',
      'a stylesheet if support is undetermined',
      {
        body: '<p>x</p>',
        stylesheet: 'p{color:red}',
      },
    ],
  ],
  50: [
    [
      'warning',
      'a link around a table',
      '«<a href="https://x.example">»«<table role="presentation">»<tr><td>x</td></tr></table></a>',
    ],
    ['warning', 'a heading around a paragraph', '«<h1>»«<p>»x</p></h1>'],
    [
      'accepted',
      'a link around a <div> and in a table',
      '<a href="https://x.example"><div>x</div></a><table role="none"><tr><td><a href="#a">x</a></td></tr></table>',
    ],
  ],
  55: [
    [
      'accepted',
      'a whole placeholder',
      '<table role="none"><tr data-dynamic="{post:1}" class="a"><td>x<i></i></td></tr></table>',
    ],
    [
      'error',
      'a placeholder whose end is that of a later one',
      '<table role="none">«<tr data-dynamic="{post:1}" class="a">»<td>x</td></tr>«<tr><td>y<i></i></td></tr>»</table>',
      { fixed: /<td>x<i><\/i><\/td>/u, sent: /<td>x<i><\/i><\/td>/u },
    ],
    [
      'error',
      'a placeholder that ends in its preview',
      '«<span data-dynamic="{date:1}">»a<span><em>b</em></span> c<em></em></span>',
    ],
    [
      'error',
      'a placeholder in single quotes',
      `<table role="none">«<tr data-dynamic='{post:1}'>»<td>x<i></i></td></tr></table>`,
    ],
  ],
  56: [
    [
      'accepted',
      'text in a block',
      '<div id="acym__wysid__template"><table role="none"><tr><td class="acym__wysid__row"><table role="none">' +
        '<tr class="acym__wysid__column__element"><td class="acym__wysid__column__element__td">x</td></tr></table></td></tr></table></div>',
    ],
    [
      'accepted',
      'a part of an email',
      '<table role="none"><tr class="acym__wysid__column__element"><td>x</td></tr></table>',
    ],
    ['warning', 'a missing outer element', '<table role="none"><tr>«<td class="acym__wysid__row">»x</td></tr></table>'],
    [
      'warning',
      'text and a cell outside of blocks',
      '<div id="acym__wysid__template">«y»<table role="none"><tr><td class="acym__wysid__row"><table role="none">' +
        '<tr>«<td class="acym__wysid__column__element__td">»x</td></tr></table></td></tr></table></div>',
    ],
  ],
  1: [['accepted', 'the end of a comment in the head', wrapDocument('<![endif]-->')]],
  2: [['accepted', 'a comment in the head', wrapDocument('<!--[if !mso]><style>p{color:red}</style><![endif]-->')]],
  9: [['warning', 'an empty address, which becomes the home page', '<a «href=""»>Shop</a>']],
  12: [['accepted', 'an image after the body', '<html><body><p>x</p></body></html><img src="a.png">']],
  13: [
    ['accepted', 'an image that gets its width from its style', '<p>x</p><img src="a.png" alt="" style="width:200px">'],
  ],
  14: [
    [
      'accepted',
      'a background of a rule that is dropped',
      '<style>.none { background: url(data:image/png;base64,AAAA) }</style><p>x</p>',
    ],
  ],
  18: [
    [
      'warning',
      'white text whose background is not sent',
      '<html style="background:#000"><body><p style="«color:#fff»">Text</p></body></html>',
    ],
  ],
  19: [
    [
      'info',
      'a language on <html>',
      '<html «lang="fr"»><body class="a"><p>Text</p></body></html>',
      {
        fixed: /<body lang="fr" class="a">/u,
      },
    ],
    [
      'info',
      'a language on <html>, and no <body>',
      '<!doctype html><html «lang="fr"»><head></head><p>Text</p></html>',
      {
        fixed: /<\/head><div lang="fr"><p>Text<\/p><\/div><\/html>/u,
      },
    ],
    [
      'info',
      'a fragment',
      '<!--[if mso]>a<![endif]-->«<p>»Das ist für Sie und die Welt</p><p>x</p>',
      {
        fixed: /^<div lang="de"><!--.*<p>x<\/p><\/div>$/u,
      },
    ],
    ['info', 'a text', '«Hello»', { fixed: /^<div lang="en">Hello<\/div>$/u }],
    [
      'info',
      'a direction on <html>',
      '<html «dir="rtl"»><body lang="he"><p>שלום לכולם</p></body></html>',
      {
        fixed: /<body dir="rtl" lang="he">/u,
      },
    ],
    ['accepted', 'lang and dir on <body>', '<html lang="en"><body lang="he" dir="rtl"><p>שלום לכולם</p></body></html>'],
    [
      'accepted',
      'lang and dir on the container',
      '<table lang="he" dir="rtl" role="presentation"><tr><td>שלום לכולם</td></tr></table>',
    ],
  ],
  22: [
    [
      'hint',
      'text that phones do not enlarge',
      '<style>p { «font-size: 12px» } @media (max-width: 600px) { p { font-size: 16px } }</style><p>Terms</p>',
    ],
    [
      'accepted',
      'text that phones enlarge',
      '<style>p { font-size: 12px } @media (max-width: 600px) { p { font-size: 16px !important } }</style><p>Terms</p>',
    ],
  ],
  24: [
    ['accepted', 'styles that are inlined', `<style>${'p{color:red}'.repeat(2000)}</style><p>x</p>`],
    [
      'warning',
      'fonts that are sent',
      `«<style>@font-face{font-family:A;src:url(${'a'.repeat(17_000)})}</style>»<p>x</p>`,
    ],
  ],
  25: [
    [
      'warning',
      'an at-rule that is dropped',
      '<style>@media screen { «@media (max-width:600px) { p { color: red } }» }</style><p>x</p>',
    ],
    [
      'error',
      'an at-rule that is sent',
      '<style>@supports (top:0) { «@media (max-width:600px) { p { color: red } }» }</style><p>x</p>',
    ],
  ],
  26: [
    [
      'accepted',
      'a rule after a leading comment, which is not sent',
      '<style>/* a */ p { color: red }</style><p>x</p>',
    ],
  ],
  27: [
    ['info', 'a script, which is removed', '<p>x</p>«<script>»1</script>'],
    [
      'info',
      'scripts in the head and after the body, which are removed',
      '<html lang="en"><head>«<script type="application/ld+json">»{}</script></head><body>x</body></html>«<script>»1</script>',
    ],
    ['accepted', 'a script in a comment', '<p>x</p><!-- <script>1</script> -->'],
    ['info', 'a frame, which is removed', '«<iframe src="https://x.example">»</iframe>'],
    ['accepted', 'a video, which becomes a link', '<video src="https://x.example/a.mp4"></video>'],
  ],
  28: [
    [
      'warning',
      'flexible boxes whose fallback is lost',
      '<div style="display:block;«display:flex»">x</div>',
      { clients: outlookWindows },
    ],
    [
      'accepted',
      'flexible boxes that are not sent',
      '<style>.none { display: flex }</style><div style="display:flex;display:block">x</div>',
    ],
    [
      'warning',
      'a width at the start',
      '<div style="«max-width:600px»">x</div>',
      {
        fixed: /^<div style="max-width:600px"><!--\[if mso\]><table.*x<!--\[if mso\]><\/td>/u,
      },
    ],
  ],
  34: [
    [
      'hint',
      'a selector that is sent',
      '<style>«p > a:hover» { margin: 0 } p > a { margin: 0 }</style><p><a href="#a">x</a></p>',
      {
        options: { ...acymailing, rules: { support: 'hint' } },
      },
    ],
  ],
});
