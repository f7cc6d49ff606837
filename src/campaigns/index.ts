import * as vscode from 'vscode';
import type { Campaign } from '../api/index.ts';
import type { Rooms } from '../rooms.ts';
import { once } from '../ui/once.ts';
import { registerCommands } from '../ui/commands.ts';
import { commands } from './commands.ts';
import { campaignDocuments, suffixes } from './documents.ts';
import { registerForm } from './host/index.ts';

/** Hands the campaigns to the shared mechanisms: their branch of the tree, their documents, form, previews and commands. */
export function register(rooms: Rooms): void {
  const { context, documents, explorer, previews } = rooms;
  const { collection } = campaignDocuments;
  explorer.register(async () => {
    const [{ campaignTreeOf }, sends] = await Promise.all([import('./tree.ts'), rooms.sends()]);
    return campaignTreeOf((ref) => sends.isLost(ref));
  });
  documents.register(campaignDocuments);
  previews.registerResolver(async (body) => (await import('./preview.ts')).previewSource(documents, body));
  context.subscriptions.push(
    documents.onDidSave(({ address, before }) => {
      if (address.kind.collection === collection && wasStarted(before))
        void import('./draftAgain.ts').then(({ sayThatItIsADraft }) => sayThatItIsADraft(address.connection, before));
    }),
    registerForm(rooms),
    ...registerListNames(rooms),
    ...registerCommands(rooms.log, commands, async () => (await import('./handlers.ts')).handlersOf(rooms)),
  );
}

/** Loads what knows the lists' names when it is first asked. */
function registerListNames(rooms: Rooms): vscode.Disposable[] {
  const load = once(async () => new (await import('./listNames.ts')).ListNames(rooms));
  const selector = { scheme: 'mailing', pattern: `**/*${suffixes.details}` };
  return [
    vscode.languages.registerCompletionItemProvider(selector, {
      provideCompletionItems: async (document, position, token) => (await load()).provideCompletionItems(document, position, token),
    }, '[', ',', ' '),
    vscode.languages.registerHoverProvider(selector, {
      provideHover: async (document, position, token) => (await load()).provideHover(document, position, token),
    }),
  ];
}

/** Whether a campaign waited for its date or its rhythm. */
function wasStarted({ active, draft }: Campaign): boolean {
  return active === 1 && draft === 0;
}
