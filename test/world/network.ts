import type { Dispatcher } from 'undici';
import type { Random } from './random.ts';
import type { Owner, Scheduler } from './scheduler.ts';
import type { Reply, Service, ServiceRequest } from './service.ts';

const MINUTE_MS = 60_000;

/** What happens to a request, and when. */
interface Course {
  /** When the service handles it, in ms after it was sent; undefined: never. */
  readonly handled?: number;
  /** When the response arrives; undefined: never. */
  readonly answered?: number;
  /** The response, if it isn't the service's. */
  readonly reply?: Reply;
  /** An error instead of a response. `beforeStart`: the request never left the machine. */
  readonly error?: string;
  readonly beforeStart?: true;
  /** The connection ends in the middle of the body. */
  readonly isCut?: true;
  /** How long the program hangs before it reads the response, in ms. */
  readonly hangs?: number;
}

const html = (status: number): Reply => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from('<html><body>The proxy is busy.</body></html>'),
});
const json = (status: number, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: Buffer.from(JSON.stringify({ message: `Status ${status}` })),
});

/** A long time after which a request that nobody waits for takes effect: minutes or hours. */
const drawLate = (random: Random) => Math.round((random.chance(0.5) ? 3 : 90) * MINUTE_MS * (0.2 + random.next()));

/** The faults of the network. Each describes the course of a request. */
export const networkFaults = {
  'is refused by the network': () => ({ answered: 2, error: 'ECONNREFUSED', beforeStart: true }),
  'gets lost': () => ({ answered: 40, error: 'ECONNRESET' }),
  'gets lost without an error': () => ({}),
  'succeeds, but its response gets lost': () => ({ handled: 20, answered: 40, error: 'ECONNRESET' }),
  'succeeds, but no response arrives': () => ({ handled: 20 }),
  'succeeds much later; its connection is lost': (random) => ({
    handled: drawLate(random),
    answered: 60,
    error: 'ECONNRESET',
  }),
  'succeeds much later; a proxy responds with 504': (random) => ({
    handled: drawLate(random),
    answered: 30_000,
    reply: html(504),
  }),
  'succeeds much later; no response arrives': (random) => ({ handled: drawLate(random) }),
  'is answered after 20 seconds': () => ({ handled: 19_900, answered: 20_000 }),
  'is answered, but its program hangs for minutes': (random) => ({
    handled: 20,
    answered: 40,
    hangs: Math.round((1 + 9 * random.next()) * MINUTE_MS),
  }),
  'succeeds, but a proxy responds with 502': () => ({ handled: 20, answered: 40, reply: html(502) }),
  'succeeds, but the service responds with 500': () => ({ handled: 20, answered: 40, reply: json(500) }),
  'succeeds, but a proxy responds with a page': () => ({ handled: 20, answered: 40, reply: html(200) }),
  'succeeds, but its response is cut': () => ({ handled: 20, answered: 40, isCut: true }),
  'is answered with 429': () => ({ answered: 20, reply: json(429, { 'retry-after': '2' }) }),
  'is answered with 500': () => ({ answered: 20, reply: json(500) }),
  'is answered with 503': () => ({ answered: 20, reply: json(503) }),
  'is answered with a page of a proxy': () => ({ answered: 20, reply: html(200) }),
} as const satisfies Readonly<Record<string, (random: Random) => Course>>;

export type NetworkFault = keyof typeof networkFaults;

/** A request that left a machine. */
export interface Traffic {
  readonly number: number;
  readonly user: NetworkUser;
  readonly operation: string;
  readonly request: ServiceRequest;
  /** In ms since the epoch. */
  readonly sentTime: number;
}

export interface NetworkUser extends Owner {
  readonly name: string;
  readonly random: Random;
  /** Returns the fault of its next request. */
  takeNetworkFault(operation: string): NetworkFault | undefined;
  /** Does nothing for a time, while other programs go on. */
  hang(ms: number): void;
}

