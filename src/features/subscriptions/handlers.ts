import * as vscode from 'vscode';
import type { TargetPicker } from '../../platform/documents/recordCommands.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import { getFields, type CommandArgument } from '../../platform/ui/commands.ts';
import {
  promptForDestination,
  parseExportArguments,
  runExport,
  type ExportResult,
} from '../../platform/ui/export/run.ts';
import { withProgress } from '../../platform/ui/progress.ts';
import { toFileName } from '../../platform/ui/text.ts';
import { createMultiListPicking, getListName, readList } from '../lists/model.ts';
import { createMemberReader, membershipNames, memberships, subscriberFields, type Membership } from './model.ts';
import { SubscriptionChanges } from './run/changes.ts';
import { SubscriberPanels } from './subscribers/host/session.ts';
import { UserSubscriptions } from './user/host/panel.ts';

const exportTitle = 'Export Subscribers';

/** Creates the handlers of the commands, and of a panel to restore after a restart. */
export function createHandlers(services: ExtensionServices) {
  const changes = new SubscriptionChanges(services);
  const panels = new SubscriberPanels(services);
  const users = new UserSubscriptions(changes);
  services.context.subscriptions.push(users);
  return {
    /** Shows the subscribers of one or several lists. The argument is a list's node or `{ connection, id | ids }`. */
    showSubscribers: async (argument: CommandArgument) => {
      const picking = { ...createMultiListPicking(), title: 'Show Subscribers' };
      const ref = await changes.targets.pickRecords(argument, picking);
      if (ref !== undefined) panels.show({ connection: ref.connection, listIds: ref.ids });
      return ref;
    },
    exportSubscribers: (argument: CommandArgument) => exportSubscribers(services, changes.targets, argument),
    subscribe: (argument: CommandArgument) => changes.change('subscribe', argument),
    unsubscribe: (argument: CommandArgument) => changes.change('unsubscribe', argument),
    continueSubscriptions: (argument: CommandArgument) => changes.resume(argument),
    showSubscriptions: (argument: CommandArgument) => users.show(argument),
    restore: (panel: vscode.WebviewPanel, state: CommandArgument) => panels.restore(panel, state),
  };
}

/**
 * Exports all subscribers of one or several lists, or with `status: 'unsubscribed'` the former ones. The argument is a list's node or
 * `{ connection, id | ids, status?, format?, uri?, expected? }`. Asks for missing values.
 */
async function exportSubscribers(
  { connections }: ExtensionServices,
  targets: TargetPicker,
  argument: CommandArgument,
): Promise<ExportResult | undefined> {
  const options = parseExportArguments(argument);
  const { status = options.uri && 'subscribed' } = getFields(argument);
  const namedMembership = membershipNames.find((name) => name === status);
  if (status !== undefined && namedMembership === undefined)
    throw new Error('“status” must be “subscribed” or “unsubscribed”.');
  const ref = await targets.pickRecords(argument, { ...createMultiListPicking(), title: exportTitle });
  if (ref === undefined) return undefined;
  const membership = namedMembership ?? (await pickMembership());
  if (membership === undefined) return undefined;
  const { connection, ids } = ref;
  // Fail for a missing list: its export would resemble one without subscribers.
  const names = await withProgress('Reading the lists', (signal) =>
    connections.run(connection, async (client) => {
      const found: string[] = [];
      for (const id of ids) found.push(getListName(await readList(client, id, signal)));
      return found;
    }),
  );
  const { noun, nouns } = memberships[membership];
  const lists = names.length > 2 ? `${names.length} lists` : names.join(' and ');
  const destination = await promptForDestination(exportTitle, toFileName(`${lists} ${nouns}`), options);
  if (destination === undefined) return undefined;
  return runExport({
    title: `Exporting the ${nouns} of ${names.map((name) => `"${name}"`).join(', ')}`,
    noun,
    nouns,
    fields: subscriberFields,
    ...destination,
    expected: options.expected,
    fetch: (page, signal) =>
      connections.run(connection, (client) => createMemberReader(client, membership, ids)(page, signal)),
  });
}

async function pickMembership(): Promise<Membership | undefined> {
  const choices: readonly (vscode.QuickPickItem & { readonly membership: Membership })[] = [
    { label: '$(person) Subscribers', description: 'Current members', membership: 'subscribed' },
    { label: '$(circle-slash) Unsubscribed users', description: 'Former members', membership: 'unsubscribed' },
  ];
  const options = { title: exportTitle, placeHolder: 'Select what to export', ignoreFocusOut: true };
  return (await vscode.window.showQuickPick(choices, options))?.membership;
}
