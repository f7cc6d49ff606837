import type { CheckOptions, Email, Severity } from '../../../src/checks/index.ts';

/** A rule, and what it says of an e-mail in which `«` and `»` mark the places of its first finding; none where nothing is marked. */
export interface Case {
  readonly rule: string;
  readonly title: string;
  readonly email: Partial<Email>;
  readonly severity?: Severity;
  readonly options?: CheckOptions;
  /** Part of the fix's result; that it removes the finding is asserted of every fix. */
  readonly fixed?: RegExp;
  readonly clients?: readonly string[];
}

const acymailing: CheckOptions = { profile: 'acymailing' };
const found = (rule: string, severity: Severity, title: string, email: Partial<Email> | string, rest: Partial<Case> = {}): Case => ({
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
  found('1', 'error', 'a note within', '«<!--[if mso]>»a«<!-- note -->»b<![endif]-->', { fixed: /mso\]>ab<!\[endif\]-->/u }),
  found('1', 'error', 'one within another', '«<!--[if mso]>»a«<!--[if gte mso 9]>b<![endif]-->»c<![endif]-->', {
    fixed: /mso\]>abc<!\[endif\]-->/u,
  }),
  found('1', 'error', 'a shown part without its end', '«<!--[if !mso]><!-->»<b>x</b>', { fixed: /<b>x<\/b><!--<!\[endif\]-->$/u }),
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
  fine('9', 'a relative link where the service makes it absolute', '<a href="shop.html">Shop</a>', { options: acymailing }),
  found('10', 'info', 'a link and an image', '<a «href="http://x.example/"»>S</a><img «src="http://x.example/a.png"»>', {
    fixed: /https:\/\/x\.example\/a\.png/u,
  }),
  fine('10', 'encrypted addresses', '<a href="https://x.example/">S</a>'),
  found('11', 'hint', 'an empty text', '<a href="https://x.example">«Click here »</a>'),
  fine('11', 'a text that says where', '<a href="https://x.example">Our summer sale</a>'),
  found('12', 'warning', 'images without a text', '«<img src="a.png">»«<img src="b.png" width="9">»', {
    fixed: /^<img alt="" src="a\.png"><img alt=""/u,
  }),
  fine('12', 'images with one', '<img src="a.png" alt=""><img src="b.png" alt="A tree"><img src="c.png" role="presentation">'),
  found('13', 'warning', 'an image whose style has the width', '«<img src="a.png" alt="" style="width:200px">»', {
    fixed: /width="200"/u,
    clients: word,
  }),
  found('13', 'warning', 'an image without any', '«<img src="a.png" alt="">»', { clients: word }),
  fine('13', 'an image with the attribute', '<img src="a.png" alt="" width="200">'),
  fine('13', 'where Outlook does not count', '<img src="a.png" alt="">', { options: { clients: ['gmail'] } }),
  found('14', 'error', 'an image in the address', '<img alt="" width="1" «src="data:image/png;base64,AAAA"»>', {
    clients: ['Gmail', 'Outlook for Windows'],
  }),
  found('14', 'error', 'a background in the address', '<p style="color:red;«background:url(data:image/png;base64,AAAA)»">x</p>'),
  fine('14', 'where only Apple counts', '<img alt="" src="data:image/png;base64,AAAA">', { options: { clients: ['Apple Mail'] } }),
  found('15', 'warning', 'a drawing', '<img alt="" width="9" «src="https://x.example/a.svg?v=1"»>', { clients: ['Gmail'] }),
  found('15', 'warning', 'a new format', '<img alt="" width="9" «src="a.webp"»>', { clients: word }),
  fine('15', 'old formats', '<img alt="" width="9" src="a.svg.png"><img alt="" src="a.gif">'),
  found('16', 'info', 'images alone', '«<img alt="" width="600" height="400" src="a.png">»'),
  found('16', 'info', 'a large image with a few words', '«<img alt="" width="600" height="800" src="a.png">»<p>Buy now</p>'),
  fine('16', 'text with an image', `<img alt="" width="200" height="50" src="a.png"><p>${'Words to read. '.repeat(40)}</p>`),
  found('17', 'warning', 'a background without a colour', '<table role="presentation"><tr><td «background="a.png"»>x</td></tr></table>', {
    clients: word,
  }),
  found('17', 'warning', 'one in a rule', '<style>.hero { «background-image: url(a.png)» }</style><div class="hero">x</div>'),
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
  found('25', 'error', 'an at-rule in an at-rule', '<style>@media screen { «@media (max-width:600px) { p { color: red } }» }</style>', {
    clients: ['Gmail'],
  }),
  found('25', 'hint', 'fonts in an at-rule', '<style>@media screen { «@font-face { font-family: A; src: url(a.woff) }» }</style>'),
  fine('25', 'one beside the other', '<style>@media screen { p { color: red } } @media print { p { color: red } }</style>'),
  found('26', 'hint', 'a rule behind the first comment', '<style>\n/* a */\n«p { color: red }» b { color: red }</style>'),
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
  found('32', 'info', 'no preheader', { body: '<p>Summer is here</p>', subject: 'Hello', preheader: '«»' }, { fixed: /Summer is here/u }),
  found(
    '32',
    'info',
    'the subject again',
    { body: '<p>Summer is here</p>', subject: 'Hello', preheader: '«Hello»' },
    { fixed: /Summer is here/u },
  ),
  found('32', 'info', 'a long one', { body: 'x', subject: 'Hello', preheader: `«${'word '.repeat(30)}»` }, { fixed: /word$/u }),
  fine('32', 'one, or one in the body', { body: 'x', subject: 'Hello', preheader: 'Summer' }),
  fine('32', 'one in the body', { body: '<div style="display:none">Summer</div><p>x</p>', subject: 'Hello', preheader: '' }),
  found('33', 'info', 'no domain', { body: 'x', fromEmail: '«shop»' }),
  found('33', 'info', 'free mail', { body: 'x', fromEmail: '«shop@gmail.com»' }),
  fine('33', "one's own domain", { body: 'x', fromEmail: 'shop@example.com' }),
  found('34', 'hint', 'what else a client lacks', '<p style="«border-radius:4px»">x</p>', {
    options: { rules: { support: 'hint' } },
    clients: word,
  }),
  found('34', 'hint', 'an attribute that a client lacks', '<div «inert»><p>x</p></div>', { options: { rules: { support: 'hint' } } }),
  fine('34', 'unless it is asked for', '<p style="border-radius:4px">x</p>'),
];

