/** What the service does to the finished HTML for each person, besides filling in tags: by expressions over its text. */

const thumbnail = '<a target="_blank" href="https://www.youtube.com/watch?v=$1"><img src="https://img.youtube.com/vi/$1/0.jpg"/></a>';

type Step = readonly [pattern: RegExp, replacement: string];

/** In the service's order. */
const steps: readonly Step[] = [
  // Rows and cells with nothing but an image.
  [
    /<tr([^>"]*?>(?:[^<]*?<td[^>]*?>\s*?<img[^>]*?>\s*?<\/ *?td[^>]*?>\s*?)*?<\/ *?tr)/gi,
    '<tr style="line-height: 0px;" $1',
  ],
  [
    /<td((?:(?!style|>)[^])*?>\s*?(?:<a[^>]*?>)?\s*?<img[^>]*?>\s*?(?:<\/a[^>]*?>)?\s*?<\/ *?td)/gi,
    '<td style="line-height: 0px;" $1',
  ],
  // Marks of tabs and comments of other extensions.
  [/\{tab[ =][^}]*\}/gi, ''],
  [/\{\/tabs\}/gi, ''],
  [/\{jcomments\s+(?:on|off|lock)\}/gi, ''],
  [/(?:onmouseout|onmouseover|onclick|onfocus|onload|onblur) *?= *?"[^"\n]*?"/gi, ''],
];

const later: readonly Step[] = [
  [/(<p style=")([^>]*?>\s*?<img *?[^>]*?margin-left: auto; margin-right: auto;[^>]*?>\s*?<\/p>)/gi, '$1text-align: center;$2'],
  [/(<img [^>]*?src="[^"]+?\.webp"[^>]*?>)/gi, '<!--[if !mso]><!-->$1<!--<![endif]-->'],
];

const videos: readonly Step[] = [
  [/\[embed=videolink\][^}]*youtube[^=]*=([^"/}]*)[^}]*\}\[\/embed\]/gi, thumbnail],
  [/<video[^>]*youtube\.com\/embed\/([^"/]*)[^>]*>[^>]*<\/video>/gi, thumbnail],
  [/\{youtube\}[^{]+?v=([^{&]+?)(?:&[^{]*?)?\{\/youtube\}/gi, thumbnail],
  [/\{vimeo\}(https:\/\/vimeo\.com\/[^{]+?)\{\/vimeo\}/gi, '<iframe src="$1"></iframe>'],
  [/\{vimeo\}([^{]+?)\{\/vimeo\}/gi, '<iframe src="https://player.vimeo.com/video/$1"></iframe>'],
];

const marks: readonly Step[] = [
  [/\{\/?(?:reg|pub)\}/g, ''],
  [/(?:\{|%7B)youtube[^}]*?(?:\}|%7D)/gi, ''],
];

/** Short codes of WordPress that show nothing where they stand without an address or an image. */
const shortcodes = /\[(?:gallery|playlist|audio|video|embed)\]/g;

/** The rest of videos, with a picture that comes with the service. */
function linkVideos(html: string, site: string | undefined): string {
  const picture = `${site ?? ''}wp-content/plugins/acymailing/media/images//video.png`;
  const link = (_: string, address: string): string => `<a target="_blank" href="${address}"><img src="${picture}"/></a>`;
  const embedded = /\[embed=videolink\][^}]*video":"([^"]*)[^}]*\}\[\/embed\]/gi;
  return html.replace(embedded, link).replace(/<video[^>]*src="([^"]*)"[^>]*>[^>]*<\/video>/gi, link);
}

export function cleanHtml(html: string, site: string | undefined): string {
  const cleaned = apply(steps, html.replace(shortcodes, ''));
  const safe = apply(later, withoutElement(withoutElement(cleaned, 'script'), 'iframe'));
  const spaced = safe.replace(/src="([^"]*? [^"]*?)"/gi, (_, address: string) => `src='${address.replaceAll(' ', '%20')}'`);
  return apply(marks, linkVideos(apply(videos, spaced), site));
}

function apply(list: readonly Step[], html: string): string {
  return list.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), html);
}

/** From each start tag to the next end tag of the same name, unless there is another start between. */
function withoutElement(html: string, name: string): string {
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
