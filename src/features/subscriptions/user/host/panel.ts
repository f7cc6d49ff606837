import { stringifyFieldValue } from '../../../../email/compose/fieldText.ts';
import * as vscode from 'vscode';
import type { MailingClient, Subscription } from '../../../../service/client/index.ts';
import { paginate } from '../../../../service/client/paginate.ts';
import type { RecordRef } from '../../../../platform/connections/model.ts';
import type { MessageHandlers } from '../../../../platform/webview/messages.ts';
import { fromPage, type FromPage, type SubscriptionRow, type ToPage } from '../protocol.ts';
import { formatCount, formatServiceDateTime } from '../../../../platform/ui/format.ts';
import { showError } from '../../../../platform/ui/messages.ts';
import { withProgress, type ReportProgress } from '../../../../platform/ui/progress.ts';
import { toSingleLine } from '../../../../platform/ui/text.ts';
import { WebviewHost } from '../../../../platform/ui/webview.ts';
import { errorText } from '../../../../platform/ui/errors.ts';
import { getListName } from '../../../lists/model.ts';
import { memberships } from '../../model.ts';
import type { SubscriptionChanges } from '../../run/changes.ts';
import type { ChangeKind } from '../../run/run.ts';

export interface UserRef extends RecordRef {
  readonly email?: string;
}

const USERS_PAGE_ROWS = 500;

/**
 * Searches the current and former subscribers of lists for a user. Returns undefined if there is none among the first `limit` users.
 *
 * Throws `ApiError`.
 */
export async function findUser(
  client: MailingClient,
  listIds: readonly number[],
  matches: (user: { readonly id: number; readonly email: string | null }) => boolean,
  {
    signal,
    report,
    limit = Infinity,
  }: { readonly signal: AbortSignal; readonly report?: ReportProgress; readonly limit?: number },
): Promise<{ readonly id: number; readonly email: string } | undefined> {
  if (listIds.length === 0) return undefined;
  let readCount = 0;
  for (const { operation } of Object.values(memberships)) {
    for await (const user of paginate((page, options) => client[operation](listIds, page, options), {
      pageSize: USERS_PAGE_ROWS,
      signal,
    })) {
      if (matches(user)) return { id: user.id, email: user.email ?? '' };
      readCount += 1;
      if (readCount % USERS_PAGE_ROWS === 0) report?.(`${formatCount(readCount)} users searched`);
      if (readCount >= limit) return undefined;
    }
  }
  return undefined;
}

/** Limits the search for an address that is only displayed. */
const QUICK_SEARCH_USERS = 5000;
/** In characters. */
const MAX_FIELD_VALUE_LENGTH = 2000;

/** The panel with the subscriptions of one user. */
export class UserPanel implements vscode.Disposable {
  readonly #changes: SubscriptionChanges;
  readonly #panel: vscode.WebviewPanel;
  readonly #host: WebviewHost<FromPage, ToPage>;
  readonly #closed = new AbortController();
  readonly #handlers: MessageHandlers<FromPage> = {
    ready: () => this.#postState(),
    refresh: () => this.#reload(),
    change: ({ listId, kind }) => this.#change(kind, listId),
    add: () => this.#change('subscribe'),
  };
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
      { page: 'subscriptions', title: 'Subscriptions' },
      fromPage,
      this.#handlers,
    );
    this.#panel.onDidChangeViewState(() => (this.#panel.visible ? undefined : this.#host.suspend()));
    this.#panel.onDidDispose(() => {
      this.#closed.abort();
      this.#host.dispose();
      onDidClose();
    });
    void this.#searchAddressQuickly();
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
    return `Subscriptions: ${toSingleLine(this.#user.email ?? '', 40) || `user #${this.#user.id}`}`;
  }

  #postState(): void {
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

  async #reload(): Promise<void> {
    await this.#runTask(async () => {
      this.#subscriptions = await this.#run((client) =>
        client.getUserSubscriptionById(this.#user.id, { signal: this.#closed.signal }),
      );
    });
  }

  /** Changes the user's subscription to a list, or asks for lists. Uses the same flow and prompts as other changes. */
  async #change(kind: ChangeKind, listId?: number): Promise<void> {
    if (this.#state.busy) return;
    await this.#runTask(async () => {
      const { connection, id } = this.#user;
      const email =
        this.#user.email ??
        (await withProgress('Searching the address of the user', (signal, report) =>
          this.#findAddress({ signal, report }),
        ));
      if (email === undefined)
        throw new Error(`Couldn't find the address of user #${id} in any list. Nothing was sent.`);
      const changed = await this.#changes.change(kind, {
        connection,
        emails: [email],
        listIds: listId === undefined ? undefined : [listId],
      });
      if (changed !== undefined)
        this.#subscriptions = await this.#run((client) =>
          client.getUserSubscriptionById(id, { signal: this.#closed.signal }),
        );
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
      void showError(error, {
        title: 'Subscriptions',
        connection: this.#user.connection,
        log: this.#changes.services.log,
      });
    }
    if (!this.#closed.signal.aborted) this.#postState();
  }

  /** Shows the address if a short search finds it. A change searches without a limit. */
  async #searchAddressQuickly(): Promise<void> {
    if (this.#user.email !== undefined) return;
    await this.#findAddress({ signal: this.#closed.signal, limit: QUICK_SEARCH_USERS }).catch(() => undefined);
    if (!this.#closed.signal.aborted) this.#postState();
  }

  /** Searches the user's lists, because the API returns addresses only with the subscribers of a list. */
  async #findAddress(options: Parameters<typeof findUser>[3]): Promise<string | undefined> {
    const listIds = this.#subscriptions.map(({ id }) => id);
    const found = await this.#run((client) =>
      findUser(client, listIds, ({ id, email }) => id === this.#user.id && email !== null, options),
    );
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
  const { id, color, active, visible, status, subscription_date, unsubscribe_date } = subscription;
  const notes = [active === 0 && 'inactive', visible === 0 && 'invisible'].filter((note) => note !== false);
  return {
    id,
    name: getListName(subscription),
    ...(color !== null && /^#[\da-f]{3,8}$/iu.test(color) && { color }),
    notes,
    status: statusNames[status ?? -1] ?? 'other',
    subscribed: formatServiceDateTime(subscription_date) ?? toSingleLine(subscription_date ?? ''),
    unsubscribed: formatServiceDateTime(unsubscribe_date) ?? toSingleLine(unsubscribe_date ?? ''),
    fields: Object.entries(subscription).map(
      ([name, value]) =>
        [toSingleLine(name), toSingleLine(stringifyFieldValue(value), MAX_FIELD_VALUE_LENGTH) || '–'] as const,
    ),
  };
}
