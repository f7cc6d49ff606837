import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { toServiceRef } from '../../platform/connections/model.ts';
import type { Connections } from '../../platform/connections/connections.ts';
import {
  createCustomFields,
  createRendering,
  samplePeople,
  sampleRendering,
  subscriberColumns,
  TYPICAL_PERSON_ID,
  type NamedPerson,
  type SitePosts,
} from '../../email/tags/index.ts';
import { readAllLists } from '../../service/client/allLists.ts';
import type { Subscriber } from '../../service/client/index.ts';
import { withCustomFields } from '../../service/client/users.ts';
import { showError } from '../../ui/messages.ts';
import { withProgress } from '../../ui/progress.ts';
import { escapeMessage, toSingleLine } from '../../service/text.ts';
import { PICK_SUBSCRIBER } from './model.ts';
import type { ViewerChoices } from './protocol.ts';
import { parsePeople } from '../../sync/mapping/peopleFile.ts';

const PEOPLE_FILE_GLOB = '**/mailing.people.json';
const MAX_FILES = 10;
const MAX_FILE_BYTES = 1024 * 1024;
/** Maximum number of offered subscribers. */
const MAX_SUBSCRIBERS = 500;

/** A person to preview an email as. */
export interface SelectablePerson extends NamedPerson {
  readonly isSelected: boolean;
}

/**
 * Selects the person that a preview is shown as: a sample, one of the workspace's `mailing.people.json` files, or a subscriber. Kept in memory only: a
 * picked subscriber is discarded with the preview. `onChange`: the choices or the selected person changed.
 */
export function createViewerSelection(connections: Connections, body: vscode.Uri, onChange: () => void) {
  let email = body;
  const watcher = vscode.workspace.createFileSystemWatcher(PEOPLE_FILE_GLOB);
  let team: readonly NamedPerson[] = [];
  let pickedSubscriber: NamedPerson | undefined;
  let selectedId = TYPICAL_PERSON_ID;
  let posts: SitePosts = {};
  for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) event(readTeam);
  void readTeam();

  async function readTeam() {
    const files = await vscode.workspace.findFiles(PEOPLE_FILE_GLOB, '**/node_modules/**', MAX_FILES);
    const people = await Promise.all(files.toSorted((one, other) => (one.path < other.path ? -1 : 1)).map(readPeople));
    team = people.flat().map((person, index) => ({ ...person, id: `team:${index}` }));
    onChange();
  }

  async function pick() {
    const { authority } = email;
    try {
      const picked = await pickSubscriber(connections, authority);
      // The preview may show an email of another service by now.
      if (!picked || email.authority !== authority) return;
      pickedSubscriber = picked;
      selectedId = picked.id;
    } catch (error) {
      void showError(error, { title: t("Couldn't read the subscribers") });
    }
  }

  const getOwnPeople = () => (pickedSubscriber ? [...team, pickedSubscriber] : team);
  /** Returns all people to choose from, and which one is selected. */
  const getPeople = (): readonly SelectablePerson[] =>
    [...samplePeople(), ...getOwnPeople()].map((person) => ({ ...person, isSelected: person.id === selectedId }));
  const getSelected = () => getPeople().find(({ isSelected }) => isSelected);

  return {
    getPeople,
    getChoices(): ViewerChoices {
      const { scheme, authority } = email;
      const connection = scheme === 'mailing' ? connections.get(authority) : undefined;
      return {
        tags: connection?.tags ?? 'acymailing',
        people: getOwnPeople(),
        posts,
        personId: getSelected()?.id ?? '',
        canPick: connection !== undefined,
      };
    },
    /** Returns the person that tags are replaced for. Undefined if raw tags are shown. */
    getRendering() {
      const selected = getSelected();
      return selected && { ...createRendering(selected.person), posts };
    },
    /** Sets the previewed email. The person stays selected, except for a subscriber of another service. */
    setBody(next: vscode.Uri) {
      if (next.authority !== email.authority) [pickedSubscriber, posts] = [undefined, {}];
      email = next;
    },
    /** Selects a person, or prompts for a subscriber. */
    async choose(personId: string) {
      if (personId === PICK_SUBSCRIBER) await pick();
      else selectedId = personId;
      onChange();
    },
    /** Shows posts of the site in place of samples. */
    setPosts(read: SitePosts) {
      posts = read;
      onChange();
    },
    dispose: () => watcher.dispose(),
  };
}

/** Returns no people if the file can't be read. */
async function readPeople(file: vscode.Uri) {
  try {
    const bytes = await vscode.workspace.fs.readFile(file);
    return bytes.length > MAX_FILE_BYTES ? [] : parsePeople(new TextDecoder().decode(bytes));
  } catch {
    return [];
  }
}

/**
 * Prompts for a subscriber of a list. The pickers stay open without focus: the preview, which opens them, may take it back. Returns undefined if the user cancels.
 *
 * Throws `ApiError`.
 */
async function pickSubscriber(connections: Connections, connection: string) {
  const service = toServiceRef(await connections.resolve({ connection }));
  const title = t('Preview as Subscriber');
  const lists = await withProgress(t('Reading lists…'), (signal) =>
    connections.run(service, (client) => readAllLists(client, signal)),
  );
  const list = await vscode.window.showQuickPick(
    lists.map((each) => ({ label: escapeMessage(each.name ?? '') || t`List ${each.id}`, id: each.id })),
    { title, placeHolder: t('Select a list'), ignoreFocusOut: true },
  );
  if (list === undefined) return undefined;
  const subscribers = await withProgress(t('Reading subscribers…'), (signal) =>
    connections.run(service, (client) =>
      client.getSubscribersFromLists([list.id], { offset: 0, limit: MAX_SUBSCRIBERS }, { signal }),
    ),
  );
  const placeHolder =
    subscribers.length < MAX_SUBSCRIBERS
      ? t('Select a subscriber')
      : t`Select one of the first ${MAX_SUBSCRIBERS} subscribers`;
  const picked = await vscode.window.showQuickPick(
    subscribers.map((subscriber) => ({
      label: escapeMessage(subscriber.name ?? '') || t('No name'),
      description: escapeMessage(subscriber.email ?? ''),
      subscriber,
    })),
    { title, placeHolder, matchOnDescription: true, ignoreFocusOut: true },
  );
  if (!picked) return undefined;
  const [subscriber = picked.subscriber] = await withProgress(t('Reading subscribers…'), (signal) =>
    connections.run(service, (client) => withCustomFields(client, [picked.subscriber], signal)),
  );
  return toPerson(subscriber, connections.getNamekeys(connection));
}

/** Converts a subscriber to a person. Fields outside the subscriber table are custom fields. */
export function toPerson(subscriber: Subscriber, namekeys?: ReadonlyMap<string, string>): NamedPerson {
  const columns = subscriberColumns();
  const entries = Object.entries(subscriber).filter(
    ([, value]) => typeof value === 'string' || typeof value === 'number',
  );
  const fields = entries.flatMap(([name, value]) =>
    createCustomFields([name], namekeys).map((field) => ({ ...field, value: String(value) })),
  );
  const { account: _account, ...samplePerson } = sampleRendering().person;
  return {
    id: `subscriber:${subscriber.id}`,
    title:
      toSingleLine(subscriber.name ?? '') || toSingleLine(subscriber.email ?? '') || t`Subscriber ${subscriber.id}`,
    person: {
      ...Object.fromEntries(Object.keys(samplePerson).map((name) => [name, ''])),
      active: 1,
      ...Object.fromEntries(entries.filter(([name]) => columns.has(name))),
      fields,
    },
  };
}
