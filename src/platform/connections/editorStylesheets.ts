import { cmsNames } from '../../email/sent/model.ts';
import { StateFiles } from '../../sync/stateFiles.ts';
import { contentHash } from '../../sync/fields/fields.ts';
import type { HttpResponse } from '../../service/client/exchange.ts';
import { parseJson, isObject } from '../../service/client/shapes.ts';
import type { Connection } from './model.ts';

/** Requests a public address. Rejects if there is no response. */
type ReadPublic = (url: string, headers: Readonly<Record<string, string>>) => Promise<HttpResponse>;

const DAY_MS = 86_400_000;
/** Delay before a file of the cache or a failed request is tried again. */
const RETRY_MS = 600_000;

const FILE = 'css/libraries/foundation_email.min.css';
/** Where sites serve it below their address, unless the folder was moved. */
const folders = { wordpress: '/wp-content/plugins/acymailing/media/', joomla: '/media/com_acym/' } as const;

/** The stylesheets that sites add to emails of their visual editor, cached on this machine. */
export class EditorStylesheets {
  readonly #files: StateFiles;
  readonly #read: ReadPublic;
  readonly #now: () => number;
  readonly #loads = new Map<string, { readonly time: number; readonly css: Promise<string | undefined> }>();

  constructor(folder: string, read: ReadPublic, now = Date.now) {
    this.#files = new StateFiles(folder);
    this.#read = read;
    this.#now = now;
  }

  /** Returns the stylesheet of the site that sends an email; undefined if the site doesn't serve one. */
  async get(connection: Pick<Connection, 'baseUrl' | 'cms'>, body: string): Promise<string | undefined> {
    for (const { href } of listAddresses(connection, body)) {
      const css = await this.#load(href);
      if (css !== undefined) return css;
    }
    return undefined;
  }

  /** Returns the content management system of a site: the one whose folder has the stylesheet. */
  async findCms(baseUrl: string): Promise<Connection['cms']> {
    for (const cms of cmsNames) if ((await this.get({ baseUrl, cms }, '')) !== undefined) return cms;
    return undefined;
  }

  #load(url: string) {
    const time = this.#now();
    const load = this.#loads.get(url);
    if (load && time - load.time < RETRY_MS) return load.css;
    const css = this.#revalidate(url, time).catch(() => undefined);
    this.#loads.set(url, { time, css });
    return css;
  }

  async #revalidate(url: string, time: number) {
    const name = `${contentHash(url)}.json`;
    const file = this.#files.read(name).then((text = '') => parseJson(text));
    const stored = await file.catch(() => undefined);
    const { css, etag, checked } = isObject(stored) ? stored : {};
    const cached = typeof css === 'string' ? css : undefined;
    if (cached !== undefined && time - Number(checked) < DAY_MS) return cached;
    const condition = cached !== undefined && typeof etag === 'string' && { 'If-None-Match': etag };
    const answer = await this.#read(url, { Accept: 'text/css', ...condition }).catch(() => undefined);
    const isCss = answer?.status === 200 && /^text\/css\b/i.test(String(answer.headers['content-type']));
    const read = isCss && !answer.isTooLarge ? answer.text : answer?.status === 304 ? cached : undefined;
    if (read === undefined) return cached;
    const entry = { css: read, etag: answer?.headers['etag'] ?? etag, checked: time };
    await this.#files.write(name, JSON.stringify(entry)).catch(() => undefined);
    return read;
  }
}

/** Images of an email show where the site has the files. Only the site's own origin is requested. */
function listAddresses({ baseUrl, cms }: Pick<Connection, 'baseUrl' | 'cms'>, body: string) {
  const [, moved] = /\ssrc=["']?([^\s"'<>?#]{0,500}\/acymailing\/media\/)/i.exec(body) ?? [];
  const usual = Object.entries(folders).flatMap(([name, folder]) => ((cms ?? name) === name ? [baseUrl + folder] : []));
  return [...(moved ? [moved] : []), ...usual]
    .filter((folder) => URL.canParse(folder, baseUrl))
    .map((folder) => new URL(folder + FILE, baseUrl))
    .filter(({ origin }) => origin === new URL(baseUrl).origin);
}
