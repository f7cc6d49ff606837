import { paginatePages } from '../../../service/client/paginate.ts';
import type { Timeline } from '../model.ts';
import { errorText, isCancelled } from '../../../platform/ui/errors.ts';
import { TimelineCounter } from '../analysis/timeline.ts';
import type { Records } from './source.ts';

/** Recipients that are read for the timeline without being asked for: ten requests. */
export const automatic = 5000;
/** Rows of a request. Newer installations give no more at once. */
const pageSize = 500;
/** Milliseconds between two pictures of a timeline that is being counted. */
const step = 200;

export interface TimelineReading {
  readonly records: Records;
  /** How many recipients there are, where that is known. */
  readonly total: number | undefined;
  /** However many there are. */
  readonly all: boolean;
  readonly signal: AbortSignal;
  /** What was counted so far. */
  progress(timeline: Timeline): void;
}

/**
 * Counts opens and clicks over time, with no more than three pages of recipients in memory. More recipients than `automatic` are not begun
 * with
 * unless all are asked for. Clicks that can't be read are told in the timeline's meaning.
 *
 * Throws `ApiError` where the recipients can't be read.
 */
export async function readTimeline({ records, total, all, signal, progress }: TimelineReading): Promise<Timeline> {
  const counter = new TimelineCounter();
  let read = 0;
  let shown = Date.now();
  const picture = (complete: boolean): Timeline => {
    const of = total ?? (complete ? read : undefined);
    return counter.timeline({ read, complete, of: of === undefined ? undefined : Math.max(of, read) });
  };
  const clicks = records.whole('clicks').then(
    (rows) => {
      counter.addClicks(rows);
      return undefined;
    },
    (error: unknown) => error,
  );
  const complete = all || total === undefined || total <= automatic ? await readRecipients() : false;
  if (read > 0) progress(picture(complete));
  const failure = await clicks;
  const timeline = picture(complete);
  if (failure === undefined) return timeline;
  if (isCancelled(failure)) throw failure;
  return { ...timeline, meaning: `${timeline.meaning} The clicks are missing: ${errorText(failure)}` };

  async function readRecipients(): Promise<boolean> {
    for await (const page of paginatePages(records.recipients.from, { pageSize, signal })) {
      if (!all && read >= automatic) return false;
      counter.addRecipients(page);
      read += page.length;
      if (Date.now() - shown < step) continue;
      shown = Date.now();
      progress(picture(false));
    }
    return true;
  }
}
