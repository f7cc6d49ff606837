/** Replicates the service's last text replacements on the finished HTML, except for tags. */

import { findLastMatchEnd, replaceBefore } from '../html/textSearch.ts';
import { assertFewUnclosed } from './limits.ts';

const youtubeTemplate =
  '<a target="_blank" href="https://www.youtube.com/watch?v=$1"><img src="https://img.youtube.com/vi/$1/0.jpg"/></a>';

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

/** Removes marks of other extensions and leftover video marks. */
function removeExtensionMarks(html: string): string {
  const text = html.replace(/\{\/?(?:reg|pub)\}/g, '');
  return replaceBefore(text, findLastMatchEnd(text, /\}|%7D/gi), /(?:\{|%7B)youtube[^}]*?(?:\}|%7D)/gi, '');
}

/** WordPress shortcodes without a URL or content produce no output. */
const emptyShortcodes = /\[(?:gallery|playlist|audio|video|embed)\]/g;

/** Replaces videos in the three supported notations by an image that links to them. */
function linkVideos(html: string, site: string | undefined): string {
  const image = `${site ?? ''}wp-content/plugins/acymailing/media/images//video.png`;
  const link = (address: string): string => `<a target="_blank" href="${address}"><img src="${image}"/></a>`;
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
      return id === undefined ? whole : youtubeTemplate.replaceAll('$1', () => id);
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

function formatYoutubeThumbnail(text: string | undefined): string | undefined {
  const id = text === undefined ? undefined : /^[^"/]*/.exec(text)?.[0];
  return id === undefined ? undefined : youtubeTemplate.replaceAll('$1', () => id);
}

/** Returns the text after the last `word`, or after the first `then` that follows the last `word` with one. */
function getTextAfterLast(text: string, word: string, then = ''): string | undefined {
  const lower = text.toLowerCase();
  const at = lower.lastIndexOf(word, then === '' ? Infinity : lower.lastIndexOf(then) - word.length);
  const end = at < 0 ? -1 : lower.indexOf(then, at + word.length);
  return end < 0 ? undefined : text.slice(end + then.length);
}

export function cleanHtml(html: string, site: string | undefined): string {
  const cleaned = applySteps(cleaningSteps, html.replace(emptyShortcodes, ''));
  const withoutFrames = removeElement(removeElement(cleaned, 'script'), 'iframe');
  assertFewUnclosed(withoutFrames);
  const safe = applySteps(finalSteps, withoutFrames);
  const spaced = safe.replace(/src="([^"]*)"/gi, (match, address: string) =>
    address.includes(' ') ? `src='${address.replaceAll(' ', '%20')}'` : match,
  );
  return removeExtensionMarks(linkVideos(spaced, site));
}

function applySteps(list: readonly CleaningStep[], html: string): string {
  return list.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), html);
}

/** Removes everything from each start tag to the next end tag of that name, unless another start tag follows first. */
function removeElement(html: string, name: string): string {
  const edge = new RegExp(`< *(/?) *${name}( *>)?`, 'gi');
  let result = '';
  let from = 0;
  let start = -1;
  for (let match = edge.exec(html); match; match = edge.exec(html)) {
    if (!match[1]) start = start < 0 || match[2] ? match.index : start;
    else if (match[2] && start >= 0) {
      result += html.slice(from, start);
      from = edge.lastIndex;
      start = -1;
    }
  }
  return result + html.slice(from);
}
