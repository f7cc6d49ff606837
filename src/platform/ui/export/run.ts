import * as vscode from 'vscode';
import { formatAmount, formatCount } from '../format.ts';
import { showInfo } from '../messages.ts';
import { withProgress } from '../progress.ts';
import { escapeMessage } from '../text.ts';
import { errorText, isCancelled, isServiceError, MAX_SENTENCE_CHARS } from '../errors.ts';
import type { ExportFormat } from './formats.ts';
import type { Destination } from './destinations.ts';
import { RecordWriter, type ReadPages } from './writer.ts';

export interface ExportJob extends Destination {
  /** Says what is under way: "Exporting the subscribers of “Newsletter”". */
  readonly title: string;
  readonly noun: string;
  readonly nouns: string;
  /** Fields that come first. */
  readonly fields: readonly string[];
  /** How many records there will be, where that is known: for the progress alone. */
  readonly expected?: number;
  /** Runs the reading on the service. */
  read(task: (readPages: ReadPages) => Promise<void>): Promise<void>;
}

/** What came of it. `complete` is false where the user kept a part. */
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
 * Exports all records, with progress and a Cancel button. Where it is cancelled or fails half-way, the user says what becomes of what is
 * there; it can go on from there too. Undefined where nothing was kept.
 *
 * Throws what the first page fails with, and what writing throws: nothing is left behind then.
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
        if (isCancelled(error) || writer.count > 0) return undefined;
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

/** What becomes of an export that stopped. Without a record there is nothing to keep. */
async function promptForDecision(
  writer: RecordWriter,
  { target, noun, nouns }: ExportJob,
  error: unknown,
): Promise<ExportDecision> {
  if (writer.count === 0) return 'discard';
  const amount = formatAmount(writer.count, noun, nouns);
  const why = isCancelled(error)
    ? `The export was stopped after ${amount}.`
    : `The export failed after ${amount}: ${errorText(error)}`;
  const keep: DecisionButton = { title: `Keep ${formatCount(writer.count)}`, decision: 'keep' };
  const retry: DecisionButton = { title: isCancelled(error) ? 'Go On' : 'Try Again', decision: 'retry' };
  const discard: DecisionButton = { title: 'Discard', decision: 'discard', isCloseAffordance: true };
  // What the disk or the editor did not take, it won't take the second time.
  const canGoOn = isCancelled(error) || isServiceError(error);
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
