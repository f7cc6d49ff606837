import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { readAnswer, retryAfter } from './answer.ts';
import { normalizeBaseUrl } from './baseUrl.ts';
import { ACCEPT_ENCODING } from './body.ts';
import { DEFAULT_TIMEOUT_MS, createDispatcher } from './dispatcher.ts';
import { ExchangeFailure, exchange } from './exchange.ts';
import type { Answer, WireRequest } from './exchange.ts';
import { exchangeFailure, failure } from './failures.ts';
import type { CallInfo } from './failures.ts';
import { ApiError } from './errors.ts';
import type { Arguments, ExtraName, ExtraResults, OperationName, Results } from './operations.ts';
import { profiles } from './profiles.ts';
import type { Profile, ProfileName } from './profiles.ts';
import { redirectTarget } from './redirect.ts';
import { prepare } from './request.ts';
import type { Prepared } from './request.ts';
import type { CallOptions } from './requests.ts';
import type { Reading } from './results.ts';
import { authenticate, extraRoutes, probedLists, routes } from './routes.ts';
import type { Route } from './routes.ts';
import { quoter } from './text.ts';
import type { Quote } from './text.ts';
import { ArgumentError } from './translate.ts';

/** Pauses before a read is repeated, in ms; up to a quarter is added or taken, so that many clients do not come back at once. */
const PAUSES_MS = [300, 900];
/** A service that asks for a longer pause than this gets no second request. */
const LONGEST_PAUSE_MS = 30_000;
const REPEATED_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 3;
/** Timers of Node that are set to more fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

export interface MailingClientOptions {
  /** Address of the site, with its path where it has one: `https://host/site`. No query, fragment or user-info. */
  readonly baseUrl: string;
  /** The key, or a function that is asked for it before every request. */
  readonly apiKey: string | (() => string | undefined | Promise<string | undefined>);
  /** Default `documented`. */
  readonly profile?: ProfileName | Profile;
  /** Milliseconds for each of: to connect, until the answer begins, until it ends. Default 30,000. */
  readonly timeoutMs?: number;
  /** Connections shared with others (see `createDispatcher`). Its owner closes it. Without one the client makes its own. */
  readonly dispatcher?: Dispatcher;
  /** How the pause before a read is repeated is waited for; tests pass their own. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** What one attempt came to: an answer, or why there is none. */
type Attempt = { readonly answer: Answer } | { readonly error: ApiError; readonly retry: boolean };

/** What is the same for all requests of one call. */
interface Call {
  readonly info: CallInfo;
  readonly prepared: Prepared;
  readonly key: string;
  readonly quote: Quote;
  readonly signal: AbortSignal;
}

function infoOf(operation: string, route: Route<unknown>): CallInfo {
  return { operation, doing: route.doing, noun: route.noun, write: route.method !== 'GET' };
}

function profileOf(profile: MailingClientOptions['profile'] = 'documented'): Profile {
  if (typeof profile === 'object') return profile;
  if (Object.hasOwn(profiles, profile)) return profiles[profile];
  throw new ApiError({
    kind: 'invalid', reason: 'badSetting', operation: 'connect', outcome: 'refused',
    message: `The profile of this connection is not known: choose one of ${Object.keys(profiles).join(', ')}.`,
  });
}

/** Walks the table of routes: makes an operation's request, sends it by the rules of reads and writes, and reads its answer. */
export class Caller {
  readonly #base: URL;
  readonly #key: MailingClientOptions['apiKey'];
  readonly #profile: Profile;
  readonly #timeoutMs: number;
  readonly #wait: NonNullable<MailingClientOptions['wait']>;
  readonly #closed = new AbortController();
  readonly #shared: Dispatcher | undefined;
  #own: Dispatcher | undefined;

  constructor(options: MailingClientOptions) {
    this.#base = new URL(normalizeBaseUrl(options.baseUrl));
    this.#key = options.apiKey;
    this.#profile = profileOf(options.profile);
    this.#timeoutMs = Math.min(Math.max(1, options.timeoutMs ?? DEFAULT_TIMEOUT_MS), LONGEST_TIMER_MS);
    this.#wait = options.wait ?? ((ms, signal) => sleep(ms, undefined, { signal }));
    this.#shared = options.dispatcher;
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#own?.destroy();
  }

  call<N extends OperationName>(operation: N, args: object, options?: CallOptions): Promise<Results[N]> {
    return this.#run<Results[N]>(operation, routes[operation], args, options);
  }

  /** Rejects without a request where the profile has no such operation. */
  async callExtra<N extends ExtraName>(operation: N, args: object, options?: CallOptions): Promise<ExtraResults[N]> {
    const route = extraRoutes[operation];
    if (!this.#profile.extras.includes(operation)) {
      const what = `services of the profile “${this.#profile.name}” have no operation ${operation}`;
      throw failure('badArgument', infoOf(operation, route), { what, sent: false });
    }
    return this.#run<ExtraResults[N]>(operation, route, args, options);
  }

  /** Throws `ApiError` where no mailing service of the documented profile answers. */
  probeLists(options?: CallOptions): Promise<void> {
    return this.#run('getLists', probedLists, { limit: 1 }, options);
  }

  authenticate(options?: CallOptions): Promise<{ siteName?: string }> {
    return this.#run('authenticate', authenticate, {}, options);
  }