export interface NetworkObserver {
  onSent(traffic: Traffic): void;
  /** `act` runs the operation on the service. */
  onHandled(traffic: Traffic, act: () => Promise<Reply>): Promise<Reply>;
  onAnswered(traffic: Traffic, reply: Reply): void;
}

/** Connects processes with the service. */
export class Network {
  readonly #scheduler: Scheduler;
  readonly #service: Service;
  readonly #observer: NetworkObserver;
  #count = 0;

  constructor(scheduler: Scheduler, service: Service, observer: NetworkObserver) {
    this.#scheduler = scheduler;
    this.#service = service;
    this.#observer = observer;
  }

  /** Returns the module `undici` for a process. */
  createModule(user: NetworkUser): object {
    const dispatch = this.#dispatch.bind(this, user);
    class Agent {
      readonly dispatch = dispatch;
      readonly destroy = (): Promise<void> => Promise.resolve();
      readonly close = (): Promise<void> => Promise.resolve();
    }
    return { Agent, EnvHttpProxyAgent: Agent, Pool: Agent, buildConnector: () => () => undefined };
  }

  #dispatch(user: NetworkUser, options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
    const { path, method, headers, body } = options;
    const request: ServiceRequest = {
      method,
      path,
      headers: headers as Record<string, string>,
      body: typeof body === 'string' ? body : '',
    };
    const operation = /[?&](?:ctrl=(?!api)|task=)(\w+)/u.exec(path)?.[1] ?? 'page';
    const fault = user.takeNetworkFault(operation);
    const course: Course =
      fault === undefined
        ? { handled: 10 + user.random.below(30), answered: 45 + user.random.below(60) }
        : networkFaults[fault](user.random);
    const state: { isAborted: boolean; reply: Reply | undefined } = { isAborted: false, reply: course.reply };
    const controller = {
      abort: (reason: Error) => {
        if (state.isAborted) return;
        state.isAborted = true;
        handler.onResponseError?.(controller, reason);
      },
      aborted: false,
      paused: false,
      reason: null,
      rawHeaders: [],
      rawTrailers: [],
      resume: () => undefined,
      pause: () => undefined,
    } as unknown as Dispatcher.DispatchController;
    const fail = (code: string) => {
      if (state.isAborted) return;
      state.isAborted = true;
      handler.onResponseError?.(controller, Object.assign(new Error(code), { code }));
    };
    if (course.beforeStart) {
      this.#scheduler.after(course.answered ?? 0, () => fail(course.error ?? ''), user);
      return true;
    }
    // The request leaves the machine in the same event in which its process learns of it.
    const start = () => {
      handler.onRequestStart?.(controller, null);
      if (state.isAborted) return;
      const number = (this.#count += 1);
      const traffic = { number, user, operation, request, sentTime: this.#scheduler.now };
      this.#observer.onSent(traffic);
      const respond = () => {
        if (state.isAborted) return;
        if (course.error !== undefined) return fail(course.error);
        const { reply } = state;
        if (reply === undefined) return fail('ECONNRESET');
        if (!course.isCut) this.#observer.onAnswered(traffic, reply);
        handler.onResponseStart?.(controller, reply.status, reply.headers, '');
        handler.onResponseData?.(
          controller,
          course.isCut ? reply.body.subarray(0, reply.body.length >> 1) : reply.body,
        );
        if (course.isCut) return fail('UND_ERR_SOCKET');
        state.isAborted = true;
        handler.onResponseEnd?.(controller, {});
      };
      const handle = async () => {
        const reply = await this.#observer.onHandled(traffic, () => this.#service.handle(request));
        state.reply ??= reply;
      };
      // The service handles a request even if its process ends.
      if (course.handled !== undefined) this.#scheduler.after(course.handled, () => void handle());
      const receive = () => {
        user.hang(course.hangs ?? 0);
        if (course.hangs === undefined) respond();
        else this.#scheduler.after(0, respond, user);
      };
      if (course.answered !== undefined) this.#scheduler.after(course.answered, receive, user);
    };
    this.#scheduler.after(1 + user.random.below(5), start, user);
    return true;
  }
}
