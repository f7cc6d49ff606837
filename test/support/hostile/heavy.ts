import { COLLECTOR, type HostileEmail } from './model.ts';

/** A heavy email, generated on demand. */
export interface HeavyEmail extends Omit<HostileEmail, 'body' | 'stylesheet'> {
  readonly body: () => string;
  readonly stylesheet?: () => string;
}

const repeatNumbered = (count: number, make: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => make(n)).join('');
const MEGABYTE_CHARS = 1_000_000;

/** Emails that are slow to parse, lay out or search. */
export const heavyEmails: readonly HeavyEmail[] = [
  { id: 'big-text', description: '10 MB of text in one line', body: () => `<p>${'y'.repeat(10 * MEGABYTE_CHARS)}</p>` },
  { id: 'big-rows', description: '10 MB of small elements', body: () => '<p>some <b>text</b></p>\n'.repeat(450_000) },
  { id: 'big-lines', description: 'a million line ends', body: () => '\n'.repeat(MEGABYTE_CHARS) },
  {
    id: 'big-attribute',
    description: 'one attribute of 10 MB',
    body: () => `<p title="${'z'.repeat(10 * MEGABYTE_CHARS)}">x</p>`,
  },
  {
    id: 'big-comment',
    description: 'one comment of 10 MB',
    body: () => `<p>x</p><!--${'c'.repeat(10 * MEGABYTE_CHARS)}-->`,
  },
  {
    id: 'big-image',
    description: 'a data image of 5 MB',
    body: () => `<img src="data:image/png;base64,${'A'.repeat(5 * MEGABYTE_CHARS)}">`,
  },
  { id: 'nested-div', description: '20,000 nested tags', body: () => '<div>'.repeat(20_000) },
  { id: 'nested-table', description: '20,000 nested tables', body: () => '<table><tr><td>'.repeat(20_000) },
  {
    id: 'nested-stray-ends',
    description: '20,000 nested tags, with end tags that end nothing',
    body: () => '<div></x>'.repeat(20_000),
  },
  {
    id: 'nested-blocked-ends',
    description: '20,000 nested tags, with end tags that don’t reach',
    body: () => '<x-y><div></x-y></div>'.repeat(10_000),
  },
  {
    id: 'nested-paragraph-ends',
    description: '20,000 nested tags, each in a paragraph',
    body: () => '<button><p><section></button>'.repeat(8_000),
  },
  { id: 'nested-inline', description: '20,000 nested spans', body: () => `${'<span>'.repeat(20_000)}x` },
  { id: 'nested-svg', description: '20,000 nested groups of a drawing', body: () => `<svg>${'<g>'.repeat(20_000)}` },
  {
    id: 'formatting',
    description: 'formatting that each paragraph reopens',
    body: () => repeatNumbered(300, (n) => `<font size=${n}><p>`),
  },
  {
    id: 'formatting-stray-ends',
    description: 'the same, with end tags that end nothing',
    body: () => repeatNumbered(500, (n) => `<b id=${n}></i><p>`),
  },
  {
    id: 'attributes',
    description: '100,000 attributes on an element',
    body: () => `<p ${repeatNumbered(100_000, (n) => `a${n}=${n} `)}>x</p>`,
  },
  {
    id: 'attributes-body',
    description: '100,000 attributes on the body',
    body: () => `<html><body ${repeatNumbered(100_000, (n) => `a${n} `)}><p>x</p></body></html>`,
  },
  {
    id: 'attributes-slash',
    description: '100,000 attributes with slashes between',
    body: () => `<p${repeatNumbered(100_000, (n) => `/a${n}`)}>x</p>`,
  },
  {
    id: 'attributes-quoted',
    description: '50,000 attributes without anything between',
    body: () => `<p ${repeatNumbered(50_000, (n) => `a${n}=""`)}>x</p>`,
  },
  { id: 'siblings', description: '64,000 images', body: () => '<hr>'.repeat(64_000) },
  { id: 'links', description: '20,000 links', body: () => repeatNumbered(9_000, (n) => `<a href=//l${n}>x</a> `) },
  {
    id: 'remote',
    description: '2,000 remote images',
    body: () => repeatNumbered(2_000, (n) => `<img src="${COLLECTOR}/many-${n}.png">`),
  },
  {
    id: 'srcset',
    description: '100,000 candidates of an image',
    body: () => `<img srcset="${repeatNumbered(100_000, (n) => `x${n} ${n + 1}w,`)}">`,
  },
  {
    id: 'svg-bomb',
    description: 'drawings that use drawings, nine times nine',
    body: () =>
      `<svg><g id=u0><rect width=1 height=1 /></g>${repeatNumbered(9, (n) => `<g id=u${n + 1}>${`<use href="#u${n}" />`.repeat(9)}</g>`)}<use href="#u9" /></svg>`,
  },
  {
    id: 'svg-pattern-bomb',
    description: 'patterns made of patterns',
    body: () =>
      `<svg>${repeatNumbered(30, (n) => `<pattern id=p${n + 1} width=.1 height=.1><rect fill="url(#p${n})" width=9 height=9 /><rect fill="url(#p${n})" width=9 height=9 /></pattern>`)}<rect fill="url(#p30)" width=999 height=999 /></svg>`,
  },
  {
    id: 'svg-filter',
    description: 'a filter of a thousand steps over everything',
    body: () =>
      `<svg><filter id=f x=-9 y=-9 width=99 height=99>${'<feTurbulence baseFrequency=.01 numOctaves=99 /><feGaussianBlur stdDeviation=999 />'.repeat(200)}</filter></svg><div style="filter:url(#f);width:2000px;height:2000px">x</div>`,
  },
  {
    id: 'css-variables',
    description: 'variables that double thirty times',
    body: () =>
      `<style>:root{--v0:x;${repeatNumbered(40, (n) => `--v${n + 1}:var(--v${n}) var(--v${n});`)}}p{font-family:var(--v40)}</style><p>x</p>`,
  },
  {
    id: 'css-selectors',
    description: 'selectors that search the whole document',
    body: () =>
      `<style>${repeatNumbered(2_000, (n) => `:has(:has(i${n}) ~ * > * *) b ~ u:nth-last-child(${n}n + 1 of p:not(.q)){color:red}`)}</style>${'<p><b>x</b></p>'.repeat(2_000)}`,
  },
  {
    id: 'css-scheme-words',
    description: 'a searched keyword, 75,000 times',
    body: () => `<style>${'color-scheme:'.repeat(75_000)}</style><p>x</p>`,
  },
  {
    id: 'css-conditions',
    description: 'unclosed conditions',
    body: () => `<style>@media ${'(prefers-color-scheme:'.repeat(40_000)}{p{color:red}}</style><p>x</p>`,
  },
  {
    id: 'css-nesting',
    description: 'rules nested 50,000 deep',
    body: () => `<style>${'p{'.repeat(50_000)}</style>${'@media screen{'.repeat(10)}<p>x</p>`,
  },
  {
    id: 'css-nesting-svg',
    description: 'the same in a drawing, with references for braces',
    body: () => `<svg><style><!-- " -->${'p&#123;'.repeat(20_000)}</style></svg>`,
  },
  {
    id: 'css-nesting-pasted',
    description: 'selectors nested 40,000 deep',
    body: () => '<p>x</p>',
    stylesheet: () => ':is('.repeat(40_000),
  },
  {
    id: 'css-stylesheet',
    description: 'a stylesheet of 10 MB',
    body: () => '<p class=c1>x</p>',
    stylesheet: () => repeatNumbered(300_000, (n) => `.c${n} > p:hover{color:#f00}\n`),
  },
  {
    id: 'css-stylesheet-line',
    description: 'a stylesheet of 5 MB in one rule',
    body: () => '<p>x</p>',
    stylesheet: () => `p{${'color:red;'.repeat(500_000)}}`,
  },
  {
    id: 'css-url-words',
    description: 'url( 200,000 times',
    body: () => `<style>${'url(//'.repeat(150_000)}</style><p style="background:${'url( '.repeat(50_000)}">x</p>`,
  },
  {
    id: 'grid',
    description: 'a grid with a million tracks',
    body: () =>
      '<div style="display:grid;grid-template:repeat(999999,1px)/repeat(999999,1px)"><p style="grid-area:900000/900000">x</p></div>',
  },
  {
    id: 'table-span',
    description: 'cells that span everything',
    body: () => `<table>${'<tr><td rowspan=65534 colspan=1000>x'.repeat(300)}</table>`,
  },
  {
    id: 'columns',
    description: 'a huge number of columns',
    body: () => `<div style="columns:999999;column-gap:0;height:1px">${'x '.repeat(20_000)}</div>`,
  },
  {
    id: 'nested-flex',
    description: '200 boxes within boxes that measure each other',
    body: () => `${'<div style="display:flex;width:min-content"><div style="display:grid;height:100%">'.repeat(100)}x`,
  },
  {
    id: 'handlers',
    description: 'the word "on" 300,000 times',
    body: () => `<p title="${'on onx =onononon'.repeat(60_000)}">x</p>`,
  },
  { id: 'quotes', description: 'quotes that never close', body: () => '<p a="'.repeat(100_000) },
  { id: 'comments', description: 'comments that never close', body: () => '<!--'.repeat(200_000) },
  { id: 'entities', description: 'a million character references', body: () => '&notin;&amp;'.repeat(80_000) },
  { id: 'marks', description: 'marks stacked on one letter', body: () => `<p>a${'\u0301'.repeat(200_000)}</p>` },
  {
    id: 'word',
    description: 'one word of 200,000 letters that may break anywhere',
    body: () => `<p style="word-break:break-all;hyphens:auto;text-wrap:balance">${'\u00AD\u200Dא'.repeat(60_000)}</p>`,
  },
];
