import { isApiError } from '../../api/errors.ts';
import type { CampaignCard } from '../model.ts';
import type { ToPage } from '../protocol.ts';
import { isGone } from './source.ts';
import type { WatchOutcome } from './watch.ts';

/** Why something is read: it comes into sight, the user asked for what is new, or it is watched. */
export type Cause = 'opened' | 'asked' | 'watched';

/** What came of a reading; `aborted` says nothing of the service. */
export type Outcome = WatchOutcome | 'aborted';

/** What is shown of a choice. */
export interface Report {
  readonly cards: readonly CampaignCard[];
  /** The last reading of the figures went well. */
  readonly isKnown: boolean;
  /** Reads what the campaigns are called, for the tab's title also while another tab is in front. */
  readNames(): void;
  /** Tells the page all that is known. */
  replay(): void;
  /** Reads it anew. What is being read already is given up. Never throws: what fails is told to the page. */
  read(cause: Cause): Promise<Outcome>;
  /** What is being read is given up: what was there before holds. */
  giveUp(): void;
  /** What is known, as Markdown. Throws with the reason where nothing is. */
  markdown(): Promise<string>;
}

export type Post = (message: ToPage) => void;

/** What a failed reading of the figures means for those who watch them. */
export function outcomeOf(error: unknown): WatchOutcome {
  if (isGone(error)) return 'over';
  return isApiError(error) && (error.kind === 'unauthorized' || error.kind === 'forbidden') ? 'over' : 'failed';
}

const order: readonly WatchOutcome[] = ['done', 'failed', 'over'];

export function worst(outcomes: readonly WatchOutcome[]): WatchOutcome {
  return order[Math.max(0, ...outcomes.map((outcome) => order.indexOf(outcome)))] ?? 'done';
}
