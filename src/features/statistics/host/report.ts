import { isApiError } from '../../../service/client/errors.ts';
import type { CampaignStatistics } from '../../../service/client/index.ts';
import { errorText } from '../../../platform/ui/errors.ts';
import type { CampaignCard, CampaignRef, Reading } from '../model.ts';
import type { ToPage } from '../protocol.ts';
import { cardOf, type Known } from './cards.ts';
import { cancelledMessage, ReadingState } from './readingState.ts';
import { CampaignSource, isGone, type Services } from './source.ts';
import type { WatchOutcome } from './watch.ts';

/** Why something is read: it comes into sight, the user asked for what is new, or it is watched. */
export type Cause = 'opened' | 'asked' | 'watched';

/** What came of a reading; `aborted` says nothing of the service. */
export type Outcome = WatchOutcome | 'aborted';

export type Post = (message: ToPage) => void;

/** So long a record that was read for its name serves the first reading, in ms. */
const nameIsNewMs = 10_000;

/** What a report is of. */
export type Campaigns = readonly [CampaignRef, ...CampaignRef[]];

/** One campaign of a report: its record and its figures. Reading never throws: why something failed is kept. */
export class CampaignReading {
  readonly source: CampaignSource;
  readonly #services: Services;
  readonly #changed: () => void;
  #known: Known = { kind: 'unread' };
  /** The reading of its record for its name, until it is told of in a reading of all. */
  #naming: { readonly outcome: Promise<WatchOutcome>; readonly at: number } | undefined;
  #rows: readonly CampaignStatistics[] | undefined;
  #before: readonly CampaignStatistics[] | undefined;
  #at: Date | undefined;
  #failure: { readonly message: string; readonly isGone: boolean } | undefined;

  /** @param changed is called when its card is another one */
  constructor(services: Services, ref: CampaignRef, changed: () => void) {
    this.#services = services;
    this.source = new CampaignSource(services, ref);
    this.#changed = changed;
  }

  get card(): CampaignCard {
    return cardOf(this.#services, this.source.ref, this.#known);
  }

  /** The last figures: one row for each version of the mail. */
  get rows(): readonly CampaignStatistics[] | undefined {
    return this.#rows;
  }

  /** Those of the reading before. */
  get before(): readonly CampaignStatistics[] | undefined {
    return this.#before;
  }

  /** When the last figures were read. */
  get at(): Date | undefined {
    return this.#at;
  }

  /** Why the figures could not be read the last time. */
  get failure(): { readonly message: string; readonly isGone: boolean } | undefined {
    return this.#failure;
  }

  readName(): void {
    if (this.#naming) return;
    const outcome = this.#readRecord(new AbortController().signal);
    this.#naming = { outcome, at: Date.now() };
    void outcome.then(() => {
      if (this.#known.kind !== 'read') this.#naming = undefined;
    });
  }

  readRecord(signal: AbortSignal): Promise<WatchOutcome> {
    const naming = this.#naming;
    this.#naming = undefined;
    return naming !== undefined && Date.now() - naming.at < nameIsNewMs ? naming.outcome : this.#readRecord(signal);
  }

  /** `changed`: the figures are other ones than before. */
  async readFigures(signal: AbortSignal): Promise<{ readonly outcome: WatchOutcome; readonly changed: boolean }> {
    try {
      const rows = await this.source.figures(signal);
      if (signal.aborted) return { outcome: 'done', changed: false };
      const changed = this.#rows !== undefined && JSON.stringify(rows) !== JSON.stringify(this.#rows);
      this.#before = this.#rows;
      this.#rows = rows;
      this.#at = new Date();
      this.#failure = undefined;
      return { outcome: 'done', changed };
    } catch (error) {
      if (signal.aborted) return { outcome: 'done', changed: false };
      if (isGone(error)) this.#gone();
      this.#failure = {
        message: isGone(error) ? 'It was deleted on the service.' : errorText(error),
        isGone: isGone(error),
      };
      return { outcome: outcomeOf(error), changed: false };
    }
  }

  async #readRecord(signal: AbortSignal): Promise<WatchOutcome> {
    try {
      const campaign = await this.source.campaign(signal);
      if (!signal.aborted) this.#know({ kind: 'read', campaign });
    } catch (error) {
      if (signal.aborted) return 'done';
      // Its name is missing then, and nothing else: what matters is whether the figures can be read.
      if (!isGone(error)) return this.#services.get(this.source.ref.connection) === undefined ? 'over' : 'done';
      this.#gone();
      return 'over';
    }
    return 'done';
  }

  #gone(): void {
    this.#know({
      kind: 'gone',
      ...(this.#known.kind !== 'unread' && this.#known.campaign ? { campaign: this.#known.campaign } : {}),
    });
  }

  #know(known: Known): void {
    this.#known = known;
    this.#changed();
  }
}

