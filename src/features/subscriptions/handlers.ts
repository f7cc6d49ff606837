import type * as vscode from 'vscode';
import { TargetPicker } from '../../platform/documents/recordCommands.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import type { CommandArgument } from '../../platform/ui/commands.ts';
import { createMultiListPicking } from '../lists/model.ts';
import { SubscriptionChanges } from './run/changes.ts';
import { exportSubscribers } from './subscribers/host/exportSubscribers.ts';
import { SubscriberPanels } from './subscribers/host/session.ts';
import { UserSubscriptions } from './user/host/users.ts';

/** Handlers of the commands, and of a panel to restore after a restart. */
export type Handlers = ReturnType<typeof createHandlers>;

export function createHandlers(services: ExtensionServices) {
  const targets = new TargetPicker(services.connections);
  const changes = new SubscriptionChanges(services);
  const panels = new SubscriberPanels(services);
  const users = new UserSubscriptions(changes);
  services.context.subscriptions.push(users);
  return {
    /** Shows the subscribers of one or several lists. The argument is a list's node or `{ connection, id | ids }`. */
    showSubscribers: async (argument: CommandArgument) => {
      const ref = await targets.pickRecords(argument, { ...createMultiListPicking(), title: 'Show Subscribers' });
      if (ref !== undefined) panels.show({ connection: ref.connection, listIds: ref.ids });
      return ref;
    },
    exportSubscribers: (argument: CommandArgument) => exportSubscribers(services.connections, argument),
    subscribe: (argument: CommandArgument) => changes.change('subscribe', argument),
    unsubscribe: (argument: CommandArgument) => changes.change('unsubscribe', argument),
    continueSubscriptions: (argument: CommandArgument) => changes.resume(argument),
    showSubscriptions: (argument: CommandArgument) => users.show(argument),
    restore: (panel: vscode.WebviewPanel, state: CommandArgument) => panels.restore(panel, state),
  };
}
