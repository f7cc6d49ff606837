import * as vscode from 'vscode';
import type { ExtensionServices } from '../../../platform/services.ts';
import { formatAmount, formatCount, joinParts } from '../../../platform/ui/format.ts';
import { confirm } from '../../../platform/ui/messages.ts';
import { withProgress } from '../../../platform/ui/progress.ts';
import { escapeMessage } from '../../../platform/ui/text.ts';
import { parseAddressCells, parseAddressText, type ParsedAddresses } from './parseAddresses.ts';
import type { SourceText } from './sources.ts';
import { listCells, parseTable, type AddressTable } from './parseTable.ts';

interface ColumnChoice extends vscode.QuickPickItem {
  /** Undefined for all columns. */
  readonly column: number | undefined;
}

interface PreviewChoice extends vscode.QuickPickItem {
  readonly choice?: 'continue' | 'show' | 'column';
}

const MAX_PREVIEWED_ADDRESSES = 50;

/**
 * Parses a text and lets the user pick the column of a table, preview the addresses, and confirm that invalid entries are left out. Returns
 * undefined if the user cancels.
 */
export async function reviewAddresses(
  services: ExtensionServices,
  source: SourceText,
  title: string,
): Promise<readonly string[] | undefined> {
  const name = escapeMessage(source.name);
  const table = await withProgress(`Reading ${name}`, (signal) => parseTable(source.text, signal));
  for (;;) {
    const column = table === undefined ? undefined : await pickColumn(table, title);
    if (table !== undefined && column === undefined) return undefined;
    const reading = await withProgress(`Reading ${name}`, (signal) =>
      table === undefined
        ? parseAddressText(source.text, signal)
        : parseAddressCells(listCells(table, column?.column), signal),
    );
    if (reading.addresses.length === 0) throw new Error(`There is no email address in ${name}. Nothing was sent.`);
    const choice = await previewAddresses(services, reading, { title, name, column: column?.label });
    if (choice === undefined) return undefined;
    if (choice === 'continue') return (await confirmLeavingOut(services, reading)) ? reading.addresses : undefined;
  }
}

/** Validates a command's addresses and asks to leave out invalid entries. Returns undefined if the user cancels. */
export async function validateAddresses(
  services: ExtensionServices,
  emails: readonly string[],
): Promise<readonly string[] | undefined> {
  const reading = await parseAddressCells(emails);
  if (reading.addresses.length === 0) throw new Error('No email addresses found. Nothing was sent.');
  return (await confirmLeavingOut(services, reading)) ? reading.addresses : undefined;
}

/** Opens lines in a read-only document. */
export async function showLines(services: ExtensionServices, name: string, lines: readonly string[]): Promise<void> {
  const uri = services.documents.snapshots.add(name, `${lines.join('\n')}\n`);
  await vscode.window.showTextDocument(uri, { preview: false, preserveFocus: true });
}

async function confirmLeavingOut(
  services: ExtensionServices,
  { addresses, malformed }: ParsedAddresses,
): Promise<boolean> {
  if (malformed.length === 0) return true;
  await showLines(services, 'Not an address.txt', malformed);
  const some = `${formatCount(malformed.length)} of ${formatAmount(addresses.length + malformed.length, 'entry', 'entries')}`;
  return confirm(
    malformed.length === 1
      ? `${some} is not an email address. Leave it out?`
      : `${some} are not email addresses. Leave them out?`,
    [
      'They are shown in the document "Not an address.txt".',
      `${formatAmount(addresses.length, 'address', 'addresses')} will be left. You are asked again before anything is sent.`,
    ],
    'Leave Out',
  );
}

async function pickColumn({ columns, rows }: AddressTable, title: string): Promise<ColumnChoice | undefined> {
  const choices: ColumnChoice[] = columns.map(({ index, name, addresses, samples }) => ({
    label: escapeMessage(name),
    description: addresses === 0 ? 'no addresses' : formatAmount(addresses, 'address', 'addresses'),
    detail: escapeMessage(samples.join(' · ')),
    column: index,
  }));
  const several = columns.filter(({ addresses }) => addresses > 0).length > 1;
  const all: ColumnChoice = { label: 'All columns', description: 'every cell that holds an @', column: undefined };
  return vscode.window.showQuickPick(several ? [...choices, all] : choices, {
    title,
    placeHolder: `A table of ${formatAmount(rows.length, 'row')}. Which column holds the addresses?`,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
}

/** Shows the parsed addresses and asks how to continue. */
async function previewAddresses(
  services: ExtensionServices,
  reading: ParsedAddresses,
  { title, name, column }: { title: string; name: string; column: string | undefined },
): Promise<'continue' | 'column' | undefined> {
  const { addresses, malformed, duplicates, heading } = reading;
  const count = formatAmount(addresses.length, 'address', 'addresses');
  const notes = joinParts([
    column !== undefined && `column "${column}"`,
    heading !== undefined && `heading "${escapeMessage(heading)}" left out`,
    duplicates > 0 && `${formatAmount(duplicates, 'repetition')} left out`,
    malformed.length > 0 &&
      `${formatAmount(malformed.length, 'entry', 'entries')} that ${malformed.length === 1 ? 'is no address' : 'are no addresses'}`,
  ]);
  const choices: PreviewChoice[] = [
    { label: `$(check) Go on with ${count}`, description: notes, choice: 'continue' },
    { label: '$(go-to-file) Show them in a document', choice: 'show' },
    ...(column === undefined ? [] : [{ label: '$(table) Take another column…', choice: 'column' } as const]),
    { label: 'Addresses', kind: vscode.QuickPickItemKind.Separator },
    ...addresses.slice(0, MAX_PREVIEWED_ADDRESSES).map((address): PreviewChoice => ({ label: escapeMessage(address) })),
    ...(addresses.length > MAX_PREVIEWED_ADDRESSES
      ? [{ label: `… and ${formatCount(addresses.length - MAX_PREVIEWED_ADDRESSES)} more`, choice: 'show' } as const]
      : []),
  ];
  for (;;) {
    const picked = await vscode.window.showQuickPick(choices, {
      title,
      placeHolder: `${count} in ${name}`,
      ignoreFocusOut: true,
    });
    if (picked === undefined) return undefined;
    if (picked.choice === 'continue' || picked.choice === 'column') return picked.choice;
    if (picked.choice === 'show') await showLines(services, 'Addresses.txt', [...addresses]);
  }
}
