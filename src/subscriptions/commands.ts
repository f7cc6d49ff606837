import type * as vscode from 'vscode';
import type { Rooms } from '../rooms.ts';
import { commandsOn } from '../ui/commands.ts';
import { once } from '../ui/once.ts';

/** The commands on subscriptions. What they do is loaded when the first of them runs. */
export function registerSubscriptions(rooms: Rooms): vscode.Disposable[] {
  const command = commandsOn(rooms.log);
  const load = once(async () => (await import('./index.ts')).makeSubscriptions(rooms));
  return [
    command('mailing.list.subscribe', 'Subscribe Addresses', async (argument) => (await load()).changes.change('subscribe', argument)),
    command('mailing.list.unsubscribe', 'Unsubscribe Addresses', async (argument) =>
      (await load()).changes.change('unsubscribe', argument),
    ),
    command('mailing.list.continueSubscriptions', 'Continue Changing Subscriptions', async (argument) =>
      (await load()).changes.resume(argument),
    ),
    command('mailing.user.showSubscriptions', 'Show Subscriptions of a User', async (argument) => (await load()).users.show(argument)),
  ];
}
