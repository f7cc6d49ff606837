import type { CampaignStatistics } from '../../api/index.ts';
import type { CampaignCard, CampaignRef, Choice, Comparison } from '../model.ts';
import { errorText } from '../../ui/words.ts';
import { compare } from '../analysis/compare.ts';
import { cardOf, type Known } from './cards.ts';
import { readAtText } from './readAt.ts';
import { outcomeOf, worst, type Outcome, type Post, type Report } from './report.ts';
import { cancelledMessage, Slot } from './slot.ts';
import { CampaignSource, isGone, type Services } from './source.ts';
import type { WatchOutcome } from './watch.ts';

/** One of the campaigns that are compared. */
interface Member {
  readonly source: CampaignSource;
  known: Known;
  rows?: readonly CampaignStatistics[];
  before?: readonly CampaignStatistics[];
  at?: Date;
  /** Why the last reading failed. */
  failure?: string;
  /** Its record is being read for its name. */
  naming?: Promise<void>;
}

/**
 * The figures of several campaigns side by side. Each is read by itself: those that can't be read are named, and keep their last figures.
 */
export class ComparisonReport implements Report {
  readonly #services: Services;
  readonly #post: Post;
  readonly #members: readonly Member[];
  readonly #comparison: Slot<Comparison>;
  #reading = new AbortController();

  constructor(services: Services, choice: Choice, post: Post) {
    this.#services = services;
    this.#post = post;
    this.#members = choice.map((ref: CampaignRef) => ({ source: new CampaignSource(services, ref), known: { kind: 'unread' } }));
    this.#comparison = new Slot((comparison) => post({ type: 'comparison', comparison, failures: this.#failures }));
  }

  get cards(): readonly CampaignCard[] {
    return this.#members.map(({ source, known }) => cardOf(this.#services, source.ref, known));
  }

  get isKnown(): boolean {
    return this.#comparison.isKnown;
  }

  readNames(): void {
    const { signal } = new AbortController();
    for (const member of this.#members) {
      member.naming ??= this.#readRecord(member, signal).finally(() => {
        delete member.naming;
      });
    }
  }

  replay(): void {
    this.#comparison.replay();
  }

  async read(): Promise<Outcome> {
    this.giveUp();
    const { signal } = this.#reading;
    this.#comparison.begin();
    const show = (): void => {
      if (!signal.aborted && this.#members.some(({ rows }) => rows)) this.#comparison.progress(this.#compared());
    };
    const outcomes = await Promise.all(this.#members.map(async (member) => {
      const [, outcome] = await Promise.all([
        (member.naming ?? this.#readRecord(member, signal)).then(show),
        this.#readFigures(member, signal).then((outcome) => {
          show();
          return outcome;
        }),
      ]);
      return outcome;
    }));
    if (signal.aborted) return 'aborted';
    const [failed] = this.#members.flatMap(({ failure }) => failure ?? []);
    if (failed !== undefined && this.#members.every(({ failure }) => failure !== undefined)) this.#comparison.fail(failed);
    else this.#comparison.settle(this.#compared());
    // As long as one of them can be read, it is of use to watch them.
    return outcomes.every((outcome) => outcome === 'over')
      ? 'over'
      : worst(outcomes.map((outcome) => (outcome === 'over' ? 'done' : outcome)));
  }

  giveUp(): void {
    this.#reading.abort();
    this.#reading = new AbortController();
    this.#comparison.giveUp();
  }

  async markdown(): Promise<string> {
    const { value: comparison, at, failure = cancelledMessage } = this.#comparison;
    if (comparison === undefined || at === undefined) throw new Error(failure);
    const { comparisonMarkdown } = await import('../analysis/markdown.ts');
    return comparisonMarkdown({ at, comparison, failures: this.#failures });
  }

  #compared(): Comparison {
    const { cards } = this;
    return compare(
      this.#members.map(({ rows }, index) => ({ name: cards[index]?.name ?? '', rows })),
      this.#members.map(({ before }) => before),
    );
  }

  get #failures(): readonly string[] {
    const { cards } = this;
    return this.#members.flatMap(({ failure, at }, index) => {
      if (failure === undefined) return [];
      const kept = at === undefined ? '' : ` Its figures are those of ${readAtText(at)}.`;
      return [`“${cards[index]?.name ?? ''}”: ${failure}${kept}`];
    });
  }

  async #readRecord(member: Member, signal: AbortSignal): Promise<void> {
    try {
      const campaign = await member.source.campaign(signal);
      if (!signal.aborted) this.#know(member, { kind: 'read', campaign });
    } catch (error) {
      // Its name is missing then, and nothing else: what matters is whether the figures can be read.
      if (!signal.aborted && isGone(error)) this.#gone(member);
    }
  }

  async #readFigures(member: Member, signal: AbortSignal): Promise<WatchOutcome> {
    try {
      const rows = await member.source.figures(signal);
      if (signal.aborted) return 'done';
      if (member.rows !== undefined) member.before = member.rows;
      member.rows = rows;
      member.at = new Date();
      delete member.failure;
      return 'done';
    } catch (error) {
      if (signal.aborted) return 'done';
      if (isGone(error)) this.#gone(member);
      member.failure = isGone(error) ? 'It was deleted on the service.' : errorText(error);
      return outcomeOf(error);
    }
  }

  #gone(member: Member): void {
    const { known } = member;
    this.#know(member, { kind: 'gone', ...(known.kind !== 'unread' && known.campaign ? { campaign: known.campaign } : {}) });
  }

  #know(member: Member, known: Known): void {
    member.known = known;
    this.#post({ type: 'cards', cards: this.cards });
  }
}
