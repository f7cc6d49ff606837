import { setTimeout as pause } from 'node:timers/promises';
import { t } from '@vscode/l10n';
import { countRecords, MAX_PAGE_SIZE, paginatePages, readRange } from '../../service/client/paginate.ts';
import { errorText, isCanceled } from '../../ui/errors.ts';
import { addClickCounts, countClicksByUser, isUnsent, sumCounts } from '../../service/statistics/counts.ts';
import { TimelineCounter } from './analysis/timeline.ts';
import type { StatisticsRow } from '../../service/statistics/model.ts';
import type { ActivityTimeline, TableTab } from './model.ts';
import type { ToPage } from './protocol.ts';
import { createRefreshable } from './refresh.ts';
import type { CampaignFigures } from './source.ts';

/** With more recipients, the timeline is only read on request. */
const MAX_AUTOMATIC_RECIPIENTS = 5000;
const PROGRESS_INTERVAL_MS = 200;
/** If the clicks take longer, the recipients are shown without them and reloaded later. */
const CLICKS_TIMEOUT_MS = 1000;

/** Tables that the service returns without pagination. They are read once and sliced. */
type UnpagedTable = 'clicks' | 'links';

type RecordSource = Pick<CampaignFigures, UnpagedTable | 'recipients' | 'state'>;

