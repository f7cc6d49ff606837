import type { Rooms } from '../rooms.ts';
import { registerCommands } from '../ui/commands.ts';
import { commands } from './commands.ts';
import { templateDocuments } from './documents.ts';

/** Hands the templates to the shared mechanisms: their branch of the tree, their documents, their previews and commands. */
export function register(rooms: Rooms): void {
  const { context, documents, explorer, previews } = rooms;
  explorer.register(async () => (await import('./tree.ts')).templateTree);
  documents.register(templateDocuments);
  previews.registerResolver(async (body) => (await import('./preview.ts')).previewSource(documents, body));
  context.subscriptions.push(...registerCommands(rooms.log, commands, async () => (await import('./handlers.ts')).handlersOf(rooms)));
}
