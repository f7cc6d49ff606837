import * as vscode from 'vscode';
import { t } from '../../l10n.ts';
import type { TargetPicker } from '../../platform/documents/recordCommands.ts';
import type { ExtensionServices } from '../services.ts';
import { getFields, type CommandArgument, type CommandHandlers } from '../../ui/commands.ts';
import { exportTable, type ExportTable } from '../../ui/export/run.ts';
import { withProgress } from '../../ui/messages.ts';
import { createMultiListPicking, getListName, readList } from '../lists/model.ts';
import { createMemberReader, subscriberColumns, type Membership } from './model.ts';
import { SubscriptionChanges } from './run/changes.ts';
import { SubscriberPanels } from './subscribers/session.ts';
import { UserPanels } from './user/panel.ts';

/** Creates the handlers of the commands, and of a panel to restore after a restart. */
export function createHandlers(services: ExtensionServices) {
  const changes = new SubscriptionChanges(services);
  const panels = new SubscriberPanels(services);
  const users = new UserPanels(changes);
  services.context.subscriptions.push(users);
  const commands = {
    /** Shows the subscribers of one or several lists. The argument is a list's node or `{ connection, id | ids }`. */
    'mailing.list.showSubscribers': async (argument) => {
      const picking = { ...createMultiListPicking(), title: t('Show Subscribers') };
      const ref = await changes.targets.pickRecords(argument, picking);
      if (ref) panels.show({ connection: ref.connection, listIds: ref.ids });
      return ref;
    },
    'mailing.list.exportSubscribers': (argument) => exportSubscribers(services, changes.targets, argument),
    'mailing.list.subscribe': (argument) => changes.change('subscribe', argument),
    'mailing.list.unsubscribe': (argument) => changes.change('unsubscribe', argument),
    'mailing.list.continueSubscriptions': (argument) => changes.resume(argument),
    'mailing.user.showSubscriptions': (argument) => users.show(argument),
    'mailing.user.copyAddress': (argument) =>
      vscode.env.clipboard.writeText(String(getFields(argument)['email'] ?? '')),
  } satisfies CommandHandlers;
  return { commands, panels };
}

function createExportTables(): { readonly [Name in Membership]: ExportTable } {
  const fields = subscriberColumns().map(({ key }) => key);
  return {
    subscribed: {
      label: `$(person) ${t('Subscribers')}`,
      description: t('Current subscribers'),
      fields,
    },
    unsubscribed: {
      label: `$(circle-slash) ${t('Unsubscribed users')}`,
      description: t('Former subscribers'),
      fields,
    },
  };
}

/**
 * Exports all subscribers of one or several lists, or with `status: 'unsubscribed'` the former ones. The argument is a list's node or
 * `{ connection, id | ids, status?, format?, uri?, expected? }`. Asks for missing values.
 */
function exportSubscribers({ connections }: ExtensionServices, targets: TargetPicker, argument: CommandArgument) {
  const title = t('Export Subscribers');
  return exportTable(argument, {
    title,
    placeHolder: t('Select what to export'),
    field: 'status',
    tables: createExportTables(),
    pickTarget: () => targets.pickRecords(argument, { ...createMultiListPicking(), title }),
    readNames: ({ ids, ...service }) =>
      withProgress(t('Reading the lists'), (signal) =>
        connections.run(service, async (client) => {
          const names: string[] = [];
          for (const id of ids) names.push(getListName(await readList(client, id, signal)));
          return names;
        }),
      ),
    open:
      ({ ids, ...service }, membership) =>
      (page, options) =>
        connections.run(service, (client) => createMemberReader(client, membership, ids)(page, options)),
  });
}
