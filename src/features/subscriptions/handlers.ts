import { TargetPicker, type RecordRefs } from '../../platform/documents/recordCommands.ts';
import { createMultiListPicking } from '../lists/model.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import type { CommandArgument, CommandHandler } from '../../platform/ui/commands.ts';
import { SubscriptionChanges } from './run/changes.ts';
import { exportSubscribers } from './subscribers/host/exportSubscribers.ts';
import type { SubscriberPanels } from './subscribers/host/panels.ts';
import { UserSubscriptions } from './user/host/users.ts';

export type Handlers = Readonly<
  Record<
    | 'showSubscribers'
    | 'exportSubscribers'
    | 'subscribe'
    | 'unsubscribe'
    | 'continueSubscriptions'
    | 'showSubscriptions',
    CommandHandler
  >
>;

export function createHandlers(services: ExtensionServices, panels: SubscriberPanels): Handlers {
  const targets = new TargetPicker(services.connections);
  const changes = new SubscriptionChanges(services);
  const users = new UserSubscriptions(changes);
  services.context.subscriptions.push(users);
  return {
    showSubscribers: (argument) => showSubscribers(targets, panels, argument),
    exportSubscribers: (argument) => exportSubscribers(services.connections, argument),
    subscribe: (argument) => changes.change('subscribe', argument),
    unsubscribe: (argument) => changes.change('unsubscribe', argument),
    continueSubscriptions: (argument) => changes.resume(argument),
    showSubscriptions: (argument) => users.show(argument),
  };
}

/** Shows the subscribers of one or several lists. The argument is a list's node or `{ connection, id | ids }`. */
async function showSubscribers(
  targets: TargetPicker,
  panels: SubscriberPanels,
  argument: CommandArgument,
): Promise<RecordRefs | undefined> {
  const ref = await targets.pickRecords(argument, { ...createMultiListPicking(), title: 'Show Subscribers' });
  if (ref !== undefined) panels.show({ connection: ref.connection, listIds: ref.ids });
  return ref;
}
