import * as vscode from 'vscode';
import type { Rooms } from '../../rooms.ts';
import type { FieldProblem, FormCommand, FromPage, ToPage } from '../../webviews/campaignForm/protocol.ts';
import { showError } from '../../workbench/messages.ts';
import { errorText } from '../../workbench/words.ts';
import { FollowedDocument } from '../../workbench/preview/followedDocument.ts';
import type { RecordRef } from '../../workbench/record.ts';
import { WebviewHost } from '../../workbench/webview.ts';
import { campaignDocuments, suffixes } from '../documents.ts';
import { detailFields } from '../fields.ts';
import { validate } from '../validation.ts';
import { Choices, chosenLists, listChanges } from './choices.ts';
import { EditQueue, type FormEdit } from './edits.ts';
import { errorsOf, serviceProblem, warningsOf } from './problems.ts';
import { FormService } from './service.ts';
import { readText, replacementFor, type Values } from './text.ts';

/** How long a field must rest before what was typed becomes a step of undo, in ms. */
const typingPause = 300;
/** How long the body must rest before the inbox line is told of it, in ms. */
const bodyPause = 400;
/** Of the body, what is looked at for the words an inbox shows: characters. */
const bodyLength = 200_000;
/** An edit that meets one from elsewhere is made again on the new text, this often. */
const attempts = 5;

type Handlers = { readonly [Type in FromPage['type']]: (message: Extract<FromPage, { type: Type }>) => unknown };

const commands: Readonly<Record<FormCommand, string>> = {
  openBody: 'mailing.campaign.openBody',
  preview: 'mailing.campaign.preview',
  sendTest: 'mailing.campaign.sendTest',
  send: 'mailing.campaign.send',
  openAsText: 'mailing.campaign.openAsText',
  duplicate: 'mailing.campaign.duplicate',
};

