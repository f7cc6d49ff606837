import type { Dispatcher } from 'undici';
import { Caller } from './caller.ts';
import type { MailingClientOptions } from './client.ts';
import { isApiError, type ApiError } from './errors.ts';
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

/** Of several failures at one address, the one that says most: words of a service, then hints where it may be. */
function pickMostSpecific(errors: readonly ApiError[]): ApiError | undefined {
  return [...errors].sort((a, b) => b.info.specificity - a.info.specificity)[0];
}

/**
 * Finds out how the service at an address speaks, with the key it will be used with. Only reads. Rejects with the clearest `ApiError`:
 * no service there (`notJson`, `notFound`), not activated (`forbidden`), wrong key or expired licence (`unauthorized`), `redirect` with
 * its `location`, `tls`, `network`, `timeout`.
 */
export async function probe(options: ProbeOptions): Promise<ProbeResult> {
  const attempts: readonly [ProfileName, (caller: Caller) => Promise<{ siteName?: string }>][] = [
    [
      'documented',
      async (caller) => {
        await caller.probeLists({ signal: options.signal });
        return {};
      },
    ],
    ['acymailing', (caller) => caller.authenticate({ signal: options.signal })],
  ];
  const errors: ApiError[] = [];
  for (const [profile, attempt] of attempts) {
    const caller = new Caller({ ...options, profile });
    try {
      return { profile, ...(await attempt(caller)) };
    } catch (error) {
      if (!isApiError(error)) throw error;
      if (error.info.specificity === Infinity) throw error;
      errors.push(error);
    } finally {
      await caller.close();
    }
  }
  throw pickMostSpecific(errors);
}
