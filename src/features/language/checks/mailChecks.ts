import * as vscode from 'vscode';
import { posix } from 'node:path';
import type { CheckOptions, Finding, PartRange, Severity } from '../../../email/checks/model.ts';
import { t } from '../../../l10n.ts';
import { Debouncer, once } from '../../../ui/async.ts';
import { escapeMessage } from '../../../service/text.ts';
import { isCanceled } from '../../../ui/errors.ts';
import { prepareEmail } from './checkOptions.ts';
import {
  isCurrent,
  findLocalMail,
  findMailDocuments,
  findPartName,
  readLinkedParts,
  readMailTexts,
  type MailDocuments,
  type MailTexts,
  type PartText,
} from '../mailDocuments.ts';
import { weighImages } from '../imageHovers.ts';
import { createUncheckedResult, placeFindings } from '../../../sync/mapping/placedFindings.ts';
import { mappingName, partsFolderName } from '../../../sync/paths.ts';
import type { MailWorker } from '../../../platform/worker/index.ts';
import type { ExtensionServices } from '../../services.ts';

/** Checks wait until typing pauses, at most as long as the second one: on slow computers, checks take time from the next key. */
const [CHECK_DEBOUNCE_MS, MAX_CHECK_DEBOUNCE_MS] = [300, 2000];
const DIAGNOSTIC_SOURCE = 'Mailing Studio';

const diagnosticSeverities: Readonly<Record<Severity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

/** A finding with document offsets, and its diagnostic. */
export interface ShownFinding {
  readonly finding: Finding;
  readonly uri: vscode.Uri;
  readonly diagnostic: vscode.Diagnostic;
}

/** The result of the last check of an email. */
export interface CheckedMail {
  readonly texts: MailTexts;
  readonly options: CheckOptions;
  readonly findings: readonly ShownFinding[];
  /** Size of the sent email, if it could be composed. */
  readonly bytes: number | undefined;
  /** Sizes of its images in bytes; 0 for those that aren't known. */
  readonly imageSizes: readonly number[];
}

interface OpenMail {
  mail: MailDocuments;
  readonly debouncer: Debouncer;
  /** Keeps the worker alive while a document of the email is open. */
  workerHold?: Promise<{ dispose(): void }> | undefined;
  /** Whether it belongs to the last check of the workspace: its findings stay when it is closed. */
  isKept?: boolean;
  checked?: CheckedMail | undefined;
}

/**
 * Checks open emails after each change, and publishes the findings as diagnostics. Published findings always belong to a tracked email: one
 * with an open document, or one of the last check of the workspace.
 */
export class MailChecks implements vscode.Disposable {
  readonly #services: ExtensionServices;
  readonly #remoteSizes: ReadonlyMap<string, number>;
  readonly #worker: Promise<MailWorker>;
  readonly #collection = vscode.languages.createDiagnosticCollection('mailing');
  readonly #openMails = new Map<string, OpenMail>();
  /** Keys of local emails, by the URIs of their files. */
  readonly #localKeys = new Map<string, string>();
  readonly #changes = new vscode.EventEmitter<void>();
  /** Completes a walkthrough step. */
  readonly #markFirstCheck = once(() => vscode.commands.executeCommand('setContext', 'mailing.hasCheckedEmail', true));
  /** Set with the first check of the workspace. */
  readonly #watchFiles = once(() => this.#watch('**/*.{html,htm,css,json}', this.#scheduleDocument));
  readonly #subscriptions: vscode.Disposable[];
  /** Fires when the result of an email changes. */
  readonly onDidChange = this.#changes.event;

