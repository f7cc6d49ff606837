import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { t } from '../../l10n.ts';
import { isThisMachine, parseBaseUrl, trimToSitePath } from './address.ts';
import { ApiError, createApiError, createRefusal } from './errors.ts';
import {
  ACCEPT_ENCODING,
  DEFAULT_TIMEOUT_MS,
  createDispatcher,
  exchange,
  type DispatcherSettings,
  type HttpResponse,
} from './exchange.ts';
import { raceWithAbort } from './paginate.ts';
import { ArgumentError, toWireFields, profiles, type Profile, type ProfileName } from './profiles.ts';
import type { CallOptions } from './requests.ts';
import { readResponse, type Call } from './results.ts';
import { allRoutes, extraRoutes, probeRoutes, type Results, type Route } from './routes.ts';
import { isObject, type Row } from './shapes.ts';
import { containsKey, createQuote } from './redact.ts';

/** Delays before a read is retried. Up to 25% is added or subtracted so that clients do not retry in lockstep. */
const RETRY_DELAYS_MS = [300, 900];
/** If `Retry-After` asks for a longer delay, the read is not retried. */
const MAX_RETRY_DELAY_MS = 30_000;
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 3;
/** Node fires timers with a longer delay immediately. */
const MAX_TIMER_MS = 2_147_483_647;

export interface MailingClientOptions {
  /** URL of the site, including its path: `https://host/site`. No query, fragment or user info. */
  readonly baseUrl: string;
  /** The key, or a function that returns it and is called before every request. */
  readonly apiKey: string | (() => string | undefined | Promise<string | undefined>);
  /** Default `documented`. */
  readonly profile?: ProfileName | Profile;
  /** Applies separately to connecting, to the response headers and to the response body. Default 30,000. */
  readonly timeoutMs?: number;
  /** Shared connections (see `createDispatcher`), closed by their owner. By default, the client creates its own. */
  readonly dispatcher?: Dispatcher;
  /** How the client's own connections are made. No proxy is used for this machine. */
  readonly network?: DispatcherSettings;
  /** Waits before a retry; tests replace it. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Normalizes a base URL (see `parseBaseUrl`). Trims surrounding spaces and escapes inner ones. Throws an `ApiError` of kind `invalid`; its
 * message never repeats the input.
 */
export function normalizeBaseUrl(baseUrl: string): string {
  const parsed = parseBaseUrl(baseUrl.trim().replaceAll(' ', '%20'));
  if (parsed.ok) return parsed.url;
  throw createRefusal('invalid', 'connect', `${parsed.problem} ${t('Correct the URL of this connection.')}`);
}

function resolveProfile(profile: MailingClientOptions['profile'] = 'documented') {
  if (typeof profile === 'object') return profile;
  if (Object.hasOwn(profiles, profile)) return profiles[profile];
  throw createRefusal(
    'invalid',
    'connect',
    t`The profile of this connection is unknown. Choose one of these: ${Object.keys(profiles).join(', ')}.`,
  );
}

/** Builds the request of an operation from its route, sends it, retries reads, and parses the response. */
export class Caller {
  readonly #base: URL;
  readonly #options: MailingClientOptions;
  readonly #profile: Profile;
  readonly #timeoutMs: number;
  readonly #closing = new AbortController();
  #ownDispatcher: Dispatcher | undefined;

  /** Throws an `ApiError` of kind `invalid` if the base URL is invalid. */
  constructor(options: MailingClientOptions) {
    this.#base = new URL(normalizeBaseUrl(options.baseUrl));
    this.#options = options;
    this.#profile = resolveProfile(options.profile);
    this.#timeoutMs = Math.min(Math.max(1, options.timeoutMs ?? DEFAULT_TIMEOUT_MS), MAX_TIMER_MS);
  }

  /** Aborts pending requests and closes the client's own connections. A dispatcher that was passed in stays open. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#ownDispatcher?.destroy();
  }

  /** Rejects without sending a request if the profile does not have the operation. */
  protected call<N extends keyof Results>(operation: N, args: object, options?: CallOptions): Promise<Results[N]> {
    return this.#run<Results[N]>(operation, allRoutes[operation], args, options);
  }

