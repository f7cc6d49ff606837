import * as vscode from 'vscode';
import { isApiError } from '../../api/errors.ts';
import type { Rooms } from '../../rooms.ts';
import { commandsOn } from '../../workbench/commands.ts';
import { once } from '../../workbench/once.ts';

/** Also the editor's type in `when` clauses: `activeCustomEditorId == 'mailing.campaign.form'`. */
const viewType = 'mailing.campaign.form';

/** Opens `*.campaign.json` as a form, and as text where the user wants that. The form's code is loaded with the first of them. */
export function registerForm(rooms: Rooms): vscode.Disposable {
  const { documents, log } = rooms;
  const load = once(async () => new (await import('./sessions.ts')).FormSessions(rooms));
  let isLoaded = false;
  const whenLoaded = async (use: (sessions: Awaited<ReturnType<typeof load>>) => void): Promise<void> => {
    if (isLoaded) use(await load());
  };
  const provider: vscode.CustomTextEditorProvider = {
    resolveCustomTextEditor: async (document, panel) => {
      isLoaded = true;
      (await load()).open(document, panel);
    },
  };
  const command = commandsOn(log);
  return vscode.Disposable.from(
    vscode.window.registerCustomEditorProvider(viewType, provider, { supportsMultipleEditorsPerDocument: true, webviewOptions: { enableFindWidget: true } }),
    documents.onDidSave(({ address }) => void whenLoaded((sessions) => sessions.saved(address))),
    documents.onDidFailSave(({ address, error }) => {
      if (isApiError(error)) void whenLoaded((sessions) => sessions.showServiceError(address, error.serverMessage ?? error.message));
    }),
    command('mailing.campaign.openAsText', 'Open as Text', (argument) => reopen(argument, 'default')),
    command('mailing.campaign.openAsForm', 'Open as Form', (argument) => reopen(argument, viewType)),
    new vscode.Disposable(() => void whenLoaded((sessions) => sessions.dispose())),
  );
}

/** Shows a document (by default the one in front) in another editor: in place of the one that shows it, where that is in front. */
async function reopen(argument: unknown, editor: string): Promise<void> {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  const inFront = tab?.input instanceof vscode.TabInputText || tab?.input instanceof vscode.TabInputCustom ? tab.input.uri : undefined;
  const uri = argument instanceof vscode.Uri ? argument : inFront;
  if (uri === undefined) return;
  // `vscode.openWith` would leave the other editor open beside the new one.
  if (uri.toString() === inFront?.toString()) await vscode.commands.executeCommand('reopenActiveEditorWith', editor);
  else await vscode.commands.executeCommand('vscode.openWith', uri, editor);
}
