import type { GenericSchema } from 'valibot';
import * as vscode from 'vscode';
import { t } from '../../../l10n.ts';
import type { MailingClient, MailingList } from '../../../service/client/index.ts';
import { readAllLists, isTruncated, truncatedListsMessage } from '../../../service/client/allLists.ts';
import type { Connections } from '../../connections/connections.ts';
import {
  formFromPage,
  type FieldProblem,
  type FormFromPage,
  type FormListChoice,
  type FormToPage,
  type Lists,
} from '../../../ui/page/form/protocol.ts';
import { showError } from '../../../ui/messages.ts';
import type { RecordKey } from '../../connections/model.ts';
import { WebviewPage } from '../../../ui/webview/webview.ts';
import { errorText } from '../../../ui/errors.ts';
import { findProblems } from '../../../sync/fields/fieldSchemas.ts';
import { EditQueue, type FormEdit } from './editQueue.ts';
import type { Documents } from '../documents.ts';
import type { RecordAddress } from '../model.ts';
import {
  applyChanges,
  computeReplacement,
  divideChanges,
  getIdChanges,
  parseDetails,
  type FieldChange,
  type Values,
} from './text.ts';

/** Idle time before typed text becomes an undo step. */
const UNDO_DEBOUNCE_MS = 300;
/** Maximum number of attempts when other edits change the document at the same time. */
const MAX_EDIT_ATTEMPTS = 5;

/** Properties of all forms of one record type. */
interface FormKind {
  readonly collection: string;
  /** Folder of the page in `src/ui/page`, and its title. */
  readonly page: string;
  readonly title: string;
  /** The fields in the order used to insert new ones. */
  readonly fieldOrder: readonly string[];
  readonly schema: GenericSchema;
  /** Returns the path of the field that an error message of the service refers to, or an empty path. */
  readonly findRefusalPath: (message: string, details: Values) => FieldProblem['path'];
  /** The commands that the page can run, by its names for them. Their argument is the record or document. `send` runs only if no change is held back. */
  readonly commands: Readonly<Record<string, string>>;
  readonly toListChoices: (lists: readonly MailingList[]) => readonly FormListChoice[];
}

export interface FormServices {
  readonly context: Pick<vscode.ExtensionContext, 'extensionUri'>;
  readonly log: vscode.LogOutputChannel;
  readonly connections: Connections;
  readonly documents: Documents;
}

/**
 * An open form: shows the text of a details document and applies the page's edits to it. Undo, the dirty state, backups and saving are the
 * text document's own. `ExtraMessage`: further messages to the page.
 */
export abstract class FormSession<ExtraMessage extends { readonly type: string } = never> implements vscode.Disposable {
  protected readonly services: FormServices;
  /** The record; undefined for a file that belongs to no service. */
  protected readonly record: RecordKey | undefined;
  protected readonly subscriptions: vscode.Disposable[] = [];
  readonly #kind: FormKind;
  readonly #document: vscode.TextDocument;
  readonly #panel: vscode.WebviewPanel;
  readonly #page: WebviewPage<FormFromPage, FormToPage | ExtraMessage>;
  readonly #closed = new AbortController();
  /** Aborted when the form closes. */
  protected readonly closed = this.#closed.signal;
  #lists: Lists = { kind: 'none' };
  /** Changes that would leave the text without a required value. The form shows them, and writes them once it has that value. */
  #held: readonly FieldChange[] = [];
  readonly #edits = new EditQueue((edit) => this.#write(edit), UNDO_DEBOUNCE_MS);
  /** Refusals of the service, with the field's text at that time. A refusal expires when the text changes. */
  #refusals: { readonly problem: FieldProblem; readonly fieldText: string }[] = [];
  #readOnly: Extract<FormToPage, { type: 'readOnly' }> = { type: 'readOnly', canDuplicate: false };

