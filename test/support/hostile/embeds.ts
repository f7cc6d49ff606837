import { COLLECTOR, PAYLOAD, createEmails } from './model.ts';

/** Frames and plug-ins. */
export const embeds = createEmails([
  ['object', 'an object', `<object data="${COLLECTOR}/object"></object>`],
  ['object-js', 'an object that runs', `<object data="javascript:${PAYLOAD}"></object>`],
  [
    'object-html',
    'an object that is a page',
    `<object type=text/html data="data:text/html,<script>${PAYLOAD}</script>"></object>`,
  ],
  [
    'object-param',
    'an object with parameters',
    `<object classid=clsid:x codebase="${COLLECTOR}/c"><param name=movie value="${COLLECTOR}/movie"><param name=src value="javascript:${PAYLOAD}"></object>`,
  ],
  [
    'object-fallback',
    'an image in place of an object',
    `<object data=x><img src="${COLLECTOR}/fallback.png" onerror=${PAYLOAD}></object>`,
  ],
  ['embed', 'an embed', `<embed src="${COLLECTOR}/embed"><embed src="javascript:${PAYLOAD}" type=image/svg+xml>`],
  [
    'embed-svg',
    'an SVG with a script',
    `<embed src="data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIG9ubG9hZD0idG9wLnJhbj0xIi8+">`,
  ],
  ['applet', 'an applet', `<applet code=x archive="${COLLECTOR}/a.jar"></applet><bgsound src="${COLLECTOR}/b.mid">`],
  ['iframe', 'a frame', `<iframe src="${COLLECTOR}/frame"></iframe>`],
  ['iframe-js', 'a frame that runs', `<iframe src="javascript:parent.${PAYLOAD}"></iframe>`],
  [
    'iframe-srcdoc',
    'a frame with its page in it',
    `<iframe srcdoc="<script>${PAYLOAD}</script><img src=${COLLECTOR}/srcdoc.png>"></iframe>`,
  ],
  [
    'iframe-srcdoc-entities',
    'the same in character references',
    `<iframe srcdoc="&lt;script&gt;${PAYLOAD}&lt;/script&gt;"></iframe>`,
  ],
  [
    'iframe-data',
    'a frame with a data: address',
    `<iframe src="data:text/html,<script>${PAYLOAD}</script>" sandbox="allow-scripts allow-top-navigation" allow="*"></iframe>`,
  ],
  ['iframe-name', 'a frame as a link target', `<iframe name=n></iframe><a href="${COLLECTOR}/n" target=n>x</a>`],
  ['iframe-unclosed', 'a frame that is not closed', `<p>x</p><iframe src="${COLLECTOR}/u"><p>y`],
  ['iframe-lazy', 'a frame that loads late', `<iframe loading=lazy src="${COLLECTOR}/lazy" credentialless></iframe>`],
  [
    'frameset',
    'frames for a body',
    `<frameset onload=${PAYLOAD} rows=*><frame src="${COLLECTOR}/f1"><frame src="javascript:${PAYLOAD}"></frameset>`,
  ],
  ['frameset-late', 'frames after a body', `<p>x</p><frameset><frame src="${COLLECTOR}/f2"></frameset>`],
  [
    'portal',
    'frames of other kinds',
    `<portal src="${COLLECTOR}/portal"></portal><fencedframe></fencedframe><webview src="${COLLECTOR}/webview" nodeintegration></webview>`,
  ],
  [
    'video',
    'a video and its tracks',
    `<video autoplay src="${COLLECTOR}/v.mp4" poster="${COLLECTOR}/poster.png"><source src="${COLLECTOR}/s.mp4"><track default src="${COLLECTOR}/t.vtt"></video>`,
  ],
  ['audio', 'a sound', `<audio autoplay controls src="${COLLECTOR}/a.mp3"></audio>`],
  [
    'picture',
    'pictures for every screen',
    `<picture><source srcset="${COLLECTOR}/1.png 1x, ${COLLECTOR}/2.png 2x" media="(min-width:1px)"><img src="${COLLECTOR}/3.png" srcset="${COLLECTOR}/4.png 100w" sizes=1px loading=eager fetchpriority=high></picture>`,
  ],
  [
    'img-crossorigin',
    'an image with cookies',
    `<img crossorigin=use-credentials src="${COLLECTOR}/c.png"><img src="http://user:secret@collector.invalid/c2.png">`,
  ],
  [
    'img-pixel',
    'a pixel',
    `<img src="${COLLECTOR}/pixel.gif?mail=1" width=1 height=1 style=display:none><input type=image src="${COLLECTOR}/input.png">`,
  ],
  ['template', 'inert content', `<template><img src=x onerror=${PAYLOAD}><script>${PAYLOAD}</script></template>`],
  [
    'template-shadow',
    'a shadow of its own',
    `<div><template shadowrootmode=open><img src="${COLLECTOR}/shadow.png"><script>${PAYLOAD}</script></template></div>`,
  ],
  ['slot', 'slots and parts', `<slot name=x onslotchange=${PAYLOAD}><img src="${COLLECTOR}/slot.png"></slot>`],
  [
    'xmp',
    'elements of the past',
    `<xmp><script>${PAYLOAD}</script></xmp><listing><img src=x onerror=${PAYLOAD}></listing><noembed><img src=x onerror=${PAYLOAD}></noembed><noframes><script>${PAYLOAD}</script></noframes>`,
  ],
  ['plaintext', 'everything after is text', `<p>x</p><plaintext><script>${PAYLOAD}</script>`],
]);

