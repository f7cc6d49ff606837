import type { Rooms } from '../../rooms.ts';
import { Lists } from '../lists.ts';
import { Changes } from './changes.ts';
import { UserSubscriptions } from './users.ts';

/** What the commands on subscriptions run. */
export function makeSubscriptions(rooms: Rooms): { readonly changes: Changes; readonly users: UserSubscriptions } {
  const changes = new Changes(new Lists(rooms));
  const users = new UserSubscriptions(changes);
  rooms.context.subscriptions.push(users);
  return { changes, users };
}
