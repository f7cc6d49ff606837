import type { Rooms } from '../rooms.ts';
import type { Handle } from '../ui/commands.ts';
import { createList } from './create.ts';
import { Lists } from './lists.ts';
import { deleteList } from './remove.ts';

/** What each command does. */
export type Handlers = Readonly<Record<'create' | 'delete', Handle>>;

export function handlersOf(rooms: Rooms): Handlers {
  const lists = new Lists(rooms);
  return {
    create: (argument) => createList(lists, argument),
    delete: (argument) => deleteList(lists, argument),
  };
}
