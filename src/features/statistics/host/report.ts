import { isApiError } from '../../../service/client/errors.ts';
import type { CampaignStatistics } from '../../../service/client/index.ts';
import { errorText } from '../../../platform/ui/errors.ts';
import type { CampaignCard, CampaignRef, LoadState } from '../model.ts';
import type { ToPage } from '../protocol.ts';
import { createCampaignCard, type RecordState } from './cards.ts';
import { CANCELED_MESSAGE, RefreshableValue } from './refreshableValue.ts';
import { CampaignSource, isNotFound, type StatisticsConnections } from './source.ts';
import type { RefreshOutcome } from './refreshTimer.ts';

/** Why a report is read: its page became visible, the user requested a refresh, or the refresh timer fired. */
export type ReadCause = 'opened' | 'requested' | 'scheduled';

/** The outcome of a read. `aborted` implies nothing about the service. */
export type ReadOutcome = RefreshOutcome | 'aborted';

export type Post = (message: ToPage) => void;

/** The first read reuses a record that was read for its name if it isn't older. */
const RECORD_REUSE_MS = 10_000;

export type CampaignRefs = readonly [CampaignRef, ...CampaignRef[]];

/** A campaign of a report, with its record and figures. Reading never throws; `failure` has the last error. */
export class ReportCampaign {
  readonly source: CampaignSource;
  readonly #services: StatisticsConnections;
  readonly #onCardChange: () => void;
  #recordState: RecordState = { kind: 'unread' };
  /** A read of the record for its name that no full read has used yet. */
  #earlyRecordRead: { readonly outcome: Promise<RefreshOutcome>; readonly at: number } | undefined;
  #rows: readonly CampaignStatistics[] | undefined;
  #previousRows: readonly CampaignStatistics[] | undefined;
  #readAt: Date | undefined;
  #failure: { readonly message: string; readonly isGone: boolean } | undefined;

  /** @param onChange called when the card changes */
  constructor(services: StatisticsConnections, ref: CampaignRef, onChange: () => void) {
    this.#services = services;
    this.source = new CampaignSource(services, ref);
    this.#onCardChange = onChange;
  }

  get card(): CampaignCard {
    return createCampaignCard(this.#services, this.source.ref, this.#recordState);
  }

  /** The last figures: one row for each version of the email. */
  get rows(): readonly CampaignStatistics[] | undefined {
    return this.#rows;
  }

  /** The figures of the read before the last. */
  get previousRows(): readonly CampaignStatistics[] | undefined {
    return this.#previousRows;
  }

  get readAt(): Date | undefined {
    return this.#readAt;
  }

  /** Why the last read of the figures failed. */
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
    const earlyRead = this.#earlyRecordRead;
    this.#earlyRecordRead = undefined;
    return earlyRead !== undefined && Date.now() - earlyRead.at < RECORD_REUSE_MS
      ? earlyRead.outcome
      : this.#readRecord(signal);
  }

  /** Reads the figures. `hasChanged`: they differ from the last ones. */
  async readFigures(signal: AbortSignal): Promise<{ readonly outcome: RefreshOutcome; readonly hasChanged: boolean }> {
    try {
      const rows = await this.source.figures(signal);
      if (signal.aborted) return { outcome: 'succeeded', hasChanged: false };
      const hasChanged = this.#rows !== undefined && JSON.stringify(rows) !== JSON.stringify(this.#rows);
      this.#previousRows = this.#rows;
      this.#rows = rows;
      this.#readAt = new Date();
      this.#failure = undefined;
      return { outcome: 'succeeded', hasChanged };
    } catch (error) {
      if (signal.aborted) return { outcome: 'succeeded', hasChanged: false };
      if (isNotFound(error)) this.#markDeleted();
      this.#failure = {
        message: isNotFound(error) ? 'It was deleted on the service.' : errorText(error),
        isGone: isNotFound(error),
      };
      return { outcome: classifyFailure(error), hasChanged: false };
    }
  }

  async #readRecord(signal: AbortSignal): Promise<RefreshOutcome> {
    try {
      const campaign = await this.source.campaign(signal);
      if (!signal.aborted) this.#setRecordState({ kind: 'read', campaign });
    } catch (error) {
      if (signal.aborted) return 'succeeded';
      // Only the name depends on the record. The figures decide whether refreshing continues.
      if (!isNotFound(error))
        return this.#services.get(this.source.ref.connection) === undefined ? 'stopped' : 'succeeded';
      this.#markDeleted();
      return 'stopped';
    }
    return 'succeeded';
  }

  #markDeleted(): void {
    this.#setRecordState({
      kind: 'deleted',
      ...(this.#recordState.kind !== 'unread' && this.#recordState.campaign
        ? { campaign: this.#recordState.campaign }
        : {}),
    });
  }

  #setRecordState(recordState: RecordState): void {
    this.#recordState = recordState;
    this.#onCardChange();
  }
}

/** The figures of the selected campaigns. */
export abstract class BaseReport<Figures> {
  protected readonly campaigns: readonly [ReportCampaign, ...ReportCampaign[]];
  protected readonly figures: RefreshableValue<Figures>;
  #abort = new AbortController();

  constructor(
    services: StatisticsConnections,
    [first, ...others]: CampaignRefs,
    post: Post,
    onChange: (figures: LoadState<Figures>) => void,
  ) {
    const createCampaign = (ref: CampaignRef): ReportCampaign =>
      new ReportCampaign(services, ref, () => post({ type: 'cards', cards: this.cards }));
    this.campaigns = [createCampaign(first), ...others.map(createCampaign)];
    this.figures = new RefreshableValue(onChange);
  }

  get cards(): readonly CampaignCard[] {
    return this.campaigns.map(({ card }) => card);
  }

  /** Whether the last read of the figures succeeded. */
  get isCurrent(): boolean {
    return this.figures.isCurrent;
  }

  /** Reads the campaigns' names, which the tab's title needs even while the tab is hidden. */
  readNames(): void {
    for (const campaign of this.campaigns) campaign.readName();
  }

  /** Posts the current state to the page. */
  publish(): void {
    this.figures.publish();
  }

  /** Reads the report and cancels a running read. Never throws; errors are posted to the page. */
  async read(cause: ReadCause): Promise<ReadOutcome> {
    this.cancel();
    const { signal } = this.#abort;
    this.figures.start();
    const outcome = await this.readFromService(cause, signal);
    return signal.aborted ? 'aborted' : outcome;
  }

  /** Cancels a running read and keeps the last values. */
  cancel(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.figures.cancel();
  }

  /** Returns the last figures as Markdown. Throws the reason if there are none. */
  async markdown(): Promise<string> {
    const { value, at, failure = CANCELED_MESSAGE } = this.figures;
    if (value === undefined || at === undefined) throw new Error(failure);
    return this.toMarkdown(value, at);
  }

  /** Aborted when the running read is canceled. */
  protected get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Publishes the figures or the failure after all campaigns were read. */
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

/** Returns whether refreshing continues after a failed read of the figures. */
function classifyFailure(error: unknown): RefreshOutcome {
  if (isNotFound(error)) return 'stopped';
  return isApiError(error) && (error.kind === 'unauthorized' || error.kind === 'forbidden') ? 'stopped' : 'failed';
}

const outcomesBySeverity: readonly RefreshOutcome[] = ['succeeded', 'failed', 'stopped'];

export function getWorstOutcome(outcomes: readonly RefreshOutcome[]): RefreshOutcome {
  return (
    outcomesBySeverity[Math.max(0, ...outcomes.map((outcome) => outcomesBySeverity.indexOf(outcome)))] ?? 'succeeded'
  );
}
