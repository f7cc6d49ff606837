import * as vscode from 'vscode';
import type { MailingList } from '../../../../service/client/index.ts';
import type { Connections } from '../../../../platform/connections/connections.ts';
import { TargetPicker, type RecordRefs } from '../../../../platform/documents/recordCommands.ts';
import { createMultiListPicking, getListName, readList } from '../../../lists/model.ts';
import {
  promptForDestination,
  parseExportArguments,
  runExport,
  type ExportArguments,
  type ExportResult,
} from '../../../../platform/ui/export/run.ts';
import { withProgress } from '../../../../platform/ui/progress.ts';
import { toFileName } from '../../../../platform/ui/text.ts';
import { getFields, type CommandArgument } from '../../../../platform/ui/commands.ts';
import { membershipNames, memberships, subscriberFields, type Membership } from '../../model.ts';

const exportSubscribersTitle = 'Export Subscribers';

/**
 * Exports all subscribers of one or several lists, or with `status: 'unsubscribed'` the former ones. The argument is a list's node or
 * `{ connection, id | ids, status?, format?, uri?, expected? }`. Asks for missing values.
 */
export async function exportSubscribers(
  connections: Connections,
  argument: CommandArgument,
): Promise<ExportResult | undefined> {
  const options = parseExportSubscribersArgument(argument);
  const ref = await new TargetPicker(connections).pickRecords(argument, {
    ...createMultiListPicking(),
    title: exportSubscribersTitle,
  });
  if (ref === undefined) return undefined;
  const membership = options.membership ?? (options.uri === undefined ? await pickMembership() : 'subscribed');
  if (membership === undefined) return undefined;
  const names = await readListNames(connections, ref);
  const { noun, nouns, operation } = memberships[membership];
  const chosen = await promptForDestination(exportSubscribersTitle, fileName(names, nouns), options);
  if (chosen === undefined) return undefined;
  return runExport({
    title: `Exporting the ${nouns} of ${names.map((name) => `"${name}"`).join(', ')}`,
    noun,
    nouns,
    fields: subscriberFields,
    ...chosen,
    expected: options.expected,
    fetch: (page, options) => connections.run(ref.connection, (client) => client[operation](ref.ids, page, options)),
  });
}

async function pickMembership(): Promise<Membership | undefined> {
  const choices: readonly (vscode.QuickPickItem & { readonly membership: Membership })[] = [
    { label: '$(person) Subscribers', description: 'Current members', membership: 'subscribed' },
    { label: '$(circle-slash) Unsubscribed users', description: 'Former members', membership: 'unsubscribed' },
  ];
  const options = { title: exportSubscribersTitle, placeHolder: 'Select what to export', ignoreFocusOut: true };
  return (await vscode.window.showQuickPick(choices, options))?.membership;
}

/** Reads the names of the lists. Throws `ApiError` for a missing list: its export would look like a list without subscribers. */
function readListNames(connections: Connections, { connection, ids }: RecordRefs): Promise<readonly string[]> {
  return withProgress('Reading the lists', (signal) =>
    connections.run(connection, async (client) => {
      const found: MailingList[] = [];
      for (const id of ids) found.push(await readList(client, id, signal));
      return found.map(getListName);
    }),
  );
}

function fileName(names: readonly string[], nouns: string): string {
  const lists = names.length > 2 ? `${names.length} lists` : names.join(' and ');
  return toFileName(`${lists} ${nouns}`);
}

function parseExportSubscribersArgument(
  argument: CommandArgument,
): ExportArguments & { readonly membership?: Membership } {
  const { status } = getFields(argument);
  const membership = membershipNames.find((name) => name === status);
  if (status !== undefined && membership === undefined)
    throw new Error('“status” must be “subscribed” or “unsubscribed”.');
  return { ...parseExportArguments(argument), membership };
}
