import * as vscode from 'vscode';
import type { Outbox, OutboxMessage } from '../../service/sandbox/index.ts';
import { escapeMessage } from '../ui/text.ts';
import { outboxScheme } from './outboxDocuments.ts';
import type { SandboxHost } from './sandbox.ts';

/** How many of the newest messages are offered: a sending to thousands is not a list to read. */
const MAX_OFFERED_MESSAGES = 500;

/** How a message is looked at: `.eml` is its source, the others are its parts. */
type MessageFormat = 'eml' | 'html' | 'txt';

/** The address of a message: `mailing-outbox:/12/Subject.eml`. The number decides, the name makes the tab readable. */
export function buildOutboxUri(
  message: Pick<OutboxMessage, 'id' | 'subject'>,
  ending: MessageFormat = 'eml',
): vscode.Uri {
  const name = escapeMessage(message.subject, 60)
    .replace(/[\\/:*?"<>|#%]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .replace(/^[ .]+|[ .]+$/g, '');
  return vscode.Uri.from({ scheme: outboxScheme, path: `/${message.id}/${name === '' ? 'message' : name}.${ending}` });
}

/** Lets the user choose a message, newest first, and opens it. Gives its address. */
export async function openOutboxMessage(sandbox: SandboxHost, id?: number): Promise<vscode.Uri | undefined> {
  const outbox = await sandbox.outbox();
  const known = id === undefined ? undefined : outbox?.get(id);
  if (id !== undefined && !known) throw new Error(`The outbox holds no message ${id}.`);
  const chosen: PickedMessage | undefined = known ? { message: known, ending: 'eml' } : await pickMessage(outbox);
  if (!chosen) return undefined;
  const uri = buildOutboxUri(chosen.message, chosen.ending);
  await vscode.window.showTextDocument(uri, { preview: true });
  return uri;
}

interface PickedMessage {
  readonly message: OutboxMessage;
  readonly ending: MessageFormat;
}

/** What an item's buttons open; the item itself opens the source. */
const formatButtons: readonly (vscode.QuickInputButton & { readonly ending: MessageFormat })[] = [
  { ending: 'html', tooltip: 'Open HTML', iconPath: new vscode.ThemeIcon('browser') },
  { ending: 'txt', tooltip: 'Open Text', iconPath: new vscode.ThemeIcon('note') },
];

async function pickMessage(outbox: Outbox | undefined): Promise<PickedMessage | undefined> {
  if (!outbox || outbox.count === 0) {
    void vscode.window.showInformationMessage(
      outbox
        ? 'The outbox is empty. What the sandbox “sends” lands here: send a test email or a campaign.'
        : 'The sandbox is not running, so it has sent nothing.',
    );
    return undefined;
  }
  const newest = outbox.page(Math.max(0, outbox.count - MAX_OFFERED_MESSAGES), MAX_OFFERED_MESSAGES).reverse();
  const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly message: OutboxMessage }>();
  pick.items = newest.map((message) => ({
    label: `$(mail) ${escapeMessage(message.subject) || '(no subject)'}`,
    description: escapeMessage(message.to),
    detail: when.format(message.date),
    buttons: formatButtons,
    message,
  }));
  pick.title = 'Sandbox Outbox';
  pick.placeholder =
    outbox.count > MAX_OFFERED_MESSAGES
      ? `The newest ${MAX_OFFERED_MESSAGES} of ${outbox.count} messages`
      : 'Which message?';
  pick.matchOnDescription = true;
  try {
    return await new Promise<PickedMessage | undefined>((resolve) => {
      pick.onDidAccept(() =>
        resolve(pick.selectedItems[0] && { message: pick.selectedItems[0].message, ending: 'eml' }),
      );
      pick.onDidTriggerItemButton(({ item, button }) =>
        resolve({ message: item.message, ending: formatButtons.find((each) => each === button)?.ending ?? 'eml' }),
      );
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}