/** One open form: shows a details document, and makes the edits of its page in it. */
export class FormSession implements vscode.Disposable {
  readonly #document: vscode.TextDocument;
  readonly #rooms: Rooms;
  readonly #record: RecordRef | undefined;
  readonly #host: WebviewHost<FromPage, ToPage>;
  readonly #service: FormService | undefined;
  readonly #body: FollowedDocument | undefined;
  readonly #choices = new Choices();
  readonly #edits = new EditQueue((edit) => this.#write(edit), typingPause);
  readonly #subscriptions: vscode.Disposable[] = [];
  readonly #handlers: Handlers = {
    ready: () => this.#begin(),
    edit: ({ seq, path, value, final }) => this.#edits.add({ seq, kind: 'field', change: value === undefined ? { path } : { path, value } }, final),
    list: ({ seq, id, chosen }) => this.#edits.add({ seq, kind: 'list', id, chosen }, true),
    settle: () => this.#edits.flush(),
    undo: () => this.#afterEdits('undo'),
    redo: () => this.#afterEdits('redo'),
    run: ({ command }) => this.#run(command),
    retry: () => this.#retry(),
  };
  /** What the service refused, with the field's text at that time: it no longer holds once that is another one. */
  #refusals: { readonly problem: FieldProblem; readonly of: string }[] = [];
  #readOnly: Extract<ToPage, { type: 'readOnly' }> = { type: 'readOnly', canDuplicate: false };
  #bodyTimer: ReturnType<typeof setTimeout> | undefined;
  #telling = 0;
  #disposed = false;

  constructor(document: vscode.TextDocument, panel: vscode.WebviewPanel, rooms: Rooms) {
    this.#document = document;
    this.#rooms = rooms;
    const address = rooms.documents.find(document.uri);
    this.#record = address?.kind.collection === campaignDocuments.collection ? { connection: address.connection, id: address.id } : undefined;
    this.#host = new WebviewHost<FromPage, ToPage>(panel.webview, rooms.context.extensionUri, { page: 'campaignForm', title: 'Campaign Form' }, (message) => this.#handle(message));
    if (this.#record) {
      this.#service = new FormService(rooms.connections, this.#record, {
        lists: (lists) => this.#host.post({ type: 'lists', lists }),
        audience: (audience) => this.#host.post({ type: 'audience', audience }),
        standing: (standing) => this.#host.post({ type: 'standing', isRecord: true, standing }),
      });
      this.#body = this.#followBody();
    }
    this.#subscriptions.push(
      this.#host,
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === document && event.contentChanges.length > 0) void this.#tell();
      }),
      vscode.workspace.onWillSaveTextDocument((event) => {
        if (event.document === document) event.waitUntil(this.flush().then(() => []));
      }),
      panel.onDidChangeViewState(() => {
        // A campaign can be sent from elsewhere: that changes what it waits for, and often nothing in its text.
        if (panel.active) void this.#readStanding();
        if (panel.visible) return;
        void this.flush();
        this.#host.suspend();
      }),
    );
    if (this.#record) this.#subscriptions.push(this.#watch());
    void this.#service?.readLists();
    void this.#readStanding();
    void this.#body?.open();
  }

  get uri(): vscode.Uri {
    return this.#document.uri;
  }

  /** Whether it shows a document of this record. */
  shows(record: RecordRef): boolean {
    return this.#record?.connection === record.connection && this.#record.id === record.id;
  }

  /** Writes what was typed into the document. */
  flush(): Promise<void> {
    return this.#edits.flush();
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#bodyTimer);
    void this.flush();
    this.#service?.dispose();
    this.#body?.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** The campaign was stored: nothing that was refused before still is. */
  saved(): void {
    this.#refusals = [];
    void this.#tell();
    void this.#readStanding();
  }

  /** Shows a refusal of the service beside the field it is about, until that field is another one or the campaign is stored. */
  showServiceError(message: string): void {
    const reading = readText(this.#document.getText());
    const details = reading.kind === 'details' ? reading.details : {};
    const problem = serviceProblem(message, details);
    this.#refusals = [...this.#refusals.filter((refusal) => refusal.problem.message !== message), { problem, of: valueAt(details, problem) }];
    void this.#tell();
  }

  #handle<Type extends FromPage['type']>(message: Extract<FromPage, { type: Type }>): void {
    const handler = this.#handlers[message.type as Type] as Handlers[Type] | undefined;
    handler?.(message);
  }

  async #begin(): Promise<void> {
    await this.#edits.restart();
    this.#host.post(this.#readOnly);
    await this.#tell();
    if (this.#service) {
      this.#host.post({ type: 'standing', isRecord: true });
      this.#service.tell();
    } else {
      this.#host.post({ type: 'standing', isRecord: false });
      this.#host.post({ type: 'lists', lists: { kind: 'none' } });
    }
    this.#tellBody();
  }

  /** Tells the page what the text holds. Only the newest answer counts: judging takes its time. */
  async #tell(): Promise<void> {
    const turn = (this.#telling += 1);
    const reading = readText(this.#document.getText());
    if (reading.kind === 'broken') return this.#host.post({ type: 'broken', line: reading.line, message: reading.message });
    const { details } = reading;
    const { written } = this.#edits;
    this.#service?.count(chosenLists(details) ?? []);
    const errors = errorsOf(await validate(details));
    if (turn !== this.#telling) return;
    this.#refusals = this.#refusals.filter(({ problem, of }) => valueAt(details, problem) === of);
    const problems = [...errors, ...this.#refusals.map(({ problem }) => problem), ...warningsOf(details, today())];
    this.#host.post({ type: 'details', seen: written, details, problems });
  }

  /** Makes one edit in the document: again where the text became another one meanwhile, and not at all where that is broken. */
  async #write(edit: FormEdit): Promise<void> {
    try {
      let isWritten = false;
      for (let attempt = 0; attempt < attempts && !isWritten; attempt += 1) isWritten = await this.#writeOnce(edit);
      if (!isWritten) throw new Error('The editor did not accept the change: its text was changed from elsewhere at the same time.');
    } catch (error) {
      const value = edit.kind === 'field' ? ` What was typed: ${JSON.stringify(edit.change.value ?? '')}` : '';
      void showError(new Error(`${errorText(error)}${value}`), { title: 'A change in the form was lost', log: this.#rooms.log });
    }
    // The page learns from it that its edit has arrived, also where it changed nothing.
    if (!this.#disposed) setTimeout(() => void this.#tell());
  }

  async #writeOnce(edit: FormEdit): Promise<boolean> {
    const { uri } = this.#document;
    const document = this.#document.isClosed ? await vscode.workspace.openTextDocument(uri) : this.#document;
    const text = document.getText();
    const reading = readText(text);
    if (reading.kind === 'broken' || this.#readOnly.reason !== undefined) return true;
    const replacement = replacementFor(text, this.#changes(edit, reading.details), detailFields);
    if (replacement === undefined) return true;
    const changes = new vscode.WorkspaceEdit();
    const { offset, length } = replacement;
    changes.replace(uri, new vscode.Range(document.positionAt(offset), document.positionAt(offset + length)), replacement.text);
    return vscode.workspace.applyEdit(changes);
  }

  #changes(edit: FormEdit, details: Values) {
    return edit.kind === 'list' ? listChanges(details, edit.id, edit.chosen) : this.#choices.changes(details, edit.change);
  }

  async #afterEdits(command: 'undo' | 'redo'): Promise<void> {
    await this.flush();
    await vscode.commands.executeCommand(command);
  }

  async #run(command: FormCommand): Promise<void> {
    await this.flush();
    await vscode.commands.executeCommand(commands[command], command === 'openAsText' ? this.uri : (this.#record ?? this.uri));
    if (command === 'send') await this.#readStanding();
  }

  #retry(): void {
    void this.#service?.readLists();
    void this.#readStanding();
    const reading = readText(this.#document.getText());
    if (reading.kind === 'details') this.#service?.count(chosenLists(reading.details) ?? [], true);
  }

  async #readStanding(): Promise<void> {
    await Promise.all([this.#service?.readStanding(), this.#readWhetherReadOnly()]);
  }

  async #readWhetherReadOnly(): Promise<void> {
    const found = await this.#findReason().catch((error: unknown) => {
      this.#rooms.log.warn(`Whether ${this.uri.toString()} can be changed is not known: ${errorText(error)}`);
      return undefined;
    });
    this.#readOnly = { type: 'readOnly', ...(found === undefined ? {} : { reason: found.reason }), canDuplicate: found?.command !== undefined };
    this.#host.post(this.#readOnly);
  }

  async #findReason(): Promise<{ readonly reason: string; readonly command?: string } | undefined> {
    if (vscode.workspace.fs.isWritableFileSystem(this.uri.scheme) === false) return { reason: 'This version of the campaign is there to be read, not to be changed.' };
    return this.#rooms.documents.readOnly(this.uri);
  }

  /** The document changed on the service, or was locked there. */
  #watch(): vscode.Disposable {
    // Any file of the folder: a pattern of the name itself would read `[` and `{` in it as a pattern.
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.joinPath(this.uri, '..'), '*'), true, false, true);
    const changed = watcher.onDidChange((uri) => {
      if (uri.toString() === this.uri.toString()) void this.#readStanding();
    });
    return vscode.Disposable.from(watcher, changed);
  }

  #followBody(): FollowedDocument {
    const later = (): void => {
      clearTimeout(this.#bodyTimer);
      this.#bodyTimer = setTimeout(() => this.#tellBody(), bodyPause);
    };
    // Without its body a form does all the same: the inbox line has no words of it then.
    return new FollowedDocument(this.#rooms.documents.sibling(this.uri, suffixes.body), { changed: later, replaced: later, failed: () => undefined });
  }

  #tellBody(): void {
    if (this.#body?.isKnown) this.#host.post({ type: 'body', html: this.#body.text.slice(0, bodyLength) });
  }
}

/** What the field of a problem holds, or all fields where it is about none. */
function valueAt(details: Values, { path: [field] }: FieldProblem): string {
  return JSON.stringify(field === undefined ? details : (details[field] ?? null));
}

/** The user's day, as `YYYY-MM-DD`. */
function today(): string {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}