const whole = (head: string, body = '<p>x</p>'): string => `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`;
const served = (rule: string, severity: Severity, title: string, email: Partial<Email> | string, rest: Partial<Case> = {}): Case =>
  found(rule, severity, title, email, { options: acymailing, ...rest });
const serves = (rule: string, title: string, email: Partial<Email> | string): Case => fine(rule, title, email, { options: acymailing });

export const serviceCases: readonly Case[] = [
  served(
    '30',
    'info',
    'what only its head has',
    whole('«<meta name="color-scheme" content="light dark">»«<!--[if mso]><style>p{color:red}</style><![endif]-->»'),
    {
      fixed: /<meta name="color-scheme" content="light dark">\n<!--\[if mso\]>/u,
    },
  ),
  serves(
    '30',
    'what the service writes itself',
    whole('<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>x</title>'),
  ),
  served('35', 'error', 'a fragment that begins with a section', '<!-- a -->\n«<section class="x">»<p>Text</p></section>', {
    fixed: /<div><section/u,
  }),
  served('35', 'error', 'one that begins with a row', '«<tr>»<td>x</td></tr>', { fixed: /^<table role="presentation"><tr>/u }),
  serves('35', 'what it knows, text, and whole documents', '<div><section>x</section></div>'),
  serves('35', 'text before it', 'Hello <section>x</section>'),
  serves('35', 'a whole document', whole('', '<section>x</section>')),
  served('36', 'warning', 'an import', '<style>«@import url(https://fonts.example.com/css);» p{color:red}</style><p>x</p>'),
  serves('36', 'a font in the styles', '<style>@font-face{font-family:A;src:url(a.woff)} p{color:red}</style><p>x</p>'),
  served(
    '37',
    'info',
    'hooks for single clients',
    '<style>«#outlook a» { padding: 0 } p, «.ExternalClass» { color: red } p { margin: 0 }</style><p>x</p>',
    {
      fixed: /<style> p \{ color: red \} p \{ margin/u,
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
  served('40', 'warning', 'importance that is lost', '<style>p { «color: red !important» }</style><p>x</p>', { fixed: /color: red \}/u }),
  served(
    '40',
    'warning',
    'importance that is missing',
    '<style>p { padding: 9px } @media (max-width:600px) { p { «padding: 0» } }</style><p>x</p>',
    { fixed: /padding: 0 !important/u },
  ),
  serves(
    '40',
    'importance where it belongs',
    '<style>p { padding: 9px } @media (max-width:600px) { p { padding: 0 !important; color: red } }</style><p>x</p>',
  ),
  served('41', 'warning', 'a sign that is escaped twice', '<p>Write «&amp;lt;»b> here &amp; there</p>'),
  serves('41', 'a sign', '<p>Salt &amp; pepper &lt;3</p>'),
  served('42', 'warning', 'a sign in content', '<style>a::before { «content: "→ é"» }</style><a href="https://x.example">x</a>', {
    fixed: /content: "\\2192 {2}\\E9 "/u,
  }),
  serves('42', 'its number', '<style>a::before { content: "\\2192" }</style><a href="https://x.example">x</a>'),
  served(
    '43',
    'error',
    'an address without a scheme',
    '<img alt="" width="9" «src="//cdn.example/a.png"»><a «href="www.x.example"»>x</a>',
    { fixed: /src="https:\/\/cdn.*href="https:\/\/www/u },
  ),
  serves('43', 'a whole one', '<a href="https://www.x.example">x</a>'),
  served('44', 'warning', 'single quotes', "<a «href='shop.html'»>x</a>", { fixed: /href="shop\.html"/u }),
  serves('44', 'double quotes, and whole addresses', '<a href="shop.html">x</a><a href=\'https://x.example\'>x</a>'),
  served('3', 'warning', 'a tag of another service', '<p>Hi «{name}»</p>{unsubscribe}x{/unsubscribe}', { fixed: /\{subscriber:name\}/u }),
  served('3', 'warning', 'a field in capitals', '<p>{subscriber:«NAME»}</p>{unsubscribe}x{/unsubscribe}', { fixed: /subscriber:name/u }),
  serves('3', 'a field of the service', '<p>{subscriber:name}</p>'),
  fine('3', 'tags, where the service is not known', '<p>{name}</p>'),
  served('4', 'error', 'half a pair', '<p>«{unsubscribe}»Leave</p>', { fixed: /\{\/unsubscribe\}/u }),
  serves('4', 'both halves', '<p>{unsubscribe}Leave{/unsubscribe}</p>'),
  served('5', 'warning', 'a condition without an operator', '<p>«{if:City}»a{/if}</p>'),
  serves('5', 'a condition', '<p>{if:City=Paris}a{/if}</p>'),
  served('6', 'warning', 'a pair in a subject', { body: 'x', subject: 'A «{readonline}»b{/readonline}' }),
  serves('6', 'a field in a subject', { body: 'x', subject: 'A {subscriber:name}' }),
  served('7', 'warning', 'a body without a way out', '«<»p>x</p>', { fixed: /\{unsubscribe\}\{\/unsubscribe\}/u }),
  served('7', 'info', 'a whole e-mail from elsewhere', '«<»html><body><p>x</p></body></html>'),
  serves('7', 'a link that unsubscribes', '<a href="{unsubscribe}{/unsubscribe}">Leave</a>'),
  served('8', 'warning', 'markup in a name', '<p>«{sub<b>scriber:name}»</b></p>', { fixed: /\{subscriber:name\}/u }),
  serves('8', 'markup around a tag', '<p><b>{subscriber:name}</b></p>'),
  served('45', 'error', 'a condition in a link', '<a «href="https://x.example/{if:city=Paris}fr{/if}"»>x</a>'),
  serves('45', 'a tag in a link', '<a href="https://x.example/{subscriber:id}">x</a>'),
  served('46', 'error', 'a bare condition', '«<![if !mso]>»<b>x</b>«<![endif]>»', {
    fixed: /^<!--\[if !mso\]><!--><b>x<\/b><!--<!\[endif\]-->$/u,
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
    { options: { profile: 'acymailing', keepsStylesheet: false } },
  ),
  serves('49', 'where it is not known', { body: '<p>x</p>', stylesheet: 'p{color:red}' }),
];
