import { applyEdits, findLastMatchEnd, type Range, replaceBefore } from '../html/text.ts';
import { assertFewUnclosed, type SentOptions } from './model.ts';
import { replaceBlocks } from './wordpress.ts';

/** Replicates how the service resolves URLs of links and images against the site. */

/** URLs that stay unchanged: tags, anchors and absolute URLs. */
const unresolvedPrefixes = '\\{|%7B|\\[|#|\\\\|[a-z]{3,15}:';

/** Resolves the URL of every double-quoted `href`, `src`, `action` and `background`, and of every CSS background. */
export function resolveUrls(html: string, site: string | undefined): string {
  return site === undefined
    ? html
    : urlReplacements(site).reduce((text, [pattern, replace]) => text.replace(pattern, replace), html);
}

/** Returns the URL with a trailing slash, or undefined if it is invalid. */
export function normalizeSiteUrl(site: string | undefined): string | undefined {
  return site && /^https?:\/\/[^/]/i.test(site) ? `${site.replace(/\/+$/, '')}/` : undefined;
}

type Replacement = readonly [pattern: RegExp, replace: (whole: string, ...groups: string[]) => string];

/** In the service's order: each replacement sees the result of the previous one. */
function urlReplacements(site: string): Replacement[] {
  const origin = `${/^https?:\/\/[^/]+/i.exec(site)?.[0] ?? ''}/`;
  const host = origin.replace(/^https?:\/\//i, '');
  return [
    [
      /href="(?:\.\.\/)+undefined\/|href="undefined\//g,
      (match) => `href="${match === 'href="undefined/' ? site : origin}`,
    ],
    [new RegExp(`${escapeRegExp(site)}(?=https?://)`, 'g'), () => ''],
    [/href="(?:\/?administrator)?\/(\{|%7B)/gi, (_, brace) => `href="${brace}`],
    [/href="http:\/([^/])/gi, (_, next) => `href="http://${next}`],
    [new RegExp(`href="${escapeRegExp(host)}`, 'gi'), () => `href="${origin}`],
    ...(origin === site ? [] : siteFolderReplacements(site)),
    [
      new RegExp(`(href|src|action|background) *= *"(?!${unresolvedPrefixes}|/)(?:\\.\\./|\\./)?`, 'gi'),
      (_, name) => `${name}="${site}`,
    ],
    [
      new RegExp(`(href|src|action|background) *= *"(?!${unresolvedPrefixes})/`, 'gi'),
      (_, name) => `${name}="${origin}`,
    ],
    [
      new RegExp(
        `((?:background-image|background) *: *url\\((?:'|"|&quot;)?(?!\\\\|[a-z]{3,15}:|/|'|"|&quot;)(?:\\.\\./|\\./)?)`,
        'gi',
      ),
      (_, start) => `${start}${site}`,
    ],
  ];
}

/** For a site in a folder: `../` leaves the folder, and the folder before a tag is removed. */
function siteFolderReplacements(site: string): Replacement[] {
  const parent = site.replace(/[^/]+\/$/, '');
  const folder = site.slice(site.replace(/\/$/, '').lastIndexOf('/'));
  return [
    [
      new RegExp(`(href|src|action|background) *= *"(?!${unresolvedPrefixes}|/)\\.\\./`, 'gi'),
      (_, name) => `${name}="${parent}`,
    ],
    [
      new RegExp(`(href|src|action|background) *= *"${escapeRegExp(folder)}(\\{|%7B)`, 'gi'),
      (_, name, brace) => `${name}="${brace}`,
    ],
  ];
}

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Replicates the service's text replacements for links and images before CSS inlining. */

export function prepareImages(html: string): string {
  return addAlignment(addDimensions(removeAnchorTargets(html)));
}

/** Removes `target="_blank"` from links within the email. */
function removeAnchorTargets(html: string) {
  return html.replace(/(<a +href="#[^"]*?"[^>]*?) target="_blank"([^>]*?>)/gi, '$1 $2');
}

/** Copies the pixel width and height of an image's style to its attributes. */
function addDimensions(html: string) {
  return html.replace(/<img([^>]*>)/gi, (tag, rest: string) => {
    const added = ['width', 'height'].flatMap((name) => {
      const size = new RegExp(`[^a-z_-]${name} *:([0-9 ]{1,8})px`, 'i').exec(tag)?.[1];
      const isMissing = size === undefined || size === '0' || new RegExp(`${name} *=`, 'i').test(tag);
      return isMissing ? [] : [`${name}="${size.trim()}" `];
    });
    return added.length > 0 ? `<img ${added.join(' ')}${rest}` : tag;
  });
}

/** Adds `align` to a floating image, and `hspace` from its margin. */
function addAlignment(html: string) {
  return html.replace(/< *img[^>]*>/gi, (tag) => {
    const side = tag.includes('align=')
      ? undefined
      : /style="[^"]*?float *?: *?(right|left|top|bottom|middle)/i.exec(tag)?.[1];
    if (side === undefined) return tag;
    const aligned = tag.replaceAll('<img', `<img align="${side}" `);
    return tag.includes('hspace=') ? aligned : aligned.replaceAll('<img', `<img hspace="${getHorizontalSpace(tag)}" `);
  });
}

function getHorizontalSpace(tag: string) {
  const margins = /margin(?:-right|-left)? *:([^";]*)/i.exec(tag)?.[1]?.trim().split(' ') ?? [];
  const margin = margins[1] ?? margins[0] ?? '';
  return margin.includes('px') ? margin.replace(/[^0-9]/g, '') : '5';
}

/** Replicates open and click tracking: a pixel at the end of the body, and links that redirect through the site. */

const linkPattern = /(<[^<>]*? href *= *")(?!mailto:|#|ymsgr:|callto:|file:|ftp:|webcal:|skype:|tel:)([^"]+?)"/gi;
/** Links that are never tracked, such as unsubscribe links, which are still tags here. */
const untrackedUrlPattern =
  /.(?:task=unsub|task=disableTracking|fonts\.googleapis\.com)|passw|modify|(?:\{|%7B)(?:(?:direct_)?unsubscribe|disable_tracking)/i;

/** Ids are assigned on sending. These placeholders have the usual length, so that the size is right. */
const placeholderIds = { mail: 1000, person: 10000, firstLink: 1000, key: 'KEY0000000001' } as const;

export function addTracking(html: string, site: string): string {
  const page = `${site}index.php?page=acymailing_front&ctrl=`;
  const opened = `${page}frontstats&task=openStats&id=${placeholderIds.mail}&userid=${placeholderIds.person}&noheader=1`;
  const image = `<img class="spict" alt="" src="${opened}"  border="0" width="50" height="1" />`;
  let id = placeholderIds.firstLink - 1;
  let outlookButton: string | undefined;
  return html
    .replaceAll('</body>', () => `${image}</body>`)
    .replace(linkPattern, (whole, start: string, address: string) => {
      if (untrackedUrlPattern.test(address)) return whole;
      // Outlook's button and the adjacent link share an id.
      if (address !== outlookButton) id += 1;
      outlookButton = start.startsWith('<v:roundrect') ? address : undefined;
      return `${start}${page}fronturl&task=click&urlid=${id}&userid=${placeholderIds.person}&mailid=${placeholderIds.mail}&noheader=1&userkey=${placeholderIds.key}"`;
    });
}

/** Replicates the service's last text replacements on the finished HTML, except for tags. */

const linkYoutube = (id: string) =>
  `<a target="_blank" href="https://www.youtube.com/watch?v=${id}"><img src="https://img.youtube.com/vi/${id}/0.jpg"/></a>`;

type CleaningStep = readonly [pattern: RegExp, replacement: string];

/** In the service's order. */
const cleaningSteps: readonly CleaningStep[] = [
  // Rows and cells that contain only an image.
  [/<tr([^>"]*>(?:(?:[^<]*<td[^>]*>\s*<img[^>]*>\s*<\/ *td[^>]*>)+\s*)?<\/ *tr)/gi, '<tr style="line-height: 0px;" $1'],
  [
    /<td((?:(?!style|>)[^])*>\s*(?:<a[^>]*>\s*)?<img[^>]*>\s*(?:<\/a[^>]*>\s*)?<\/ *td)/gi,
    '<td style="line-height: 0px;" $1',
  ],
  // Marks of other extensions.
  [/\{tab[ =][^}]*\}/gi, ''],
  [/\{\/tabs\}/gi, ''],
  [/\{jcomments\s+(?:on|off|lock)\}/gi, ''],
  [/(?:onmouseout|onmouseover|onclick|onfocus|onload|onblur) *?= *?"[^"\n]*?"/gi, ''],
];

const finalSteps: readonly CleaningStep[] = [
  [
    /(<p style=")([^>]*>\s*<img(?=[^>]*?margin-left: auto; margin-right: auto;)[^>]*>\s*<\/p>)/gi,
    '$1text-align: center;$2',
  ],
  [/(<img [^>]*?src="[^"]+?\.webp"[^>]*?>)/gi, '<!--[if !mso]><!-->$1<!--<![endif]-->'],
];

const vimeoSteps: readonly CleaningStep[] = [
  [/\{vimeo\}(https:\/\/vimeo\.com\/[^{]+?)\{\/vimeo\}/gi, '<iframe src="$1"></iframe>'],
  [/\{vimeo\}([^{]+?)\{\/vimeo\}/gi, '<iframe src="https://player.vimeo.com/video/$1"></iframe>'],
];

/** Videos that aren't linked, and other marks, with what a match must end with. */
const youtubeSteps = [
  [/(?:\{|%7B)youtube(?:\}|%7D)[^]*?(?:\{|%7B)\/youtube(?:\}|%7D)/gi, /(?:\{|%7B)\/youtube(?:\}|%7D)/gi],
  [/(?:\{|%7B)youtube[^}]*?(?:\}|%7D)/gi, /\}|%7D/gi],
] as const;

/** Removes marks of other extensions and leftover video marks. */
function removeExtensionMarks(html: string) {
  return youtubeSteps.reduce(
    (text, [pattern, end]) => replaceBefore(text, findLastMatchEnd(text, end), pattern, ''),
    html.replace(/\{\/?(?:reg|pub)\}/g, ''),
  );
}

/** WordPress shortcodes without a URL or content produce no output. */
const emptyShortcodes = /\[(?:gallery|playlist|audio|video|embed)\]/g;

/** Replaces videos in the three supported notations by an image that links to them. */
function linkVideos(html: string, site: string | undefined, cms: SentOptions['cms']) {
  const folder = cms === 'joomla' ? 'media/com_acym' : 'wp-content/plugins/acymailing/media';
  const image = `${site ?? ''}${folder}/images//video.png`;
  const link = (address: string) => `<a target="_blank" href="${address}"><img src="${image}"/></a>`;
  const embedded = /\[embed=videolink\]((?:(?!\[embed=videolink\])[^}])*)\}\[\/embed\]/gi;
  const elements = /<video([^>]*)>[^>]*<\/video>/gi;
  const linked = html
    .replace(
      embedded,
      (whole, content: string) => formatYoutubeThumbnail(getTextAfterLast(content, 'youtube', '=')) ?? whole,
    )
    .replace(
      elements,
      (whole, attributes: string) =>
        formatYoutubeThumbnail(getTextAfterLast(attributes, 'youtube.com/embed/')) ?? whole,
    )
    .replace(/\{youtube\}([^{]+)\{\/youtube\}/gi, (whole, content: string) => {
      const id = /^[^]+?v=([^&]+)/i.exec(content)?.[1];
      return id === undefined ? whole : linkYoutube(id);
    });
  return applySteps(vimeoSteps, linked)
    .replace(embedded, (whole, content: string) => {
      const address = getTextAfterLast(content, 'video":"');
      return address === undefined ? whole : link(/^[^"]*/.exec(address)?.[0] ?? '');
    })
    .replace(elements, (whole, attributes: string) => {
      const address = getTextAfterLast(attributes.slice(0, attributes.lastIndexOf('"') + 1), 'src="');
      return address === undefined || !address.includes('"') ? whole : link(/^[^"]*/.exec(address)?.[0] ?? '');
    });
}

function formatYoutubeThumbnail(text: string | undefined) {
  const id = text === undefined ? undefined : /^[^"/]*/.exec(text)?.[0];
  return id === undefined ? undefined : linkYoutube(id);
}

/** Returns the text after the last `word`, or after the first `then` that follows the last `word` with one. */
function getTextAfterLast(text: string, word: string, then = '') {
  const lower = text.toLowerCase();
  const at = lower.lastIndexOf(word, then === '' ? Infinity : lower.lastIndexOf(then) - word.length);
  const end = at < 0 ? -1 : lower.indexOf(then, at + word.length);
  return end < 0 ? undefined : text.slice(end + then.length);
}

export function cleanHtml(html: string, site: string | undefined, cms?: SentOptions['cms']): string {
  const cleaned = applySteps(cleaningSteps, cms === 'joomla' ? html : html.replace(emptyShortcodes, ''));
  const withoutFrames = removeElement(removeElement(cleaned, 'script'), 'iframe');
  assertFewUnclosed(withoutFrames);
  const safe = applySteps(finalSteps, withoutFrames);
  const spaced = safe.replace(/src="([^"]*)"/gi, (match, address: string) =>
    address.includes(' ') ? `src='${address.replaceAll(' ', '%20')}'` : match,
  );
  return removeExtensionMarks(linkVideos(cms === 'wordpress' ? replaceBlocks(spaced) : spaced, site, cms));
}

function applySteps(list: readonly CleaningStep[], html: string) {
  return list.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), html);
}

/** Removes everything from each start tag to the next end tag of that name, unless another start tag follows first. */
function removeElement(html: string, name: string) {
  const removed: Range[] = [];
  let start = -1;
  for (const { 0: edge, 1: slash, 2: close, index } of html.matchAll(new RegExp(`< *(/?) *${name}( *>)?`, 'gi'))) {
    if (!slash) start = start < 0 || close ? index : start;
    else if (close && start >= 0) {
      removed.push({ start, end: index + edge.length });
      start = -1;
    }
  }
  return applyEdits(html, removed);
}
