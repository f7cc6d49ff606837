import type { CampaignStatistics } from '../../api/index.ts';
import type { CampaignCard, CampaignRef, Overview, Timeline } from '../model.ts';
import { errorText, isCancelled } from '../../ui/words.ts';
import { countsOf } from '../analysis/counts.ts';
import { overviewOf } from '../analysis/overview.ts';
import { TimelineCounter } from '../analysis/timeline.ts';
import { cardOf, type Known } from './cards.ts';
import { Records } from '../analysis/records.ts';
import { outcomeOf, worst, type Cause, type Outcome, type Post, type Report } from './report.ts';
import { cancelledMessage, Slot } from './slot.ts';
import { CampaignSource, isGone, type Services } from './source.ts';
import { automatic, readTimeline } from './timelineReading.ts';
import type { WatchOutcome } from './watch.ts';

/**
 * The figures of one campaign and when its mails were opened. Each of the service's operations is read by itself: one that fails leaves the
 * others.
 */
export class OneReport implements Report {
  readonly records: Records;
  readonly #services: Services;
  readonly #source: CampaignSource;
  readonly #post: Post;
  readonly #overview: Slot<Overview>;
  readonly #timeline: Slot<Timeline>;
  #known: Known = { kind: 'unread' };
  #rows: readonly CampaignStatistics[] | undefined;
  #before: readonly CampaignStatistics[] | undefined;
  /** How many recipients were found, where all were read. */
  #counted: number | undefined;
  /** The user wants all recipients to be read for the timeline, however many there are. */
  #all = false;
  #naming: Promise<WatchOutcome> | undefined;
  #reading = new AbortController();
  #counting = new AbortController();

  constructor(services: Services, ref: CampaignRef, post: Post) {
    this.#services = services;
    this.#source = new CampaignSource(services, ref);
    this.records = new Records(this.#source);
    this.#post = post;
    this.#overview = new Slot((overview) => post({ type: 'overview', overview }));
    this.#timeline = new Slot((timeline) => post({ type: 'timeline', timeline }));
  }

  get ref(): CampaignRef {
    return this.#source.ref;
  }

  get cards(): readonly CampaignCard[] {
    return [cardOf(this.#services, this.ref, this.#known)];
  }

  /** How many recipients there are, as far as that is known. */
  get recipients(): number | undefined {
    const { recipients: told } = countsOf(this.#rows ?? []);
    return told !== undefined && Number.isSafeInteger(told) && told >= 0 ? told : this.#counted;
  }

  get isKnown(): boolean {
    return this.#overview.isKnown;
  }

  readNames(): void {
    this.#naming ??= this.#readRecord(new AbortController().signal).finally(() => {
      this.#naming = undefined;
    });
  }

  replay(): void {
    this.#overview.replay();
    this.#timeline.replay();
  }

  async read(cause: Cause): Promise<Outcome> {
    this.giveUp();
    const { signal } = this.#reading;
    if (cause === 'opened') this.records.renew();
    if (cause === 'asked') this.#renew();
    this.#overview.begin();
    const record = this.#naming ?? this.#readRecord(signal);
    const figures = this.#readFigures(signal);
    const timeline = figures.then(({ changed }) => {
      if (cause === 'watched' && changed && !signal.aborted) this.#renew();
      return cause === 'asked' || changed || !this.#timeline.isKnown ? this.#readTimeline(cause, signal) : 'done';
    });
    const outcomes = await Promise.all([record, figures.then(({ outcome }) => outcome), timeline]);
    return signal.aborted ? 'aborted' : worst(outcomes);
  }

  /** Reads every recipient for the timeline, now and whenever it is asked for again. */
  async readAll(): Promise<void> {
    this.#all = true;
    await this.#readTimeline('asked', this.#reading.signal);
  }

  giveUp(): void {
    this.#reading.abort();
    this.#reading = new AbortController();
    this.records.giveUp();
    this.#overview.giveUp();
    this.#timeline.giveUp();
  }

  async markdown(): Promise<string> {
    const { value: overview, at, failure = cancelledMessage } = this.#overview;
    const [card] = this.cards;
    if (overview === undefined || at === undefined || card === undefined) throw new Error(failure);
    const { overviewMarkdown } = await import('../analysis/markdown.ts');
    const timeline = this.#timeline.value;
    return overviewMarkdown({ name: card.name, service: card.service, at, overview, ...(timeline === undefined ? {} : { timeline }) });
  }

  /** The rows of the tables are of an earlier time now. */
  #renew(): void {
    this.records.renew();
    this.#post({ type: 'reload' });
  }

  async #readRecord(signal: AbortSignal): Promise<WatchOutcome> {
    try {
      const campaign = await this.#source.campaign(signal);
      if (!signal.aborted) this.#know({ kind: 'read', campaign });
    } catch (error) {
      if (signal.aborted) return 'done';
      // Its name is missing then, and nothing else: what matters is whether the figures can be read.
      if (!isGone(error)) return this.#services.get(this.ref.connection) === undefined ? 'over' : 'done';
      this.#gone();
      return 'over';
    }
    return 'done';
  }

