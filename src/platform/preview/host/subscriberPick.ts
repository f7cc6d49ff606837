import * as vscode from 'vscode';
import { readAllLists } from '../../../service/client/allLists.ts';
import type { Subscriber } from '../../../service/client/index.ts';
import type { Connections } from '../../connections/connections.ts';
import { withProgress } from '../../ui/progress.ts';
import { escapeMessage, toSingleLine } from '../../ui/text.ts';
import { createCustomFields, sampleRendering, tagLanguage, type NamedPerson } from '../../../email/tags/index.ts';

/** Maximum number of offered subscribers. */
const MAX_SUBSCRIBERS = 500;
const pickTitle = 'See It As a Subscriber';

/** Prompts for a subscriber of a list. Returns undefined if the user cancels. Throws `ApiError`. */
export async function pickSubscriber(connections: Connections, connection: string): Promise<NamedPerson | undefined> {
  const lists = await withProgress('Reading the lists', (signal) =>
    connections.run(connection, (client) => readAllLists(client, signal)),
  );
  const list = await vscode.window.showQuickPick(
    lists.map((each) => ({ label: escapeMessage(each.name ?? '') || `List ${each.id}`, id: each.id })),
    { title: pickTitle, placeHolder: 'On which list?' },
  );
  if (list === undefined) return undefined;
  const subscribers = await withProgress('Reading the subscribers', (signal) =>
    connections.run(connection, (client) =>
      client.getSubscribersFromLists([list.id], { offset: 0, limit: MAX_SUBSCRIBERS }, { signal }),
    ),
  );
  const placeHolder = subscribers.length < MAX_SUBSCRIBERS ? 'Whom?' : `Whom of the first ${MAX_SUBSCRIBERS}?`;
  const picked = await vscode.window.showQuickPick(
    subscribers.map((subscriber) => ({
      label: escapeMessage(subscriber.name ?? '') || 'No name',
      description: escapeMessage(subscriber.email ?? ''),
      subscriber,
    })),
    { title: pickTitle, placeHolder, matchOnDescription: true },
  );
  return picked && toPerson(picked.subscriber);
}

/** Converts a subscriber to a person. Fields outside the subscriber table are custom fields. */
export function toPerson(subscriber: Subscriber): NamedPerson {
  const family = tagLanguage('acymailing').families.find(({ source }) => source === 'subscriber');
  const columns = new Set([
    ...(family?.ids ?? []).map(({ id }) => id),
    'status',
    'subscription_date',
    'unsubscribe_date',
  ]);
  const entries = Object.entries(subscriber).filter(
    ([, value]) => typeof value === 'string' || typeof value === 'number',
  );
  const columnValues = Object.fromEntries(entries.filter(([name]) => columns.has(name)));
  const fields = entries
    .filter(([name]) => !columns.has(name))
    .flatMap(([name, value]) => createCustomFields([name]).map((field) => ({ ...field, value: String(value) })));
  const { account: _account, ...samplePerson } = sampleRendering().person;
  const person = {
    ...Object.fromEntries(Object.keys(samplePerson).map((name) => [name, ''])),
    active: 1,
    ...columnValues,
    fields,
  };
  return {
    id: `subscriber:${subscriber.id}`,
    title: toSingleLine(subscriber.name ?? '') || toSingleLine(subscriber.email ?? '') || 'A subscriber',
    person,
  };
}
