import * as vscode from 'vscode';
import { formatNumber, localized, t } from '../../l10n.ts';
import type { Outbox, OutboxMessage } from '../../service/sandbox/index.ts';
import { toBaseName } from '../documents/uri.ts';
import { exactTimeFormat } from '../../service/format.ts';
import { escapeMessage } from '../../service/text.ts';
import { outboxScheme, type SandboxHost } from './sandbox.ts';

/** A larger list is of no use to a reader. */
const MAX_OFFERED_MESSAGES = 500;

/** The item itself opens the preview. */
const formatButtons = localized(() => [
  { format: 'eml', tooltip: t('Open Source'), iconPath: new vscode.ThemeIcon('file-code') },
  { format: 'txt', tooltip: t('Open Text'), iconPath: new vscode.ThemeIcon('note') },
]);

/** Returns the URI of a message: `mailing-outbox:/12/Subject.eml`. The number identifies it; the name makes the tab readable. */
export function buildOutboxUri({ id, subject }: OutboxMessage, format = 'eml'): vscode.Uri {
  return vscode.Uri.from({ scheme: outboxScheme, path: `/${id}/${toBaseName(subject, 'message')}.${format}` });
}

interface PickedMessage {
  readonly message: OutboxMessage;
  /** The part to open as text. Undefined for the preview. */
  readonly format?: string;
}

/** Shows a message in the preview, or its source or text in an editor. The user picks it if no id is given. Returns its URI. */
export async function openOutboxMessage(sandbox: SandboxHost, id?: number): Promise<vscode.Uri | undefined> {
  const outbox = await sandbox.outbox();
  const message = id === undefined ? undefined : outbox?.get(id);
  if (id !== undefined && !message) throw new Error(t`The outbox has no message ${id}.`);
  const picked = message ? { message } : await pickMessage(outbox);
  if (!picked) return undefined;
  const uri = buildOutboxUri(picked.message, picked.format);
  if (picked.format === undefined)
    await vscode.commands.executeCommand('mailing.preview', buildOutboxUri(picked.message, 'html'));
  else await vscode.window.showTextDocument(uri, { preview: true });
  return uri;
}

/** Lets the user pick a message, newest first. */
async function pickMessage(outbox: Outbox | undefined) {
  if (!outbox || outbox.count === 0) {
    void vscode.window.showInformationMessage(
      outbox
        ? t('The outbox is empty. Send a test email or a campaign from the sandbox to see it here.')
        : t("The sandbox isn't running, so it has sent nothing."),
    );
    return undefined;
  }
  const newest = outbox.page(Math.max(0, outbox.count - MAX_OFFERED_MESSAGES), MAX_OFFERED_MESSAGES).reverse();
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly message: OutboxMessage }>();
  pick.items = newest.map((message) => ({
    label: `$(mail) ${escapeMessage(message.subject) || t('(no subject)')}`,
    description: escapeMessage(message.to),
    detail: exactTimeFormat().format(message.date),
    buttons: formatButtons(),
    message,
  }));
  pick.title = t('Sandbox Outbox');
  pick.placeholder =
    outbox.count > MAX_OFFERED_MESSAGES
      ? t`Newest ${formatNumber(MAX_OFFERED_MESSAGES)} of ${formatNumber(outbox.count)} messages`
      : t('Select a message');
  pick.matchOnDescription = true;
  return new Promise<PickedMessage | undefined>((resolve) => {
    pick.onDidAccept(() => resolve(pick.selectedItems[0] && { message: pick.selectedItems[0].message }));
    pick.onDidTriggerItemButton(({ item: { message }, button }) =>
      resolve({ message, format: formatButtons().find((each) => each === button)?.format }),
    );
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  }).finally(() => pick.dispose());
}
