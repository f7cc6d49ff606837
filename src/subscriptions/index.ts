import type { Rooms } from '../rooms.ts';
import { Lists } from '../lists/lists.ts';
import { Changes } from './run/changes.ts';
import { UserSubscriptions } from './user/host/users.ts';

/** What the commands on subscriptions run. */
export function makeSubscriptions(rooms: Rooms): { readonly changes: Changes; readonly users: UserSubscriptions } {
  const changes = new Changes(new Lists(rooms));
  const users = new UserSubscriptions(changes);
  rooms.context.subscriptions.push(users);
  return { changes, users };
}
