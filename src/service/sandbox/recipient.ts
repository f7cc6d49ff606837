import type { Rendering, TagLocation } from '../../email/tags/index.ts';
import { hash } from './random.ts';
import { isConfirmed } from './people.ts';
import { DAY, formatTime, type StoredMail } from './records.ts';
import { configuration, type Store } from './store.ts';

const admin = { name: configuration.from_name, email: configuration.from_email, login: 'admin' } as const;

/** Creates the recipient of a mail. Its lists are those that are visible, and those the mail is sent to. */
export function createRecipient(store: Store, userId: number, listIds: readonly number[]) {
  const subscriptions = store.lists.all().flatMap((list) => {
    const isShown = list.visible === '1' || listIds.includes(list.id);
    const membership = isShown ? store.members.get(userId, list.id) : undefined;
    return membership?.status === 1 ? [{ list, since: membership.subscribed }] : [];
  });
  const since = Math.min(...subscriptions.map((subscription) => subscription.since));
  return {
    userId,
    person: store.people.get(userId),
    /** `YYYY-MM-DD HH:MM:SS`; empty if unavailable. */
    created: since === Infinity ? '' : formatTime(since - DAY),
    lists: subscriptions.map(({ list: { id, name, display_name: displayName, description } }) => ({
      id,
      name,
      displayName: displayName ?? '',
      description,
      owner: admin,
    })),
  };
}

/** A mail to one recipient. */
export interface MailContext {
  readonly mail: StoredMail;
  readonly campaignId: number | null;
  readonly listIds: readonly number[];
  readonly recipient: ReturnType<typeof createRecipient>;
  readonly sentAt: number;
  readonly baseUrl: string;
}

/** Creates the context for rendering the tags of a part of the mail. */
export function createRendering(
  { mail, campaignId, listIds, recipient, sentAt, baseUrl }: MailContext,
  where: TagLocation,
): Rendering {
  const { userId, person, created, lists } = recipient;
  return {
    where,
    person: {
      ...person,
      id: userId,
      confirmed: isConfirmed(userId) ? 1 : 0,
      active: 1,
      // The secret key in the links of a user, which is the same in every mail.
      key: `${hash(17, userId).toString(36)}${hash(19, userId).toString(36)}`,
      creation_date: created,
    },
    now: new Date(sentAt),
    mail: { ...mail, lists: listIds, ...(campaignId !== null && { campaignId }) },
    site: { name: configuration.siteName, address: baseUrl, language: 'en-US' },
    sender: admin,
    lists,
    link: (task) => {
      const address = buildLinkUrl(task, { baseUrl, userId, mailId: mail.id });
      return where === 'body' ? address.replaceAll('&', '&amp;') : address;
    },
    pick: (choices) => choices[hash(18, mail.id, sentAt % 1_000_000) % choices.length] ?? '',
  };
}

/** Pages of the site that mails link to, by the value of `ctrl`. */
export const sitePages: ReadonlyMap<unknown, string> = new Map([
  ['unsubscribe', 'Unsubscribe'],
  ['unsubscribeAll', 'Unsubscribe from all lists'],
  ['disableTracking', 'Stop tracking'],
  ['confirm', 'Confirm your subscription'],
  ['subscribe', 'Subscribe'],
  ['archive', 'Read in the browser'],
]);

export const STYLESHEET_PATH = '/wp-content/plugins/acymailing/media/css/libraries/foundation_email.min.css';

/** Styles of emails of the drag-and-drop editor. */
export const editorStylesheet = `#acym__wysid__template { color: #222222; font-family: Arial, sans-serif; }
#acym__wysid__template table { border-collapse: collapse; border-spacing: 0; }
#acym__wysid__template td { padding: 0; vertical-align: top; }
#acym__wysid__template img { max-width: 100%; }
@media (max-width: 596px) { #acym__wysid__template table.row { width: 100%; } }
`;

/** Builds the URL of a sandbox page for a link in a mail. */
export function buildLinkUrl(
  task: string,
  { baseUrl, userId, mailId }: { baseUrl: string; userId: number; mailId: number },
): string {
  const [name = '', ...rest] = task.split(' ');
  if (name === 'view') return `${baseUrl}/index.php?ctrl=archive&mail=${mailId}`;
  const parameters = rest.map((part) => {
    const [, key = part, value = '1'] = /^([^=]*)=(.*)$/s.exec(part) ?? [];
    return `&${key}=${encodeURIComponent(value)}`;
  });
  return `${baseUrl}/index.php?ctrl=${name}&user=${userId}&mail=${mailId}${parameters.join('')}`;
}
