import type { ListData, Rendering, TagLocation } from '../../email/tags/index.ts';
import { hash } from './data/random.ts';
import { isConfirmed } from './data/people.ts';
import type { Person } from './data/people.ts';
import type { StoredList, StoredMail } from './records.ts';
import { configuration } from './store.ts';
import type { Store } from './store.ts';
import { DAY, formatTime } from './time.ts';

/** Data about a recipient for rendering tags. */
export interface Recipient {
  readonly userId: number;
  readonly person: Person;
  /** `YYYY-MM-DD HH:MM:SS`; empty if unavailable. */
  readonly created: string;
  readonly lists: readonly ListData[];
}

/** Creates the recipient of a mail. Its lists are those that are visible, and those the mail is sent to. */
export function createRecipient(store: Store, userId: number, listIds: readonly number[]): Recipient {
  // Computed on demand, because few mails need it.
  let cached: { list: StoredList; since: number }[] | undefined;
  const subscriptions = () => (cached ??= findSubscriptions(store, userId, listIds));
  return {
    userId,
    person: store.people.get(userId),
    get created() {
      const since = subscriptions().map((subscription) => subscription.since);
      return since.length > 0 ? formatTime(Math.min(...since) - DAY) : '';
    },
    get lists() {
      return subscriptions().map(({ list: { id, name, display_name: displayName, description } }) => ({
        id,
        name,
        displayName: displayName ?? '',
        description,
        owner: admin,
      }));
    },
  };
}

const admin = { name: configuration.from_name, email: configuration.from_email, login: 'admin' } as const;

function findSubscriptions(
  store: Store,
  userId: number,
  listIds: readonly number[],
): { list: StoredList; since: number }[] {
  return [...store.lists.from()].flatMap((list) => {
    const membership =
      list.visible === '1' || listIds.includes(list.id) ? store.members.get(userId, list.id) : undefined;
    return membership?.status === 1 ? [{ list, since: membership.subscribed }] : [];
  });
}

export interface MailContext {
  readonly mail: StoredMail;
  readonly campaignId: number | null;
  readonly listIds: readonly number[];
  readonly recipient: Recipient;
  readonly sentAt: number;
  readonly baseUrl: string;
}

/** Creates the context for rendering the tags of a part of the mail. */
export function createRendering(
  { mail, campaignId, listIds, recipient, sentAt, baseUrl }: MailContext,
  where: TagLocation,
): Rendering {
  const { userId, person } = recipient;
  return {
    where,
    person: {
      ...person,
      id: userId,
      confirmed: isConfirmed(userId) ? 1 : 0,
      active: 1,
      key: getUserKey(userId),
      get creation_date() {
        return recipient.created;
      },
    },
    now: new Date(sentAt),
    mail: { ...mail, lists: listIds, ...(campaignId !== null && { campaignId }) },
    site: { name: configuration.siteName, address: baseUrl, language: 'en-US' },
    sender: admin,
    get lists() {
      return recipient.lists;
    },
    link: (task) => {
      const address = buildLinkUrl(task, { baseUrl, userId, mailId: mail.id });
      return where === 'body' ? address.replaceAll('&', '&amp;') : address;
    },
    pick: (choices) => choices[hash(18, mail.id, sentAt % 1_000_000) % choices.length] ?? '',
  };
}

/** Returns the secret key in the links of a user, which is the same in every mail. */
const getUserKey = (userId: number): string => `${hash(17, userId).toString(36)}${hash(19, userId).toString(36)}`;

/** Pages of the site that mails link to, by the value of `ctrl`. */
export const sitePages: ReadonlyMap<string, string> = new Map([
  ['unsubscribe', 'Unsubscribe'],
  ['unsubscribeAll', 'Unsubscribe from all lists'],
  ['disableTracking', 'Stop tracking'],
  ['confirm', 'Confirm your subscription'],
  ['subscribe', 'Subscribe'],
  ['archive', 'Read in the browser'],
]);

/** Builds the URL of a sandbox page for a link in a mail. */
export function buildLinkUrl(
  task: string,
  { baseUrl, userId, mailId }: { baseUrl: string; userId: number; mailId: number },
): string {
  const [name = '', ...rest] = task.split(' ');
  if (name === 'view') return `${baseUrl}/index.php?ctrl=archive&mail=${mailId}`;
  const parameters = rest.map((part) => {
    const [key = '', value] = splitParameter(part);
    return value === undefined ? `&${key}=1` : `&${key}=${encodeURIComponent(value)}`;
  });
  return `${baseUrl}/index.php?ctrl=${name}&user=${userId}&mail=${mailId}${parameters.join('')}`;
}

function splitParameter(text: string): [string, string | undefined] {
  const at = text.indexOf('=');
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
