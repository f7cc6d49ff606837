import * as vscode from 'vscode';
import type { Connections } from '../../connections/connections.ts';
import { formFromPage, type FieldProblem, type FormFromPage, type FormToPage } from '../../webview/form/protocol.ts';
import { dispatch, type MessageHandlers } from '../../webview/messages.ts';
import { showError } from '../../ui/messages.ts';
import type { RecordRef } from '../../connections/record.ts';
import { WebviewHost } from '../../ui/webview.ts';
import { errorText } from '../../ui/errors.ts';
import { EditQueue, type FormEdit } from './editQueue.ts';
import type { Documents } from '../documents.ts';
import { ListReader, type ListConsumer } from './listReader.ts';
import { getIdChanges, parseDetails, computeReplacement, type FieldChange, type Values } from './text.ts';

/** How long a field must rest before what was typed becomes a step of undo, in ms. */
const UNDO_DEBOUNCE_MS = 300;
/** An edit that meets one from elsewhere is made again on the new text, this often. */
const MAX_EDIT_ATTEMPTS = 5;

/** What is the same in all forms of a kind. */
export interface FormKind {
  readonly collection: string;
  /** What a record is called in sentences. */
  readonly noun: string;
  /** The page's folder in `src/platform/webview`, and its title. */
  readonly page: string;
  readonly title: string;
  /** The fields of the details, in the order in which new ones are put into the text. */
  readonly fieldOrder: readonly string[];
  /** How the lists of the service are offered. */
  readonly toListChoices: ListConsumer['toChoices'];
}

/** What a form needs of the extension. */
export interface FormServices {
  readonly context: Pick<vscode.ExtensionContext, 'extensionUri'>;
  readonly log: vscode.LogOutputChannel;
  readonly connections: Connections;
  readonly documents: Documents;
}