  /** @param remoteSizes sizes of remote images in bytes, by URL */
  constructor(services: ExtensionServices, remoteSizes: ReadonlyMap<string, number>) {
    const { workspace } = vscode;
    this.#services = services;
    this.#remoteSizes = remoteSizes;
    this.#worker = services.worker();
    this.#subscriptions = [
      this.#collection,
      this.#changes,
      workspace.onDidOpenTextDocument(({ uri }) => this.#handleOpen(uri)),
      workspace.onDidChangeTextDocument(({ document: { uri }, contentChanges }) => {
        if (contentChanges.length === 0) return;
        this.#scheduleDocument(uri);
        if (findPartName(uri) === undefined) return;
        for (const open of this.#openMails.values()) if (open.workerHold) this.#schedule(open);
      }),
      workspace.onDidCloseTextDocument(({ uri }) => this.#settle(this.#getOpen(uri))),
      workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('mailing.checks') && this.refresh()),
      services.documents.onDidSave(({ address }) => this.#scheduleDocument(address.uri)),
    ];
    for (const name of [mappingName, `${partsFolderName}/*.html`]) this.#watch(`**/${name}`, () => this.refresh());
    for (const { uri } of workspace.textDocuments) this.#handleOpen(uri);
  }

  /** Checks all open emails again, after their connections or settings changed. */
  refresh(): void {
    for (const open of this.#openMails.values()) this.#schedule(open);
  }

  /** Returns the last result of the email that contains a document. */
  getChecked(uri: vscode.Uri): CheckedMail | undefined {
    return this.#getOpen(uri)?.checked;
  }

  /** Returns the last result unless the text changed since. */
  getCurrent(uri: vscode.Uri): CheckedMail | undefined {
    const checked = this.getChecked(uri);
    return checked && isCurrent(checked.texts) ? checked : undefined;
  }

  /** Checks the email of an open document now, regardless of settings. A local file is checked until it is closed. */
  async checkNow(uri: vscode.Uri): Promise<CheckedMail | undefined> {
    const mail = uri.scheme === 'mailing' ? this.#findMail(uri) : await findLocalMail(uri);
    return mail && this.#check(this.#open(mail));
  }

  /**
   * Checks local emails, and keeps their findings also while they are closed. Removes those of the last check of the workspace.
   * @param onChecked is called after each email
   * @returns the results so far if the signal is aborted; undefined for emails that couldn't be read
   */
  async checkWorkspace(
    mails: ReadonlyMap<string, MailDocuments>,
    signal: AbortSignal,
    onChecked: (count: number) => void,
  ): Promise<(CheckedMail | undefined)[]> {
    this.#watchFiles();
    for (const each of this.#openMails.values()) {
      if (each.isKept !== true || mails.has(each.mail.key)) continue;
      each.isKept = false;
      this.#settle(each);
    }
    const results: (CheckedMail | undefined)[] = [];
    const hold = (await this.#worker).hold();
    try {
      for (const mail of mails.values()) {
        const tracked = Object.assign(this.#track(mail), { isKept: true });
        const result = await this.#check(tracked, signal);
        if (signal.aborted) break;
        // A change by the user may have started a later check.
        results.push(result ?? tracked.checked);
        onChecked(results.length);
      }
    } finally {
      hold.dispose();
    }
    return results;
  }

  dispose(): void {
    for (const open of this.#openMails.values()) release(open);
    this.#openMails.clear();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #watch(glob: string, handle: (uri: vscode.Uri) => void) {
    const files = vscode.workspace.createFileSystemWatcher(glob);
    const events = [files.onDidCreate, files.onDidChange, files.onDidDelete];
    this.#subscriptions.push(files, ...events.map((event) => event(handle)));
  }

  #findMail(uri: vscode.Uri) {
    const local = this.#openMails.get(this.#localKeys.get(uri.toString()) ?? '');
    return local?.mail ?? findMailDocuments(this.#services.documents, uri);
  }

  #getOpen(uri: vscode.Uri) {
    return this.#openMails.get(this.#findMail(uri)?.key ?? '');
  }

  #track(mail: MailDocuments) {
    const tracked = this.#openMails.get(mail.key) ?? {
      mail,
      debouncer: new Debouncer(CHECK_DEBOUNCE_MS, MAX_CHECK_DEBOUNCE_MS),
    };
    tracked.mail = mail;
    this.#openMails.set(mail.key, tracked);
    if (mail.local) for (const uri of Object.values(mail.uris)) this.#localKeys.set(uri.toString(), mail.key);
    return tracked;
  }

  #open(mail: MailDocuments) {
    const opened = this.#track(mail);
    opened.workerHold ??= this.#worker.then((worker) => worker.hold());
    return opened;
  }

  #handleOpen(uri: vscode.Uri) {
    const mail = this.#findMail(uri);
    if (mail) this.#schedule(this.#open(mail));
  }

  /** Checks an email again after one of its documents was closed. Removes its findings if none is open and they don't stay. */
  #settle(open: OpenMail | undefined) {
    if (!open) return;
    const isOpen = vscode.workspace.textDocuments.some(({ isClosed, uri }) => !isClosed && this.#getOpen(uri) === open);
    if (!isOpen) release(open);
    if (isOpen || open.isKept) return this.#schedule(open);
    this.#openMails.delete(open.mail.key);
    for (const [uri, key] of this.#localKeys) if (key === open.mail.key) this.#localKeys.delete(uri);
    this.#publish(open, undefined);
  }

  #scheduleDocument = (uri: vscode.Uri) => this.#schedule(this.#getOpen(uri));

  #schedule(open: OpenMail | undefined) {
    open?.debouncer.run(() => {
      const { connection, uris } = open.mail;
      const isEnabled = vscode.workspace.getConfiguration('mailing', uris.body).get('checks.enabled', true);
      return isEnabled || connection === undefined ? this.#check(open) : this.#publish(open, undefined);
    });
  }

  /** Never rejects: errors are logged, and the findings are removed. */
  async #check(open: OpenMail, signal?: AbortSignal) {
    try {
      const checked = await this.#run(open, signal);
      return checked && this.#publish(open, checked);
    } catch (error) {
      if (!isCanceled(error)) {
        this.#services.log.warn("Couldn't check an email.", error);
        this.#publish(open, undefined);
      }
      return undefined;
    }
  }

