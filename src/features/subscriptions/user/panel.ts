import * as vscode from 'vscode';
import { stringifyFieldValue } from '../../../email/compose/fieldText.ts';
import { isTruncated, truncatedListsMessage } from '../../../service/client/allLists.ts';
import type { MailingClient, Subscriber, Subscription } from '../../../service/client/index.ts';
import { MAX_PAGE_SIZE, paginate } from '../../../service/client/paginate.ts';
import type { Connections } from '../../../platform/connections/connections.ts';
import { toServiceRef, type Connection, type RecordRef, type ServiceRef } from '../../../platform/connections/model.ts';
import { parseArgument } from '../../../platform/documents/recordCommands.ts';
import { type CommandArgument, getFields } from '../../../ui/commands.ts';
import { errorText } from '../../../ui/errors.ts';
import { formatServiceDateTime } from '../../../service/format.ts';
import { type ReportProgress, showError, withProgress } from '../../../ui/messages.ts';
import { escapeMessage, toSingleLine } from '../../../service/text.ts';
import { WebviewPage } from '../../../ui/webview/webview.ts';
import { plural, t } from '../../../l10n.ts';
import { getListColor, getListMarks, getListName } from '../../lists/model.ts';
import { createMemberReader, membershipNames } from '../model.ts';
import type { SubscriptionChanges } from '../run/changes.ts';
import { isEmailAddress, normalizeAddress } from '../run/parseAddresses.ts';
import { readLists } from '../run/prompts.ts';
import type { ChangeKind } from '../run/run.ts';
import { fromPage, type FromPage, type SubscriptionRow, type ToPage } from './protocol.ts';

interface UserRef extends RecordRef {
  readonly email?: string;
}

const getCommandTitle = () => t('Show Subscriptions of a User');
/** Limits the search for an address that is only displayed. */
const QUICK_SEARCH_USERS = 5000;
/** In characters. */
const MAX_FIELD_VALUE_LENGTH = 2000;

/** Finds users and shows their subscriptions. Each user always has at most one panel. */
export class UserPanels implements vscode.Disposable {
  readonly #changes: SubscriptionChanges;
  readonly #panels = new Map<string, UserPanel>();

  constructor(changes: SubscriptionChanges) {
    this.#changes = changes;
  }

  /**
   * Shows the subscriptions of the user in `{ connection, id, email? }`, or asks for a user.
   *
   * Throws if the service has no subscriptions of the user.
   */
  async show(argument: CommandArgument): Promise<UserRef | undefined> {
    const { services, targets } = this.#changes;
    const { id } = parseArgument(argument, 'users');
    const connection = await targets.pickConnection(argument, getCommandTitle());
    if (!connection) return undefined;
    const { email } = getFields(argument);
    const user: UserRef | undefined =
      id === undefined
        ? await promptForUser(services.connections, connection)
        : { ...toServiceRef(connection), id, email: typeof email === 'string' ? email : undefined };
    if (!user) return undefined;
    const subscriptions = await withProgress(t('Reading the subscriptions'), (signal) =>
      services.connections.run(user, (client) => client.getUserSubscriptionById(user.id, { signal })),
    );
    if (subscriptions.length === 0)
      throw new Error(t`No subscriptions found for user #${user.id}. The user doesn't exist or never joined a list.`);
    const key = `${user.connection}/${user.baseUrl}/${user.id}`;
    const open = this.#panels.get(key);
    if (open) open.reveal(subscriptions);
    else this.#panels.set(key, new UserPanel(this.#changes, user, subscriptions, () => this.#panels.delete(key)));
    return user;
  }

