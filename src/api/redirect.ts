import type { Answer } from './exchange.ts';
import type { Quote } from './text.ts';

export interface RedirectTarget {
  /** Path and query, where the redirect stays on the origin it came from. */
  readonly sameOriginPath?: string;
  /** The base URL it leads to, fit to be shown and offered: no query, user-info or `index.php`. */
  readonly location?: string;
}

/** Where a redirect leads. Nothing for one without a `Location` that can be read, or to something else than HTTP. */
export function redirectTarget(answer: Pick<Answer, 'headers'>, from: URL, quote: Quote): RedirectTarget {
  const header = answer.headers.location;
  if (typeof header !== 'string' || header === '' || !URL.canParse(header, from.href)) return {};
  const target = new URL(header, from);
  if (target.protocol !== 'https:' && target.protocol !== 'http:') return {};
  const base = target.origin + target.pathname.replace(/\/+$/, '').replace(/\/index\.php$/, '').replace(/\/+$/, '');
  const location = quote(base, 2000);
  return target.origin === from.origin ? { sameOriginPath: target.pathname + target.search, location } : { location };
}