  /** Throws `ApiError` if no service of the profile responds. */
  probe(operation: keyof typeof probeRoutes, { signal }: CallOptions): Promise<{ readonly siteName?: string }> {
    return this.#run<{ readonly siteName?: string }>(operation, probeRoutes[operation], { limit: 1 }, { signal });
  }

  async #run<R>(operation: string, route: Route<R>, args: object, options: CallOptions = {}) {
    const info = { ...route, operation };
    // A page query may carry the signal too.
    const pageSignal =
      route.method === 'GET' && 'signal' in args && args.signal instanceof AbortSignal ? args.signal : undefined;
    const signals = [this.#closing.signal, options.signal ?? pageSignal];
    const signal = AbortSignal.any(signals.filter((source) => source !== undefined));
    const profile = this.#profile;
    try {
      if (signal.aborted) throw createApiError('aborted', info, { sent: false });
      if (Object.hasOwn(extraRoutes, operation) && !profile.extras.some((extra) => extra === operation))
        throw new ArgumentError(`Services of the profile "${profile.name}" have no operation ${operation}.`);
      const request = prepareRequest(profile, operation, route, { ...args });
      const key = await this.#readKey(signal);
      const call = { ...info, ...request, args: { ...args }, profile, quote: createQuote(key), key, signal };
      return await this.#sendWithRetries(call, route);
    } catch (error) {
      if (!(error instanceof ArgumentError)) throw error;
      if (signal.aborted) throw createApiError('aborted', info, { sent: false });
      throw createApiError(error.reason, info, { problem: error.message });
    }
  }

  async #readKey(signal: AbortSignal) {
    const { apiKey } = this.#options;
    let key: string | undefined;
    try {
      key = typeof apiKey === 'function' ? await raceWithAbort(Promise.resolve(apiKey()), signal) : apiKey;
    } catch {
      throw new ArgumentError(t("The stored API key couldn't be read."), 'noKey');
    }
    if (key === undefined || key.trim() === '') throw new ArgumentError(t('There is no API key.'), 'noKey');
    if (!/^[\x20-\x7e]+$/.test(key))
      throw new ArgumentError(t('The API key contains characters that no key can have.'), 'noKey');
    return key;
  }

  async #sendWithRetries<R>(call: PreparedCall, { read }: Route<R>) {
    const { wait = (ms, signal) => sleep(ms, undefined, { signal }) } = this.#options;
    for (let attempt = 0; ; attempt++)
      try {
        return readResponse(call, await this.#sendOnce(call), read);
      } catch (error) {
        const delay = call.method === 'GET' ? getRetryDelay(error, RETRY_DELAYS_MS[attempt]) : undefined;
        if (delay === undefined) throw error;
        await wait(delay, call.signal).catch((reason: unknown) => {
          if (!call.signal.aborted) throw reason;
        });
        if (call.signal.aborted) throw createApiError('aborted', call, { sent: false });
      }
  }

  /** Sends one request. Reads follow redirects within the same origin. Throws `ApiError`. */
  async #sendOnce(call: PreparedCall) {
    const { origin, pathname } = this.#base;
    const dispatcher =
      this.#options.dispatcher ??
      (this.#ownDispatcher ??= createDispatcher({
        ...this.#options.network,
        ...(isThisMachine(origin) && { proxy: false }),
        timeoutMs: this.#timeoutMs,
      }));
    const { method, body, contentType } = call;
    const headers = {
      'Api-Key': call.key,
      Accept: 'application/json',
      'Accept-Encoding': ACCEPT_ENCODING,
      'User-Agent': 'mailing-studio',
      ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
    };
    let path = `${pathname.replace(/\/$/, '')}/index.php?${call.search}`;
    for (let redirects = 0; ; redirects++) {
      const answer = await exchange(dispatcher, { origin, path, method, headers, body }, this.#timeoutMs, call);
      if (!REDIRECT_STATUSES.has(answer.status)) return answer;
      // The origin is prepended because a path that starts with two slashes would be parsed as a host.
      const { sameOriginPath, location } = resolveRedirect(answer, new URL(origin + path), call.quote);
      if (method !== 'GET' || sameOriginPath === undefined || redirects === MAX_REDIRECTS)
        throw createApiError(location === undefined ? 'redirectWithoutLocation' : 'moved', call, {
          status: answer.status,
          location,
        });
      path = sameOriginPath;
    }
  }
}

