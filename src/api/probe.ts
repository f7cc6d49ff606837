import type { Dispatcher } from 'undici';
import type { MailingClientOptions } from './client.ts';
import { Caller } from './caller.ts';
import { isApiError } from './errors.ts';
import type { ApiError, ApiErrorKind } from './errors.ts';
import type { ProfileName } from './profiles.ts';

export interface ProbeOptions {
  readonly baseUrl: string;
  readonly apiKey: MailingClientOptions['apiKey'];
  readonly timeoutMs?: number;
  readonly dispatcher?: Dispatcher;
  readonly signal?: AbortSignal;
  readonly wait?: MailingClientOptions['wait'];
}

export interface ProbeResult {
  readonly profile: ProfileName;
  /** What the site calls itself, where it says so. Hostile text. */
  readonly siteName?: string;
}

/** Failures that no other profile can mend: the host was not reached, or the caller stopped. */
const final: ReadonlySet<ApiErrorKind> = new Set(['network', 'timeout', 'tls', 'aborted', 'rateLimited']);

/** Most telling first: words of a service, then hints where it may be, then what any web server says. */
const telling: readonly ApiErrorKind[] = ['unauthorized', 'forbidden', 'redirect', 'server', 'invalid', 'notJson', 'notFound'];

function moreTelling(errors: readonly ApiError[]): ApiError | undefined {
  const rank = (error: ApiError) => (telling.includes(error.kind) ? telling.indexOf(error.kind) : telling.length);
  return [...errors].sort((a, b) => rank(a) - rank(b))[0];
}

/**
 * Finds out how the service at an address speaks, with the key it will be used with. Only reads. Rejects with the most telling `ApiError`:
 * no service there (`notJson`, `notFound`), not activated (`forbidden`), wrong key or expired licence (`unauthorized`), `redirect` with
 * its `location`, `tls`, `network`, `timeout`.
 */
export async function probe(options: ProbeOptions): Promise<ProbeResult> {
  const attempts: readonly [ProfileName, (caller: Caller) => Promise<{ siteName?: string }>][] = [
    ['documented', async (caller) => {
      await caller.probeLists({ signal: options.signal });
      return {};
    }],
    ['acymailing', (caller) => caller.authenticate({ signal: options.signal })],
  ];
  const errors: ApiError[] = [];
  for (const [profile, attempt] of attempts) {
    const caller = new Caller({ ...options, profile });
    try {
      return { profile, ...await attempt(caller) };
    } catch (error) {
      if (!isApiError(error)) throw error;
      if (final.has(error.kind)) throw error;
      errors.push(error);
    } finally {
      await caller.close();
    }
  }
  throw moreTelling(errors);
}
