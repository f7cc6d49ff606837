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
  /** Name of the site, if reported. Untrusted text. */
  readonly siteName?: string;
}

/** Returns the most specific of several failures: messages of a service first, then hints about its address. */
function pickMostSpecific(errors: readonly ApiError[]): ApiError | undefined {
  return [...errors].sort((a, b) => b.info.specificity - a.info.specificity)[0];
}

/**
 * Detects the profile of the service at an address, using only reads. Rejects with the most specific `ApiError`: no service (`notJson`,
 * `notFound`), not activated (`forbidden`), wrong key or expired license (`unauthorized`), `redirect` with its `location`, `tls`, `network`
 * or `timeout`.
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
