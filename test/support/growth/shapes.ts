/** A kind of text that may take superlinear time to process. */
export interface Shape {
  readonly id: string;
  /** Returns a text of about `length` characters. */
  readonly make: (length: number) => string;
}

/** Repeats a text. `#` becomes a number that differs each time. */
const repeated = (unit: string): ((length: number) => string) => {
  const hasNumber = unit.includes('#');
  return (length) => {
    if (!hasNumber) return unit.repeat(Math.ceil(length / unit.length));
    const parts: string[] = [];
    for (let [size, count] = [0, 0]; size < length; count += 1) {
      const part = unit.replaceAll('#', String(count));
      parts.push(part);
      size += part.length;
    }
    return parts.join('');
  };
};

/** Repeats a text between a start and an end. */
const surrounded = (start: string, unit: string, end = ''): ((length: number) => string) => {
  const fill = repeated(unit);
  return (length) => start + fill(Math.max(0, length - start.length - end.length)) + end;
};

/** Repeats two texts, each for half of the length. */
const halves = (
  first: string,
  second: string,
  [start = '', middle = '', end = '']: readonly string[] = [],
): ((length: number) => string) => {
  const [one, other] = [repeated(first), repeated(second)];
  return (length) => start + one(length / 2) + middle + other(length / 2) + end;
};

/** Repeats nested elements, as deep as browsers support. */
const deep = (open: string, close: string, inner: string, start = '', levels = 400): ((length: number) => string) =>
  surrounded(start, open.repeat(levels) + inner + close.repeat(levels));

