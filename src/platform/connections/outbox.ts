import * as vscode from 'vscode';
import type { Outbox, OutboxMessage } from '../../service/sandbox/index.ts';
import { escapeMessage } from '../ui/text.ts';
import { outboxScheme } from './outboxDocuments.ts';
import type { SandboxHost } from './sandbox.ts';

/** A larger list is of no use to a reader. */
const MAX_OFFERED_MESSAGES = 500;

/** `.eml` shows the source, the others show one part. */
type MessageFormat = 'eml' | 'html' | 'txt';

/** Returns the URI of a message: `mailing-outbox:/12/Subject.eml`. The number identifies it; the name makes the tab readable. */
export function buildOutboxUri(
  message: Pick<OutboxMessage, 'id' | 'subject'>,
  format: MessageFormat = 'eml',
): vscode.Uri {
  const name = escapeMessage(message.subject, 60)
    .replace(/[\\/:*?"<>|#%]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .replace(/^[ .]+|[ .]+$/g, '');
  return vscode.Uri.from({ scheme: outboxScheme, path: `/${message.id}/${name === '' ? 'message' : name}.${format}` });
}

/** Lets the user pick a message, newest first, and opens it. Returns its URI. */
export async function openOutboxMessage(sandbox: SandboxHost, id?: number): Promise<vscode.Uri | undefined> {
  const outbox = await sandbox.outbox();
  const message = id === undefined ? undefined : outbox?.get(id);
  if (id !== undefined && !message) throw new Error(`The outbox holds no message ${id}.`);
  const picked: PickedMessage | undefined = message ? { message, format: 'eml' } : await pickMessage(outbox);
  if (!picked) return undefined;
  const uri = buildOutboxUri(picked.message, picked.format);
  await vscode.window.showTextDocument(uri, { preview: true });
  return uri;
}

interface PickedMessage {
  readonly message: OutboxMessage;
  readonly format: MessageFormat;
}

/** The item itself opens the source. */
const formatButtons: readonly (vscode.QuickInputButton & { readonly format: MessageFormat })[] = [
  { format: 'html', tooltip: 'Open HTML', iconPath: new vscode.ThemeIcon('browser') },
  { format: 'txt', tooltip: 'Open Text', iconPath: new vscode.ThemeIcon('note') },
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
        resolve(pick.selectedItems[0] && { message: pick.selectedItems[0].message, format: 'eml' }),
      );
      pick.onDidTriggerItemButton(({ item, button }) =>
        resolve({ message: item.message, format: formatButtons.find((each) => each === button)?.format ?? 'eml' }),
      );
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}
