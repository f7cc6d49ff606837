import { composeSent } from '../../../src/email/sent/index.ts';
import {
  startSandbox as start,
  type Compose,
  type Query,
  type Sandbox as Service,
  type SandboxOptions as Options,
} from '../../../src/service/sandbox/index.ts';
import { answer } from '../../../src/service/sandbox/server.ts';
import { createFaults, type Faults } from './faults.ts';

export type { SandboxProfile } from '../../../src/service/sandbox/index.ts';
export type { FaultHandle, FaultRule, Faults } from './faults.ts';
export type { FaultKind } from './faultKinds.ts';

export type SandboxOptions = Omit<Options, 'compose' | 'intercept'>;

/** A received request without its API key. */
export interface RecordedRequest {
  /** Starts at 1. */
  readonly number: number;
  /** Name of the operation in the API document; null if the URL names none. */
  readonly operation: string | null;
  readonly method: string;
  /** Path and query as received. */
  readonly url: string;
  readonly query: Query;
  /** The parsed JSON body, or its text if it is not JSON. Undefined if there was none. */
  readonly body: unknown;
  /** The response status; null while pending or if there was no response. */
  readonly status: number | null;
  /** The fault that answered; null if the service did. */
  readonly fault: string | null;
}

/** The embedded service with configurable faults, a log of its requests, and a clock that can be advanced. */
export interface Sandbox extends Service {
  readonly faults: Faults;
  /** The newest requests since the start or the last reset, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Advances the clock by `ms` milliseconds and runs everything that falls due. */
  readonly clock: { advance(ms: number): void };
}

const MAX_REQUESTS = 2000;

/** Returns the text itself if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Composes in this thread. The extension host uses a worker. */
export const compose: Compose = async (email, options) => composeSent(email, options);

/** Starts a sandbox with faults. `reset` also removes the faults, the log and what the clock was advanced by. */
export async function startSandbox({ now = () => new Date(), ...options }: SandboxOptions): Promise<Sandbox> {
  const faults = createFaults();
  const requests: RecordedRequest[] = [];
  let lastNumber = 0;
  let offsetMs = 0;
  const service = await start({
    ...options,
    compose,
    now: () => new Date(now().getTime() + offsetMs),
    async intercept(exchange) {
      const { request, response, operation, query } = exchange;
      const fault = 'moved' in query ? undefined : faults.take(operation);
      const entry = {
        number: (lastNumber += 1),
        operation,
        method: request.method ?? '',
        url: request.url ?? '',
        query,
        body: undefined as unknown,
        get status() {
          return response.headersSent ? response.statusCode : null;
        },
        fault: fault?.kind ?? null,
      };
      requests.push(entry);
      if (requests.length > MAX_REQUESTS) requests.shift();
      const logged = {
        ...exchange,
        async read() {
          const text = await exchange.read();
          if (text !== '') entry.body = parseJson(text);
          return text;
        },
      };
      await (fault === undefined ? answer(logged) : faults.play(fault, logged));
    },
  });
  return {
    ...service,
    faults,
    requests,
    clock: {
      advance(ms) {
        offsetMs += ms;
        service.catchUp();
      },
    },
    reset() {
      faults.clear();
      requests.length = lastNumber = offsetMs = 0;
      service.reset();
    },
  };
}
