import type { Row } from '../model.ts';
import type { RecipientReader } from './recipients.ts';
import type { CampaignSource } from './source.ts';

/** What the service gives as a whole: it is read once, and sliced for the tables. */
export type WholeName = 'clicks' | 'links';

interface Whole {
  readonly rows: Promise<readonly Row[]>;
  failed: boolean;
}

/** The records of one campaign as they are between two refreshes. Who reads them first has them read; all others are given the same. */
export class Records {
  readonly #source: CampaignSource;
  readonly #wholes = new Map<WholeName, Whole>();
  #recipients: RecipientReader;
  #end = new AbortController();

  constructor(source: CampaignSource) {
    this.#source = source;
    this.#recipients = source.recipients();
  }

  get recipients(): RecipientReader {
    return this.#recipients;
  }

  /** Throws what the reading throws, also to those who come later, unless they want it to be tried `again`. */
  whole(name: WholeName, again: boolean = false): Promise<readonly Row[]> {
    const known = this.#wholes.get(name);
    if (known && !(known.failed && again)) return known.rows;
    const rows = this.#source[name](this.#end.signal);
    const whole: Whole = { rows, failed: false };
    this.#wholes.set(name, whole);
    rows.catch(() => {
      whole.failed = true;
    });
    return rows;
  }

  /** Ends what is being read; what is there stays. */
  giveUp(): void {
    this.#end.abort();
    this.#end = new AbortController();
  }

  /** Everything is to be read anew. */
  renew(): void {
    this.giveUp();
    this.#wholes.clear();
    this.#recipients = this.#source.recipients();
  }
}