/** Creates the tables and the timeline of one campaign. Caches its records between two refreshes. */
export function createRecords(campaign: RecordSource, post: (message: ToPage) => void) {
  const timeline = createRefreshable<ActivityTimeline>((state) => post({ type: 'timeline', timeline: state }));
  const tables = new Map<UnpagedTable, { readonly rows: Promise<readonly StatisticsRow[]>; hasFailed: boolean }>();
  /** Click counts by user for each set of click rows, so that they are counted once and not for each page. */
  const clickCounts = new WeakMap<readonly StatisticsRow[], ReadonlyMap<string, number>>();
  let recipients = campaign.recipients();
  let isWaitingForClicks = false;
  /** Whether the user requested to read all recipients for the timeline. */
  let readsAllRecipients = false;
  let abort = new AbortController();
  let timelineAbort = new AbortController();

  /** Cancels running reads and keeps the cached rows. */
  function cancel() {
    abort.abort();
    abort = new AbortController();
    timeline.cancel();
  }

  /** Cancels running reads and clears the cache. */
  function invalidate() {
    cancel();
    tables.clear();
    recipients = campaign.recipients();
  }

  /** Returns all rows of a table. A failed read is cached too, and only repeated if `retriesFailed` is set. */
  function readAll(name: UnpagedTable, retriesFailed: boolean = false) {
    const cached = tables.get(name);
    if (cached && !(cached.hasFailed && retriesFailed)) return cached.rows;
    const rows = campaign[name](abort.signal);
    const newRows = { rows, hasFailed: false };
    tables.set(name, newRows);
    rows.catch(() => {
      newRows.hasFailed = true;
    });
    return rows;
  }

  /** Returns the number of recipients, if the service reports a valid one. */
  function getRecipientCount() {
    const { total_subscribers: count = -1 } = sumCounts(campaign.state.rows ?? []);
    return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
  }

  /** Reads the timeline. Never throws. */
  async function readTimeline() {
    timelineAbort.abort();
    timelineAbort = new AbortController();
    const signal = AbortSignal.any([abort.signal, timelineAbort.signal]);
    timeline.start();
    try {
      const counted = await countActivity(signal);
      if (!signal.aborted) timeline.succeed(counted);
    } catch (error) {
      if (signal.aborted) return;
      if (isCanceled(error)) timeline.cancel();
      else timeline.fail(errorText(error));
    }
  }

  /**
   * Counts opens and clicks over time, with at most three pages of recipients in memory. Skips the recipients if there are too many, unless
   * the user requested them. If the clicks can't be read, the timeline's `meaning` says so.
   *
   * Throws `ApiError` if the recipients can't be read.
   */
  async function countActivity(signal: AbortSignal) {
    const counter = new TimelineCounter();
    if (campaign.state.rows?.every(isUnsent) === true)
      return counter.createTimeline({ readCount: 0, totalCount: 0, isComplete: true });
    const count = getRecipientCount();
    const limit = readsAllRecipients ? Infinity : MAX_AUTOMATIC_RECIPIENTS;
    let isComplete = (count ?? 0) <= limit;
    let readCount = 0;
    let reportedAt = Date.now();
    const createTimeline = () => {
      const totalCount = count ?? (isComplete ? readCount : undefined);
      return counter.createTimeline({
        readCount,
        isComplete,
        ...(totalCount !== undefined && { totalCount: Math.max(totalCount, readCount) }),
      });
    };
    const report = (counted: ActivityTimeline) => {
      if (!signal.aborted) timeline.reportPartial(counted, timeline.getValue()?.isComplete !== true);
    };
    const clicksError: Promise<unknown> = readAll('clicks').then(
      (rows) => counter.addClicks(rows),
      (error: unknown) => error,
    );
    const pages = isComplete ? paginatePages(recipients.fetchRows, { pageSize: MAX_PAGE_SIZE, signal }) : [];
    for await (const page of pages) {
      isComplete = readCount < limit;
      if (!isComplete) break;
      counter.addRecipients(page);
      readCount += page.length;
      if (Date.now() - reportedAt < PROGRESS_INTERVAL_MS) continue;
      reportedAt = Date.now();
      report({ ...createTimeline(), isComplete: false });
    }
    if (readCount > 0) report(createTimeline());
    const error = await clicksError;
    if (isCanceled(error)) throw error;
    const counted = createTimeline();
    return error === undefined
      ? counted
      : { ...counted, meaning: `${counted.meaning} ${t`The clicks are missing: ${errorText(error)}`}` };
  }

  /** Returns the clicks of each user; undefined if they can't be read in time. Has the page reload the rows when late clicks arrive. */
  async function readClickCounts() {
    const clicks = readAll('clicks').then(
      (rows) => {
        const counts = clickCounts.get(rows) ?? countClicksByUser(rows);
        clickCounts.set(rows, counts);
        return counts;
      },
      () => undefined,
    );
    const isLate = await Promise.race([clicks.then(() => false), pause(CLICKS_TIMEOUT_MS, true, { ref: false })]);
    if (!isLate) return clicks;
    if (!isWaitingForClicks) {
      isWaitingForClicks = true;
      void clicks.then((counts) => {
        isWaitingForClicks = false;
        if (counts) post({ type: 'reload', tab: 'recipients' });
      });
    }
    return undefined;
  }

  return {
    timeline,
    cancel,
    invalidate,
    readAll,
    readTimeline,
    /** Clears the cache and has the page request its rows again. */
    reload: () => {
      invalidate();
      post({ type: 'reload' });
    },
    /** Reads all recipients for the timeline, now and in every later read. */
    readAllRecipients: async () => {
      readsAllRecipients = true;
      await readTimeline();
    },
    readPage: async (tab: TableTab, page: number, signal: AbortSignal) => {
      const [offset, limit] = [page * MAX_PAGE_SIZE, MAX_PAGE_SIZE];
      if (tab !== 'recipients') {
        const rows = await readAll(tab, true);
        return { rows: rows.slice(offset, offset + limit), isLast: offset + limit >= rows.length };
      }
      const counted = readClickCounts();
      const { rows, isLast } = await readRange(recipients.fetchRows, { offset, limit }, { signal });
      return { rows: counted.then((counts) => addClickCounts(rows, counts)), isLast };
    },
    count: async (tab: TableTab, signal: AbortSignal) => {
      if (tab !== 'recipients') return (await readAll(tab)).length;
      const reader = recipients;
      const reportedCount = getRecipientCount();
      // In this mode, reading a single row reads all rows before it.
      if (await reader.isPagedByVersion()) return reportedCount;
      // The reported count is usually right: then the last row exists and no row follows.
      if (
        reportedCount !== undefined &&
        reportedCount > MAX_PAGE_SIZE &&
        (await reader.fetchRows({ offset: reportedCount - 1, limit: 2 }, { signal })).length === 1
      )
        return reportedCount;
      return countRecords(async (offset) => {
        const [row] = await reader.fetchRows({ offset, limit: 1 }, { signal });
        return row && JSON.stringify(row);
      }, reportedCount);
    },
  };
}
