import { paginatePages } from '../../../service/client/paginate.ts';
import type { Timeline } from '../model.ts';
import { errorText, isCancelled } from '../../../platform/ui/errors.ts';
import { TimelineCounter } from '../analysis/timeline.ts';
import type { RecordCache } from './source.ts';

/** Recipients that are read for the timeline without being asked for: ten requests. */
export const MAX_AUTOMATIC_RECIPIENTS = 5000;
/** Rows of a request. Newer installations give no more at once. */
const TIMELINE_PAGE_ROWS = 500;
/** Milliseconds between two pictures of a timeline that is being counted. */
const PROGRESS_INTERVAL_MS = 200;

export interface TimelineOptions {
  readonly recordCache: RecordCache;
  /** How many recipients there are, where that is known. */
  readonly total: number | undefined;
  /** However many there are. */
  readonly readsAll: boolean;
  readonly signal: AbortSignal;
  /** What was counted so far. */
  onProgress(timeline: Timeline): void;
}

/**
 * Counts opens and clicks over time, with no more than three pages of recipients in memory. More recipients than `automatic` are not begun
 * with
 * unless all are asked for. Clicks that can't be read are told in the timeline's meaning.
 *
 * Throws `ApiError` where the recipients can't be read.
 */
export async function readTimeline({
  recordCache: records,
  total,
  readsAll: all,
  signal,
  onProgress: progress,
}: TimelineOptions): Promise<Timeline> {
  const counter = new TimelineCounter();
  let read = 0;
  let shown = Date.now();
  const picture = (complete: boolean): Timeline => {
    const of = total ?? (complete ? read : undefined);
    return counter.createTimeline({
      readCount: read,
      isComplete: complete,
      totalCount: of === undefined ? undefined : Math.max(of, read),
    });
  };
  const clicks = records.readAll('clicks').then(
    (rows) => {
      counter.addClicks(rows);
      return undefined;
    },
    (error: unknown) => error,
  );
  const complete = all || total === undefined || total <= MAX_AUTOMATIC_RECIPIENTS ? await readRecipients() : false;
  if (read > 0) progress(picture(complete));
  const failure = await clicks;
  const timeline = picture(complete);
  if (failure === undefined) return timeline;
  if (isCancelled(failure)) throw failure;
  return { ...timeline, meaning: `${timeline.meaning} The clicks are missing: ${errorText(failure)}` };

  async function readRecipients(): Promise<boolean> {
    for await (const page of paginatePages(records.recipients.fetchRows, { pageSize: TIMELINE_PAGE_ROWS, signal })) {
      if (!all && read >= MAX_AUTOMATIC_RECIPIENTS) return false;
      counter.addRecipients(page);
      read += page.length;
      if (Date.now() - shown < PROGRESS_INTERVAL_MS) continue;
      shown = Date.now();
      progress(picture(false));
    }
    return true;
  }
}
