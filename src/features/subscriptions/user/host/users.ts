import * as vscode from 'vscode';
import { readAllLists, isTruncated, truncatedListsMessage } from '../../../../service/client/allLists.ts';
import type { Connection } from '../../../../platform/connections/model.ts';
import { parseArgument } from '../../../../platform/documents/recordCommands.ts';
import { getListName } from '../../../lists/model.ts';
import { type CommandArgument, getFields } from '../../../../platform/ui/commands.ts';
import { withProgress } from '../../../../platform/ui/progress.ts';
import { escapeMessage } from '../../../../platform/ui/text.ts';
import { isEmailAddress, normalizeAddress } from '../../run/parseAddresses.ts';
import type { SubscriptionChanges } from '../../run/changes.ts';
import { findUser, UserPanel, type UserRef } from './panel.ts';

const showSubscriptionsTitle = 'Show Subscriptions of a User';

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
    const connection = await targets.pickConnection(argument, showSubscriptionsTitle);
    if (connection === undefined) return undefined;
    const { email } = getFields(argument);
    const knownEmail = typeof email === 'string' ? email : undefined;
    const user =
      id === undefined ? await this.#promptForUser(connection) : { connection: connection.id, id, email: knownEmail };
    if (user === undefined) return undefined;
    const subscriptions = await withProgress('Reading the subscriptions', (signal) =>
      services.connections.run(connection.id, (client) => client.getUserSubscriptionById(user.id, { signal })),
    );
    if (subscriptions.length === 0) {
      throw new Error(`No subscriptions found for user #${user.id}. The user doesn't exist or never joined a list.`);
    }
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
      title: showSubscriptionsTitle,
      prompt: 'ID or email address of the user',
      placeHolder: '42, or ann@example.com',
      ignoreFocusOut: true,
      validateInput: (text) =>
        /^\d{1,15}$/u.test(text.trim()) || isEmailAddress(text.trim())
          ? undefined
          : 'Enter a number or an email address.',
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
    const lists = await withProgress('Reading the lists', (signal) =>
      connections.run(connection.id, (client) => readAllLists(client, signal)),
    );
    const picked = await vscode.window.showQuickPick(
      [
        {
          label: isTruncated(lists) ? 'All of these lists' : 'All lists',
          description: 'May take a while for long lists',
          ids: lists.map(({ id }) => id),
        },
        ...lists.map((list) => ({
          label: escapeMessage(getListName(list)),
          description: `#${list.id}`,
          ids: [list.id],
        })),
      ],
      {
        title: showSubscriptionsTitle,
        placeHolder: `Select the lists to search for ${escapeMessage(email)}.${isTruncated(lists) ? ` ${truncatedListsMessage}` : ''}`,
        ignoreFocusOut: true,
      },
    );
    if (picked === undefined) return undefined;
    const normalizedEmail = normalizeAddress(email);
    const found = await withProgress(`Searching ${escapeMessage(email)}`, (signal, report) =>
      connections.run(connection.id, (client) =>
        findUser(client, picked.ids, (user) => normalizeAddress(user.email ?? '') === normalizedEmail, {
          signal,
          report,
        }),
      ),
    );
    if (found === undefined)
      throw new Error(
        `No current or former subscriber of ${picked.ids.length === 1 ? `"${picked.label}"` : 'any list'} has the address ${email}.`,
      );
    return { connection: connection.id, ...found };
  }
}
