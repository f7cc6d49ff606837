import type { Rooms } from '../rooms.ts';
import { registerCommands } from './commands.ts';
import { templateDocuments } from './documents.ts';
import { previewSource } from './preview.ts';
import { templateTree } from './tree.ts';

/** Hands the templates to the shared mechanisms: their branch of the tree, their documents, their previews and commands. */
export function register(rooms: Rooms): void {
  const { context, documents, explorer, previews } = rooms;
  explorer.register(templateTree);
  documents.register(templateDocuments);
  const saved = documents.onDidSave(({ address }) => {
    if (address.kind.collection === templateDocuments.collection) {
      explorer.refresh({ connection: address.connection, collection: templateDocuments.collection });
    }
  });
  previews.registerResolver(async (body) => previewSource(documents, body));
  context.subscriptions.push(saved, ...registerCommands(rooms));
}
