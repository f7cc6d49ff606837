import type { CheckOptions, Email, Severity } from '../../../src/email/checks/index.ts';

/** A rule, and what it says of an email in which `«` and `»` mark the places of its first finding; none where nothing is marked. */
export interface Case {
  readonly rule: string;
  readonly title: string;
  readonly email: Partial<Email>;
  readonly severity?: Severity;
  readonly options?: CheckOptions;
  /** Part of the fix's result; that it removes the finding is asserted of every fix. */
  readonly fixed?: RegExp;
  /** Part of what is sent once it is fixed. */
  readonly sent?: RegExp;
  readonly clients?: readonly string[];
}

const acymailing: CheckOptions = { profile: 'acymailing' };
const found = (
  rule: string,
  severity: Severity,
  title: string,
  email: Partial<Email> | string,
  rest: Partial<Case> = {},
): Case => ({
  rule,
  severity,
  title,
  email: typeof email === 'string' ? { body: email } : email,
  ...rest,
});
const fine = (rule: string, title: string, email: Partial<Email> | string, rest: Partial<Case> = {}): Case => ({
  rule,
  title,
  email: typeof email === 'string' ? { body: email } : email,
  ...rest,
});
const word = ['Outlook for Windows'];

export const cases: readonly Case[] = [
  found('1', 'error', 'a conditional comment without its end', '<p>a</p>«<!--[if mso]>»<b>x</b>«-->»<p>b</p>', {
    fixed: /<b>x<\/b><!\[endif\]-->/u,
  }),
  found('1', 'error', 'one that never ends', '<p>a</p>«<!--[if mso]>»<b>x</b>', { fixed: /<b>x<\/b><!\[endif\]-->$/u }),
  found('1', 'error', 'an end with a slash', 'x«<!--[if mso]>»a«<![endif]/-->»b', { fixed: /a<!\[endif\]-->b/u }),
  found('1', 'error', 'an end without a beginning', '<p>a</p>«<![endif]-->»', { fixed: /^<p>a<\/p>$/u }),
  found('1', 'error', 'a note within', '«<!--[if mso]>»a«<!-- note -->»b<![endif]-->', {
    fixed: /mso\]>ab<!\[endif\]-->/u,
  }),
  found('1', 'error', 'one within another', '«<!--[if mso]>»a«<!--[if gte mso 9]>b<![endif]-->»c<![endif]-->', {
    fixed: /mso\]>abc<!\[endif\]-->/u,
  }),
  found('1', 'error', 'a shown part without its end', '«<!--[if !mso]><!-->»<b>x</b>', {
    fixed: /<b>x<\/b><!--<!\[endif\]-->$/u,
  }),
  fine(
    '1',
    'both forms',
    '<!--[if mso]>a<![endif]--><!--[if !mso]><!-->b<!--<![endif]--><!--[if !mso]><!-- -->c<!--<![endif]--><!-- n -->',
  ),
  found('2', 'error', 'a part that neither Outlook nor others show', 'a«<!--[if !mso]><b>x</b><![endif]-->»', {
    fixed: /<!--\[if !mso\]><!--><b>x<\/b><!--<!\[endif\]-->/u,
  }),
  fine('2', 'a part for all but Outlook', '<!--[if !mso]><!--><b>x</b><!--<![endif]--><!--[if mso]>y<![endif]-->'),
  found('9', 'error', 'a link to this computer', '<a «href="http://localhost:3000/x"»>Shop</a>'),
  found('9', 'error', 'a link to a file', '<a «href="file:///C:/x.html"»>Shop</a>'),
  found('9', 'error', 'a relative link', '<a «href="shop.html"»>Shop</a>'),
  found('9', 'warning', 'an address to come', '<a «href="#"»>Shop</a> <a «href=\'#\'»>Shop</a>'),
  found('9', 'warning', 'no address', '<a «href=""»>Shop</a>'),
  fine(
    '9',
    'what leads somewhere',
    '<a href="https://x.example">S</a><a href="mailto:a@x.example">S</a><a href="#top">S</a><a href="{readonly}{/readonly}">S</a>',
  ),
  fine('9', 'a relative link where the service makes it absolute', '<a href="shop.html">Shop</a>', {
    options: acymailing,
  }),
  found(
    '10',
    'info',
    'a link and an image',
    '<a «href="http://x.example/"»>S</a><img «src="http://x.example/a.png"»>',
    {
      fixed: /https:\/\/x\.example\/a\.png/u,
    },
  ),
  fine('10', 'encrypted addresses', '<a href="https://x.example/">S</a>'),
  found('11', 'hint', 'an empty text', '<a href="https://x.example">«Click here »</a>'),
  fine('11', 'a text that says where', '<a href="https://x.example">Our summer sale</a>'),
  found('12', 'warning', 'images without a text', '«<img src="a.png">»«<img src="b.png" width="9">»', {
    fixed: /^<img alt="" src="a\.png"><img alt=""/u,
  }),
  fine(
    '12',
    'images with one',
    '<img src="a.png" alt=""><img src="b.png" alt="A tree"><img src="c.png" role="presentation">',
  ),
  found('13', 'warning', 'an image whose style has the width', '«<img src="a.png" alt="" style="width:200px">»', {
    fixed: /width="200"/u,
    clients: word,
  }),
  found('13', 'warning', 'an image without any', '«<img src="a.png" alt="">»', { clients: word }),
  found(
    '13',
    'warning',
    'an image in a cell without a font size',
    '<table role="presentation"><tr><td style="font-size:0">«<img src="a.png" alt="">»</td></tr></table>',
  ),
  fine('13', 'an image with the attribute', '<img src="a.png" alt="" width="200">'),
  fine('13', 'where Outlook does not count', '<img src="a.png" alt="">', { options: { clients: ['gmail'] } }),
  found('14', 'error', 'an image in the address', '<img alt="" width="1" «src="data:image/png;base64,AAAA"»>', {
    clients: ['Gmail', 'Outlook for Windows'],
  }),
  found(
    '14',
    'error',
    'a background in the address',
    '<p style="color:red;«background:url(data:image/png;base64,AAAA)»">x</p>',
  ),
  fine('14', 'where only Apple counts', '<img alt="" src="data:image/png;base64,AAAA">', {
    options: { clients: ['Apple Mail'] },
  }),
  found('15', 'warning', 'a drawing', '<img alt="" width="9" «src="https://x.example/a.svg?v=1"»>', {
    clients: ['Gmail'],
  }),
  found('15', 'warning', 'a new format', '<img alt="" width="9" «src="a.webp"»>', { clients: word }),
  fine('15', 'old formats', '<img alt="" width="9" src="a.svg.png"><img alt="" src="a.gif">'),
  found('16', 'info', 'images alone', '«<img alt="" width="600" height="400" src="a.png">»'),
  found(
    '16',
    'info',
    'a large image with a few words',
    '«<img alt="" width="600" height="800" src="a.png">»<p>Buy now</p>',
  ),
  fine(
    '16',
    'text with an image',
    `<img alt="" width="200" height="50" src="a.png"><p>${'Words to read. '.repeat(40)}</p>`,
  ),
  found(
    '17',
    'warning',
    'a background without a colour',
    '<table role="presentation"><tr><td «background="a.png"»>x</td></tr></table>',
    {
      clients: word,
    },
  ),
  found(
    '17',
    'warning',
    'one in a rule',
    '<style>.hero { «background-image: url(a.png)» }</style><div class="hero">x</div>',
  ),
  fine(
    '17',
    'with a colour',
    '<table background="a.png" bgcolor="#333"></table><div style="background: #333 url(a.png)">x</div>' +
      '<p style="background-image:url(b.png);background-color:red">x</p>',
  ),
  fine(
    '17',
    'with a drawing for Outlook',
    '<div style="background-image:url(a.png)"><!--[if gte mso 9]><v:rect fill="true"></v:rect><![endif]-->x</div>',
  ),
  found('18', 'warning', 'grey on white', '<p style="«color:#aaa»">Some text</p>'),
  found(
    '18',
    'warning',
    'what a rule and an attribute say',
    '<style>.low { «color: #777» }</style><table role="presentation" bgcolor="#666666"><tr><td class="low">Text</td></tr></table>',
  ),
  found(
    '18',
    'info',
    'what is readable in the light only',
    '<div style="background-color:#8a8a8a"><p style="«color:#000»">Text to read</p></div>',
  ),
  fine(
    '18',
    'black on white, large text, and what can not be told',
    '<p>a</p><p style="color:#888;font-size:30px">Large</p><div style="background:url(a.png)"><p style="color:#eee">x</p></div>',
  ),
  found(
    '18',
    'warning',
    'text with a size in a cell without',
    '<table role="presentation"><tr><td style="font-size:0"><div style="font-size:16px;«color:#aaa»">Text</div></td></tr></table>',
  ),
  fine('18', 'text without a size', '<div style="font-size:0;color:#fff">Preheader</div>'),
  fine('18', 'what is not shown', '<div style="display:none;color:#fff">Preheader</div>'),
  found(
    '19',
    'info',
    'a document without a language',
    '<!doctype html>«<html>»<body><p>Das ist der Text für Sie und nicht die Welt</p></body></html>',
    { fixed: /<html lang="de">/u },
  ),
  found('19', 'info', 'text from right to left', '«<p>»שלום לכולם</p>', { fixed: /<p dir="rtl">/u }),
  fine('19', 'with both', '<!doctype html><html lang="he" dir="rtl"><body><p>שלום לכולם</p></body></html>'),
  found('20', 'hint', 'a table for the layout', '«<table width="600">»<tr><td>x</td></tr></table>', {
    fixed: /<table role="presentation" width="600">/u,
  }),
  fine(
    '20',
    'with its role, and a table of data',
    '<table role="presentation"><tr><td>x</td></tr></table><table><tr><th>Price</th></tr></table>',
  ),
  found('21', 'warning', 'a heading that skips a level', '<h1>a</h1>«<h3>»b</h3>'),
  found('21', 'warning', 'an empty link', '<p>x</p>«<a href="https://x.example">»</a>'),
  found(
    '21',
    'warning',
    'a link around an image that says nothing',
    '«<a href="https://x.example">»<img alt="" src="a.png" width="9"></a>',
  ),
  fine(
    '21',
    'headings in order, links with names',
    '<h1>a</h1><h2>b</h2><h1>c</h1><a href="https://x.example" title="Shop"></a><a href="x"><img src="a.png"></a><a name="top"></a>',
  ),
  found('22', 'hint', 'small text', '<p style="«font-size:12px»">Terms</p>'),
  fine(
    '22',
    'text that phones enlarge',
    '<style>p { font-size: 12px } @media (max-width: 600px) { p { font-size: 16px } }</style><p>Terms</p>',
  ),
  found(
    '24',
    'warning',
    'the styles that pass 16 KB',
    `<style>${'a{color:red}'.repeat(100)}</style>«<style>${'b{color:red}'.repeat(1400)}</style>»`,
    { clients: ['Gmail'] },
  ),
  fine('24', 'less', `<style>${'a{color:red}'.repeat(1000)}</style>`),
  found(
    '25',
    'error',
    'an at-rule in an at-rule',
    '<style>@media screen { «@media (max-width:600px) { p { color: red } }» }</style>',
    {
      clients: ['Gmail'],
    },
  ),
  found(
    '25',
    'hint',
    'fonts in an at-rule',
    '<style>@media screen { «@font-face { font-family: A; src: url(a.woff) }» }</style>',
  ),
  fine(
    '25',
    'one beside the other',
    '<style>@media screen { p { color: red } } @media print { p { color: red } }</style>',
  ),
  found(
    '26',
    'hint',
    'a rule behind the first comment',
    '<style>\n/* a */\n«p { color: red }» b { color: red }</style>',
  ),
  fine('26', 'a comment between rules', '<style>p { color: red } /* a */ b { color: red }</style>'),
  found('27', 'error', 'a script', '<p>x</p>«<script>»1</script>'),
  found('27', 'error', 'a frame', '«<iframe src="https://x.example">»</iframe>'),
  found('27', 'warning', 'a form', '«<form action="https://x.example">»</form>', { clients: word }),
  found('27', 'warning', 'a video', '«<video src="a.mp4">»</video>'),
  found(
    '27',
    'warning',
    'linked styles',
    '<!doctype html><html lang="en"><head>«<link rel="stylesheet" href="https://x.example/a.css">»</head><body>x</body></html>',
  ),
  found('27', 'warning', 'imported styles', '<style>«@import url(https://x.example/a.css);» p{color:red}</style>'),
  found('27', 'hint', 'imported fonts', '<style>«@import url(https://fonts.example.com/css);» p{color:red}</style>'),
  fine('27', 'a picture', '<p><img src="a.png" alt=""></p>'),
  found('28', 'warning', 'flexible boxes', '<div style="«display:flex»">x</div>', { clients: word }),
  found('28', 'warning', 'a grid', '<style>.g { «display: grid» }</style><div class="g">x</div>', {
    clients: word,
  }),
  found('28', 'hint', 'flexible boxes with a fallback', '<div style="display:block;«display:flex»">x</div>'),
  found('28', 'warning', 'a position', '<div style="«position:absolute»;top:0">x</div>'),
  found('28', 'warning', 'a negative margin', '<div style="«margin-top:-20px»">x</div>'),
  found('28', 'warning', 'a width that Word does not know', '<div style="«max-width:600px»;margin:0 auto">x</div>', {
    clients: word,
    fixed: /<!--\[if mso\]><table[^>]* width="600">/u,
  }),
  found('28', 'warning', 'one in a rule', '<style>.box { «max-width: 600px» }</style><div class="box">x</div>', {
    fixed: /<\/div><!--\[if mso\]><\/td>/u,
  }),
  found('28', 'warning', 'a shorthand', '<div style="«background: #222 url(a.png) no-repeat»">x</div>', {
    fixed: /no-repeat; background-color: #222"/u,
  }),
  fine(
    '28',
    'a width with a table for Word',
    '<!--[if mso]><table width="600"><tr><td><![endif]--><div style="max-width:600px">x</div><!--[if mso]></td></tr></table><![endif]-->',
  ),
  fine(
    '28',
    'what only others see, and a colour alone',
    '<!--[if !mso]><!--><div style="max-width:600px">x</div><!--<![endif]--><p style="background:#fff">x</p>',
  ),
  found(
    '29',
    'warning',
    'a button that Word makes small',
    '<p><a href="https://x.example" style="background:#00f;color:#fff;«padding:12px 24px»">Buy</a></p>',
    { fixed: /<!--\[if mso\]><i/u },
  ),
  fine(
    '29',
    'one whose cell has the colour',
    '<table><tr><td bgcolor="#0000ff"><a href="https://x.example" style="background:#00f;padding:12px 24px">Buy</a></td></tr></table>',
  ),
  found('31', 'warning', 'no subject', { body: 'x', subject: '«»' }),
  found('31', 'info', 'a long subject', { body: 'x', subject: `«${'Word '.repeat(13)}»` }),
  found('31', 'warning', 'capitals', { body: 'x', subject: '«BUY NOW»' }),
  found('31', 'info', 'exclamation marks', { body: 'x', subject: '«Buy now!!!»' }),
  found('31', 'warning', 'an answer that is none', { body: 'x', subject: '«Re: your order»' }),
  fine('31', 'a subject', { body: 'x', subject: 'Hello {subscriber:name}, summer is here' }),
  fine('31', 'what is not known', { body: 'x' }),
  found(
    '32',
    'info',
    'no preheader',
    { body: '<p>Summer is here</p>', subject: 'Hello', preheader: '«»' },
    { fixed: /Summer is here/u },
  ),
  found(
    '32',
    'info',
    'the subject again',
    { body: '<p>Summer is here</p>', subject: 'Hello', preheader: '«Hello»' },
    { fixed: /Summer is here/u },
  ),
  found(
    '32',
    'info',
    'a long one',
    { body: 'x', subject: 'Hello', preheader: `«${'word '.repeat(30)}»` },
    { fixed: /word$/u },
  ),
  fine('32', 'one, or one in the body', { body: 'x', subject: 'Hello', preheader: 'Summer' }),
  fine('32', 'one in the body', {
    body: '<div style="display:none">Summer</div><p>x</p>',
    subject: 'Hello',
    preheader: '',
  }),
  found('33', 'info', 'no domain', { body: 'x', fromEmail: '«shop»' }),
  found('33', 'info', 'free mail', { body: 'x', fromEmail: '«shop@gmail.com»' }),
  fine('33', "one's own domain", { body: 'x', fromEmail: 'shop@example.com' }),
  found('34', 'hint', 'what else a client lacks', '<p style="«border-radius:4px»">x</p>', {
    options: { rules: { support: 'hint' } },
    clients: word,
  }),
  found('34', 'hint', 'an attribute that a client lacks', '<div «inert»><p>x</p></div>', {
    options: { rules: { support: 'hint' } },
  }),
  fine('34', 'unless it is asked for', '<p style="border-radius:4px">x</p>'),
];

