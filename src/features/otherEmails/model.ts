import { t } from '@vscode/l10n';
import { localized } from '../../l10n.ts';
import type { MailingClient, StoredEmail } from '../../service/client/index.ts';
import { MAX_PAGE_SIZE } from '../../service/client/paginate.ts';
import { toSingleLine } from '../../service/text.ts';

/** Name of the collection in references to its records. */
export const collection = 'emails';

/** The labels of the types that the service can filter by. */
export const getEmailTypes = localized(() => ({
  welcome: t({ message: 'Welcome', comment: 'Emails that are sent when a user subscribes' }),
  unsubscribe: t({ message: 'Unsubscribe', comment: 'Emails that are sent when a user unsubscribes' }),
  automation: t({ message: 'Automation', comment: 'Emails that automations send' }),
  notification: t({ message: 'Notification', comment: 'Emails that the service sends by itself' }),
}));

export interface OtherEmail extends StoredEmail {
  readonly type: string;
}

/** Reads the newest emails of each type. */
export async function readEmails(
  client: MailingClient,
  options: { readonly signal?: AbortSignal },
): Promise<readonly OtherEmail[]> {
  const types = Object.keys(getEmailTypes()).map(async (type) => {
    const emails = await client.getEmails({ limit: MAX_PAGE_SIZE, filters: { type } }, options);
    return emails.map((email): OtherEmail => ({ ...email, type }));
  });
  return (await Promise.all(types)).flat();
}

export const getEmailName = ({ id, name, subject }: StoredEmail): string =>
  toSingleLine(name || subject || '') || t`Email ${id}`;

/** Returns what the service doesn't offer for these emails. */
export const getLimits = (): string =>
  t("The service doesn't report the text of this email. Read and change it on the service's website.");