  async #run<R>(operation: string, route: Route<R>, args: object, options: CallOptions | undefined): Promise<R> {
    const info = infoOf(operation, route);
    // A page may carry the signal as well.
    const inPage = !info.write && 'signal' in args && args.signal instanceof AbortSignal ? args.signal : undefined;
    const { signal, release } = this.#signal(options?.signal ?? inPage);
    try {
      if (signal.aborted) throw failure('aborted', info, { sent: false });
      const prepared = this.#prepare(operation, route, args, info);
      const key = await this.#readKey(info, signal);
      const call: Call = { info, prepared, key, quote: quoter(key), signal };
      const answer = await this.#answer(call);
      const reading: Reading = { operation, args: args as Arguments, profile: this.#profile, quote: call.quote };
      return readAnswer(info, answer, route.read, reading);
    } finally {
      release();
    }
  }

  /** One signal for the caller's and the client's end, without a listener left behind on either. */
  #signal(own: AbortSignal | undefined): { readonly signal: AbortSignal; readonly release: () => void } {
    const either = new AbortController();
    const sources = own === undefined ? [this.#closed.signal] : [this.#closed.signal, own];
    const abort = () => either.abort();
    for (const source of sources) {
      if (source.aborted) abort();
      source.addEventListener('abort', abort);
    }
    return { signal: either.signal, release: () => sources.forEach((source) => source.removeEventListener('abort', abort)) };
  }

  #prepare(operation: string, route: Route<unknown>, args: object, info: CallInfo): Prepared {
    try {
      return prepare(this.#profile, operation, route, args as Arguments);
    } catch (error) {
      if (error instanceof ArgumentError) throw failure('badArgument', info, { what: error.message });
      throw error;
    }
  }

  async #readKey(info: CallInfo, signal: AbortSignal): Promise<string> {
    const source = this.#key;
    const unusable = (what: string) => failure('noKey', info, { what });
    let key: string | undefined;
    try {
      key = typeof source === 'function' ? await untilAborted(Promise.resolve(source()), signal) : source;
    } catch {
      throw signal.aborted ? failure('aborted', info, { sent: false }) : unusable('the API key could not be read from where it is kept');
    }
    if (key === undefined || key.trim() === '') throw unusable('there is no API key');
    if (!/^[\x20-\x7e]+$/.test(key)) throw unusable('the API key holds characters that no key can have');
    return key;
  }

  /** Repeats what may be repeated, until there is an answer to be read. */
  async #answer(call: Call): Promise<Answer> {
    for (let repeated = 0; ; repeated++) {
      const attempt = await this.#attempt(call);
      const pause = call.info.write ? undefined : pauseAfter(attempt, repeated);
      if (pause === undefined) {
        if ('error' in attempt) throw attempt.error;
        return attempt.answer;
      }
      try {
        await this.#wait(pause, call.signal);
      } catch (error) {
        throw call.signal.aborted ? failure('aborted', call.info, { sent: false }) : error;
      }
      if (call.signal.aborted) throw failure('aborted', call.info, { sent: false });
    }
  }

  /** One request, and for reads the redirects that stay on the service's own origin. */
  async #attempt(call: Call): Promise<Attempt> {
    let path = `${this.#base.pathname.replace(/\/$/, '')}/index.php${call.prepared.query}`;
    for (let followed = 0; ; followed++) {
      let answer: Answer;
      try {
        answer = await exchange(this.#dispatcher(), this.#wire(call, path), this.#timeoutMs, call.signal);
      } catch (error) {
        if (error instanceof ExchangeFailure) return exchangeFailure(call.info, error);
        throw error;
      }
      if (!REDIRECTS.has(answer.status)) return { answer };
      // A path that begins with two slashes would be read as another host, were it not for the origin before it.
      const target = redirectTarget(answer, new URL(this.#base.origin + path), call.quote);
      if (call.info.write || target.sameOriginPath === undefined || followed === MAX_REDIRECTS) {
        const { location } = target;
        const error = failure(location === undefined ? 'movedNowhere' : 'moved', call.info, { status: answer.status, location });
        return { error, retry: false };
      }
      path = target.sameOriginPath;
    }
  }

  #wire({ key, prepared }: Call, path: string): WireRequest {
    const headers = { 'Api-Key': key, Accept: 'application/json', 'Accept-Encoding': ACCEPT_ENCODING, 'User-Agent': 'mailing-studio' };
    return {
      origin: this.#base.origin,
      path,
      method: prepared.method,
      headers: prepared.contentType === undefined ? headers : { ...headers, 'Content-Type': prepared.contentType },
      ...(prepared.body === undefined ? {} : { body: prepared.body }),
    };
  }

  #dispatcher(): Dispatcher {
    return this.#shared ?? (this.#own ??= createDispatcher({ timeoutMs: this.#timeoutMs }));
  }
}

/** Milliseconds before a read is repeated, undefined where it is not. */
function pauseAfter(attempt: Attempt, repeated: number): number | undefined {
  const pause = PAUSES_MS[repeated];
  const again = 'error' in attempt ? attempt.retry : REPEATED_STATUSES.has(attempt.answer.status);
  if (!again || pause === undefined) return undefined;
  const asked = 'error' in attempt ? undefined : retryAfter(attempt.answer, Date.now());
  if (asked !== undefined) return asked <= LONGEST_PAUSE_MS ? asked : undefined;
  return pause * (0.75 + Math.random() / 2);
}

/** A promise, given up when the signal is aborted. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Error('aborted'));
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