  async #readFigures(signal: AbortSignal): Promise<{ readonly outcome: WatchOutcome; readonly changed: boolean }> {
    try {
      const rows = await this.#source.figures(signal);
      if (signal.aborted) return { outcome: 'done', changed: false };
      const changed = this.#rows !== undefined && JSON.stringify(rows) !== JSON.stringify(this.#rows);
      this.#before = this.#rows;
      this.#rows = rows;
      this.#overview.settle(this.#analyse(rows));
      return { outcome: 'done', changed };
    } catch (error) {
      if (signal.aborted) return { outcome: 'done', changed: false };
      if (isGone(error)) this.#gone();
      const gone =
        this.#overview.value === undefined
          ? 'The campaign was deleted on the service.'
          : 'The campaign was deleted on the service: these are its last figures.';
      this.#overview.fail(isGone(error) ? gone : errorText(error));
      return { outcome: outcomeOf(error), changed: false };
    }
  }

  async #readTimeline(cause: Cause, reading: AbortSignal): Promise<WatchOutcome> {
    if (reading.aborted) return 'done';
    const { recipients: total } = this;
    // Many requests again and again are more than a look at the figures should cost.
    if (cause === 'watched' && total !== undefined && total > automatic && (this.#timeline.value?.read ?? 0) > 0) return 'done';
    this.#counting.abort();
    this.#counting = new AbortController();
    const signal = AbortSignal.any([reading, this.#counting.signal]);
    this.#timeline.begin();
    try {
      const timeline = this.#overview.value?.unsent === true ? nothing() : await readTimeline({
        records: this.records,
        total,
        all: this.#all,
        signal,
        progress: (partial) => !signal.aborted && this.#timeline.progress(partial, this.#timeline.value?.complete !== true),
      });
      if (signal.aborted) return 'done';
      this.#timeline.settle(timeline);
      if (timeline.complete) this.#count(timeline.read);
      return 'done';
    } catch (error) {
      if (signal.aborted) return 'done';
      if (isCancelled(error)) this.#timeline.giveUp();
      else this.#timeline.fail(errorText(error));
      return 'failed';
    }
  }

  #analyse(rows: readonly CampaignStatistics[]): Overview {
    return overviewOf(rows, {
      ...(this.#before === undefined ? {} : { before: this.#before }),
      ...(this.#counted === undefined ? {} : { recipients: this.#counted }),
    });
  }

  /** Rates need the number of recipients, which not every service tells, and some tell another one than there are. */
  #count(recipients: number): void {
    if (this.#counted === recipients) return;
    this.#counted = recipients;
    if (this.#rows) this.#overview.amend(this.#analyse(this.#rows));
  }

  #gone(): void {
    this.#know({ kind: 'gone', ...(this.#known.kind !== 'unread' && this.#known.campaign ? { campaign: this.#known.campaign } : {}) });
  }

  #know(known: Known): void {
    this.#known = known;
    this.#post({ type: 'cards', cards: this.cards });
  }
}

function nothing(): Timeline {
  return new TimelineCounter().timeline({ read: 0, of: 0, complete: true });
}
