import * as vscode from 'vscode';
import type { Outbox, OutboxMessage } from '../sandbox/index.ts';
import { inMessage } from '../ui/text.ts';
import { outboxScheme } from './outboxDocuments.ts';
import type { SandboxHost } from './sandbox.ts';

/** How many of the newest messages are offered: a sending to thousands is not a list to read. */
const offered = 500;

/** The address of a message: `mailing-outbox:/12/Subject.eml`. The number decides, the name makes the tab readable. */
export function outboxUri(message: Pick<OutboxMessage, 'id' | 'subject'>): vscode.Uri {
  const name = inMessage(message.subject, 60).replace(/[\\/:*?"<>|#%]+/g, ' ').replace(/ {2,}/g, ' ').replace(/^[ .]+|[ .]+$/g, '');
  return vscode.Uri.from({ scheme: outboxScheme, path: `/${message.id}/${name === '' ? 'message' : name}.eml` });
}

/** Lets the user choose a message, newest first, and opens it. Gives its address. */
export async function openFromOutbox(sandbox: SandboxHost, id?: number): Promise<vscode.Uri | undefined> {
  const outbox = await sandbox.outbox();
  const message = id === undefined ? await choose(outbox) : outbox?.get(id);
  if (!message) {
    if (id !== undefined) throw new Error(`The outbox holds no message ${id}.`);
    return undefined;
  }
  const uri = outboxUri(message);
  await vscode.window.showTextDocument(uri, { preview: true });
  return uri;
}

async function choose(outbox: Outbox | undefined): Promise<OutboxMessage | undefined> {
  if (!outbox || outbox.count === 0) {
    void vscode.window.showInformationMessage(
      outbox
        ? 'The outbox is empty. What the sandbox “sends” lands here: send a test e-mail or a campaign.'
        : 'The sandbox is not running, so it has sent nothing.',
    );
    return undefined;
  }
  const newest = outbox.page(Math.max(0, outbox.count - offered), offered).reverse();
  const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
  const picked = await vscode.window.showQuickPick(
    newest.map((message) => ({
      label: `$(mail) ${inMessage(message.subject) || '(no subject)'}`,
      description: inMessage(message.to),
      detail: when.format(message.date),
      message,
    })),
    {
      title: 'Sandbox Outbox',
      placeHolder: outbox.count > offered ? `The newest ${offered} of ${outbox.count} messages` : 'Which message?',
      matchOnDescription: true,
    },
  );
  return picked?.message;
}
