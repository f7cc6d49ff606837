import { getCampaignName, describeCampaignState } from '../../campaigns/wording.ts';
import { isApiError } from '../../../service/client/errors.ts';
import type { Campaign, CampaignStatistics } from '../../../service/client/index.ts';
import { errorText } from '../../../platform/ui/errors.ts';
import { toSingleLine } from '../../../platform/ui/text.ts';
import { compareCampaigns } from '../analysis/comparison.ts';
import { comparisonMarkdown } from '../analysis/markdown.ts';
import type { CampaignCard, CampaignRef, Comparison, LoadState } from '../model.ts';
import type { ToPage } from '../protocol.ts';
import { CANCELED_MESSAGE, formatReadTime, RefreshableValue, type RefreshOutcome } from './refresh.ts';
import { CampaignSource, isNotFound, type StatisticsConnections } from './source.ts';

/** Why a report is read: its page became visible, the user requested a refresh, or the refresh timer fired. */
export type ReadCause = 'opened' | 'requested' | 'scheduled';

export type Post = (message: ToPage) => void;

/** The first read reuses a record that was read for its name if it isn't older. */
const RECORD_REUSE_MS = 10_000;

/** A campaign of a report, with its record and figures. Reading never throws; `failure` has the last error. */
export class ReportCampaign {
  readonly source: CampaignSource;
  /** The last figures: one row for each version of the email. */
  rows: readonly CampaignStatistics[] | undefined;
  /** The figures of the read before the last. */
  previousRows: readonly CampaignStatistics[] | undefined;
  readAt: Date | undefined;
  /** Why the last read of the figures failed. */
  failure: string | undefined;
  isDeleted = false;
  readonly #services: StatisticsConnections;
  readonly #onCardChange: () => void;
  #record: Campaign | undefined;
  /** A read of the record for its name that no full read has used yet. */
  #earlyRecordRead: { readonly outcome: Promise<RefreshOutcome>; readonly at: number } | undefined;

  constructor(services: StatisticsConnections, ref: CampaignRef, onCardChange: () => void) {
    this.#services = services;
    this.source = new CampaignSource(services, ref);
    this.#onCardChange = onCardChange;
  }

  get card(): CampaignCard {
    return createCampaignCard(this.#services, this.source.ref, this.#record, this.isDeleted);
  }

  readName(): void {
    if (this.#earlyRecordRead) return;
    const outcome = this.#readRecord(new AbortController().signal);
    this.#earlyRecordRead = { outcome, at: Date.now() };
    void outcome.then(() => {
      if (this.#record === undefined || this.isDeleted) this.#earlyRecordRead = undefined;
    });
  }

  readRecord(signal: AbortSignal): Promise<RefreshOutcome> {
    const earlyRead = this.#earlyRecordRead;
    this.#earlyRecordRead = undefined;
    return earlyRead !== undefined && Date.now() - earlyRead.at < RECORD_REUSE_MS
      ? earlyRead.outcome
      : this.#readRecord(signal);
  }

  async readFigures(signal: AbortSignal): Promise<RefreshOutcome> {
    try {
      const rows = await this.source.figures(signal);
      if (signal.aborted) return 'succeeded';
      this.previousRows = this.rows;
      this.rows = rows;
      this.readAt = new Date();
      this.failure = undefined;
      return 'succeeded';
    } catch (error) {
      if (signal.aborted) return 'succeeded';
      if (isNotFound(error)) this.#setRecord(this.#record, true);
      this.failure = isNotFound(error) ? 'The campaign was deleted on the service.' : errorText(error);
      const isStopped =
        isApiError(error) && (['notFound', 'unauthorized', 'forbidden'] as const).some((kind) => kind === error.kind);
      return isStopped ? 'stopped' : 'failed';
    }
  }

  async #readRecord(signal: AbortSignal): Promise<RefreshOutcome> {
    try {
      const record = await this.source.campaign(signal);
      if (!signal.aborted) this.#setRecord(record, false);
    } catch (error) {
      if (signal.aborted) return 'succeeded';
      // Only the name depends on the record. The figures decide whether refreshing continues.
      if (!isNotFound(error))
        return this.#services.get(this.source.ref.connection) === undefined ? 'stopped' : 'succeeded';
      this.#setRecord(this.#record, true);
      return 'stopped';
    }
    return 'succeeded';
  }

  #setRecord(record: Campaign | undefined, isDeleted: boolean): void {
    this.#record = record;
    this.isDeleted = isDeleted;
    this.#onCardChange();
  }
}

/** Creates the card of a campaign for the page's header. `record` is the last one that was read. */
export function createCampaignCard(
  services: Pick<StatisticsConnections, 'get'>,
  ref: CampaignRef,
  record: Campaign | undefined,
  isDeleted: boolean,
): CampaignCard {
  const connection = services.get(ref.connection);
  const hasState = [record?.sent, record?.draft, record?.sending_type].some((field) => field !== undefined);
  const state = isDeleted ? 'deleted' : record && hasState ? describeCampaignState(record) : '';
  return {
    ref,
    name: getCampaignName(record ?? ref),
    state: connection === undefined ? 'connection removed' : state,
    isMissing: isDeleted || connection === undefined,
    service: toSingleLine(connection?.name ?? ref.connection),
  };
}

export type CampaignRefs = readonly [CampaignRef, ...CampaignRef[]];

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

