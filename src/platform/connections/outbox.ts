import * as vscode from 'vscode';
import type { Outbox, OutboxMessage } from '../../service/sandbox/index.ts';
import { inMessage } from '../ui/text.ts';
import { outboxScheme } from './outboxDocuments.ts';
import type { SandboxHost } from './sandbox.ts';

/** How many of the newest messages are offered: a sending to thousands is not a list to read. */
const offered = 500;

/** How a message is looked at: `.eml` is its source, the others are its parts. */
type Ending = 'eml' | 'html' | 'txt';

/** The address of a message: `mailing-outbox:/12/Subject.eml`. The number decides, the name makes the tab readable. */
export function outboxUri(message: Pick<OutboxMessage, 'id' | 'subject'>, ending: Ending = 'eml'): vscode.Uri {
  const name = inMessage(message.subject, 60)
    .replace(/[\\/:*?"<>|#%]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .replace(/^[ .]+|[ .]+$/g, '');
  return vscode.Uri.from({ scheme: outboxScheme, path: `/${message.id}/${name === '' ? 'message' : name}.${ending}` });
}

/** Lets the user choose a message, newest first, and opens it. Gives its address. */
export async function openFromOutbox(sandbox: SandboxHost, id?: number): Promise<vscode.Uri | undefined> {
  const outbox = await sandbox.outbox();
  const known = id === undefined ? undefined : outbox?.get(id);
  if (id !== undefined && !known) throw new Error(`The outbox holds no message ${id}.`);
  const chosen: Chosen | undefined = known ? { message: known, ending: 'eml' } : await choose(outbox);
  if (!chosen) return undefined;
  const uri = outboxUri(chosen.message, chosen.ending);
  await vscode.window.showTextDocument(uri, { preview: true });
  return uri;
}

interface Chosen {
  readonly message: OutboxMessage;
  readonly ending: Ending;
}

/** What an item's buttons open; the item itself opens the source. */
const buttons: readonly (vscode.QuickInputButton & { readonly ending: Ending })[] = [
  { ending: 'html', tooltip: 'Open HTML', iconPath: new vscode.ThemeIcon('browser') },
  { ending: 'txt', tooltip: 'Open Text', iconPath: new vscode.ThemeIcon('note') },
];

async function choose(outbox: Outbox | undefined): Promise<Chosen | undefined> {
  if (!outbox || outbox.count === 0) {
    void vscode.window.showInformationMessage(
      outbox
        ? 'The outbox is empty. What the sandbox “sends” lands here: send a test email or a campaign.'
        : 'The sandbox is not running, so it has sent nothing.',
    );
    return undefined;
  }
  const newest = outbox.page(Math.max(0, outbox.count - offered), offered).reverse();
  const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly message: OutboxMessage }>();
  pick.items = newest.map((message) => ({
    label: `$(mail) ${inMessage(message.subject) || '(no subject)'}`,
    description: inMessage(message.to),
    detail: when.format(message.date),
    buttons,
    message,
  }));
  pick.title = 'Sandbox Outbox';
  pick.placeholder = outbox.count > offered ? `The newest ${offered} of ${outbox.count} messages` : 'Which message?';
  pick.matchOnDescription = true;
  try {
    return await new Promise<Chosen | undefined>((resolve) => {
      pick.onDidAccept(() =>
        resolve(pick.selectedItems[0] && { message: pick.selectedItems[0].message, ending: 'eml' }),
      );
      pick.onDidTriggerItemButton(({ item, button }) =>
        resolve({ message: item.message, ending: buttons.find((each) => each === button)?.ending ?? 'eml' }),
      );
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}
