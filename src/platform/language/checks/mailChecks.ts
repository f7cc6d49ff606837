import * as vscode from 'vscode';
import { posix } from 'node:path';
import type { CheckOptions, Email, Finding, PartRange, Severity } from '../../../email/checks/model.ts';
import { once } from '../../ui/async.ts';
import { escapeMessage } from '../../ui/text.ts';
import { isCanceled } from '../../ui/errors.ts';
import type { MailWorker } from '../../worker/index.ts';
import { getCheckOptions, isCheckingEnabled } from './checkOptions.ts';
import {
  createFileMail,
  isCurrent,
  findMailDocuments,
  readMailTexts,
  type MailDocuments,
  type MailTexts,
  type PartText,
} from '../mailDocuments.ts';
import { createUncheckedResult, getMailFields, placeFindings } from './placedFindings.ts';
import type { LanguageServices } from '../services.ts';
import type { TagContext } from '../tags/tagContext.ts';

/** Checks wait until typing pauses. */
const CHECK_DEBOUNCE_MS = 300;
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
  readonly mail: MailDocuments;
  readonly texts: MailTexts;
  readonly options: CheckOptions;
  readonly findings: readonly ShownFinding[];
  /** Size of the sent email, if known. */
  readonly bytes: number | undefined;
}

interface OpenMail {
  readonly mail: MailDocuments;
  timer?: ReturnType<typeof setTimeout>;
  checked?: CheckedMail | undefined;
}

type MailCheckServices = Pick<LanguageServices, 'connections' | 'documents' | 'worker' | 'log'>;

/** Checks open emails after each change, and publishes the findings as diagnostics. */
export class MailChecks implements vscode.Disposable {
  readonly #services: MailCheckServices;
  readonly #tags: TagContext;
  readonly #worker: Promise<MailWorker>;
  readonly #collection = vscode.languages.createDiagnosticCollection('mailing');
  readonly #openMails = new Map<string, OpenMail>();
  /** Local files that the user asked to check. */
  readonly #localFiles = new Set<string>();
  readonly #changes = new vscode.EventEmitter<MailDocuments>();
  /** Fires when the result of an email changes. */
  readonly onDidChange = this.#changes.event;
  /** Completes a walkthrough step. */
  readonly #markFirstCheck = once(() => vscode.commands.executeCommand('setContext', 'mailing.hasCheckedEmail', true));
  readonly #subscriptions: readonly vscode.Disposable[];
  /** Keeps the worker alive while an email is open. */
  #workerHold: Promise<vscode.Disposable> | undefined;

