import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { stringifyFieldValue } from '../../../../email/compose/fieldText.ts';
import { isTruncated, truncatedListsMessage } from '../../../../service/client/allLists.ts';
import type { MailingClient, Subscriber, Subscription } from '../../../../service/client/index.ts';
import { MAX_PAGE_SIZE, paginate } from '../../../../service/client/paginate.ts';
import type { Connection, RecordRef } from '../../../../platform/connections/model.ts';
import { parseArgument } from '../../../../platform/documents/recordCommands.ts';
import { type CommandArgument, getFields } from '../../../../platform/ui/commands.ts';
import { errorText } from '../../../../platform/ui/errors.ts';
import { formatServiceDateTime } from '../../../../platform/ui/format.ts';
import { showError } from '../../../../platform/ui/messages.ts';
import { withProgress, type ReportProgress } from '../../../../platform/ui/progress.ts';
import { escapeMessage, toSingleLine } from '../../../../platform/ui/text.ts';
import { WebviewHost } from '../../../../platform/ui/webview.ts';
import { plural } from '../../../../l10n.ts';
import { getListColor, getListMarks, getListName } from '../../../lists/model.ts';
import { createMemberReader, membershipNames } from '../../model.ts';
import type { SubscriptionChanges } from '../../run/changes.ts';
import { isEmailAddress, normalizeAddress } from '../../run/parseAddresses.ts';
import { readLists } from '../../run/prompts.ts';
import type { ChangeKind } from '../../run/run.ts';
import { fromPage, type FromPage, type SubscriptionRow, type ToPage } from '../protocol.ts';

interface UserRef extends RecordRef {
  readonly email?: string;
}

const getCommandTitle = (): string => l10n.t('Show Subscriptions of a User');
/** Limits the search for an address that is only displayed. */
const QUICK_SEARCH_USERS = 5000;
/** In characters. */
const MAX_FIELD_VALUE_LENGTH = 2000;

/** Finds users and shows their subscriptions, with one panel per user. */
export class UserSubscriptions implements vscode.Disposable {
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
    if (connection === undefined) return undefined;
    const { email } = getFields(argument);
    const user: UserRef | undefined =
      id === undefined
        ? await this.#promptForUser(connection)
        : { connection: connection.id, id, email: typeof email === 'string' ? email : undefined };
    if (user === undefined) return undefined;
    const subscriptions = await withProgress(l10n.t('Reading the subscriptions'), (signal) =>
      services.connections.run(connection.id, (client) => client.getUserSubscriptionById(user.id, { signal })),
    );
    if (subscriptions.length === 0)
      throw new Error(
        l10n.t`No subscriptions found for user #${user.id}. The user doesn't exist or never joined a list.`,
      );
    const key = `${user.connection}/${user.id}`;
    const open = this.#panels.get(key);
    if (open !== undefined) open.reveal(subscriptions);
    else this.#panels.set(key, new UserPanel(this.#changes, user, subscriptions, () => this.#panels.delete(key)));
    return user;
  }

  dispose(): void {
    for (const panel of [...this.#panels.values()]) panel.dispose();
  }

  async #promptForUser(connection: Connection): Promise<UserRef | undefined> {
    const answer = await vscode.window.showInputBox({
      title: getCommandTitle(),
      prompt: l10n.t('ID or email address of the user'),
      placeHolder: l10n.t({
        message: '{0} or {1}',
        args: ['42', 'ann@example.com'],
        comment: 'Examples of an ID and an email address',
      }),
      ignoreFocusOut: true,
      validateInput: (text) =>
        /^\d{1,15}$/u.test(text.trim()) || isEmailAddress(text.trim())
          ? undefined
          : l10n.t('Enter a number or an email address.'),
    });
    const text = answer?.trim();
    if (text === undefined) return undefined;
    return isEmailAddress(text)
      ? this.#findByAddress(connection, text)
      : { connection: connection.id, id: Number(text) };
  }

  /** Searches lists for an address, because the API has no lookup by address. */
  async #findByAddress(connection: Connection, email: string): Promise<UserRef | undefined> {
    const { connections } = this.#changes.services;
    const lists = await readLists(connections, connection.id);
    const allLabel = isTruncated(lists) ? l10n.t('All of these lists') : l10n.t('All lists');
    const prompt = l10n.t`Select the lists in which to search for ${escapeMessage(email)}.`;
    const picked = await vscode.window.showQuickPick(
      [
        { label: allLabel, description: l10n.t('May take a while for long lists'), ids: lists.map(({ id }) => id) },
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
    if (picked === undefined) return undefined;
    const matches = (user: Subscriber): boolean => normalizeAddress(user.email ?? '') === normalizeAddress(email);
    const found = await withProgress(l10n.t`Searching for ${escapeMessage(email)}`, (signal, report) =>
      connections.run(connection.id, (client) => findUser(client, picked.ids, matches, { signal, report })),
    );
    if (found === undefined)
      throw new Error(
        picked.ids.length === 1
          ? l10n.t`No current or former subscriber of "${picked.label}" has the address ${email}.`
          : l10n.t`No current or former subscriber of any list has the address ${email}.`,
      );
    return { connection: connection.id, ...found };
  }
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
      if (readCount % MAX_PAGE_SIZE === 0)
        report?.(plural(readCount, l10n.t('{0} user searched'), l10n.t('{0} users searched')));
      if (readCount >= limit) return undefined;
    }
  }
  return undefined;
}

