import { isApiError } from '../../../service/client/errors.ts';
import type { CampaignStatistics } from '../../../service/client/index.ts';
import { errorText } from '../../../platform/ui/errors.ts';
import type { CampaignCard, CampaignRef, LoadState } from '../model.ts';
import type { ToPage } from '../protocol.ts';
import { createCampaignCard, type RecordState } from './cards.ts';
import { CANCELED_MESSAGE, RefreshableValue } from './refreshableValue.ts';
import { CampaignSource, isNotFound, type StatisticsConnections } from './source.ts';
import type { RefreshOutcome } from './refreshTimer.ts';

/** Why something is read: it comes into sight, the user asked for what is new, or it is watched. */
export type ReadCause = 'opened' | 'asked' | 'watched';

/** What came of a reading; `aborted` says nothing of the service. */
export type ReadOutcome = RefreshOutcome | 'aborted';

export type Post = (message: ToPage) => void;

/** So long a record that was read for its name serves the first reading, in ms. */
const RECORD_REUSE_MS = 10_000;

/** What a report is of. */
export type CampaignRefs = readonly [CampaignRef, ...CampaignRef[]];

/** One campaign of a report: its record and its figures. Reading never throws: why something failed is kept. */
export class ReportCampaign {
  readonly source: CampaignSource;
  readonly #services: StatisticsConnections;
  readonly #onCardChange: () => void;
  #recordState: RecordState = { kind: 'unread' };
  /** The reading of its record for its name, until it is told of in a reading of all. */
  #earlyRecordRead: { readonly outcome: Promise<RefreshOutcome>; readonly at: number } | undefined;
  #rows: readonly CampaignStatistics[] | undefined;
  #previousRows: readonly CampaignStatistics[] | undefined;
  #readAt: Date | undefined;
  #failure: { readonly message: string; readonly isGone: boolean } | undefined;

  /** @param changed is called when its card is another one */
  constructor(services: StatisticsConnections, ref: CampaignRef, changed: () => void) {
    this.#services = services;
    this.source = new CampaignSource(services, ref);
    this.#onCardChange = changed;
  }

  get card(): CampaignCard {
    return createCampaignCard(this.#services, this.source.ref, this.#recordState);
  }

  /** The last figures: one row for each version of the mail. */
  get rows(): readonly CampaignStatistics[] | undefined {
    return this.#rows;
  }

  /** Those of the reading before. */
  get previousRows(): readonly CampaignStatistics[] | undefined {
    return this.#previousRows;
  }

  /** When the last figures were read. */
  get readAt(): Date | undefined {
    return this.#readAt;
  }

  /** Why the figures could not be read the last time. */
  get failure(): { readonly message: string; readonly isGone: boolean } | undefined {
    return this.#failure;
  }

  readName(): void {
    if (this.#earlyRecordRead) return;
    const outcome = this.#readRecord(new AbortController().signal);
    this.#earlyRecordRead = { outcome, at: Date.now() };
    void outcome.then(() => {
      if (this.#recordState.kind !== 'read') this.#earlyRecordRead = undefined;
    });
  }

  readRecord(signal: AbortSignal): Promise<RefreshOutcome> {
    const naming = this.#earlyRecordRead;
    this.#earlyRecordRead = undefined;
    return naming !== undefined && Date.now() - naming.at < RECORD_REUSE_MS ? naming.outcome : this.#readRecord(signal);
  }

  /** `changed`: the figures are other ones than before. */
  async readFigures(signal: AbortSignal): Promise<{ readonly outcome: RefreshOutcome; readonly changed: boolean }> {
    try {
      const rows = await this.source.figures(signal);
      if (signal.aborted) return { outcome: 'done', changed: false };
      const changed = this.#rows !== undefined && JSON.stringify(rows) !== JSON.stringify(this.#rows);
      this.#previousRows = this.#rows;
      this.#rows = rows;
      this.#readAt = new Date();
      this.#failure = undefined;
      return { outcome: 'done', changed };
    } catch (error) {
      if (signal.aborted) return { outcome: 'done', changed: false };
      if (isNotFound(error)) this.#markDeleted();
      this.#failure = {
        message: isNotFound(error) ? 'It was deleted on the service.' : errorText(error),
        isGone: isNotFound(error),
      };
      return { outcome: classifyFailure(error), changed: false };
    }
  }

  async #readRecord(signal: AbortSignal): Promise<RefreshOutcome> {
    try {
      const campaign = await this.source.campaign(signal);
      if (!signal.aborted) this.#setRecordState({ kind: 'read', campaign });
    } catch (error) {
      if (signal.aborted) return 'done';
      // Its name is missing then, and nothing else: what matters is whether the figures can be read.
      if (!isNotFound(error)) return this.#services.get(this.source.ref.connection) === undefined ? 'over' : 'done';
      this.#markDeleted();
      return 'over';
    }
    return 'done';
  }

  #markDeleted(): void {
    this.#setRecordState({
      kind: 'gone',
      ...(this.#recordState.kind !== 'unread' && this.#recordState.campaign
        ? { campaign: this.#recordState.campaign }
        : {}),
    });
  }

  #setRecordState(known: RecordState): void {
    this.#recordState = known;
    this.#onCardChange();
  }
}

