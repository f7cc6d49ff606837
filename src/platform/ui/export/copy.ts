import * as vscode from 'vscode';
import { formatAmount } from '../format.ts';
import { showWarning } from '../messages.ts';
import { formatCell, formatCsv } from './csv.ts';

interface CopyRequest {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Number of selected rows that are not loaded. */
  readonly missing: number;
}

/** Copies rows to the clipboard as CSV, and reports their number. */
export async function copyRows({ columns, rows, missing }: CopyRequest): Promise<void> {
  await vscode.env.clipboard.writeText(
    formatCsv([[...columns], ...rows.map((row) => columns.map((column) => formatCell(row[column])))]),
  );
  const copied = `${formatAmount(rows.length, 'row')} copied as CSV`;
  if (missing === 0) vscode.window.setStatusBarMessage(`$(check) ${copied}`, 4000);
  else
    void showWarning(
      `${copied}. ${formatAmount(missing, 'selected row is', 'selected rows are')} not loaded. Export the table to get all rows.`,
    );
}
