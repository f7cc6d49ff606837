import { toDecodedText } from '../../email/html/stripTags.ts';
import type { SitePost, SitePosts } from '../../email/tags/index.ts';
import type { HttpResponse } from '../../service/client/exchange.ts';
import { isObject, parseJson } from '../../service/client/shapes.ts';

const MAX_PATHS = 20;
const MAX_NEWEST_POSTS = 10;
const MAX_TEXT_CHARS = 5000;

/** Returns the address of posts in the public API of a WordPress site. */
export const getPostAddress = (baseUrl: string, path: string): string =>
  `${baseUrl}/wp-json/wp/v2/${path}?_embed=wp:featuredmedia${path === 'posts' ? `&per_page=${MAX_NEWEST_POSTS}` : ''}`;

/** The posts and pages of WordPress sites, read without the key and cached for the session. */
export class SitePostReader {
  readonly #read: (url: string) => Promise<HttpResponse>;
  readonly #answers = new Map<string, Promise<readonly SitePost[]>>();

  /** @param read requests a public address; rejects if there is no response */
  constructor(read: (url: string) => Promise<HttpResponse>) {
    this.#read = read;
  }

  /** Returns the posts of the first paths. Those that the site doesn't offer are missing. */
  async get(baseUrl: string, paths: readonly string[]): Promise<SitePosts> {
    const entries = paths.slice(0, MAX_PATHS).map(async (path) => {
      const address = getPostAddress(baseUrl, path);
      const answer = this.#answers.get(address) ?? this.#load(address);
      this.#answers.set(address, answer);
      return [path, await answer] as const;
    });
    return Object.fromEntries((await Promise.all(entries)).filter(([, posts]) => posts.length > 0));
  }

  async #load(address: string) {
    try {
      const { status, isTooLarge, text } = await this.#read(address);
      return status === 200 && !isTooLarge ? [parseJson(text)].flat().slice(0, MAX_NEWEST_POSTS).flatMap(readPost) : [];
    } catch {
      // It may succeed later.
      this.#answers.delete(address);
      return [];
    }
  }
}

/** Reads a post as plain text. */
function readPost(value: unknown): readonly SitePost[] {
  if (!isObject(value)) return [];
  const title = readText(value['title']);
  const { _embedded: embedded } = value;
  const [media] = isObject(embedded) ? [embedded['wp:featuredmedia']].flat() : [];
  const image = readAddress(isObject(media) ? media['source_url'] : undefined);
  return title === '' ? [] : [{ title, text: readText(value['excerpt']), link: readAddress(value['link']), image }];
}

function readText(value: unknown) {
  const { rendered } = isObject(value) ? value : {};
  return typeof rendered === 'string' ? toDecodedText(rendered.slice(0, MAX_TEXT_CHARS)) : '';
}

const readAddress = (value: unknown) =>
  typeof value === 'string' && /^https?:\/\/[^\s"'<>]{1,2000}$/i.test(value) ? value : '';
