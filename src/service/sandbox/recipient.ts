import type { ListData, Rendering, TagLocation } from '../../email/tags/index.ts';
import { hash } from './data/random.ts';
import { isConfirmed } from './data/people.ts';
import type { Person } from './data/people.ts';
import type { StoredList, StoredMail } from './records.ts';
import { configuration } from './store.ts';
import type { Store } from './store.ts';
import { DAY, formatTime } from './time.ts';

/** What a mail's tags may ask of the person it goes to. */
export interface Recipient {
  readonly userId: number;
  readonly person: Person;
  /** `YYYY-MM-DD HH:MM:SS`, or empty where it is not known. */
  readonly created: string;
  /** The lists the person is on. */
  readonly lists: readonly ListData[];
}

/** Who a user is, and on which lists: those that forms show, and those the mail goes to. */
export function createRecipient(store: Store, userId: number, listIds: readonly number[]): Recipient {
  // Read when asked for: most mails ask for neither.
  let known: { list: StoredList; since: number }[] | undefined;
  const subscriptions = () => (known ??= findSubscriptions(store, userId, listIds));
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

/** What the tags of a part of the mail are rendered with. */
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

/** The secret in a person's links: the same in each mail. */
const getUserKey = (userId: number): string => `${hash(17, userId).toString(36)}${hash(19, userId).toString(36)}`;

/** Pages of the site that mails link to, by what follows `ctrl=`. */
export const sitePages: ReadonlyMap<string, string> = new Map([
  ['unsubscribe', 'Unsubscribe'],
  ['unsubscribeAll', 'Unsubscribe from all lists'],
  ['disableTracking', 'Stop tracking'],
  ['confirm', 'Confirm your subscription'],
  ['subscribe', 'Subscribe'],
  ['archive', 'Read in the browser'],
]);

/** Where a link of a mail leads: to a page of the sandbox, for the user and the mail. */
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
