import * as vscode from 'vscode';
import type { MailingClient } from '../api/index.ts';
import type { Connections } from '../connections/connections.ts';
import type { Connection } from '../connections/model.ts';
import { given } from './parseArgument.ts';
import type { RecordRef } from '../connections/record.ts';
import { showError } from '../ui/messages.ts';
import { inMessage } from '../ui/text.ts';

/** A record offered in a quick pick. */
export interface RecordChoice extends vscode.QuickPickItem {
  readonly id: number;
}

/** How a record is picked where a command was given none. */
export interface RecordPick {
  readonly title: string;
  readonly placeholder: string;
  /** Name of the collection in URIs, to take the record of the active editor. */
  readonly collection: string;
  /** Whether the record of the active editor is meant where none is given: never for what deletes. */
  readonly fromEditor?: boolean;
  search(client: MailingClient, text: string, signal: AbortSignal): Promise<readonly RecordChoice[]>;
}

const typingPause = 200;

/** Finds out what a command is about: from its first argument, the active editor, or by asking. */
export class Targets {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** The connection of the argument, the only one there is, or the one picked; undefined where the user cancels. */
  async connection(argument: unknown, title: string): Promise<Connection | undefined> {
    const named = given(argument).connection;
    if (named !== undefined) return this.#known(named);
    const { all } = this.#connections;
    if (all.length === 0) {
      const [connect, sandbox] = ['Connect a Service', 'Try the Sandbox'];
      const choice = await vscode.window.showInformationMessage('There is no mailing service yet.', connect, sandbox);
      if (choice !== undefined)
        await vscode.commands.executeCommand(choice === connect ? 'mailing.connection.add' : 'mailing.sandbox.start');
      return this.#connections.all.length === 1 ? this.#connections.all[0] : undefined;
    }
    if (all.length === 1) return all[0];
    const picked = await vscode.window.showQuickPick(
      all.map((connection) => ({ label: inMessage(connection.name), description: inMessage(connection.baseUrl), connection })),
      { title, placeHolder: 'Which service?' },
    );
    return picked?.connection;
  }

  /** The record of the argument, of the active editor, or the one picked; undefined where the user cancels. */
  async record(argument: unknown, pick: RecordPick): Promise<RecordRef | undefined> {
    const target = given(argument, pick.collection);
    const fromEditor = argument === undefined && pick.fromEditor === true ? this.#ofActiveEditor(pick.collection) : undefined;
    if (fromEditor !== undefined) return fromEditor;
    const connection = await this.connection(target, pick.title);
    if (connection === undefined) return undefined;
    const id = target.id ?? (await this.#pick(connection, pick));
    return id === undefined ? undefined : { connection: connection.id, id };
  }

  #ofActiveEditor(collection: string): RecordRef | undefined {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    const uri = vscode.window.activeTextEditor?.document.uri ?? (input instanceof vscode.TabInputText ? input.uri : undefined);
    const { connection, id } = uri === undefined ? {} : given(uri, collection);
    return connection === undefined || id === undefined ? undefined : { connection, id };
  }

  #known(id: string): Connection {
    const connection = this.#connections.get(id);
    if (connection === undefined) throw new Error(`There is no connection "${id}". Add it in the Mailing Studio view.`);
    return connection;
  }

  /** A quick pick that searches on the service while the user types. */
  #pick(connection: Connection, pick: RecordPick): Promise<number | undefined> {
    const quickPick = vscode.window.createQuickPick<RecordChoice>();
    quickPick.title = pick.title;
    quickPick.placeholder = pick.placeholder;
    quickPick.matchOnDescription = true;
    let searching = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const search = async (text: string): Promise<void> => {
      searching.abort();
      const { signal } = (searching = new AbortController());
      quickPick.busy = true;
      try {
        const choices = await this.#connections.run(connection.id, (client) => pick.search(client, text, signal));
        if (!signal.aborted) quickPick.items = choices;
      } catch (error) {
        if (signal.aborted) return;
        quickPick.hide();
        void showError(error, { title: pick.title, connection: connection.id });
      } finally {
        if (!signal.aborted) quickPick.busy = false;
      }
    };
    return new Promise((resolve) => {
      quickPick.onDidChangeValue((text) => {
        clearTimeout(timer);
        timer = setTimeout(() => void search(text), typingPause);
      });
      quickPick.onDidAccept(() => {
        // The items may be replaced by those of a search while one is being chosen.
        const chosen = quickPick.selectedItems[0] ?? quickPick.activeItems[0];
        if (chosen === undefined) return;
        resolve(chosen.id);
        quickPick.hide();
      });
      quickPick.onDidHide(() => {
        clearTimeout(timer);
        searching.abort();
        resolve(undefined);
        quickPick.dispose();
      });
      quickPick.show();
      void search('');
    });
  }
}