/** Returns the delay in milliseconds before a read is retried; undefined if it must not be retried. */
function getRetryDelay(error: unknown, pause: number | undefined) {
  if (!(error instanceof ApiError) || !error.info.isRetried || pause === undefined) return undefined;
  const delay = error.retryAfterMs ?? pause * (0.75 + Math.random() / 2);
  return delay <= MAX_RETRY_DELAY_MS ? delay : undefined;
}

interface RedirectTarget {
  /** Path and query if the redirect stays on the same origin and does not contain the key. */
  readonly sameOriginPath?: string;
  /** Base URL of the target without query, user info and `index.php`, safe to display. */
  readonly location?: string;
}

/** Resolves the target of a redirect. Returns an empty object if `Location` is missing, invalid or not HTTP. */
function resolveRedirect({ headers }: HttpResponse, from: URL, quote: Call['quote']): RedirectTarget {
  const header = headers.location;
  if (typeof header !== 'string' || header === '' || !URL.canParse(header, from.href)) return {};
  const target = new URL(header, from);
  if (!/^https?:$/.test(target.protocol)) return {};
  const location = quote(target.origin + trimToSitePath(target.pathname), 2000);
  const path = target.pathname + target.search;
  // The key may be written with percent-escapes.
  const decoded = path.replace(/%([2-7][0-9a-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  const isOwn = target.origin === from.origin && !containsKey(path, quote) && !containsKey(decoded, quote);
  return isOwn ? { sameOriginPath: path, location } : { location };
}

/** A request without its key. */
interface PreparedRequest {
  /** Query without the leading `?`. */
  readonly search: string;
  readonly contentType?: string;
  readonly body?: string;
}

interface PreparedCall extends Call, PreparedRequest {
  readonly key: string;
  readonly signal: AbortSignal;
}

/** Splits an argument into query parameters: `name=…`, `name[]=…` per item of a list, or `name[key]=…` per entry of a filter. */
function splitArgument(
  argument: string,
  name: string,
  value: unknown,
  profile: Profile,
): (readonly [string, unknown])[] {
  if (argument === 'listIds' && Array.isArray(value)) return value.map((item: unknown) => [`${name}[]`, item]);
  if (argument !== 'filters' || !isObject(value)) return [[name, value]];
  return Object.entries(toWireFields(profile, value)).map(([key, item]) => [`${name}[${key}]`, item]);
}

function toQueryText(name: string, value: unknown) {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'string' || Number.isFinite(value)) return String(value);
  throw new ArgumentError(`${name} must be a number or text.`);
}

/**
 * Builds the request of an operation from the API document and the profile: constants, `ctrl`, `task`, then the arguments that were passed.
 * Throws `ArgumentError`.
 */
function prepareRequest(profile: Profile, operation: string, route: Route<unknown>, args: Row): PreparedRequest {
  // Follow-up operations have their own addressing in the API document (style B).
  const isFollowUp = route.recordType === 'followUp';
  const isStyleB = isFollowUp && profile.followUpRouting === 'ctrl';
  const pairs = new URLSearchParams({
    page: profile.query.page,
    option: profile.query.option,
    ...(isStyleB ? { ctrl: operation } : { ctrl: 'api', task: route.task ?? operation }),
  });
  for (const parameter of route.query) {
    const [argument, name] = typeof parameter === 'string' ? [parameter, parameter] : parameter;
    const wireName = name === 'followUpFilters' ? profile.followUpFilters : name;
    for (const [key, value] of splitArgument(argument, wireName, args[argument], profile))
      if (value !== undefined && value !== null) pairs.append(key, toQueryText(key, value));
  }
  const isJson = route.hasBody || isFollowUp;
  return {
    // Every server decodes `%20`, but not all decode `+`.
    search: pairs.toString().replaceAll('+', '%20'),
    contentType:
      operation === 'sendCampaign' ? profile.sendCampaignContentType : isJson ? 'application/json' : undefined,
    body: route.hasBody ? JSON.stringify(toWireFields(profile, args)) : undefined,
  };
}
