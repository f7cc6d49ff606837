import * as vscode from 'vscode';
import { formatAmount, formatCount } from '../format.ts';
import { showInfo } from '../messages.ts';
import { withProgress } from '../progress.ts';
import { escapeMessage } from '../text.ts';
import { errorText, isCanceled, isServiceError, MAX_SENTENCE_CHARS } from '../errors.ts';
import type { ExportFormat } from './formats.ts';
import type { Destination } from './destinations.ts';
import { RecordWriter, type ReadPages } from './writer.ts';

export interface ExportJob extends Destination {
  /** Progress title: "Exporting the subscribers of “Newsletter”". */
  readonly title: string;
  readonly noun: string;
  readonly nouns: string;
  /** First fields of each record. */
  readonly fields: readonly string[];
  /** Expected number of records, for the progress only. */
  readonly expected?: number;
  /** Runs `task` with access to the service. */
  read(task: (readPages: ReadPages) => Promise<void>): Promise<void>;
}

/** `complete` is false if the user kept a partial export. */
export interface ExportResult {
  readonly uri: vscode.Uri | undefined;
  readonly count: number;
  readonly format: ExportFormat;
  readonly complete: boolean;
}

type ExportDecision = 'retry' | 'keep' | 'discard';

interface DecisionButton extends vscode.MessageItem {
  readonly decision: ExportDecision;
}

/**
 * Exports all records, with progress and a Cancel button. If the export is canceled or fails midway, the user can
 * continue, keep or discard it. Undefined if nothing was kept.
 *
 * Throws if the first page can't be read or writing fails; nothing is left behind then.
 */
export async function runExport(job: ExportJob): Promise<ExportResult | undefined> {
  const { target, format, separator, fields } = job;
  const writer = await RecordWriter.open(target.drafts, format, {
    fields,
    mark: target.uri() !== undefined,
    separator,
  });
  let complete = true;
  for (;;) {
    try {
      await withProgress(job.title, (signal, report) => writePages(writer, job, signal, report));
      break;
    } catch (error) {
      const next = await promptForDecision(writer, job, error);
      if (next === 'retry') continue;
      if (next === 'discard') {
        await writer.discard();
        if (isCanceled(error) || writer.count > 0) return undefined;
        throw error;
      }
      complete = false;
      break;
    }
  }
  await writer.finish();
  const exported = { uri: target.uri(), count: writer.count, format, complete };
  void notifyExportResult(job, exported);
  return exported;
}

async function writePages(
  writer: RecordWriter,
  what: ExportJob,
  signal: AbortSignal,
  report: (message: string, increment?: number) => void,
): Promise<void> {
  const { expected, nouns } = what;
  let before = 0;
  await what.read((readPages) =>
    writer.writeAll(readPages, {
      signal,
      written: (count) => {
        const message =
          expected === undefined
            ? `${formatCount(count)} ${nouns}`
            : `${formatCount(count)} of ${formatCount(Math.max(count, expected))} ${nouns}`;
        report(
          message,
          expected === undefined ? undefined : ((Math.min(count, expected) - before) / Math.max(expected, 1)) * 100,
        );
        before = Math.min(count, expected ?? 0);
      },
    }),
  );
}

/** Prompts for what to do with a stopped export. Without records there is nothing to keep. */
async function promptForDecision(
  writer: RecordWriter,
  { target, noun, nouns }: ExportJob,
  error: unknown,
): Promise<ExportDecision> {
  if (writer.count === 0) return 'discard';
  const amount = formatAmount(writer.count, noun, nouns);
  const why = isCanceled(error)
    ? `The export was stopped after ${amount}.`
    : `The export failed after ${amount}: ${errorText(error)}`;
  const keep: DecisionButton = { title: `Keep ${formatCount(writer.count)}`, decision: 'keep' };
  const retry: DecisionButton = { title: isCanceled(error) ? 'Go On' : 'Try Again', decision: 'retry' };
  const discard: DecisionButton = { title: 'Discard', decision: 'discard', isCloseAffordance: true };
  // Write errors would repeat.
  const canGoOn = isCanceled(error) || isServiceError(error);
  const choices = [
    ...(canGoOn ? [`"${retry.title}" reads what is missing.`] : []),
    `"${keep.title}" writes what was read so far to ${target.name}.`,
    '"Discard" leaves nothing behind.',
  ];
  const chosen = await vscode.window.showWarningMessage<DecisionButton>(
    escapeMessage(why, MAX_SENTENCE_CHARS),
    { modal: true, detail: escapeMessage(choices.join(' '), MAX_SENTENCE_CHARS) },
    ...(canGoOn ? [retry] : []),
    keep,
    discard,
  );
  return chosen?.decision ?? 'discard';
}

async function notifyExportResult(
  { target, noun, nouns }: ExportJob,
  { uri, count, complete }: ExportResult,
): Promise<void> {
  const text = `${complete ? 'Exported' : 'Exported only'} ${formatAmount(count, noun, nouns)} to ${target.name}.`;
  const open = 'Open File';
  const choice = await showInfo(text, ...(uri?.scheme === 'untitled' || uri === undefined ? [] : [open]));
  if (choice === open && uri) await vscode.commands.executeCommand('vscode.open', uri);
}
