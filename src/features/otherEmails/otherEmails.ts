import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { RecordRef } from '../../platform/connections/model.ts';
import type { TreeCollection } from '../../platform/explorer/model.ts';
import type { RecordOperations, TestMessage } from '../../platform/documents/recordCollections.ts';
import { parseAddresses } from '../sending/testSend/recipients.ts';
import type { ExtensionServices } from '../services.ts';
import { getFields, type CommandArgument } from '../../ui/commands.ts';
import { showInfo } from '../../ui/messages.ts';
import { canSendToSingleUser } from '../../service/client/client.ts';
import { MAX_PAGE_SIZE } from '../../service/client/paginate.ts';
import { formatServiceDateTime } from '../../service/format.ts';
import { escapeMessage } from '../../service/text.ts';
import { collection, getEmailName, getEmailTypes, getLimits, readEmails, type OtherEmail } from './model.ts';

/** The emails that belong to no other collection. */
export const otherEmailTree: TreeCollection<OtherEmail> = {
  id: collection,
  get label() {
    return t('Other Emails');
  },
  codicon: 'mail',
  pageSize: MAX_PAGE_SIZE,
  isAvailable: ({ profile, sandbox }) => profile === 'acymailing' || sandbox === true,
  get empty() {
    return { message: t("No other emails yet. Create them on the service's website.") };
  },
  get filters() {
    return [{ key: 'name', label: t('Name') }];
  },
  get groups() {
    return { all: Object.entries(getEmailTypes()).map(([key, label]) => ({ key, label, codicon: 'mail' })) };
  },
  // Each type has its own pages, so the first page of the branch has all of them.
  fetch: async (client, { offset }, _filter, options) => (offset > 0 ? [] : readEmails(client, options)),
  matchesFilter: (email, { name = '' }) => getEmailName(email).toLowerCase().includes(name.toLowerCase()),
  item: (email) => ({
    label: getEmailName(email),
    description: email.subject ?? '',
    icon: { codicon: 'mail' },
    tooltip: [
      [t('Name'), getEmailName(email)],
      [t('Subject'), email.subject ?? ''],
      [
        t({ message: 'Created', comment: 'Date when the email was created' }),
        formatServiceDateTime(email.creation_date) ?? '',
      ],
      [t('ID'), String(email.id)],
      [t('Text'), getLimits()],
    ],
    contextValue: `mailing.email.${email.type}`,
    group: email.type,
  }),
};

/** Creates the operations of the commands for all types of records. */
export function createOperations(services: ExtensionServices): RecordOperations {
  return {
    // Only the tree lists them: a search would take a request for each type.
    picking: { collection, placeholder: '', search: async () => [] },
    open: (ref) => explainLimits(services, ref),
    // It sends the test itself, because only the service has the text.
    openTestable: async (ref, argument) => {
      await sendStored(services, ref, argument);
      return undefined;
    },
  };
}

async function explainLimits({ connections }: ExtensionServices, ref: RecordRef) {
  const [test, open] = [t('Send Test'), t('Open Website')];
  const chosen = await showInfo(getLimits(), test, open);
  if (chosen === test) await vscode.commands.executeCommand('mailing.sendTest', { ...ref, collection });
  if (chosen === open) await vscode.env.openExternal(vscode.Uri.parse((await connections.resolve(ref)).baseUrl));
}

/** Sends a stored email to an address that the argument contains or the user enters. */
async function sendStored(services: ExtensionServices, ref: RecordRef, argument: CommandArgument) {
  const { connections } = services;
  const connection = await connections.resolve(ref);
  const [email, isSupported] = await connections.run(ref, async (client) => [
    (await readEmails(client, {})).find(({ id }) => id === ref.id),
    await canSendToSingleUser(client),
  ]);
  if (!email) throw new Error(t('It was deleted on the service.'));
  // Other tests would send the text, which is unavailable.
  if (!isSupported) throw new Error(t("This service can't send an email to a single user."));
  const given = getFields(argument)['to'];
  const text = Array.isArray(given) ? given.join(' ') : await promptForAddress(getEmailName(email));
  const addresses = parseAddresses(text ?? '');
  if (!addresses) return;
  const message: TestMessage = {
    name: getEmailName(email),
    envelope: { subject: email.subject ?? '', preheader: '', from_name: '', from_email: '' },
    body: '',
    isEmpty: false,
    findStoredMailId: async () => ref.id,
  };
  await services.sendTest({
    connection,
    what: `tests/${collection}/${ref.id}`,
    message,
    to: { kind: 'addresses', addresses },
  });
}

function promptForAddress(name: string) {
  return vscode.window.showInputBox({
    title: t('Send Test Email'),
    prompt: t`Address that gets "${escapeMessage(name)}"`,
    ignoreFocusOut: true,
    validateInput: (text) => (parseAddresses(text)?.length === 1 ? undefined : t('Enter a complete email address')),
  });
}