  async #run(open: OpenMail, signal: AbortSignal | undefined): Promise<CheckedMail | undefined> {
    // The mapping may have changed.
    const mail = open.mail.local ? await findLocalMail(open.mail.uris.body) : open.mail;
    if (this.#openMails.get(mail.key) === open) this.#track(mail);
    const texts = await readMailTexts(this.#services.documents, mail);
    if (!texts.body && mail.local) throw new Error(`There is no file ${mail.uris.body.path}.`);
    if (!texts.body) return undefined;
    const { sources, email, fields, options, findImages } = await prepareEmail(this.#services, mail, texts);
    const about = posix.basename(mail.uris.body.path);
    const parts = await readLinkedParts(mail, texts.body.text);
    const worker = await this.#worker;
    const { findings, bytes } = await worker
      .run('check', { email, options, parts }, { key: mail.key, about, ...(signal && { signal }) })
      .catch(createUncheckedResult);
    const canWeigh = mail.local || this.#remoteSizes.size > 0;
    const imageSizes = canWeigh ? await weighImages(texts, findImages, this.#remoteSizes) : [];
    // Changes made meanwhile are already scheduled.
    if (!isCurrent(texts) || this.#openMails.get(mail.key) !== open) return undefined;
    this.#markFirstCheck();
    const shown = placeFindings(findings, fields, sources).flatMap((finding) => showFinding(finding, texts));
    return { texts, options, findings: shown, bytes, imageSizes };
  }

  #publish(open: OpenMail, checked: CheckedMail | undefined) {
    type Entry = [vscode.Uri, vscode.Diagnostic[] | undefined];
    this.#collection.set([
      ...(open.checked?.findings ?? []).map(({ uri }): Entry => [uri, undefined]),
      ...(checked?.findings ?? []).map(({ uri, diagnostic }): Entry => [uri, [diagnostic]]),
    ]);
    open.checked = checked;
    this.#changes.fire();
    return checked;
  }
}

function release(open: OpenMail) {
  open.debouncer.dispose();
  void open.workerHold?.then((hold) => hold.dispose());
  open.workerHold = undefined;
}

/** Returns the finding with its diagnostic; none if its document has no text. */
function showFinding(finding: Finding, texts: MailTexts): ShownFinding[] {
  const locate = (range: PartRange) => {
    const text = texts[range.part];
    return text ? [new vscode.Location(text.uri, getRange(text, range))] : [];
  };
  return locate(finding).map(({ uri, range }) => {
    const { name, severity, message, url, unnecessary, related = [] } = finding;
    const diagnostic = new vscode.Diagnostic(range, escapeMessage(message, 400), diagnosticSeverities[severity]);
    diagnostic.source = DIAGNOSTIC_SOURCE;
    diagnostic.code = url === undefined ? name : { value: name, target: vscode.Uri.parse(url, true) };
    diagnostic.relatedInformation = related
      .flatMap(locate)
      .map((location) => new vscode.DiagnosticRelatedInformation(location, t('Same problem here')));
    if (unnecessary) diagnostic.tags = [vscode.DiagnosticTag.Unnecessary];
    return { finding, uri, diagnostic };
  });
}

export function getRange({ document, text }: PartText, { start, end }: Pick<PartRange, 'start' | 'end'>): vscode.Range {
  const position = (offset: number) => document?.positionAt(offset) ?? getPosition(text, offset);
  return new vscode.Range(position(start), position(end));
}

function getPosition(text: string, offset: number) {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/u);
  return new vscode.Position(before.length - 1, before.at(-1)?.length ?? 0);
}
