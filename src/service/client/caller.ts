import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { trimToSitePath } from './address.ts';
import { normalizeBaseUrl } from './baseUrl.ts';
import { DEFAULT_TIMEOUT_MS, createDispatcher } from './dispatcher.ts';
import { ApiError, describeExchangeFailure, createApiError, type CallInfo } from './errors.ts';
import { ACCEPT_ENCODING, ExchangeFailure, exchange, type HttpResponse, type WireRequest } from './exchange.ts';
import type { Arguments, ExtraName, ExtraResults, OperationName, Results } from './operations.ts';
import { ArgumentError, toWireFields, profiles, type Profile, type ProfileName } from './profiles.ts';
import type { CallOptions } from './requests.ts';
import { readResponse, getRetryAfterMs, type ReadContext } from './results.ts';
import { authenticateRoute, extraRoutes, probeListsRoute, routes, type QueryParameter, type Route } from './routes.ts';
import { isObject } from './shapes.ts';
import { containsKey, createQuote, type Quote } from './redact.ts';

/** Delays before a read is retried. Up to 25% is added or subtracted so that clients do not retry in lockstep. */
const RETRY_DELAYS_MS = [300, 900];
/** If `Retry-After` asks for a longer delay, the read is not retried. */
const MAX_RETRY_DELAY_MS = 30_000;
const RETRIED_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);
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
  /** Waits before a retry; tests replace it. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

type Attempt = { readonly answer: HttpResponse } | { readonly error: ApiError; readonly retry: boolean };

/** State shared by all requests of one call. */
interface CallContext {
  readonly info: CallInfo;
  readonly prepared: PreparedRequest;
  readonly key: string;
  readonly quote: Quote;
  readonly signal: AbortSignal;
}

function describeCall(operation: string, route: Route<unknown>): CallInfo {
  return { operation, activity: route.activity, recordLabel: route.recordLabel, isWrite: route.method !== 'GET' };
}

function resolveProfile(profile: MailingClientOptions['profile'] = 'documented'): Profile {
  if (typeof profile === 'object') return profile;
  if (Object.hasOwn(profiles, profile)) return profiles[profile];
  throw new ApiError({
    kind: 'invalid',
    reason: 'badSetting',
    operation: 'connect',
    outcome: 'refused',
    message: `The profile of this connection is not known: choose one of ${Object.keys(profiles).join(', ')}.`,
  });
}

/** Builds the request of an operation from its route, sends it, retries reads, and parses the response. */
export class Caller {
  readonly #base: URL;
  readonly #key: MailingClientOptions['apiKey'];
  readonly #profile: Profile;
  readonly #timeoutMs: number;
  readonly #wait: NonNullable<MailingClientOptions['wait']>;
  readonly #closing = new AbortController();
  readonly #sharedDispatcher: Dispatcher | undefined;
  #ownDispatcher: Dispatcher | undefined;

  constructor(options: MailingClientOptions) {
    this.#base = new URL(normalizeBaseUrl(options.baseUrl));
    this.#key = options.apiKey;
    this.#profile = resolveProfile(options.profile);
    this.#timeoutMs = Math.min(Math.max(1, options.timeoutMs ?? DEFAULT_TIMEOUT_MS), MAX_TIMER_MS);
    this.#wait = options.wait ?? ((ms, signal) => sleep(ms, undefined, { signal }));
    this.#sharedDispatcher = options.dispatcher;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#ownDispatcher?.destroy();
  }

  call<N extends OperationName>(operation: N, args: object, options?: CallOptions): Promise<Results[N]> {
    return this.#run<Results[N]>(operation, routes[operation], args, options);
  }

  /** Rejects without sending a request if the profile does not have the operation. */
  async callExtra<N extends ExtraName>(operation: N, args: object, options?: CallOptions): Promise<ExtraResults[N]> {
    const route = extraRoutes[operation];
    if (!this.#profile.extras.includes(operation)) {
      const problem = `services of the profile “${this.#profile.name}” have no operation ${operation}`;
      throw createApiError('badArgument', describeCall(operation, route), { problem, sent: false });
    }
    return this.#run<ExtraResults[N]>(operation, route, args, options);
  }

  /** Throws `ApiError` if no service of the documented profile responds. */
  probeLists(options?: CallOptions): Promise<void> {
    return this.#run('getLists', probeListsRoute, { limit: 1 }, options);
  }

  authenticate(options?: CallOptions): Promise<{ siteName?: string }> {
    return this.#run('authenticate', authenticateRoute, {}, options);
  }