  constructor(services: MailCheckServices, tags: TagContext) {
    this.#services = services;
    this.#tags = tags;
    this.#worker = services.worker();
    const { workspace } = vscode;
    this.#subscriptions = [
      this.#collection,
      this.#changes,
      workspace.onDidOpenTextDocument(({ uri }) => this.#handleOpen(uri)),
      workspace.onDidChangeTextDocument(
        ({ document, contentChanges }) => contentChanges.length > 0 && this.#scheduleCheckOf(document.uri),
      ),
      workspace.onDidCloseTextDocument(({ uri }) => this.#handleClose(uri)),
      workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('mailing.checks') && this.refresh()),
      services.documents.onDidSave(({ address }) => this.#scheduleCheckOf(address.uri)),
    ];
    for (const { uri } of workspace.textDocuments) this.#handleOpen(uri);
  }

  /** Checks all open emails again, after their connections or settings changed. */
  refresh(): void {
    for (const open of this.#openMails.values()) this.#scheduleCheck(open, 0);
  }

  /** Returns the last result of the email that contains a document. */
  getChecked(uri: vscode.Uri): CheckedMail | undefined {
    return this.#openMails.get(this.#findMail(uri)?.key ?? '')?.checked;
  }

  /** Returns the last result unless the text changed since. */
  getCurrent(uri: vscode.Uri): CheckedMail | undefined {
    const checked = this.getChecked(uri);
    return checked && isCurrent(checked.texts) ? checked : undefined;
  }

  /** Checks the email of an open document now, regardless of settings. A local file is checked until it is closed. */
  async checkNow(uri: vscode.Uri): Promise<CheckedMail | undefined> {
    if (uri.scheme !== 'mailing') this.#localFiles.add(uri.toString());
    this.#handleOpen(uri);
    const open = this.#openMails.get(this.#findMail(uri)?.key ?? '');
    return open && this.#check(open);
  }

  dispose(): void {
    for (const { timer } of this.#openMails.values()) clearTimeout(timer);
    this.#openMails.clear();
    this.#updateWorkerHold();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #findMail(uri: vscode.Uri): MailDocuments | undefined {
    return this.#localFiles.has(uri.toString())
      ? createFileMail(uri)
      : findMailDocuments(this.#services.documents, uri);
  }

  #handleOpen(uri: vscode.Uri): void {
    const mail = this.#findMail(uri);
    if (mail === undefined) return;
    if (!this.#openMails.has(mail.key)) this.#openMails.set(mail.key, { mail });
    this.#updateWorkerHold();
    this.#scheduleCheckOf(uri);
  }

  #handleClose(uri: vscode.Uri): void {
    const mail = this.#findMail(uri);
    this.#localFiles.delete(uri.toString());
    const open = mail && this.#openMails.get(mail.key);
    if (!mail || !open) return;
    const isOpen = vscode.workspace.textDocuments.some(
      (document) => !document.isClosed && this.#findMail(document.uri)?.key === mail.key,
    );
    if (isOpen) {
      this.#scheduleCheck(open);
      return;
    }
    clearTimeout(open.timer);
    this.#openMails.delete(mail.key);
    this.#publish(open, undefined);
    this.#updateWorkerHold();
  }

  #scheduleCheckOf(uri: vscode.Uri): void {
    const open = this.#openMails.get(this.#findMail(uri)?.key ?? '');
    if (open) this.#scheduleCheck(open);
  }

  #scheduleCheck(open: OpenMail, ms = CHECK_DEBOUNCE_MS): void {
    clearTimeout(open.timer);
    open.timer = setTimeout(() => {
      if (isCheckingEnabled(open.mail.uris.body) || open.mail.connection === undefined) void this.#check(open);
      else this.#publish(open, undefined);
    }, ms);
  }

  /** Never rejects: errors are logged, and the findings are removed. */
  async #check(open: OpenMail): Promise<CheckedMail | undefined> {
    const { mail } = open;
    try {
      const texts = await readMailTexts(this.#services.documents, mail);
      const { body, stylesheet, details } = texts;
      if (body === undefined) return undefined;
      const fields = getMailFields(details?.text);
      const email: Email = {
        body: body.text,
        ...(stylesheet && { stylesheet: stylesheet.text }),
        ...Object.fromEntries(Object.entries(fields).map(([field, { text }]) => [field, text])),
      };
      const options = getCheckOptions(this.#services.connections, mail.uris.body, this.#tags);
      const worker = await this.#worker;
      const about = posix.basename(mail.uris.body.path);
      const { findings, bytes } = await worker
        .run('check', { email, options }, { key: mail.key, about })
        .catch(createUncheckedResult);
      // Changes made meanwhile are already scheduled.
      if (!isCurrent(texts) || this.#openMails.get(mail.key) !== open) return undefined;
      const shown = placeFindings(findings, fields).flatMap((finding) => showFinding(finding, texts));
      this.#markFirstCheck();
      return this.#publish(open, { mail, texts, options, findings: shown, bytes });
    } catch (error) {
      if (!isCanceled(error)) {
        this.#services.log.warn("Couldn't check an email.", error);
        this.#publish(open, undefined);
      }
      return undefined;
    }
  }

  #publish(open: OpenMail, checked: CheckedMail | undefined): CheckedMail | undefined {
    const { findings = [] } = checked ?? {};
    const uris = [...(open.checked?.findings ?? []), ...findings].map(({ uri }) => uri);
    for (const [key, uri] of new Map(uris.map((each) => [each.toString(), each]))) {
      const own = findings.filter((finding) => finding.uri.toString() === key);
      this.#collection.set(
        uri,
        own.map(({ diagnostic }) => diagnostic),
      );
    }
    open.checked = checked;
    this.#changes.fire(open.mail);
    return checked;
  }

  #updateWorkerHold(): void {
    const held = this.#workerHold;
    if (this.#openMails.size > 0) {
      this.#workerHold ??= this.#worker.then((worker) => worker.hold());
    } else {
      this.#workerHold = undefined;
      void held?.then((hold) => hold.dispose());
    }
  }
}

/** Returns the finding with its diagnostic; none if its document has no text. */
function showFinding(finding: Finding, texts: MailTexts): ShownFinding[] {
  const locate = (range: PartRange): vscode.Location[] => {
    const text = texts[range.part];
    return text ? [new vscode.Location(text.uri, getRange(text, range))] : [];
  };
  return locate(finding).map(({ uri, range }) => {
    const { rule, severity, message, url, unnecessary, related = [] } = finding;
    const diagnostic = new vscode.Diagnostic(range, escapeMessage(message, 400), diagnosticSeverities[severity]);
    diagnostic.source = DIAGNOSTIC_SOURCE;
    diagnostic.code = url === undefined ? rule : { value: rule, target: vscode.Uri.parse(url, true) };
    diagnostic.relatedInformation = related
      .flatMap(locate)
      .map((location) => new vscode.DiagnosticRelatedInformation(location, 'Same problem here'));
    if (unnecessary) diagnostic.tags = [vscode.DiagnosticTag.Unnecessary];
    return { finding, uri, diagnostic };
  });
}

export function getRange({ document, text }: PartText, { start, end }: Pick<PartRange, 'start' | 'end'>): vscode.Range {
  const position = (offset: number): vscode.Position => document?.positionAt(offset) ?? getPosition(text, offset);
  return new vscode.Range(position(start), position(end));
}

function getPosition(text: string, offset: number): vscode.Position {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/u);
  return new vscode.Position(before.length - 1, before.at(-1)?.length ?? 0);
}
