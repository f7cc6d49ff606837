import * as vscode from 'vscode';
import { formatAmount, formatCount } from '../format.ts';
import { showInfo } from '../messages.ts';
import { withProgress } from '../progress.ts';
import { inMessage } from '../text.ts';
import { errorText, isCancelled, isServiceError, MAX_SENTENCE_CHARS } from '../errors.ts';
import type { ExportFormat } from './formats.ts';
import type { Destination } from './places.ts';
import { RecordWriter, type ReadPages } from './writer.ts';

export interface Export extends Destination {
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
export interface Exported {
  readonly uri: vscode.Uri | undefined;
  readonly count: number;
  readonly format: ExportFormat;
  readonly complete: boolean;
}

type Next = 'again' | 'keep' | 'discard';

interface Way extends vscode.MessageItem {
  readonly next: Next;
}

/**
 * Exports all records, with progress and a Cancel button. Where it is cancelled or fails half-way, the user says what becomes of what is
 * there; it can go on from there too. Undefined where nothing was kept.
 *
 * Throws what the first page fails with, and what writing throws: nothing is left behind then.
 */
export async function runExport(what: Export): Promise<Exported | undefined> {
  const { place, format, separator, fields } = what;
  const writer = await RecordWriter.open(place.drafts, format, { fields, mark: place.uri() !== undefined, separator });
  let complete = true;
  for (;;) {
    try {
      await withProgress(what.title, (signal, report) => readInto(writer, what, signal, report));
      break;
    } catch (error) {
      const next = await decide(writer, what, error);
      if (next === 'again') continue;
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
  const exported = { uri: place.uri(), count: writer.count, format, complete };
  void tell(what, exported);
  return exported;
}

async function readInto(
  writer: RecordWriter,
  what: Export,
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
async function decide(writer: RecordWriter, { place, noun, nouns }: Export, error: unknown): Promise<Next> {
  if (writer.count === 0) return 'discard';
  const amount = formatAmount(writer.count, noun, nouns);
  const why = isCancelled(error)
    ? `The export was stopped after ${amount}.`
    : `The export failed after ${amount}: ${errorText(error)}`;
  const keep: Way = { title: `Keep ${formatCount(writer.count)}`, next: 'keep' };
  const again: Way = { title: isCancelled(error) ? 'Go On' : 'Try Again', next: 'again' };
  const discard: Way = { title: 'Discard', next: 'discard', isCloseAffordance: true };
  // What the disk or the editor did not take, it won't take the second time.
  const canGoOn = isCancelled(error) || isServiceError(error);
  const choices = [
    ...(canGoOn ? [`"${again.title}" reads what is missing.`] : []),
    `"${keep.title}" writes what was read so far to ${place.name}.`,
    '"Discard" leaves nothing behind.',
  ];
  const chosen = await vscode.window.showWarningMessage<Way>(
    inMessage(why, MAX_SENTENCE_CHARS),
    { modal: true, detail: inMessage(choices.join(' '), MAX_SENTENCE_CHARS) },
    ...(canGoOn ? [again] : []),
    keep,
    discard,
  );
  return chosen?.next ?? 'discard';
}

async function tell({ place, noun, nouns }: Export, { uri, count, complete }: Exported): Promise<void> {
  const text = `${complete ? 'Exported' : 'Exported only'} ${formatAmount(count, noun, nouns)} to ${place.name}.`;
  const open = 'Open File';
  const choice = await showInfo(text, ...(uri?.scheme === 'untitled' || uri === undefined ? [] : [open]));
  if (choice === open && uri) await vscode.commands.executeCommand('vscode.open', uri);
}