  constructor(kind: FormKind, document: vscode.TextDocument, panel: vscode.WebviewPanel, services: FormServices) {
    this.#kind = kind;
    this.#document = document;
    this.#panel = panel;
    this.services = services;
    const address = services.documents.find(document.uri);
    this.record =
      address?.kind.collection === kind.collection ? { connection: address.connection, id: address.id } : undefined;
    this.#page = new WebviewPage<FormFromPage, FormToPage | ExtraMessage>(
      panel.webview,
      services.context.extensionUri,
      { ...kind, schema: formFromPage },
      {
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
          const { collection, commands } = this.#kind;
          if (command === 'openAsText') {
            this.#panel.reveal();
            await vscode.commands.executeCommand('reopenActiveEditorWith', 'default');
          } else if (command === 'send' && this.#held.length > 0) {
            this.post({ type: 'focusProblem' });
          } else if (Object.hasOwn(commands, command)) {
            const target = this.record ? { ...this.record, collection, mailId: id } : this.uri;
            await vscode.commands.executeCommand(commands[command] ?? '', target);
            // The user may have closed the form meanwhile.
            if (this.closed.aborted) return;
            // Dialogs don't return the focus to the page's button.
            if (this.#panel.active) this.#panel.reveal();
            if (this.record) await this.refreshExtras();
          }
        },
        retry: () => {
          const { details } = this;
          if (details) this.handleDetails(details, true);
          void this.#readLists();
          void this.#refreshRecord();
        },
      },
    );
  }

  /** Starts following the document and the service. Called once, after construction. */
  start(): void {
    this.subscriptions.push(
      this.#page,
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document !== this.#document || event.contentChanges.length === 0) return;
        // Undo and redo return to a text.
        if (event.reason !== undefined) this.#held = [];
        this.#sendDetails();
      }),
      vscode.workspace.onWillSaveTextDocument((event) => {
        if (event.document === this.#document) event.waitUntil(this.flush().then(() => []));
      }),
      this.#panel.onDidChangeViewState(() => {
        // The record can change elsewhere (such as by sending it) without a change of its text.
        if (this.#panel.active) void this.#refreshRecord();
        if (this.#panel.visible) return;
        void this.flush();
        this.#page.suspend();
      }),
    );
    if (this.record) this.subscriptions.push(this.#watch());
    void this.#readLists();
    void this.#refreshRecord();
  }

  get uri(): vscode.Uri {
    return this.#document.uri;
  }

  showsRecord({ connection, id, kind }: RecordAddress): boolean {
    return this.record?.connection === connection && this.record.id === id && kind.collection === this.#kind.collection;
  }

  /** Writes pending edits into the document. */
  flush(): Promise<void> {
    return this.#edits.flush();
  }

  dispose(): void {
    this.#closed.abort();
    void this.flush();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** Clears earlier refusals after a save. */
  handleSave(): void {
    this.#refusals = [];
    this.#sendDetails();
    void this.#refreshRecord();
  }

  /** Shows a refusal of the service beside its field, until the field changes or the record is saved. */
  showServiceError(message: string): void {
    const details = this.details ?? {};
    const problem: FieldProblem = { path: this.#kind.findRefusalPath(message, details), message, kind: 'service' };
    this.#refusals = [
      ...this.#refusals.filter((refusal) => refusal.problem.message !== message),
      { problem, fieldText: getFieldText(details, problem) },
    ];
    this.#sendDetails();
  }

  /** Returns warnings about values that are valid but may be mistakes. */
  protected abstract findWarnings(details: Values): readonly FieldProblem[];
  /** Reads what the form shows of the record besides the text. Must not throw. */
  protected abstract refreshExtras(): Promise<void>;
  /** Sends a newly loaded page everything it shows except the details. */
  protected abstract sendExtras(): void;

  /** Returns the changes for an edit of one field. */
  protected getChanges(_details: Values, change: FieldChange): readonly FieldChange[] {
    return [change];
  }

  /** Called before details are sent to the page. `force`: again after a failure. */
  protected handleDetails(_details: Values, _force = false): void {}

  protected post(message: FormToPage | ExtraMessage): void {
    this.#page.post(message);
  }

  /** The details that the form shows; undefined if the text is invalid. */
  protected get details(): Values | undefined {
    const reading = this.#read();
    return reading.kind === 'details' ? reading.details : undefined;
  }

  /** Parses the text with the changes held back. */
  #read(text = this.#document.getText()) {
    const reading = parseDetails(text);
    return reading.kind === 'broken' || this.#held.length === 0
      ? reading
      : parseDetails(applyChanges(text, this.#held, this.#kind.fieldOrder));
  }

  /** Sends the details to the page. */
  #sendDetails() {
    const reading = this.#read();
    if (reading.kind === 'broken') return this.post({ type: 'broken', line: reading.line, message: reading.message });
    const { details } = reading;
    this.handleDetails(details);
    this.#refusals = this.#refusals.filter(({ problem, fieldText }) => getFieldText(details, problem) === fieldText);
    this.post({
      type: 'details',
      confirmedSeq: this.#edits.lastWrittenSeq,
      details,
      problems: [
        ...findProblems(this.#kind.schema, details).map((problem): FieldProblem => ({ ...problem, kind: 'error' })),
        ...this.findWarnings(details),
        ...this.#refusals.map(({ problem }) => problem),
      ],
    });
  }

  async #sendAll() {
    await this.#edits.restart();
    this.post(this.#readOnly);
    this.#sendDetails();
    this.post({ type: 'lists', lists: this.#lists });
    this.sendExtras();
  }

  /** Reads from the record's service. Throws `ApiError`, or an error if it has no connection. */
  protected async run<T>({ connection }: RecordKey, read: (client: MailingClient) => Promise<T>): Promise<T> {
    const { connections } = this.services;
    return connections.run(connections.getService(connection), read);
  }

  async #readLists() {
    if (!this.record || this.#lists.kind === 'loading') return;
    this.#setLists({ kind: 'loading' });
    try {
      const lists = await this.run(this.record, (client) => readAllLists(client, this.closed));
      this.#setLists({
        kind: 'loaded',
        lists: this.#kind.toListChoices(lists),
        incompleteNote: isTruncated(lists) ? truncatedListsMessage() : undefined,
      });
    } catch (error) {
      this.#setLists({ kind: 'failed', message: errorText(error) });
    }
  }

  #setLists(lists: Lists) {
    this.#lists = lists;
    this.post({ type: 'lists', lists });
  }

  /** Applies one edit. Retries if the text changed meanwhile; does nothing if the text is invalid. */
  async #write(edit: FormEdit) {
    try {
      let isWritten = false;
      for (let attempt = 0; attempt < MAX_EDIT_ATTEMPTS && !isWritten; attempt += 1)
        isWritten = await this.#writeOnce(edit);
      if (!isWritten) throw new Error(t('The text changed elsewhere at the same time.'));
    } catch (error) {
      const typed = edit.field === undefined ? '' : t`You typed: ${JSON.stringify(edit.typedValue ?? '')}`;
      void showError(new Error(`${errorText(error)} ${typed}`.trim()), {
        title: t("Couldn't apply a change in the form"),
        log: this.services.log,
      });
    }
    // Confirms the edit to the page, even if it changed nothing.
    if (!this.closed.aborted) setTimeout(() => this.#sendDetails());
  }

  async #writeOnce(edit: FormEdit) {
    const { uri } = this;
    const document = this.#document.isClosed ? await vscode.workspace.openTextDocument(uri) : this.#document;
    const text = document.getText();
    const reading = this.#read(text);
    if (reading.kind === 'broken' || this.#readOnly.reason !== undefined) return true;
    const { written, held } = divideChanges(text, this.#held, edit.changes(reading.details), this.#kind);
    const replacement = computeReplacement(text, written, this.#kind.fieldOrder);
    if (replacement) {
      const changes = new vscode.WorkspaceEdit();
      const { offset, length } = replacement;
      changes.replace(
        uri,
        new vscode.Range(document.positionAt(offset), document.positionAt(offset + length)),
        replacement.text,
      );
      if (!(await vscode.workspace.applyEdit(changes))) return false;
    }
    this.#held = held;
    return true;
  }

  async #afterEdits(command: 'undo' | 'redo') {
    await this.flush();
    if (command === 'redo' || this.#held.length === 0) return vscode.commands.executeCommand(command);
    // The changes held back came last.
    this.#held = [];
    return this.#sendDetails();
  }

  async #refreshRecord() {
    await Promise.all([this.record && this.refreshExtras(), this.#updateReadOnly()]);
  }

  async #updateReadOnly() {
    const found = await this.#findReadOnlyReason();
    this.#readOnly = { type: 'readOnly', reason: found?.reason, canDuplicate: found?.command !== undefined };
    this.post(this.#readOnly);
  }

  async #findReadOnlyReason() {
    if (vscode.workspace.fs.isWritableFileSystem(this.uri.scheme) === false)
      return { reason: t('This version is read-only.') };
    try {
      return await this.services.documents.getReadOnlyReason(this.uri);
    } catch (error) {
      this.services.log.warn(`Couldn't read whether ${this.uri.toString()} is read-only: ${errorText(error)}`);
      return undefined;
    }
  }

  /** Watches for changes of the document on the service, including read-only changes. */
  #watch() {
    const { uri } = this;
    // Watches the whole folder, because a file name with `[` or `{` would be read as a pattern.
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

/** Returns the value of the field that a problem is about, or of all fields. */
function getFieldText(details: Values, { path: [field] }: FieldProblem) {
  return JSON.stringify(field === undefined ? details : (details[field] ?? null));
}
