import * as vscode from 'vscode';
import type { Connections } from '../../connections/connections.ts';
import { formFromPage, type FieldProblem, type FormFromPage, type FormToPage } from '../../webview/form/protocol.ts';
import { dispatch, type Handlers } from '../../webview/messages.ts';
import { showError } from '../../ui/messages.ts';
import type { RecordRef } from '../../connections/record.ts';
import { WebviewHost } from '../../ui/webview.ts';
import { errorText } from '../../ui/errors.ts';
import { EditQueue, type FormEdit } from './edits.ts';
import type { Documents } from '../documents.ts';
import { ListReader, type ListFollower } from './lists.ts';
import { idChanges, readText, replacementFor, type Change, type Values } from './text.ts';

/** How long a field must rest before what was typed becomes a step of undo, in ms. */
const typingPause = 300;
/** An edit that meets one from elsewhere is made again on the new text, this often. */
const attempts = 5;

/** What is the same in all forms of a kind. */
export interface FormKind {
  readonly collection: string;
  /** What a record is called in sentences. */
  readonly noun: string;
  /** The page's folder in `src/platform/webview`, and its title. */
  readonly page: string;
  readonly title: string;
  /** The fields of the details, in the order in which new ones are put into the text. */
  readonly order: readonly string[];
  /** How the lists of the service are offered. */
  readonly listChoices: ListFollower['choices'];
}

/** What a form needs of the extension. */
export interface FormServices {
  readonly context: Pick<vscode.ExtensionContext, 'extensionUri'>;
  readonly log: vscode.LogOutputChannel;
  readonly connections: Connections;
  readonly documents: Documents;
}

type Incoming = FormFromPage<string>;
/**
 * One open form: shows the text of a details document, and makes the edits of its page in it. Undo, the dirty state, backup and saving
 * are the text document's own. `More`: what a kind's page is told besides.
 */
