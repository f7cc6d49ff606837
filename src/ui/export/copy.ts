import * as vscode from 'vscode';
import { formatAmount } from '../format.ts';
import { showWarning } from '../messages.ts';
import { cellOf, csvOf } from './csv.ts';

/** Rows of a table that go into the clipboard. */
export interface Copied {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Rows that were chosen too, and are not loaded. */
  readonly missing: number;
}

/** Puts rows into the clipboard as CSV, and says how many. */
export async function copyRows({ columns, rows, missing }: Copied): Promise<void> {
  await vscode.env.clipboard.writeText(csvOf([[...columns], ...rows.map((row) => columns.map((column) => cellOf(row[column])))]));
  if (missing === 0) vscode.window.setStatusBarMessage(`$(check) ${formatAmount(rows.length, 'row')} copied as CSV`, 4000);
  else {
    const left = formatAmount(missing, 'selected row is', 'selected rows are');
    void showWarning(`${formatAmount(rows.length, 'row')} copied as CSV. ${left} not loaded: use Export for all of them.`);
  }
}