  /** Reads the report and cancels a running read. Undefined if it is aborted. Never throws; errors are posted to the page. */
  async read(cause: ReadCause): Promise<RefreshOutcome | undefined> {
    this.cancel();
    const { signal } = this.#abort;
    this.figures.start();
    const outcome = await this.readFromService(cause, signal);
    return signal.aborted ? undefined : outcome;
  }

  /** Cancels a running read and keeps the last values. */
  cancel(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.figures.cancel();
  }

  /** Returns the last figures as Markdown. Throws the reason if there are none. */
  markdown(): string {
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
    if (failures[0] !== undefined && failures.length === this.campaigns.length) this.figures.fail(failures[0]);
    else this.figures.succeed(this.analyze());
  }

  protected abstract readFromService(cause: ReadCause, signal: AbortSignal): Promise<RefreshOutcome>;
  protected abstract analyze(): Figures;
  protected abstract toMarkdown(figures: Figures, at: string): string;
}

export function getWorstOutcome(outcomes: readonly RefreshOutcome[]): RefreshOutcome {
  return (['stopped', 'failed'] as const).find((outcome) => outcomes.includes(outcome)) ?? 'succeeded';
}

/** Compares the figures of several campaigns. Campaigns that can't be read keep their last figures and are listed as failures. */
export class ComparisonReport extends BaseReport<Comparison> {
  constructor(services: StatisticsConnections, refs: CampaignRefs, post: Post) {
    super(services, refs, post, (comparison) => post({ type: 'comparison', comparison, failures: this.#failures }));
  }

  protected async readFromService(_cause: ReadCause, signal: AbortSignal): Promise<RefreshOutcome> {
    const show = (): void => {
      if (!signal.aborted && this.campaigns.some(({ rows }) => rows)) this.figures.reportPartial(this.analyze());
    };
    const outcomes = await Promise.all(
      this.campaigns.map(async (campaign) => {
        const record = campaign.readRecord(signal).then(show);
        const outcome = await campaign.readFigures(signal);
        show();
        await record;
        return outcome;
      }),
    );
    if (signal.aborted) return 'succeeded';
    this.finishRead();
    // Keep refreshing while at least one campaign can be read.
    const canContinue = outcomes.some((outcome) => outcome !== 'stopped');
    return getWorstOutcome(outcomes.filter((outcome) => !canContinue || outcome !== 'stopped'));
  }

  protected analyze(): Comparison {
    return compareCampaigns(
      this.campaigns.map(({ card, rows, previousRows }) => ({ name: card.name, rows, previousRows })),
    );
  }

  protected toMarkdown(comparison: Comparison, at: string): string {
    return comparisonMarkdown({ at, comparison, failures: this.#failures });
  }

  get #failures(): readonly string[] {
    return this.campaigns.flatMap(({ card, failure, readAt }) => {
      if (failure === undefined) return [];
      const suffix = readAt === undefined ? '' : ` Its figures are from ${formatReadTime(readAt)}.`;
      return [`“${card.name}”: ${failure}${suffix}`];
    });
  }
}