/** SVG and MathML. */
export const drawings = createEmails([
  [
    'svg-use',
    'a reference to an external file',
    `<svg><use href="${COLLECTOR}/use.svg#x" /><use xlink:href="${COLLECTOR}/use2.svg#x" /></svg>`,
  ],
  [
    'svg-use-data',
    'a use of a data: address',
    `<svg><use href="data:image/svg+xml;base64,PHN2ZyBpZD0ieCIgeG1sbnM9Imh0dHA6Ly93d3cudzMub3JnLzIwMDAvc3ZnIj48aW1hZ2UgaHJlZj0ieCIgb25lcnJvcj0idG9wLnJhbj0xIi8+PC9zdmc+#x" /></svg>`,
  ],
  [
    'svg-image',
    'an image',
    `<svg><image href="${COLLECTOR}/image.png" onerror=${PAYLOAD} /><image xlink:href="${COLLECTOR}/image2.png" /></svg>`,
  ],
  [
    'svg-feimage',
    'an image in a filter',
    `<svg><filter id=f><feImage href="${COLLECTOR}/feimage.png" /></filter><rect filter="url(#f)" width=9 height=9 /></svg>`,
  ],
  [
    'svg-filter-url',
    'filters from outside',
    `<svg><rect filter="url(${COLLECTOR}/f.svg#f)" fill="url(${COLLECTOR}/g.svg#g)" mask="url(${COLLECTOR}/m.svg#m)" clip-path="url(${COLLECTOR}/c.svg#c)" marker-end="url(${COLLECTOR}/k.svg#k)" width=9 height=9 /></svg>`,
  ],
  [
    'svg-foreign',
    'HTML in a drawing',
    `<svg><foreignObject width=99 height=99><img xmlns="http://www.w3.org/1999/xhtml" src=x onerror=${PAYLOAD}><iframe src="${COLLECTOR}/foreign"></iframe></foreignObject></svg>`,
  ],
  [
    'svg-animate-src',
    'an animated image',
    `<svg><image><animate attributeName=href values="${COLLECTOR}/animated.png" begin=0s dur=1s /></image></svg>`,
  ],
  [
    'svg-set-handler',
    'a handler that is set',
    `<svg><rect><set attributeName=onmouseover to="${PAYLOAD}" /></rect><animate xlink:href=#x attributeName=onclick to=${PAYLOAD} /></svg>`,
  ],
  [
    'svg-set-style',
    'a style that is set',
    `<svg><rect width=9 height=9><set attributeName=style to="fill:url(${COLLECTOR}/set.svg#x)" /></rect></svg>`,
  ],
  [
    'svg-handler',
    'the handler element of old',
    `<svg><handler xmlns:ev="http://www.w3.org/2001/xml-events" ev:event=load>${PAYLOAD}</handler><listener event=load handler="javascript:${PAYLOAD}" /></svg>`,
  ],
  [
    'svg-style',
    'a stylesheet in a drawing',
    `<svg><style><![CDATA[@import "${COLLECTOR}/cdata.css"; rect{fill:url(${COLLECTOR}/fill.svg)}]]></style><rect width=9 height=9 /></svg>`,
  ],
  [
    'svg-title',
    'titles hold HTML',
    `<svg><title><img src=x onerror=${PAYLOAD}></title><desc><script>${PAYLOAD}</script></desc></svg>`,
  ],
  [
    'svg-textpath',
    'references of all kinds',
    `<svg><textPath href="${COLLECTOR}/p.svg#p">x</textPath><mpath href="${COLLECTOR}/mp" /><cursor xlink:href="${COLLECTOR}/cur" /><font-face-uri xlink:href="${COLLECTOR}/ff" /><tref xlink:href="${COLLECTOR}/tref" /><color-profile xlink:href="${COLLECTOR}/cp" /></svg>`,
  ],
  [
    'svg-base',
    'a base by XML',
    `<svg xml:base="${COLLECTOR}/"><a xlink:href="x"><text y=20>x</text></a><image href=y.png /></svg>`,
  ],
  [
    'svg-discard',
    'animations that remove',
    '<svg><discard begin=0s /><animateMotion path="M0,0h9" dur=1s repeatCount=indefinite /></svg>',
  ],
  ['svg-svg', 'drawings in drawings', `${'<svg>'.repeat(50)}<image href="${COLLECTOR}/deep.png" />`],
  ['svg-unclosed', 'HTML after a drawing that is not closed', `<svg><g><p>x</p><img src=x onerror=${PAYLOAD}>`],
  [
    'math-style',
    'a style in MathML',
    `<math><style>@import "${COLLECTOR}/math.css"</style><mtext style="background:url(${COLLECTOR}/mtext.png)">x</mtext></math>`,
  ],
  [
    'math-annotation',
    'HTML in an annotation',
    `<math><annotation-xml encoding="text/html"><img src=x onerror=${PAYLOAD}><script>${PAYLOAD}</script></annotation-xml></math>`,
  ],
  [
    'math-semantics',
    'images in MathML',
    `<math><mglyph src="${COLLECTOR}/mglyph.png" /><ms lquote="<img src=x onerror=${PAYLOAD}>">x</ms></math>`,
  ],
]);