/** What is shown of a choice: the figures of one campaign, or those of several side by side. */
export abstract class Report<Figures> {
  protected readonly campaigns: readonly [CampaignReading, ...CampaignReading[]];
  protected readonly figures: ReadingState<Figures>;
  #reading = new AbortController();

  constructor(
    services: Services,
    [first, ...others]: Campaigns,
    post: Post,
    changed: (figures: Reading<Figures>) => void,
  ) {
    const reading = (ref: CampaignRef): CampaignReading =>
      new CampaignReading(services, ref, () => post({ type: 'cards', cards: this.cards }));
    this.campaigns = [reading(first), ...others.map(reading)];
    this.figures = new ReadingState(changed);
  }

  get cards(): readonly CampaignCard[] {
    return this.campaigns.map(({ card }) => card);
  }

  /** The last reading of the figures went well. */
  get isKnown(): boolean {
    return this.figures.isKnown;
  }

  /** Reads what the campaigns are called, for the tab's title also while another tab is in front. */
  readNames(): void {
    for (const campaign of this.campaigns) campaign.readName();
  }

  /** Tells the page all that is known. */
  replay(): void {
    this.figures.replay();
  }

  /** Reads it anew. What is being read already is given up. Never throws: what fails is told to the page. */
  async read(cause: Cause): Promise<Outcome> {
    this.giveUp();
    const { signal } = this.#reading;
    this.figures.start();
    const outcome = await this.readAnew(cause, signal);
    return signal.aborted ? 'aborted' : outcome;
  }

  /** What is being read is given up: what was there before holds. */
  giveUp(): void {
    this.#reading.abort();
    this.#reading = new AbortController();
    this.figures.giveUp();
  }

  /** What is known, as Markdown. Throws with the reason where nothing is. */
  async markdown(): Promise<string> {
    const { value, at, failure = cancelledMessage } = this.figures;
    if (value === undefined || at === undefined) throw new Error(failure);
    return this.toMarkdown(value, at);
  }

  /** Ends with what is being read, as does each signal that is made of it. */
  protected get signal(): AbortSignal {
    return this.#reading.signal;
  }

  /** All figures were read, or could not be. */
  protected settle(): void {
    const failures = this.campaigns.flatMap(({ failure }) => failure ?? []);
    if (failures[0] && failures.length === this.campaigns.length) this.figures.fail(this.failureText(failures[0]));
    else this.figures.settle(this.analyse());
  }

  protected failureText({ message }: { readonly message: string; readonly isGone: boolean }): string {
    return message;
  }

  protected abstract readAnew(cause: Cause, signal: AbortSignal): Promise<WatchOutcome>;
  protected abstract analyse(): Figures;
  protected abstract toMarkdown(figures: Figures, at: string): Promise<string>;
}

/** What a failed reading of the figures means for those who watch them. */
function outcomeOf(error: unknown): WatchOutcome {
  if (isGone(error)) return 'over';
  return isApiError(error) && (error.kind === 'unauthorized' || error.kind === 'forbidden') ? 'over' : 'failed';
}

const order: readonly WatchOutcome[] = ['done', 'failed', 'over'];

export function worst(outcomes: readonly WatchOutcome[]): WatchOutcome {
  return order[Math.max(0, ...outcomes.map((outcome) => order.indexOf(outcome)))] ?? 'done';
}
