import { paginatePages } from '../../../service/client/paginate.ts';
import type { ActivityTimeline } from '../model.ts';
import { errorText, isCanceled } from '../../../platform/ui/errors.ts';
import { TimelineCounter } from '../analysis/timeline.ts';
import type { RecordCache } from './source.ts';

/** With more recipients, the timeline is only read on request. */
export const MAX_AUTOMATIC_RECIPIENTS = 5000;
/** Newer installations return no more rows per request. */
const TIMELINE_PAGE_ROWS = 500;
const PROGRESS_INTERVAL_MS = 200;

export interface TimelineOptions {
  readonly recordCache: RecordCache;
  /** Undefined if the number is unknown. */
  readonly recipientCount: number | undefined;
  /** Whether to read all recipients, regardless of their number. */
  readonly readsAll: boolean;
  readonly signal: AbortSignal;
  /** Called with the timeline of the rows read so far. */
  onProgress(timeline: ActivityTimeline): void;
}

/**
 * Counts opens and clicks over time, with at most three pages of recipients in memory. Skips the recipients if there are more than
 * `MAX_AUTOMATIC_RECIPIENTS`, unless `readsAll` is set. If the clicks can't be read, the timeline's `meaning` says so.
 *
 * Throws `ApiError` if the recipients can't be read.
 */
export async function readTimeline({
  recordCache,
  recipientCount,
  readsAll,
  signal,
  onProgress,
}: TimelineOptions): Promise<ActivityTimeline> {
  const counter = new TimelineCounter();
  let readCount = 0;
  let lastReportedAt = Date.now();
  const createTimeline = (isComplete: boolean): ActivityTimeline => {
    const totalCount = recipientCount ?? (isComplete ? readCount : undefined);
    return counter.createTimeline({
      readCount,
      isComplete,
      totalCount: totalCount === undefined ? undefined : Math.max(totalCount, readCount),
    });
  };
  const clicks = recordCache.readAll('clicks').then(
    (rows) => {
      counter.addClicks(rows);
      return undefined;
    },
    (error: unknown) => error,
  );
  const isComplete =
    readsAll || recipientCount === undefined || recipientCount <= MAX_AUTOMATIC_RECIPIENTS
      ? await readRecipients()
      : false;
  if (readCount > 0) onProgress(createTimeline(isComplete));
  const failure = await clicks;
  const timeline = createTimeline(isComplete);
  if (failure === undefined) return timeline;
  if (isCanceled(failure)) throw failure;
  return { ...timeline, meaning: `${timeline.meaning} The clicks are missing: ${errorText(failure)}` };

  async function readRecipients(): Promise<boolean> {
    for await (const page of paginatePages(recordCache.recipients.fetchRows, {
      pageSize: TIMELINE_PAGE_ROWS,
      signal,
    })) {
      if (!readsAll && readCount >= MAX_AUTOMATIC_RECIPIENTS) return false;
      counter.addRecipients(page);
      readCount += page.length;
      if (Date.now() - lastReportedAt < PROGRESS_INTERVAL_MS) continue;
      lastReportedAt = Date.now();
      onProgress(createTimeline(false));
    }
    return true;
  }
}