  async #run<R>(operation: string, route: Route<R>, args: object, options: CallOptions | undefined): Promise<R> {
    const info = describeCall(operation, route);
    // A page query may carry the signal too.
    const pageSignal =
      !info.isWrite && 'signal' in args && args.signal instanceof AbortSignal ? args.signal : undefined;
    const { signal, release } = this.#combineSignals(options?.signal ?? pageSignal);
    try {
      if (signal.aborted) throw createApiError('aborted', info, { sent: false });
      const prepared = this.#prepare(operation, route, args, info);
      const key = await this.#readKey(info, signal);
      const call: CallContext = { info, prepared, key, quote: createQuote(key), signal };
      const answer = await this.#sendWithRetries(call);
      const reading: ReadContext = { operation, args: args as Arguments, profile: this.#profile, quote: call.quote };
      return readResponse(info, answer, route.read, reading);
    } finally {
      release();
    }
  }

  /** Combines the signals of the caller and the client. `release` removes the listeners from both. */
  #combineSignals(callerSignal: AbortSignal | undefined): {
    readonly signal: AbortSignal;
    readonly release: () => void;
  } {
    const combined = new AbortController();
    const sources = callerSignal === undefined ? [this.#closing.signal] : [this.#closing.signal, callerSignal];
    const abort = () => combined.abort();
    for (const source of sources) {
      if (source.aborted) abort();
      source.addEventListener('abort', abort);
    }
    return {
      signal: combined.signal,
      release: () => sources.forEach((source) => source.removeEventListener('abort', abort)),
    };
  }

  #prepare(operation: string, route: Route<unknown>, args: object, info: CallInfo): PreparedRequest {
    try {
      return prepareRequest(this.#profile, operation, route, args as Arguments);
    } catch (error) {
      if (error instanceof ArgumentError) throw createApiError('badArgument', info, { problem: error.message });
      throw error;
    }
  }

  async #readKey(info: CallInfo, signal: AbortSignal): Promise<string> {
    const source = this.#key;
    const createKeyError = (problem: string) => createApiError('noKey', info, { problem });
    let key: string | undefined;
    try {
      key = typeof source === 'function' ? await raceWithAbort(Promise.resolve(source()), signal) : source;
    } catch {
      throw signal.aborted
        ? createApiError('aborted', info, { sent: false })
        : createKeyError('the API key could not be read from where it is kept');
    }
    if (key === undefined || key.trim() === '') throw createKeyError('there is no API key');
    if (!/^[\x20-\x7e]+$/.test(key)) throw createKeyError('the API key holds characters that no key can have');
    return key;
  }

  async #sendWithRetries(call: CallContext): Promise<HttpResponse> {
    for (let attempts = 0; ; attempts++) {
      const attempt = await this.#sendOnce(call);
      const pause = call.info.isWrite ? undefined : getRetryDelay(attempt, attempts);
      if (pause === undefined) {
        if ('error' in attempt) throw attempt.error;
        return attempt.answer;
      }
      try {
        await this.#wait(pause, call.signal);
      } catch (error) {
        throw call.signal.aborted ? createApiError('aborted', call.info, { sent: false }) : error;
      }
      if (call.signal.aborted) throw createApiError('aborted', call.info, { sent: false });
    }
  }

  /** Sends one request. Reads follow redirects within the same origin. */
  async #sendOnce(call: CallContext): Promise<Attempt> {
    let path = `${this.#base.pathname.replace(/\/$/, '')}/index.php${call.prepared.query}`;
    for (let redirects = 0; ; redirects++) {
      let answer: HttpResponse;
      try {
        answer = await exchange(this.#getDispatcher(), this.#toWireRequest(call, path), this.#timeoutMs, call.signal);
      } catch (error) {
        if (error instanceof ExchangeFailure) return describeExchangeFailure(call.info, error);
        throw error;
      }
      if (!REDIRECT_STATUSES.has(answer.status)) return { answer };
      // The origin is prepended because a path that starts with two slashes would be parsed as a host.
      const target = resolveRedirect(answer, new URL(this.#base.origin + path), call.quote);
      if (call.info.isWrite || target.sameOriginPath === undefined || redirects === MAX_REDIRECTS) {
        const { location } = target;
        const error = createApiError(location === undefined ? 'redirectWithoutLocation' : 'moved', call.info, {
          status: answer.status,
          location,
        });
        return { error, retry: false };
      }
      path = target.sameOriginPath;
    }
  }

  #toWireRequest({ key, prepared }: CallContext, path: string): WireRequest {
    const headers = {
      'Api-Key': key,
      Accept: 'application/json',
      'Accept-Encoding': ACCEPT_ENCODING,
      'User-Agent': 'mailing-studio',
    };
    return {
      origin: this.#base.origin,
      path,
      method: prepared.method,
      headers: prepared.contentType === undefined ? headers : { ...headers, 'Content-Type': prepared.contentType },
      ...(prepared.body === undefined ? {} : { body: prepared.body }),
    };
  }

  #getDispatcher(): Dispatcher {
    return this.#sharedDispatcher ?? (this.#ownDispatcher ??= createDispatcher({ timeoutMs: this.#timeoutMs }));
  }
}

