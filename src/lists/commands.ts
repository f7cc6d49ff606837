import * as vscode from 'vscode';
import type { Rooms } from '../rooms.ts';
import { commandsOn } from '../workbench/commands.ts';
import { once } from '../workbench/once.ts';
import { viewType } from './subscribers/viewType.ts';

/** All commands on lists and their subscribers. What they do is loaded when the first of them runs. */
export function registerCommands(rooms: Rooms): vscode.Disposable[] {
  const command = commandsOn(rooms.log);
  const load = once(async () => {
    const [handlers, { Lists }, { SubscriberPanels }] = await Promise.all([import('./handlers.ts'), import('./lists.ts'), import('./subscribers/panels.ts')]);
    return { ...handlers, lists: new Lists(rooms), panels: new SubscriberPanels(rooms) };
  });
  type Loaded = Awaited<ReturnType<typeof load>>;
  const handle = (run: (loaded: Loaded, argument: unknown) => unknown) => async (argument: unknown) => run(await load(), argument);
  return [
    vscode.window.registerWebviewPanelSerializer(viewType, { deserializeWebviewPanel: async (panel, state) => (await load()).panels.restore(panel, state) }),
    command('mailing.list.create', 'New List', handle(({ createList, lists }, argument) => createList(lists, argument))),
    command('mailing.list.delete', 'Delete List', handle(({ removeList, lists, panels }, argument) => removeList(lists, panels, argument))),
    command('mailing.list.showSubscribers', 'Show Subscribers', handle(({ showSubscribers, lists, panels }, argument) => showSubscribers(lists, panels, argument))),
    command('mailing.list.exportSubscribers', 'Export Subscribers', handle(({ exportSubscribers, lists }, argument) => exportSubscribers(lists, argument))),
  ];
}
