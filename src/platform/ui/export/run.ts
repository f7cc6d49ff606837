import * as vscode from 'vscode';
import { MAX_PAGE_SIZE, paginatePages, type FetchPage } from '../../../service/client/paginate.ts';
import { formatAmount, formatCount } from '../format.ts';
import { showInfo } from '../messages.ts';
import { withProgress, type ReportProgress } from '../progress.ts';
import { toSingleLine } from '../text.ts';
import type { Destination } from './destinations.ts';
import { writeRecords, type ExportFormat, type WrittenRecords } from './write.ts';

export interface ExportJob extends Destination {
  /** Progress title: "Exporting the subscribers of “Newsletter”". */
  readonly title: string;
  readonly noun: string;
  readonly nouns: string;
  /** First fields of each record. */
  readonly fields: readonly string[];
  /** Expected number of records, for the progress only. */
  readonly expected?: number;
  readonly fetch: FetchPage<object>;
}

export interface ExportResult {
  readonly uri: vscode.Uri | undefined;
  readonly count: number;
  readonly format: ExportFormat;
}

/**
 * Exports all records, with progress and a Cancel button.
 *
 * Throws if the user cancels or if reading or writing fails; nothing is left behind then.
 */
export async function runExport(job: ExportJob): Promise<ExportResult> {
  const { title, target, format, separator, fields, fetch } = job;
  const draft = await target.createDraft();
  try {
    const written = await withProgress(title, (signal, report) =>
      writeRecords(
        draft,
        // The page after the next one is requested early, so that the service is never idle.
        paginatePages(fetch, { pageSize: MAX_PAGE_SIZE, prefetch: 2, signal }),
        { format, fields, mark: target.getUri() !== undefined, separator },
        createReporter(job, report),
      ),
    );
    await draft.publish();
    const uri = target.getUri();
    void notifyExportResult(job, written, uri);
    return { uri, count: written.count, format };
  } catch (error) {
    await draft.discard();
    throw error;
  }
}

function createReporter({ expected, nouns }: ExportJob, report: ReportProgress): (count: number) => void {
  let before = 0;
  return (count) => {
    if (expected === undefined) return report(`${formatCount(count)} ${nouns}`);
    const now = Math.min(count, expected);
    report(
      `${formatCount(count)} of ${formatCount(Math.max(count, expected))} ${nouns}`,
      ((now - before) / expected) * 100,
    );
    before = now;
  };
}

async function notifyExportResult(
  { target, noun, nouns }: ExportJob,
  { count, omittedField }: WrittenRecords,
  uri: vscode.Uri | undefined,
): Promise<void> {
  const omission =
    omittedField === undefined
      ? ''
      : ` Later ${nouns} have other fields, such as "${toSingleLine(omittedField, 40)}": export them as JSON.`;
  const text = `Exported ${formatAmount(count, noun, nouns)} to ${target.name}.${omission}`;
  const open = 'Open File';
  const choice = await showInfo(text, ...(uri?.scheme === 'untitled' || uri === undefined ? [] : [open]));
  if (choice === open && uri) await vscode.commands.executeCommand('vscode.open', uri);
}
