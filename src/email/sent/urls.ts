/** What the service does to addresses of links and images: relative ones lead to the site. */

/** Not changed: tags, anchors, and whatever has a scheme. */
const unresolvedPrefixes = '\\{|%7B|\\[|#|\\\\|[a-z]{3,15}:';

/** A text in which every double-quoted `href`, `src`, `action` and `background`, and every background `url(…)`, is absolute. */
export function resolveUrls(html: string, site: string | undefined): string {
  return site === undefined
    ? html
    : urlReplacements(site).reduce((text, [pattern, replace]) => text.replace(pattern, replace), html);
}

/** With a slash at its end; undefined where it is no address. */
export function normalizeSiteUrl(site: string | undefined): string | undefined {
  return site && /^https?:\/\/[^/]/i.test(site) ? `${site.replace(/\/+$/, '')}/` : undefined;
}

type Replacement = readonly [pattern: RegExp, replace: (whole: string, ...groups: string[]) => string];

/** In the service's order: each sees what the one before has made. */
function urlReplacements(site: string): Replacement[] {
  const origin = `${/^https?:\/\/[^/]+/i.exec(site)?.[0] ?? ''}/`;
  const host = origin.replace(/^https?:\/\//i, '');
  return [
    [
      /href="(?:\.\.\/)+undefined\/|href="undefined\//g,
      (found) => `href="${found === 'href="undefined/' ? site : origin}`,
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

/** A site in a folder: `../` leaves it, and a tag behind its name stands alone. */
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

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