export abstract class FormSession<More extends { readonly type: string } = never> implements vscode.Disposable {
  protected readonly services: FormServices;
  /** The record whose details are shown; undefined for a file that belongs to no service. */
  protected readonly record: RecordRef | undefined;
  protected readonly subscriptions: vscode.Disposable[] = [];
  readonly #kind: FormKind;
  readonly #document: vscode.TextDocument;
  readonly #panel: vscode.WebviewPanel;
  readonly #host: WebviewHost<Incoming, FormToPage | More>;
  readonly #lists: ListReader | undefined;
  readonly #edits = new EditQueue((edit) => this.#write(edit), typingPause);
  readonly #handlers: Handlers<Incoming> = {
    ready: () => this.#sendAll(),
    edit: ({ seq, path, value, final }) =>
      this.#edits.add(
        {
          seq,
          field: path.join('/'),
          typed: value,
          changes: (details) => this.changesOf(details, value === undefined ? { path } : { path, value }),
        },
        final,
      ),
    choose: ({ seq, path, id, chosen }) =>
      this.#edits.add({ seq, changes: (details) => idChanges(details, path, id, chosen) }, true),
    settle: () => this.#edits.flush(),
    undo: () => this.#afterEdits('undo'),
    redo: () => this.#afterEdits('redo'),
    run: async ({ command, id }) => {
      await this.flush();
      await this.run(command, id);
    },
    retry: () => this.retry(),
  };
  /** What the service refused, with the field's text at that time: it no longer holds once that is another one. */
  #refusals: { readonly problem: FieldProblem; readonly of: string }[] = [];
  #readOnly: Extract<FormToPage, { type: 'readOnly' }> = { type: 'readOnly', canDuplicate: false };
  #turn = 0;
  #disposed = false;

  constructor(kind: FormKind, document: vscode.TextDocument, panel: vscode.WebviewPanel, services: FormServices) {
    this.#kind = kind;
    this.#document = document;
    this.#panel = panel;
    this.services = services;
    const address = services.documents.find(document.uri);
    this.record =
      address?.kind.collection === kind.collection ? { connection: address.connection, id: address.id } : undefined;
    this.#host = new WebviewHost<Incoming, FormToPage | More>(
      panel.webview,
      services.context.extensionUri,
      kind,
      formFromPage,
      (message) => dispatch(this.#handlers, message),
    );
    if (this.record)
      this.#lists = new ListReader(services.connections, this.record.connection, {
        choices: kind.listChoices,
        told: (lists) => this.post({ type: 'lists', lists }),
      });
  }

  /** Follows the document and the service. To be called once, when the form is made. */
  start(): void {
    const { uri } = this;
    this.subscriptions.push(
      this.#host,
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === this.#document && event.contentChanges.length > 0) void this.tell();
      }),
      vscode.workspace.onWillSaveTextDocument((event) => {
        if (event.document === this.#document) event.waitUntil(this.flush().then(() => []));
      }),
      this.#panel.onDidChangeViewState(() => {
        // The record can change elsewhere (be sent, be given a mail), which changes often nothing in its text.
        if (this.#panel.active) void this.#look();
        if (this.#panel.visible) return;
        void this.flush();
        this.#host.suspend();
      }),
    );
    if (this.#lists) this.subscriptions.push(this.#lists);
    if (this.record) this.subscriptions.push(this.#watch(uri));
    void this.#lists?.read();
    void this.#look();
  }

  get uri(): vscode.Uri {
    return this.#document.uri;
  }

  /** Whether it shows a document of this record. */
  shows(record: RecordRef): boolean {
    return this.record?.connection === record.connection && this.record.id === record.id;
  }

  /** Writes what was typed into the document. */
  flush(): Promise<void> {
    return this.#edits.flush();
  }

  dispose(): void {
    this.#disposed = true;
    void this.flush();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** The record was stored: nothing that was refused before still is. */
  saved(): void {
    this.#refusals = [];
    void this.tell();
    void this.#look();
  }

  /** Shows a refusal of the service beside the field it is about, until that field is another one or the record is stored. */
  showServiceError(message: string): void {
    const details = this.details ?? {};
    const problem: FieldProblem = { path: this.pathOfRefusal(message, details), message, kind: 'service' };
    this.#refusals = [
      ...this.#refusals.filter((refusal) => refusal.problem.message !== message),
      { problem, of: fieldOf(details, problem) },
    ];
    void this.tell();
  }

  /** What is wrong with details, or doubtful. */
  protected abstract problemsOf(details: Values): Promise<readonly FieldProblem[]>;
  /** Which field a refusal of the service is about; empty where it names none. */
  protected abstract pathOfRefusal(message: string, details: Values): FieldProblem['path'];
  /** Runs a command of the page. */
  protected abstract run(command: string, id: number | undefined): unknown;
  /** Reads again what the service says of the record beside its text. Must not throw. */
  protected abstract look(): Promise<void>;
  /** Sends the page, which has just been loaded, what is known beside the details. */
  protected abstract sendRest(): void;

  /** The changes that an edit of one field means. */
  protected changesOf(_details: Values, change: Change): readonly Change[] {
    return [change];
  }

  /** The page is about to get these details. */
  protected detailsChanged(_details: Values): void {}

  /** What could not be read is to be read again. */
  protected retry(): void {
    void this.#lists?.read();
    void this.#look();
  }

  protected post(message: FormToPage | More): void {
    this.#host.post(message);
  }

  /** The details as the text has them; undefined where that is broken. */
  protected get details(): Values | undefined {
    const reading = readText(this.#document.getText());
    return reading.kind === 'details' ? reading.details : undefined;
  }

  /** Tells the page what the text holds. Only the newest answer counts: judging takes its time. */
  protected async tell(): Promise<void> {
    const turn = (this.#turn += 1);
    const reading = readText(this.#document.getText());
    if (reading.kind === 'broken') return this.post({ type: 'broken', line: reading.line, message: reading.message });
    const { details } = reading;
    const { written } = this.#edits;
    this.detailsChanged(details);
    const judged = await this.problemsOf(details);
    if (turn !== this.#turn) return;
    this.#refusals = this.#refusals.filter(({ problem, of }) => fieldOf(details, problem) === of);
    this.post({
      type: 'details',
      seen: written,
      details,
      problems: [...judged, ...this.#refusals.map(({ problem }) => problem)],
    });
  }

  async #sendAll(): Promise<void> {
    await this.#edits.restart();
    this.post(this.#readOnly);
    await this.tell();
    if (this.#lists) this.#lists.tell();
    else this.post({ type: 'lists', lists: { kind: 'none' } });
    this.sendRest();
  }

  /** Makes one edit in the document: again where the text became another one meanwhile, and not at all where that is broken. */
  async #write(edit: FormEdit): Promise<void> {
    try {
      let isWritten = false;
      for (let attempt = 0; attempt < attempts && !isWritten; attempt += 1) isWritten = await this.#writeOnce(edit);
      if (!isWritten)
        throw new Error('The editor did not accept the change: its text was changed from elsewhere at the same time.');
    } catch (error) {
      const value = edit.field === undefined ? '' : ` What was typed: ${JSON.stringify(edit.typed ?? '')}`;
      void showError(new Error(`${errorText(error)}${value}`), {
        title: 'A change in the form was lost',
        log: this.services.log,
      });
    }
    // The page learns from it that its edit has arrived, also where it changed nothing.
    if (!this.#disposed) setTimeout(() => void this.tell());
  }

  async #writeOnce(edit: FormEdit): Promise<boolean> {
    const { uri } = this;
    const document = this.#document.isClosed ? await vscode.workspace.openTextDocument(uri) : this.#document;
    const text = document.getText();
    const reading = readText(text);
    if (reading.kind === 'broken' || this.#readOnly.reason !== undefined) return true;
    const replacement = replacementFor(text, edit.changes(reading.details), this.#kind.order);
    if (replacement === undefined) return true;
    const changes = new vscode.WorkspaceEdit();
    const { offset, length } = replacement;
    changes.replace(
      uri,
      new vscode.Range(document.positionAt(offset), document.positionAt(offset + length)),
      replacement.text,
    );
    return vscode.workspace.applyEdit(changes);
  }

  async #afterEdits(command: 'undo' | 'redo'): Promise<void> {
    await this.flush();
    await vscode.commands.executeCommand(command);
  }

  async #look(): Promise<void> {
    await Promise.all([this.record && this.look(), this.#readWhetherReadOnly()]);
  }

  async #readWhetherReadOnly(): Promise<void> {
    const found = await this.#findReason().catch((error: unknown) => {
      this.services.log.warn(`Whether ${this.uri.toString()} can be changed is not known: ${errorText(error)}`);
      return undefined;
    });
    this.#readOnly = { type: 'readOnly', reason: found?.reason, canDuplicate: found?.command !== undefined };
    this.post(this.#readOnly);
  }

  async #findReason(): Promise<{ readonly reason: string; readonly command?: string } | undefined> {
    if (vscode.workspace.fs.isWritableFileSystem(this.uri.scheme) === false)
      return { reason: `This version of the ${this.#kind.noun} is there to be read, not to be changed.` };
    return this.services.documents.readOnly(this.uri);
  }

  /** The document changed on the service, or was locked there. */
  #watch(uri: vscode.Uri): vscode.Disposable {
    // Any file of the folder: a pattern of the name itself would read `[` and `{` in it as a pattern.
    const watcher = vscode.workspace.createFileSystemWatcher(
      new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), '*'),
      true,
      false,
      true,
    );
    const changed = watcher.onDidChange((one) => {
      if (one.toString() === uri.toString()) void this.#look();
    });
    return vscode.Disposable.from(watcher, changed);
  }
}

/** What the field of a problem holds, or all fields where it is about none. */
function fieldOf(details: Values, { path: [field] }: FieldProblem): string {
  return JSON.stringify(field === undefined ? details : (details[field] ?? null));
}