type FormMessage = FormFromPage<string>;
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
  readonly #host: WebviewHost<FormMessage, FormToPage | More>;
  readonly #lists: ListReader | undefined;
  readonly #edits = new EditQueue((edit) => this.#write(edit), UNDO_DEBOUNCE_MS);
  readonly #handlers: MessageHandlers<FormMessage> = {
    ready: () => this.#sendAll(),
    edit: ({ seq, path, value, final }) =>
      this.#edits.add(
        {
          seq,
          field: path.join('/'),
          typedValue: value,
          changes: (details) => this.getChanges(details, value === undefined ? { path } : { path, value }),
        },
        final,
      ),
    choose: ({ seq, path, id, chosen }) =>
      this.#edits.add({ seq, changes: (details) => getIdChanges(details, path, id, chosen) }, true),
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
  #reportCount = 0;
  #disposed = false;

  constructor(kind: FormKind, document: vscode.TextDocument, panel: vscode.WebviewPanel, services: FormServices) {
    this.#kind = kind;
    this.#document = document;
    this.#panel = panel;
    this.services = services;
    const address = services.documents.find(document.uri);
    this.record =
      address?.kind.collection === kind.collection ? { connection: address.connection, id: address.id } : undefined;
    this.#host = new WebviewHost<FormMessage, FormToPage | More>(
      panel.webview,
      services.context.extensionUri,
      kind,
      formFromPage,
      (message) => dispatch(this.#handlers, message),
    );
    if (this.record)
      this.#lists = new ListReader(services.connections, this.record.connection, {
        toChoices: kind.toListChoices,
        onChange: (lists) => this.post({ type: 'lists', lists }),
      });
  }

  /** Follows the document and the service. To be called once, when the form is made. */
  start(): void {
    const { uri } = this;
    this.subscriptions.push(
      this.#host,
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === this.#document && event.contentChanges.length > 0) void this.sendDetails();
      }),
      vscode.workspace.onWillSaveTextDocument((event) => {
        if (event.document === this.#document) event.waitUntil(this.flush().then(() => []));
      }),
      this.#panel.onDidChangeViewState(() => {
        // The record can change elsewhere (be sent, be given a mail), which changes often nothing in its text.
        if (this.#panel.active) void this.#refreshRecord();
        if (this.#panel.visible) return;
        void this.flush();
        this.#host.suspend();
      }),
    );
    if (this.#lists) this.subscriptions.push(this.#lists);
    if (this.record) this.subscriptions.push(this.#watch(uri));
    void this.#lists?.read();
    void this.#refreshRecord();
  }

  get uri(): vscode.Uri {
    return this.#document.uri;
  }

  /** Whether it shows a document of this record. */
  showsRecord(record: RecordRef): boolean {
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
  handleSave(): void {
    this.#refusals = [];
    void this.sendDetails();
    void this.#refreshRecord();
  }

  /** Shows a refusal of the service beside the field it is about, until that field is another one or the record is stored. */
  showServiceError(message: string): void {
    const details = this.details ?? {};
    const problem: FieldProblem = { path: this.findRefusalPath(message, details), message, kind: 'service' };
    this.#refusals = [
      ...this.#refusals.filter((refusal) => refusal.problem.message !== message),
      { problem, of: getFieldText(details, problem) },
    ];
    void this.sendDetails();
  }

  /** What is wrong with details, or doubtful. */
  protected abstract findProblems(details: Values): Promise<readonly FieldProblem[]>;
  /** Which field a refusal of the service is about; empty where it names none. */
  protected abstract findRefusalPath(message: string, details: Values): FieldProblem['path'];
  /** Runs a command of the page. */
  protected abstract run(command: string, id: number | undefined): unknown;
  /** Reads again what the service says of the record beside its text. Must not throw. */
  protected abstract refreshExtras(): Promise<void>;
  /** Sends the page, which has just been loaded, what is known beside the details. */
  protected abstract sendExtras(): void;

  /** The changes that an edit of one field means. */
  protected getChanges(_details: Values, change: FieldChange): readonly FieldChange[] {
    return [change];
  }

  /** The page is about to get these details. */
  protected handleDetails(_details: Values): void {}

  /** What could not be read is to be read again. */
  protected retry(): void {
    void this.#lists?.read();
    void this.#refreshRecord();
  }

  protected post(message: FormToPage | More): void {
    this.#host.post(message);
  }

  /** The details as the text has them; undefined where that is broken. */
  protected get details(): Values | undefined {
    const reading = parseDetails(this.#document.getText());
    return reading.kind === 'details' ? reading.details : undefined;
  }

  /** Tells the page what the text holds. Only the newest answer counts: judging takes its time. */
  protected async sendDetails(): Promise<void> {
    const turn = (this.#reportCount += 1);
    const reading = parseDetails(this.#document.getText());
    if (reading.kind === 'broken') return this.post({ type: 'broken', line: reading.line, message: reading.message });
    const { details } = reading;
    const { lastWrittenSeq: written } = this.#edits;
    this.handleDetails(details);
    const judged = await this.findProblems(details);
    if (turn !== this.#reportCount) return;
    this.#refusals = this.#refusals.filter(({ problem, of }) => getFieldText(details, problem) === of);
    this.post({
      type: 'details',
      confirmedSeq: written,
      details,
      problems: [...judged, ...this.#refusals.map(({ problem }) => problem)],
    });
  }

  async #sendAll(): Promise<void> {
    await this.#edits.restart();
    this.post(this.#readOnly);
    await this.sendDetails();
    if (this.#lists) this.#lists.notify();
    else this.post({ type: 'lists', lists: { kind: 'none' } });
    this.sendExtras();
  }

  /** Makes one edit in the document: again where the text became another one meanwhile, and not at all where that is broken. */
  async #write(edit: FormEdit): Promise<void> {
    try {
      let isWritten = false;
      for (let attempt = 0; attempt < MAX_EDIT_ATTEMPTS && !isWritten; attempt += 1)
        isWritten = await this.#writeOnce(edit);
      if (!isWritten)
        throw new Error('The editor did not accept the change: its text was changed from elsewhere at the same time.');
    } catch (error) {
      const value = edit.field === undefined ? '' : ` What was typed: ${JSON.stringify(edit.typedValue ?? '')}`;
      void showError(new Error(`${errorText(error)}${value}`), {
        title: 'A change in the form was lost',
        log: this.services.log,
      });
    }
    // The page learns from it that its edit has arrived, also where it changed nothing.
    if (!this.#disposed) setTimeout(() => void this.sendDetails());
  }

  async #writeOnce(edit: FormEdit): Promise<boolean> {
    const { uri } = this;
    const document = this.#document.isClosed ? await vscode.workspace.openTextDocument(uri) : this.#document;
    const text = document.getText();
    const reading = parseDetails(text);
    if (reading.kind === 'broken' || this.#readOnly.reason !== undefined) return true;
    const replacement = computeReplacement(text, edit.changes(reading.details), this.#kind.fieldOrder);
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

  async #refreshRecord(): Promise<void> {
    await Promise.all([this.record && this.refreshExtras(), this.#updateReadOnly()]);
  }

  async #updateReadOnly(): Promise<void> {
    const found = await this.#findReadOnlyReason().catch((error: unknown) => {
      this.services.log.warn(`Whether ${this.uri.toString()} can be changed is not known: ${errorText(error)}`);
      return undefined;
    });
    this.#readOnly = { type: 'readOnly', reason: found?.reason, canDuplicate: found?.command !== undefined };
    this.post(this.#readOnly);
  }

  async #findReadOnlyReason(): Promise<{ readonly reason: string; readonly command?: string } | undefined> {
    if (vscode.workspace.fs.isWritableFileSystem(this.uri.scheme) === false)
      return { reason: `This version of the ${this.#kind.noun} is there to be read, not to be changed.` };
    return this.services.documents.getReadOnlyReason(this.uri);
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
      if (one.toString() === uri.toString()) void this.#refreshRecord();
    });
    return vscode.Disposable.from(watcher, changed);
  }
}

/** What the field of a problem holds, or all fields where it is about none. */
function getFieldText(details: Values, { path: [field] }: FieldProblem): string {
  return JSON.stringify(field === undefined ? details : (details[field] ?? null));
}