const whole = (head: string, body = '<p>x</p>'): string =>
  `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`;
const served = (
  rule: string,
  severity: Severity,
  title: string,
  email: Partial<Email> | string,
  rest: Partial<Case> = {},
): Case => found(rule, severity, title, email, { options: acymailing, ...rest });
const serves = (rule: string, title: string, email: Partial<Email> | string): Case =>
  fine(rule, title, email, { options: acymailing });

export const serviceCases: readonly Case[] = [
  served(
    '30',
    'info',
    'what only its head has',
    whole('«<meta name="color-scheme" content="light dark">»«<!--[if mso]><style>p{color:red}</style><![endif]-->»'),
    {
      fixed: /<meta name="color-scheme" content="light dark">\n<!--\[if mso\]>/u,
      sent: /<meta name="color-scheme" content="light dark">\n<!--\[if mso\]>.*<\/head>/u,
    },
  ),
  served(
    '30',
    'info',
    'a comment between head and body',
    '<html><head></head>«<!--[if mso]><style>p{color:red}</style><![endif]-->»<body>x</body></html>',
    {
      fixed: /<head><\/head><body>x/u,
      sent: /<!--\[if mso\]><style>p\{color:red\}<\/style><!\[endif\]--><\/head>/u,
    },
  ),
  serves(
    '30',
    'what the service writes itself',
    whole('<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>x</title>'),
  ),
  served(
    '35',
    'error',
    'a fragment that begins with a section',
    '<!-- a -->\n«<section class="x">»<p>Text</p></section>',
    {
      fixed: /<div><section/u,
      sent: /<div><section><p>Text/u,
    },
  ),
  served('35', 'error', 'one that begins with a row', '«<tr>»<td>x</td></tr>', {
    fixed: /^<table role="presentation"><tr>/u,
    sent: /<tr><td>x/u,
  }),
  served(
    '35',
    'error',
    'a comment for Outlook at the start',
    '<style>p{margin:0}</style>\n«<!--[if mso]><table><tr><td><![endif]-->»<p>x</p>',
    {
      fixed: /<\/style>\n<div><!--\[if mso\]><table>.*<p>x<\/p><\/div>$/u,
      sent: /<div><!--\[if mso\]><table>/u,
    },
  ),
  served('35', 'error', 'a shown part at the start', '«<!--[if !mso]><!-->»<b>x</b><!--<![endif]--><p>y</p>', {
    fixed: /^<div><!--\[if/u,
    sent: /<div><!--\[if !mso\]><!--><b>/u,
  }),
  serves('35', 'a comment for Outlook in the body', '<html><body><!--[if mso]>a<![endif]--><p>x</p></body></html>'),
  serves('35', 'what it knows, text, and whole documents', '<div><section>x</section></div>'),
  serves('35', 'text before it', 'Hello <section>x</section>'),
  serves('35', 'a whole document', whole('', '<section>x</section>')),
  served(
    '36',
    'info',
    'an import of fonts',
    '<style>«@import url(https://fonts.example.com/css);» p{color:red}</style><p>x</p>',
  ),
  served(
    '36',
    'warning',
    'an import of styles',
    '<style>«@import url(https://x.example/a.css);» p{color:red}</style><p>x</p>',
  ),
  served('36', 'warning', 'linked styles', whole('«<link rel="stylesheet" href="https://x.example/a.css">»')),
  serves('36', 'a font in the styles', '<style>@font-face{font-family:A;src:url(a.woff)} p{color:red}</style><p>x</p>'),
  served(
    '37',
    'info',
    'hooks for single clients',
    '<style>«#outlook a» { padding: 0 } p, «.ExternalClass» { color: red } p { margin: 0 }</style><p>x</p>',
    {
      fixed: /<style> p \{ color: red \} p \{ margin/u,
      sent: /<p style="color:red;margin:0">/u,
    },
  ),
  served('37', 'info', 'in the stylesheet', { body: '<p>x</p>', stylesheet: '«[data-ogsc] .x» { color: red }' }),
  serves(
    '37',
    'what matches',
    '<style>p > b, .x:hover, div[style*="margin"] a { color: red } @keyframes k { from { color: red } }</style>' +
      '<p><b class="x">x</b></p><div style="margin:0"><a>x</a></div>',
  ),
  served('38', 'warning', 'a class for the headers field', {
    body: '<p class="«dark» other">x</p>',
    headers: '<style>.dark{color:red}</style>',
  }),
  serves('38', 'a class that a media rule names too', {
    body: '<style>@media (max-width:9px){.dark{color:red}}</style><p class="dark">x</p>',
    headers: '<style>.dark{color:red}</style>',
  }),
  served('39', 'warning', 'a fallback', '<p style="«width:100%»;width:calc(100% - 2px)">x</p>'),
  serves(
    '39',
    'in a media rule',
    '<style>@media screen { p { width:100%; width:calc(100% - 2px) } }</style><p style="color:red;margin:0">x</p>',
  ),
  served('40', 'warning', 'importance that is lost', '<style>p { «color: red !important» }</style><p>x</p>', {
    fixed: /color: red \}/u,
    sent: /<p style="color:red">/u,
  }),
  served(
    '40',
    'warning',
    'importance that is missing',
    '<style>p { padding: 9px } @media (max-width:600px) { p { «padding: 0» } }</style><p>x</p>',
    { fixed: /padding: 0 !important/u, sent: /@media \(max-width:600px\)\{p\{padding: 0 !important/u },
  ),
  serves(
    '40',
    'importance where it belongs',
    '<style>p { padding: 9px } @media (max-width:600px) { p { padding: 0 !important; color: red } }</style><p>x</p>',
  ),
  served('41', 'warning', 'a sign that is escaped twice', '<p>Write «&amp;lt;»b> here &amp; there</p>'),
  serves('41', 'a sign', '<p>Salt &amp; pepper &lt;3</p>'),
  served(
    '42',
    'warning',
    'a character with a name in content',
    '<style>a::before { «content: "→ é"» }</style><a href="https://x.example">x</a>',
  ),
  served(
    '42',
    'warning',
    'its escape',
    '<style>a::before { «content: "\\2192"» }</style><a href="https://x.example">x</a>',
  ),
  serves(
    '42',
    'a character without a name',
    '<style>a::before { content: "✓ \\2713 Ж" }</style><a href="https://x.example">x</a>',
  ),
  served(
    '43',
    'error',
    'an address without a scheme',
    '<img alt="" width="9" «src="//cdn.example/a.png"»><a «href="www.x.example"»>x</a>',
    { fixed: /src="https:\/\/cdn.*href="https:\/\/www/u, sent: /src="https:\/\/cdn.*href="https:\/\/www/u },
  ),
  serves('43', 'a whole one', '<a href="https://www.x.example">x</a>'),
  served('44', 'warning', 'single quotes', "<a «href='shop.html'»>x</a>", {
    fixed: /href="shop\.html"/u,
    sent: /href="https:\/\/site\.example\/shop\.html"/u,
  }),
  served('44', 'warning', 'no quotes', '<a «href=shop.html»>x</a>', {
    fixed: /<a href="shop\.html">/u,
    sent: /href="https:\/\/site\.example\/shop\.html"/u,
  }),
  serves('44', 'double quotes, and whole addresses', '<a href="shop.html">x</a><a href=\'https://x.example\'>x</a>'),
  served('3', 'warning', 'a tag of another service', '<p>Hi «{name}»</p>{unsubscribe}x{/unsubscribe}', {
    fixed: /\{subscriber:name\}/u,
    sent: /\{subscriber:name\}/u,
  }),
  served('3', 'warning', 'a field in capitals', '<p>{subscriber:«NAME»}</p>{unsubscribe}x{/unsubscribe}', {
    fixed: /subscriber:name/u,
    sent: /\{subscriber:name\}/u,
  }),
  serves('3', 'a field of the service', '<p>{subscriber:name}</p>'),
  fine('3', 'tags, where the service is not known', '<p>{name}</p>'),
  served('4', 'error', 'half a pair', '<p>«{unsubscribe}»Leave</p>', {
    fixed: /\{\/unsubscribe\}/u,
    sent: /\{unsubscribe\}.*\{\/unsubscribe\}/u,
  }),
  serves('4', 'both halves', '<p>{unsubscribe}Leave{/unsubscribe}</p>'),
  served('5', 'warning', 'a condition without an operator', '<p>«{if:City}»a{/if}</p>'),
  serves('5', 'a condition', '<p>{if:City=Paris}a{/if}</p>'),
  served('6', 'warning', 'a pair in a subject', { body: 'x', subject: 'A «{readonline}»b{/readonline}' }),
  serves('6', 'a field in a subject', { body: 'x', subject: 'A {subscriber:name}' }),
  served('7', 'warning', 'a body without a way out', '«<»p>x</p>', {
    fixed: /\{unsubscribe\}\{\/unsubscribe\}/u,
    sent: /<a href="%7Bunsubscribe%7D%7B\/unsubscribe%7D">/u,
  }),
  served('7', 'info', 'a whole email from elsewhere', '«<»html><body><p>x</p></body></html>'),
  serves('7', 'a link that unsubscribes', '<a href="{unsubscribe}{/unsubscribe}">Leave</a>'),
  served('8', 'warning', 'markup in a name', '<p>«{sub<b>scriber:name}»</b></p>', {
    fixed: /\{subscriber:name\}/u,
    sent: /\{subscriber:name\}/u,
  }),
  serves('8', 'markup around a tag', '<p><b>{subscriber:name}</b></p>'),
  served('45', 'error', 'a condition in a link', '<a «href="https://x.example/{if:city=Paris}fr{/if}"»>x</a>'),
  serves('45', 'a tag in a link', '<a href="https://x.example/{subscriber:id}">x</a>'),
  served('46', 'error', 'a bare condition', '«<![if !mso]>»<b>x</b>«<![endif]>»', {
    fixed: /^<!--\[if !mso\]><!--><b>x<\/b><!--<!\[endif\]-->$/u,
    sent: /<body><b>x<\/b>/u,
  }),
  serves('46', 'one in a comment', '<!--[if !mso]><!--><b>x</b><!--<![endif]-->'),
  served('47', 'info', 'words on two lines', '<p>one «two\nthree» four\n  five</p>'),
  serves('47', 'lines that begin with a blank', '<p>one\n two<br>\nthree</p>'),
  served('48', 'info', 'an address as text', '<a href="https://x.example/"> «https://x.example» </a>'),
  serves('48', 'a text', '<a href="https://x.example/">Shop</a>'),
  served(
    '49',
    'info',
    'a stylesheet for nobody',
    { body: 'x', stylesheet: '«p{color:red}»' },
    { options: { profile: 'acymailing', supportsStylesheet: false } },
  ),
  serves('49', 'where it is not known', { body: '<p>x</p>', stylesheet: 'p{color:red}' }),
  served(
    '50',
    'warning',
    'a link around a table',
    '«<a href="https://x.example">»«<table role="presentation">»<tr><td>x</td></tr></table></a>',
  ),
  served('50', 'warning', 'a heading around a paragraph', '«<h1>»«<p>»x</p></h1>'),
  serves(
    '50',
    'a link around a <div> and in a table',
    '<a href="https://x.example"><div>x</div></a><table role="none"><tr><td><a href="#a">x</a></td></tr></table>',
  ),
  // Rules of every service, where AcyMailing sends something else than what is written.
  serves('1', 'the end of a comment in the head', whole('<![endif]-->')),
  serves('2', 'a comment in the head', whole('<!--[if !mso]><style>p{color:red}</style><![endif]-->')),
  serves('3', 'a tag in a title, which is replaced', whole('<title>{nmae}</title>')),
  served(
    '7',
    'warning',
    'a link to unsubscribe after the body',
    '«<»html><body><p>{subscriber:name}</p></body></html>{unsubscribe}x{/unsubscribe}',
  ),
  served('7', 'warning', 'a link to unsubscribe in a comment', '«<»p>x</p><!-- {unsubscribe}x{/unsubscribe} -->'),
  served('9', 'warning', 'an empty address, which becomes the home page', '<a «href=""»>Shop</a>'),
  serves('12', 'an image after the body', '<html><body><p>x</p></body></html><img src="a.png">'),
  serves('13', 'an image that gets its width from its style', '<p>x</p><img src="a.png" alt="" style="width:200px">'),
  serves(
    '14',
    'a background of a rule that is dropped',
    '<style>.none { background: url(data:image/png;base64,AAAA) }</style><p>x</p>',
  ),
  served(
    '18',
    'warning',
    'white text whose background is not sent',
    '<html style="background:#000"><body><p style="«color:#fff»">Text</p></body></html>',
  ),
  served('19', 'info', 'a language on <html>', '<html «lang="fr"»><body class="a"><p>Text</p></body></html>', {
    fixed: /<body lang="fr" class="a">/u,
  }),
  served(
    '19',
    'info',
    'a language on <html>, and no <body>',
    '<!doctype html><html «lang="fr"»><head></head><p>Text</p></html>',
    {
      fixed: /<\/head><div lang="fr"><p>Text<\/p><\/div><\/html>/u,
    },
  ),
  served('19', 'info', 'a fragment', '<!--[if mso]>a<![endif]-->«<p>»Das ist für Sie und die Welt</p><p>x</p>', {
    fixed: /^<div lang="de"><!--.*<p>x<\/p><\/div>$/u,
  }),
  served('19', 'info', 'a text', '«Hello»', { fixed: /^<div lang="en">Hello<\/div>$/u }),
  served('19', 'info', 'a direction on <html>', '<html «dir="rtl"»><body lang="he"><p>שלום לכולם</p></body></html>', {
    fixed: /<body dir="rtl" lang="he">/u,
  }),
  serves('19', 'both on <body>', '<html lang="en"><body lang="he" dir="rtl"><p>שלום לכולם</p></body></html>'),
  serves(
    '19',
    'both on what holds the texts',
    '<table lang="he" dir="rtl" role="presentation"><tr><td>שלום לכולם</td></tr></table>',
  ),
  served(
    '22',
    'hint',
    'text that phones do not enlarge',
    '<style>p { «font-size: 12px» } @media (max-width: 600px) { p { font-size: 16px } }</style><p>Terms</p>',
  ),
  serves(
    '22',
    'text that phones enlarge',
    '<style>p { font-size: 12px } @media (max-width: 600px) { p { font-size: 16px !important } }</style><p>Terms</p>',
  ),
  serves('24', 'styles that go into the elements', `<style>${'p{color:red}'.repeat(2000)}</style><p>x</p>`),
  served(
    '24',
    'warning',
    'fonts that are sent',
    `«<style>@font-face{font-family:A;src:url(${'a'.repeat(17_000)})}</style>»<p>x</p>`,
  ),
  served(
    '25',
    'warning',
    'an at-rule that is dropped',
    '<style>@media screen { «@media (max-width:600px) { p { color: red } }» }</style><p>x</p>',
  ),
  served(
    '25',
    'error',
    'an at-rule that is sent',
    '<style>@supports (top:0) { «@media (max-width:600px) { p { color: red } }» }</style><p>x</p>',
  ),
  serves('26', 'a rule behind the first comment, which is not sent', '<style>/* a */ p { color: red }</style><p>x</p>'),
  served('27', 'info', 'a script, which is removed', '<p>x</p>«<script>»1</script>'),
  served('27', 'info', 'a frame, which is removed', '«<iframe src="https://x.example">»</iframe>'),
  serves('27', 'a video, which becomes a link', '<video src="https://x.example/a.mp4"></video>'),
  served(
    '28',
    'warning',
    'flexible boxes whose fallback is lost',
    '<div style="display:block;«display:flex»">x</div>',
    { clients: word },
  ),
  serves(
    '28',
    'flexible boxes that are not sent',
    '<style>.none { display: flex }</style><div style="display:flex;display:block">x</div>',
  ),
  served('28', 'warning', 'a width at the start', '<div style="«max-width:600px»">x</div>', {
    fixed: /^<div style="max-width:600px"><!--\[if mso\]><table.*x<!--\[if mso\]><\/td>/u,
  }),
  served(
    '34',
    'hint',
    'a selector that is sent',
    '<style>«p > a:hover» { margin: 0 } p > a { margin: 0 }</style><p><a href="#a">x</a></p>',
    {
      options: { ...acymailing, rules: { support: 'hint' } },
    },
  ),
];
