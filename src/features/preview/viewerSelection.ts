import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { outboxScheme } from '../../platform/connections/sandbox.ts';
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
  type Rendering,
  type SitePosts,
} from '../../email/tags/index.ts';
import { readAllLists } from '../../service/client/allLists.ts';
import type { Subscriber } from '../../service/client/index.ts';
import { withCustomFields } from '../../service/client/users.ts';
import { showError, withProgress } from '../../ui/messages.ts';
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
 * The person that a preview is shown as: a sample, one of the workspace's `mailing.people.json` files, or a subscriber. Kept in memory only: a picked
 * subscriber is discarded with the preview, and never offered for another service.
 */
export class ViewerSelection implements vscode.Disposable {
  readonly #connections: Connections;
  readonly #onChange: () => void;
  readonly #watcher = vscode.workspace.createFileSystemWatcher(PEOPLE_FILE_GLOB);
  #email: vscode.Uri;
  #team: readonly NamedPerson[] = [];
  #pickedSubscriber: NamedPerson | undefined;
  #selectedId = TYPICAL_PERSON_ID;
  #posts: SitePosts = {};

  /** `onChange`: the choices or the selected person changed. */
  constructor(connections: Connections, body: vscode.Uri, onChange: () => void) {
    this.#connections = connections;
    this.#email = body;
    this.#onChange = onChange;
    const { onDidChange, onDidCreate, onDidDelete } = this.#watcher;
    for (const event of [onDidChange, onDidCreate, onDidDelete]) event(() => this.#readTeam());
    void this.#readTeam();
  }

  /** All people to choose from, and which one is selected. */
  get people(): readonly SelectablePerson[] {
    return [...samplePeople(), ...this.#ownPeople].map((person) => ({
      ...person,
      isSelected: person.id === this.#selectedId,
    }));
  }

  get choices(): ViewerChoices {
    const { scheme, authority } = this.#email;
    const connection = scheme === 'mailing' ? this.#connections.get(authority) : undefined;
    return {
      // The tags of a received message are replaced already.
      tags: scheme === outboxScheme ? 'none' : (connection?.tags ?? 'acymailing'),
      people: this.#ownPeople,
      posts: this.#posts,
      personId: this.#selected?.id ?? '',
      canPick: connection !== undefined,
    };
  }

  /** The person that tags are replaced for. Undefined if raw tags are shown. */
  get rendering(): Rendering | undefined {
    const selected = this.#selected;
    return selected && { ...createRendering(selected.person), posts: this.#posts };
  }

  /** Sets the previewed email. The person stays selected, except for a subscriber of another service. */
  setBody(body: vscode.Uri): void {
    if (body.authority !== this.#email.authority) [this.#pickedSubscriber, this.#posts] = [undefined, {}];
    this.#email = body;
  }

  /** Selects a person, or prompts for a subscriber. */
  async choose(personId: string): Promise<void> {
    if (personId === PICK_SUBSCRIBER) await this.#pick();
    else this.#selectedId = personId;
    this.#onChange();
  }

  /** Shows posts of the site in place of samples. */
  setPosts(posts: SitePosts): void {
    this.#posts = posts;
    this.#onChange();
  }

  dispose(): void {
    this.#watcher.dispose();
  }

  get #ownPeople() {
    return this.#pickedSubscriber ? [...this.#team, this.#pickedSubscriber] : this.#team;
  }

  get #selected() {
    return this.people.find(({ isSelected }) => isSelected);
  }

  async #readTeam() {
    const files = await vscode.workspace.findFiles(PEOPLE_FILE_GLOB, '**/node_modules/**', MAX_FILES);
    const people = await Promise.all(files.toSorted((one, other) => (one.path < other.path ? -1 : 1)).map(readPeople));
    this.#team = people.flat().map((person, index) => ({ ...person, id: `team:${index}` }));
    this.#onChange();
  }

  async #pick() {
    const { authority } = this.#email;
    try {
      const picked = await pickSubscriber(this.#connections, authority);
      // The preview may show an email of another service by now.
      if (!picked || this.#email.authority !== authority) return;
      this.#pickedSubscriber = picked;
      this.#selectedId = picked.id;
    } catch (error) {
      void showError(error, { title: t("Couldn't read the subscribers") });
    }
  }
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