  dispose(): void {
    for (const panel of [...this.#panels.values()]) panel.dispose();
  }
}

async function promptForUser(connections: Connections, connection: Connection): Promise<UserRef | undefined> {
  const answer = await vscode.window.showInputBox({
    title: getCommandTitle(),
    prompt: t('ID or email address of the user'),
    placeHolder: t({
      message: '{0} or {1}',
      args: ['42', 'ann@example.com'],
      comment: 'Examples of an ID and an email address',
    }),
    ignoreFocusOut: true,
    validateInput: (text) =>
      /^\d{1,15}$/u.test(text.trim()) || isEmailAddress(text.trim())
        ? undefined
        : t('Enter a number or an email address.'),
  });
  const text = answer?.trim();
  if (text === undefined) return undefined;
  const service = toServiceRef(connection);
  return isEmailAddress(text) ? findByAddress(connections, service, text) : { ...service, id: Number(text) };
}

/** Searches lists for an address, because the API has no lookup by address. */
async function findByAddress(connections: Connections, service: ServiceRef, email: string) {
  const lists = await readLists(connections, service);
  const allLabel = isTruncated(lists) ? t('All of these lists') : t('All lists');
  const prompt = t`Select the lists in which to search for ${escapeMessage(email)}.`;
  const picked = await vscode.window.showQuickPick(
    [
      { label: allLabel, description: t('May take a while for long lists'), ids: lists.map(({ id }) => id) },
      ...lists.map((list) => ({
        label: escapeMessage(getListName(list)),
        description: `#${list.id}`,
        ids: [list.id],
      })),
    ],
    {
      title: getCommandTitle(),
      placeHolder: isTruncated(lists) ? `${prompt} ${truncatedListsMessage()}` : prompt,
      ignoreFocusOut: true,
    },
  );
  if (!picked) return undefined;
  const matches = (user: Subscriber) => normalizeAddress(user.email ?? '') === normalizeAddress(email);
  const found = await withProgress(t`Searching for ${escapeMessage(email)}`, (signal, report) =>
    connections.run(service, (client) => findUser(client, picked.ids, matches, { signal, report })),
  );
  if (!found)
    throw new Error(
      picked.ids.length === 1
        ? t`No current or former subscriber of "${picked.label}" has the address ${email}.`
        : t`No current or former subscriber of any list has the address ${email}.`,
    );
  return { ...service, ...found };
}

interface SearchOptions {
  readonly signal: AbortSignal;
  readonly report?: ReportProgress;
  /** Maximum number of users to read. */
  readonly limit?: number;
}

/**
 * Searches the current and former subscribers of lists for a user.
 *
 * Throws `ApiError`.
 */
async function findUser(
  client: MailingClient,
  listIds: readonly number[],
  matches: (user: Subscriber) => boolean,
  { signal, report, limit = Infinity }: SearchOptions,
): Promise<{ readonly id: number; readonly email: string } | undefined> {
  if (listIds.length === 0) return undefined;
  let readCount = 0;
  for (const membership of membershipNames) {
    const readMembers = createMemberReader(client, membership, listIds);
    for await (const user of paginate(readMembers, { pageSize: MAX_PAGE_SIZE, signal })) {
      if (matches(user)) return { id: user.id, email: user.email ?? '' };
      readCount += 1;
      if (readCount % MAX_PAGE_SIZE === 0) report?.(plural(readCount, t('Searched {0} user'), t('Searched {0} users')));
      if (readCount >= limit) return undefined;
    }
  }
  return undefined;
}

/** A panel with the subscriptions of one user. At most one read or change of them always runs. */
class UserPanel {
  readonly #changes: SubscriptionChanges;
  readonly #user: UserRef;
  readonly #panel: vscode.WebviewPanel;
  readonly #page: WebviewPage<FromPage, ToPage>;
  readonly #closed = new AbortController();
  #subscriptions: readonly Subscription[];
  #email: string | undefined;
  #state: { readonly busy: boolean; readonly problem?: string } = { busy: false };

  constructor(
    changes: SubscriptionChanges,
    user: UserRef,
    subscriptions: readonly Subscription[],
    onDidClose: () => void,
  ) {
    this.#changes = changes;
    this.#user = user;
    this.#email = user.email;
    this.#subscriptions = subscriptions;
    const { Active } = vscode.ViewColumn;
    const panel = vscode.window.createWebviewPanel('mailing.subscriptions', this.#title, Active, {});
    this.#panel = panel;
    this.#page = new WebviewPage<FromPage, ToPage>(
      panel.webview,
      changes.services.context.extensionUri,
      { page: 'subscriptions', title: t('Subscriptions'), schema: fromPage },
      {
        ready: () => this.#post(),
        refresh: () => this.#runTask(() => this.#read()),
        change: ({ listId, kind }) => this.#change(kind, [listId]),
        add: () => this.#change('subscribe'),
      },
    );
    panel.onDidChangeViewState(() => (panel.visible ? undefined : this.#page.suspend()));
    panel.onDidDispose(() => {
      this.#closed.abort();
      this.#page.dispose();
      onDidClose();
    });
    // Show the address if a short search finds it. A change searches without a limit.
    if (this.#email === undefined)
      void this.#findAddress({ signal: this.#closed.signal, limit: QUICK_SEARCH_USERS })
        .catch(() => undefined)
        .then(() => this.#post());
  }

  /** Reveals the panel with new subscriptions. */
  reveal(subscriptions: readonly Subscription[]): void {
    this.#subscriptions = subscriptions;
    this.#panel.reveal();
    this.#post();
  }

  dispose(): void {
    this.#panel.dispose();
  }

  get #title() {
    const address = toSingleLine(this.#email ?? '', 40);
    return address === '' ? t`Subscriptions: user #${this.#user.id}` : t`Subscriptions: ${address}`;
  }

  #post() {
    if (this.#closed.signal.aborted) return;
    const { connection, id } = this.#user;
    this.#page.post({
      type: 'subscriptions',
      userId: id,
      email: this.#email === undefined ? undefined : toSingleLine(this.#email),
      service: toSingleLine(this.#changes.targets.getServiceName(connection)),
      rows: this.#subscriptions.map(toSubscriptionRow),
      ...this.#state,
    });
  }

  async #read() {
    const { signal } = this.#closed;
    this.#subscriptions = await this.#run((client) => client.getUserSubscriptionById(this.#user.id, { signal }));
  }

  /** Changes the user's subscription to a list, or asks for lists. Uses the same flow and prompts as other changes. */
  async #change(kind: ChangeKind, listIds?: readonly number[]) {
    const { connection, baseUrl, id } = this.#user;
    await this.#runTask(async () => {
      const email =
        this.#email ??
        (await withProgress(t('Searching for the address of the user'), (signal, report) =>
          this.#findAddress({ signal, report }),
        ));
      if (email === undefined)
        throw new Error(t`Couldn't find the address of user #${id} in any list. Nothing was sent.`);
      if (await this.#changes.change(kind, { connection, baseUrl, emails: [email], listIds })) await this.#read();
    });
  }

  async #runTask(task: () => Promise<void>) {
    if (this.#state.busy) return;
    this.#state = { busy: true };
    this.#post();
    try {
      await task();
      this.#state = { busy: false };
    } catch (error) {
      this.#state = { busy: false, problem: errorText(error) };
      void showError(error, { title: t('Subscriptions'), log: this.#changes.services.log });
    }
    this.#post();
  }

  /** Searches the user's lists, because the API returns addresses only with the subscribers of a list. */
  async #findAddress(options: SearchOptions) {
    const listIds = this.#subscriptions.map((list) => list.id);
    const matches = ({ id, email }: Subscriber) => id === this.#user.id && email !== null;
    const found = await this.#run((client) => findUser(client, listIds, matches, options));
    if (!found) return undefined;
    this.#email = found.email;
    if (!this.#closed.signal.aborted) this.#panel.title = this.#title;
    return found.email;
  }

  #run<T>(operation: (client: MailingClient) => Promise<T>) {
    return this.#changes.services.connections.run(this.#user, operation);
  }
}

const statusNames: Readonly<Record<number, SubscriptionRow['status']>> = { 0: 'unsubscribed', 1: 'subscribed' };

/** Converts a subscription to a row of the page, with all fields. */
function toSubscriptionRow(subscription: Subscription): SubscriptionRow {
  const { id, active, visible, status, subscription_date, unsubscribe_date } = subscription;
  const formatDate = (date: string | null) => formatServiceDateTime(date) ?? toSingleLine(date ?? '');
  return {
    id,
    name: getListName(subscription),
    color: getListColor(subscription),
    marks: getListMarks({ active, visible }),
    status: statusNames[status ?? -1] ?? 'other',
    subscribed: formatDate(subscription_date),
    unsubscribed: formatDate(unsubscribe_date),
    details: Object.entries(subscription).map(([name, value]) => [
      toSingleLine(name),
      toSingleLine(stringifyFieldValue(value), MAX_FIELD_VALUE_LENGTH) || '–',
    ]),
  };
}