/** The panel with the subscriptions of one user. */
class UserPanel implements vscode.Disposable {
  readonly #changes: SubscriptionChanges;
  readonly #panel: vscode.WebviewPanel;
  readonly #host: WebviewHost<FromPage, ToPage>;
  readonly #closed = new AbortController();
  #user: UserRef;
  #subscriptions: readonly Subscription[];
  #state: { readonly busy: boolean; readonly problem?: string } = { busy: false };

  constructor(
    changes: SubscriptionChanges,
    user: UserRef,
    subscriptions: readonly Subscription[],
    onDidClose: () => void,
  ) {
    this.#changes = changes;
    this.#user = user;
    this.#subscriptions = subscriptions;
    this.#panel = vscode.window.createWebviewPanel('mailing.subscriptions', this.#title, vscode.ViewColumn.Active, {});
    this.#host = new WebviewHost<FromPage, ToPage>(
      this.#panel.webview,
      changes.services.context.extensionUri,
      { page: 'subscriptions', title: l10n.t('Subscriptions') },
      fromPage,
      {
        ready: () => this.#postState(),
        refresh: () => this.#runTask(() => this.#read()),
        change: ({ listId, kind }) => this.#change(kind, [listId]),
        add: () => this.#change('subscribe'),
      },
    );
    this.#panel.onDidChangeViewState(() => (this.#panel.visible ? undefined : this.#host.suspend()));
    this.#panel.onDidDispose(() => {
      this.#closed.abort();
      this.#host.dispose();
      onDidClose();
    });
    if (user.email === undefined) void this.#searchAddressQuickly();
  }

  /** Reveals the panel with new subscriptions. */
  reveal(subscriptions: readonly Subscription[]): void {
    this.#subscriptions = subscriptions;
    this.#panel.reveal();
    this.#postState();
  }

  dispose(): void {
    this.#panel.dispose();
  }

  get #title(): string {
    const email = toSingleLine(this.#user.email ?? '', 40);
    return email === '' ? l10n.t`Subscriptions: user #${this.#user.id}` : l10n.t`Subscriptions: ${email}`;
  }

  #postState(): void {
    if (this.#closed.signal.aborted) return;
    const { id, email, connection } = this.#user;
    this.#host.post({
      type: 'subscriptions',
      userId: id,
      email: email === undefined ? undefined : toSingleLine(email),
      service: toSingleLine(this.#changes.targets.getServiceName(connection)),
      rows: this.#subscriptions.map(toSubscriptionRow),
      ...this.#state,
    });
  }

  async #read(): Promise<void> {
    const { signal } = this.#closed;
    this.#subscriptions = await this.#run((client) => client.getUserSubscriptionById(this.#user.id, { signal }));
  }

  /** Changes the user's subscription to a list, or asks for lists. Uses the same flow and prompts as other changes. */
  async #change(kind: ChangeKind, listIds?: readonly number[]): Promise<void> {
    if (this.#state.busy) return;
    await this.#runTask(async () => {
      const { connection, id } = this.#user;
      const email =
        this.#user.email ??
        (await withProgress(l10n.t('Searching for the address of the user'), (signal, report) =>
          this.#findAddress({ signal, report }),
        ));
      if (email === undefined)
        throw new Error(l10n.t`Couldn't find the address of user #${id} in any list. Nothing was sent.`);
      const changed = await this.#changes.change(kind, { connection, emails: [email], listIds });
      if (changed !== undefined) await this.#read();
    });
  }

  async #runTask(task: () => Promise<void>): Promise<void> {
    this.#state = { busy: true };
    this.#postState();
    try {
      await task();
      this.#state = { busy: false };
    } catch (error) {
      this.#state = { busy: false, problem: errorText(error) };
      const { log } = this.#changes.services;
      void showError(error, { title: l10n.t('Subscriptions'), connection: this.#user.connection, log });
    }
    this.#postState();
  }

  /** Shows the address if a short search finds it. A change searches without a limit. */
  async #searchAddressQuickly(): Promise<void> {
    const { signal } = this.#closed;
    await this.#findAddress({ signal, limit: QUICK_SEARCH_USERS }).catch(() => undefined);
    this.#postState();
  }

  /** Searches the user's lists, because the API returns addresses only with the subscribers of a list. */
  async #findAddress(options: SearchOptions): Promise<string | undefined> {
    const listIds = this.#subscriptions.map(({ id }) => id);
    const matches = ({ id, email }: Subscriber): boolean => id === this.#user.id && email !== null;
    const found = await this.#run((client) => findUser(client, listIds, matches, options));
    if (found === undefined) return undefined;
    this.#user = { ...this.#user, email: found.email };
    if (!this.#closed.signal.aborted) this.#panel.title = this.#title;
    return found.email;
  }

  #run<T>(operation: (client: MailingClient) => Promise<T>): Promise<T> {
    return this.#changes.services.connections.run(this.#user.connection, operation);
  }
}

const statusNames: Readonly<Record<number, SubscriptionRow['status']>> = { 0: 'unsubscribed', 1: 'subscribed' };

/** Converts a subscription to a row of the page, with all fields. */
function toSubscriptionRow(subscription: Subscription): SubscriptionRow {
  const { id, active, visible, status, subscription_date, unsubscribe_date } = subscription;
  const formatDate = (date: string | null): string => formatServiceDateTime(date) ?? toSingleLine(date ?? '');
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