/** Returns the delay in milliseconds before a read is retried; undefined if it must not be retried. */
function getRetryDelay(attempt: Attempt, attempts: number): number | undefined {
  const pause = RETRY_DELAYS_MS[attempts];
  const isRetryable = 'error' in attempt ? attempt.retry : RETRIED_STATUSES.has(attempt.answer.status);
  if (!isRetryable || pause === undefined) return undefined;
  const retryAfterMs = 'error' in attempt ? undefined : getRetryAfterMs(attempt.answer, Date.now());
  if (retryAfterMs !== undefined) return retryAfterMs <= MAX_RETRY_DELAY_MS ? retryAfterMs : undefined;
  return pause * (0.75 + Math.random() / 2);
}

/** Returns the promise, or rejects with the reason of the signal as soon as it is aborted. */
export function raceWithAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

interface RedirectTarget {
  /** Path and query if the redirect stays on the same origin and does not contain the key. */
  readonly sameOriginPath?: string;
  /** Base URL of the target without query, user info and `index.php`, safe to display. */
  readonly location?: string;
}

/** Resolves the target of a redirect. Returns an empty object if `Location` is missing, invalid or not HTTP. */
function resolveRedirect(answer: Pick<HttpResponse, 'headers'>, from: URL, quote: Quote): RedirectTarget {
  const header = answer.headers.location;
  if (typeof header !== 'string' || header === '' || !URL.canParse(header, from.href)) return {};
  const target = new URL(header, from);
  if (target.protocol !== 'https:' && target.protocol !== 'http:') return {};
  const base = target.origin + trimToSitePath(target.pathname);
  const location = quote(base, 2000);
  const path = target.pathname + target.search;
  const isOwn = target.origin === from.origin && !containsKey(path, quote) && !containsKey(decodeEscapes(path), quote);
  return isOwn ? { sameOriginPath: path, location } : { location };
}

/** Decodes percent-escapes of ASCII characters and keeps invalid escapes. */
function decodeEscapes(path: string): string {
  return path.replace(/%([2-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** A request without its key. */
interface PreparedRequest {
  readonly method: Route<unknown>['method'];
  /** Includes the leading `?`. */
  readonly query: string;
  readonly contentType?: string;
  readonly body?: string;
}

type QueryPair = readonly [name: string, value: string];

function toQueryPairs(name: string, value: unknown): QueryPair[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'boolean') return [[name, value ? '1' : '0']];
  if (typeof value === 'string') return [[name, value]];
  if (typeof value === 'number' && Number.isFinite(value)) return [[name, String(value)]];
  throw new ArgumentError(`${name} is neither a number nor a text`);
}

/** Serialize query parameters. Spaces are written as `%20` and brackets as `%5B`, which every server decodes. */
const parameterWriters: Readonly<
  Record<
    QueryParameter['as'],
    (name: string, value: unknown, parameter: QueryParameter, profile: Profile) => QueryPair[]
  >
> = {
  value: toQueryPairs,
  list: (name, value) =>
    (Array.isArray(value) ? value : [value]).flatMap((item: unknown) => toQueryPairs(`${name}[]`, item)),
  map: (name, value, { rules }, profile) => {
    if (value === undefined || value === null) return [];
    if (!isObject(value)) throw new ArgumentError(`${name} is not an object`);
    return Object.entries(toWireFields(profile, value, rules)).flatMap(([key, item]) =>
      toQueryPairs(`${name}[${key}]`, item),
    );
  },
};

function encodeQuery(pairs: readonly QueryPair[]): string {
  return new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value]))
    .toString()
    .replaceAll('+', '%20');
}

const contentTypes: Readonly<Record<NonNullable<Route<unknown>['contentType']>, (profile: Profile) => string>> = {
  json: () => 'application/json',
  send: (profile) => profile.sendCampaignContentType,
};

/**
 * Builds the request of an operation from the API document and the profile: constants, `ctrl`, `task`, then the arguments that were passed.
 * Throws `ArgumentError`.
 */
function prepareRequest(profile: Profile, operation: string, route: Route<unknown>, args: Arguments): PreparedRequest {
  const isStyleB = route.family === 'followUps' && profile.followUpRouting === 'ctrl';
  const pairs: QueryPair[] = [
    ['page', profile.query.page],
    ['option', profile.query.option],
    ...(isStyleB ? [['ctrl', operation] as const] : [['ctrl', 'api'] as const, ['task', operation] as const]),
  ];
  for (const parameter of route.query ?? []) {
    const name =
      parameter.name === 'followUpFilters' ? profile.followUpFilters : (parameter.name ?? parameter.argument);
    pairs.push(...parameterWriters[parameter.as](name, args[parameter.argument], parameter, profile));
  }
  return {
    method: route.method,
    query: `?${encodeQuery(pairs)}`,
    contentType: route.contentType && contentTypes[route.contentType](profile),
    body: route.body && JSON.stringify(toWireFields(profile, args, route.body)),
  };
}