const table: Readonly<Record<string, (length: number) => string>> = {
  // Ordinary content.
  words: repeated('Lorem ipsum dolor sit amet. '),
  paragraphs: repeated('<p>Hello, <b>world</b> &amp; all</p>\n'),
  rows: surrounded(
    '<table>',
    '<tr><td style="padding:0 16px;color:#333" class="x">Text for the recipients</td></tr>\n',
    '</table>',
  ),
  links: repeated('<a href="https://example.org/#">more</a> '),
  images: repeated('<img src="https://example.org/#.png" width="600" alt="x">'),
  'local-images': repeated('<img src="images/#.png" width="600" alt="x">'),
  'styled-links': repeated('<a href="https://x.example/#" style="background:#fff;padding:9px 20px">x</a>'),
  rules: halves('.c#{color:red}', '<p class="c#">x</p>', ['<style>', '</style>']),
  // Selectors and elements.
  'descendants-deep': deep('<div>', '</div>', '<p>x</p>', `<style>${'.a div div div p{color:red}'.repeat(40)}</style>`),
  'descendants-many-deep': (length) =>
    `<style>${repeated('.a# div div p{color:red}')(length / 3)}</style>${deep('<div>', '</div>', '<p>x</p>')((2 * length) / 3)}`,
  'siblings-selectors': halves('.a#~p~p{color:red}', '<p>x</p>', ['<style>', '</style>']),
  'children-selectors': halves('.a#>p{color:red}', '<p>x</p>', ['<style>', '</style>']),
  'star-selectors': halves('* .a# *{font-size:9px}', '<i>x</i>', ['<style>', '</style>']),
  'wide-rules': halves('div{max-width:60#px}', '<div>x</div>', ['<style>', '</style>']),
  'attribute-selectors': halves('p[a#]{color:red}', '<p a#>x</p>', ['<style>', '</style>']),
  'attribute-values': halves('[a*="xxy#"]{color:red}', 'x', ['<style>', '</style><p a="', '">x</p>']),
  'many-classes': surrounded('<style>.z{color:red}</style><p class="', 'c# ', '">x</p>'),
  'nested-media': surrounded('<style>', '@media screen{@media print{p{color:red}}}', '</style>'),
  'font-faces': surrounded('<style>', '@media screen{@font-face{font-family:x#;src:url(x)}}', '</style>'),
  declarations: surrounded('<style>p{', 'color:red;', '}</style><p>x</p>'),
  'style-attribute': surrounded('<p style="', 'color:red;', '">x</p>'),
  'css-comments': surrounded('<style>', '/* c */', 'p{color:red}</style>'),
  'css-strings': surrounded('<style>', 'a{content:"x', '</style>'),
  'css-braces': surrounded('<style>', '}', '</style>'),
  'css-urls': surrounded('<style>', 'a{b:url(', '</style>'),
  'css-imports': surrounded('<style>', '@import "x#";', '</style>'),
  'css-commas': surrounded('<style>', 'a,', '{color:red}</style>'),
  'css-not': surrounded('<style>', ':not(.a) ', '{color:red}</style>'),
  // Comments for Outlook.
  'mso-open': repeated('<!--[if mso]>'),
  'mso-half': repeated('<!--[if '),
  'mso-blocks': repeated('<!--[if mso]><td><![endif]--><div style="max-width:9px">x</div>'),
  'mso-revealed': repeated('<!--[if !mso]><!--><p style="background:url(x)">x</p><!--<![endif]-->'),
  'mso-ends': repeated('<![endif]-->'),
  'mso-bare': repeated('<![if !mso]>'),
  'mso-nested': repeated('<!--[if mso]><!-- x --><![endif]-->'),
  'mso-drawings': repeated('<!--[if mso]><v:rect></v:rect><![endif]--><div style="background:url(x)">x</div>'),
  'mso-settings': surrounded('<!--[if mso]>', '<xml>', '<![endif]-->'),
  'mso-blanks': surrounded('<!--[if mso]><![endif]', ' ', 'x-->'),
  'mso-hidden': repeated('<!--[if !mso]><!--><p>x</p><!--<![endif]--><i>y</i>'),
  'mso-links': repeated('<!--[if mso]><![endif]--><a href="x" style="background:red;padding:9px 20px">x</a>'),
  ignoring: repeated('<!-- mailing-ignore image-alt --><img src=x>'),
  'text-blanks': surrounded('<p>x', ' ', 'y</p>\n'),
  'declaration-blanks': surrounded('<p style="color:red;color:red', ' ', 'x">'),
  // Tags of the service.
  if: repeated('{if}'),
  'end-if': repeated('{/if}'),
  'if-open': repeated('{if:name=x}'),
  'if-pairs': repeated('{if:name=x}y{/if}'),
  unsubscribe: repeated('{unsubscribe}'),
  'unsubscribe-comments': repeated('<!-- {unsubscribe}x{/unsubscribe} -->'),
  'unsubscribe-pairs': repeated('<a href="{unsubscribe}{/unsubscribe}">x</a>'),
  rand: repeated('{rand:'),
  'rand-choices': repeated('{rand:a#;b}'),
  subscriber: repeated('{subscriber:name}'),
  'subscriber-defaults': repeated('{subscriber:x#|default:y}'),
  trans: repeated('{trans:'),
  'encoded-tags': repeated('%7Bsubscriber%3Aname%7D'),
  'tag-markup': repeated('{subscriber:<b>name</b>}'),
  'tags-in-link': surrounded('<a href="', '{subscriber:name}', '">x</a>'),
  'tab-marks': repeated('{tab '),
  videos: repeated('{vimeo}x{youtube}'),
  'editor-spans': repeated('<span title="{subscriber:name}">x<em></em></span>'),
  // Placeholders of the service's visual editor, and blocks of WordPress.
  'placeholder-rows': surrounded('<table>', '<tr data-dynamic="{post:#}" class="a"><td>x<i></i></td></tr>', '</table>'),
  'late-placeholders': surrounded(
    '<table>',
    '<tr data-dynamic="{post:#}" class="a"><td>x</td></tr>',
    '<tr><td><i></i></td></tr>',
  ),
  'open-placeholders': repeated('<span data-dynamic="{date:1}">x'),
  'nested-placeholders': deep('<table><tr data-dynamic="{post:1}" class="a"><td>', '</td></tr></table>', 'x', '', 100),
  'placeholder-attributes': repeated('<tr data-dynamic="{'),
  'placeholder-ends': repeated('</i></td></em>'),
  blocks: repeated('<!-- wp:embed {"url":"x#","providerNameSlug":"youtube"} -->x<!-- /wp:embed -->'),
  'open-blocks': repeated('<!-- wp:embed "url":"'),
  'block-ends': halves('<!-- wp:video {} -->', '<!-- /wp:shortcode -->'),
  footers: repeated('<table id="acym__powered_by_acymailing">'),
  // Unclosed markup.
  'open-tags': repeated('<a '),
  'open-elements': repeated('<b>'),
  'open-comments': repeated('<!--'),
  'open-quotes': repeated('<a href="'),
  'end-tags': repeated('</p>'),
  'less-signs': repeated('<'),
  'tag-less-signs': surrounded('<p ', '<', '>'),
  scripts: repeated('<script>x'),
  'script-ends': repeated('<script x></script>'),
  heads: repeated('<head>'),
  bodies: repeated('</body>'),
  templates: repeated('<template>'),
  'empty-attributes': repeated('<a href>x</a>'),
  'image-cells': repeated('<tr><td><img src=x>'),
  'spaced-paragraphs': repeated('<p style="'),
  // Punctuation.
  blanks: surrounded('<a href=x>', ' ', 'x</a>'),
  'line-ends': surrounded('<p>x', '\n', 'x</p>'),
  'line-words': repeated('a\n'),
  dots: surrounded('<a href=x>', '.', 'x</a>'),
  quotes: repeated('"'),
  references: repeated('&amp;'),
  'double-references': repeated('&amp;amp;'),
  brackets: repeated('['),
  embeds: repeated('[embed=videolink]'),
  semicolons: repeated(';'),
  letters: repeated('x'),
  'wide-letters': repeated('é'),
  'hebrew-paragraphs': surrounded('<html>', '<p>שלום עולם</p>'),
  bars: surrounded('{subscriber:name', '|x#:y', '}'),
  // Text that single patterns could scan repeatedly.
  'image-rows': surrounded('<table><tr>', '<td><img src=x></td> ', 'x</table>'),
  'spaced-cells': surrounded('<table><tr><td>', ' ', 'x</td></tr></table>'),
  'line-cells': surrounded('<table><tr><td>', '\n', '<b>x</b></td></tr></table>'),
  inputs: surrounded('<input ', 'value="x"'),
  'centered-images': surrounded('<p style="x"><img ', 'margin-left: auto; margin-right: auto;', '>x'),
  'spaced-sources': surrounded('<img src="', 'a ', '>'),
  'video-addresses': surrounded('<video ', 'youtube.com/embed/', '>x'),
  'embedded-videos': surrounded('[embed=videolink]', 'youtube', '}[/embed]'),
  'video-ids': surrounded('{youtube}', 'v=', '{x'),
  'encoded-videos': repeated('%7Byoutube'),
  'long-style-name': surrounded('<p style="', 'a', '">x</p>'),
  'style-dots': surrounded('<p style="width:', '.', '">x</p>'),
  'style-urls': surrounded('<p style="background:', 'url(', '">x</p>'),
  'style-dashes': surrounded('<p style="margin:', '-1 ', '">x</p>'),
  'style-semicolons': surrounded('<p style="a:b', ';', '">x</p>'),
  'selector-brackets': surrounded('<style>a', '[b', '{color:red}</style>'),
  'selector-strings': surrounded('<style>a[b="', ':not(', '"]{color:red}</style><a b>x</a>'),
  'selector-blanks': surrounded('<style>a[b=', ' ', ']{color:red}</style><a b>x</a>'),
  'selector-words': surrounded('<style>a', ' b', '{color:red}</style>'),
  'same-selector': surrounded('<style>', '@media screen{p{color:red#}}', '</style><p>x</p>'),
  'important-rules': halves('p{color:red#!important}', '<p>x</p>', ['<style>', '</style>']),
  'media-rules': halves('@media screen{p{a#:b}}p{a#:c}', '<p>x</p>', ['<style>', '</style>']),
  'one-rule': halves('a#:b;', '<p>x</p>', ['<style>p{', '}</style>']),
  'one-attribute': halves('a#:b;', '<p style="a:b">x</p>', ['<style>p{', '}</style>']),
  'sibling-chain': surrounded('<style>.a~i~i~i{color:red}</style><b class="a"></b>', '<i>x</i>'),
  'only-of-type': halves('<i></i>', '<p>x</p>', ['<style>p:only-of-type{color:red}</style>']),
  'style-elements': repeated('<style>p{color:red}</style>'),
  'svg-styles': surrounded('<svg><style>', '<a></a>', '</style></svg>'),
  'sheet-marks': repeated('<style><!-- p{color:red} --></style>'),
  'deep-text': deep('<div style="color:#777">', '</div>', 'x<p>y</p>'),
  'deep-widths': deep('<div style="max-width:9px">', '</div>', 'x'),
  'deep-hebrew': deep('<div>', '</div>', 'שלום<br>'),
  'nested-headings': deep('<h1><div>', '</div></h1>', 'x', '', 150),
  'nested-tables': deep('<table><tr><td>', '</td></tr></table>', 'x', '', 120),
  'nested-links': deep('<a href=x><table><tr><td>', '</td></tr></table></a>', 'x', '', 80),
  'drawn-links': surrounded(
    '<!--[if mso]><v:rect><![endif]-->    ',
    '<a href="x" style="background:red;padding:9px">x</a>',
  ),
  'condition-terms': surrounded('<!--[if ', '(', 'mso]>x<![endif]-->'),
  'condition-digits': surrounded('<!--[if mso', '1', '!]>x<![endif]-->'),
  'linked-sheets': surrounded('<html><head>', '<link rel=stylesheet href=a#.css>', '</head></html>'),
  'address-dots': repeated('<a href="../../x">x</a>'),
  'address-spaces': repeated('href   ='),
  'meta-tags': repeated('<meta http-equiv=x>'),
  'long-attributes': repeated('<p title=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx '),
  'texts-with-address': repeated('https://x.example ( https://x.example ) '),
  'open-address-texts': repeated('x ( y '),
  'comments-between': repeated('x<!---->'),
  'markup-comments': repeated('<!--<script></script>'),
  'condition-values': surrounded('{if:name=', 'a;', '}x{/if}'),
  'trimmed-defaults': surrounded('{subscriber:x|default:y|rtrim:', 'ab', '}'),
  'conditional-addresses': surrounded('<a href="', '{if:', '>'),
  'named-references': repeated('&abc'),
  'class-names': surrounded('<p class="', 'a ', '">x</p>'),
  capitals: repeated('A '),
  'cell-lines': repeated('<tr>\n<td>\n</td>\n</tr>\n'),
  'linked-parts': repeated('<br><!-- part: a --><!-- slot: s -->x#<!-- /slot --><!-- /part -->'),
  'conflict-marks': repeated('<<<<<<< HEAD\n=======\n'),
  placeholders: repeated('${1:'),
  'changed-lines': repeated('x#\n'),
  'json-fields': repeated('"subject": "x\n'),
  'mapping-entries': surrounded('{"templates":[', '{"folder":"a#","ids":{"x":#}},', '{"folder":"b"}]}'),
};

/** Texts that have made a function slow, or could. They end with a whole unit. */
export const shapes: readonly Shape[] = Object.entries(table).map(([id, make]) => ({ id, make }));
