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

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