/** What is shown of a choice: the figures of one campaign, or those of several side by side. */
export abstract class BaseReport<Figures> {
  protected readonly campaigns: readonly [ReportCampaign, ...ReportCampaign[]];
  protected readonly figures: RefreshableValue<Figures>;
  #abort = new AbortController();

  constructor(
    services: StatisticsConnections,
    [first, ...others]: CampaignRefs,
    post: Post,
    changed: (figures: LoadState<Figures>) => void,
  ) {
    const reading = (ref: CampaignRef): ReportCampaign =>
      new ReportCampaign(services, ref, () => post({ type: 'cards', cards: this.cards }));
    this.campaigns = [reading(first), ...others.map(reading)];
    this.figures = new RefreshableValue(changed);
  }

  get cards(): readonly CampaignCard[] {
    return this.campaigns.map(({ card }) => card);
  }

  /** The last reading of the figures went well. */
  get isCurrent(): boolean {
    return this.figures.isCurrent;
  }

  /** Reads what the campaigns are called, for the tab's title also while another tab is in front. */
  readNames(): void {
    for (const campaign of this.campaigns) campaign.readName();
  }

  /** Tells the page all that is known. */
  publish(): void {
    this.figures.publish();
  }

  /** Reads it anew. What is being read already is given up. Never throws: what fails is told to the page. */
  async read(cause: ReadCause): Promise<ReadOutcome> {
    this.cancel();
    const { signal } = this.#abort;
    this.figures.start();
    const outcome = await this.readFromService(cause, signal);
    return signal.aborted ? 'aborted' : outcome;
  }

  /** What is being read is given up: what was there before holds. */
  cancel(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.figures.cancel();
  }

  /** What is known, as Markdown. Throws with the reason where nothing is. */
  async markdown(): Promise<string> {
    const { value, at, failure = CANCELED_MESSAGE } = this.figures;
    if (value === undefined || at === undefined) throw new Error(failure);
    return this.toMarkdown(value, at);
  }

  /** Ends with what is being read, as does each signal that is made of it. */
  protected get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** All figures were read, or could not be. */
  protected finishRead(): void {
    const failures = this.campaigns.flatMap(({ failure }) => failure ?? []);
    if (failures[0] && failures.length === this.campaigns.length) this.figures.fail(this.failureText(failures[0]));
    else this.figures.succeed(this.analyze());
  }

  protected failureText({ message }: { readonly message: string; readonly isGone: boolean }): string {
    return message;
  }

  protected abstract readFromService(cause: ReadCause, signal: AbortSignal): Promise<RefreshOutcome>;
  protected abstract analyze(): Figures;
  protected abstract toMarkdown(figures: Figures, at: string): Promise<string>;
}

/** What a failed reading of the figures means for those who watch them. */
function classifyFailure(error: unknown): RefreshOutcome {
  if (isNotFound(error)) return 'over';
  return isApiError(error) && (error.kind === 'unauthorized' || error.kind === 'forbidden') ? 'over' : 'failed';
}

const outcomesBySeverity: readonly RefreshOutcome[] = ['done', 'failed', 'over'];

export function getWorstOutcome(outcomes: readonly RefreshOutcome[]): RefreshOutcome {
  return outcomesBySeverity[Math.max(0, ...outcomes.map((outcome) => outcomesBySeverity.indexOf(outcome)))] ?? 'done';
}
