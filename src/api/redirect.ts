import { sitePath } from './address.ts';
import type { Answer } from './exchange.ts';
import { repeatsKey } from './text.ts';
import type { Quote } from './text.ts';

export interface RedirectTarget {
  /** Path and query, where the redirect stays on the origin it came from. Never with the key, which belongs into no address. */
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
  const base = target.origin + sitePath(target.pathname);
  const location = quote(base, 2000);
  const path = target.pathname + target.search;
  const isOwn = target.origin === from.origin && !repeatsKey(path, quote) && !repeatsKey(decoded(path), quote);
  return isOwn ? { sameOriginPath: path, location } : { location };
}

/** Without escapes; one that is none stands for itself. */
function decoded(path: string): string {
  return path.replace(/%([2-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
