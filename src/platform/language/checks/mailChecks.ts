import * as vscode from 'vscode';
import { posix } from 'node:path';
import type { CheckOptions, Email, Severity } from '../../../email/checks/index.ts';
import { once } from '../../ui/once.ts';
import { escapeMessage } from '../../ui/text.ts';
import { isCancelled } from '../../ui/errors.ts';
import type { MailWorker } from '../../worker/index.ts';
import { checkOptionsOf, isCheckingOn } from './checkOptions.ts';
import {
  fileMail,
  isCurrent,
  mailOf,
  textsOf,
  type MailDocuments,
  type MailTexts,
  type PartText,
} from '../mailDocuments.ts';
import { fieldsOf, placeFindings, type DocumentPlace, type PlacedFinding } from './placedFindings.ts';
import type { LanguageServices } from '../services.ts';
import type { TagContext } from '../tags/tagContext.ts';
import { uncheckedBy } from './unchecked.ts';

/** Milliseconds without a change before an email is looked at: typing goes first. */
const restMs = 300;
const source = 'Mailing Studio';

const severities: Readonly<Record<Severity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

/** A finding as it is shown in a document. */
export interface ShownFinding extends PlacedFinding {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  readonly diagnostic: vscode.Diagnostic;
}

/** What is known of an email since it was last checked. */
export interface CheckedMail {
  readonly mail: MailDocuments;
  readonly texts: MailTexts;
  readonly options: CheckOptions;
  readonly findings: readonly ShownFinding[];
  /** Size as it is sent, where that is known. */
  readonly bytes: number | undefined;
}

/** An email that is open. */
interface OpenMail {
  readonly mail: MailDocuments;
  timer?: ReturnType<typeof setTimeout>;
  checked?: CheckedMail;
}

type Services = Pick<LanguageServices, 'connections' | 'documents' | 'worker' | 'log'>;

/** Checks the emails that are open, a moment after each change, and shows what is found as diagnostics. */
export class MailChecks implements vscode.Disposable {
  readonly #services: Services;
  readonly #tags: TagContext;
  readonly #worker: Promise<MailWorker>;
  readonly #collection = vscode.languages.createDiagnosticCollection('mailing');
  readonly #open = new Map<string, OpenMail>();
  /** Local files that are checked because somebody asked for it. */
  readonly #files = new Set<string>();
  readonly #changes = new vscode.EventEmitter<MailDocuments>();
  /** Another thing is known of an email. */
  readonly onDidChange = this.#changes.event;
  /** The walkthrough ticks what is done. */
  readonly #tick = once(() => vscode.commands.executeCommand('setContext', 'mailing.hasCheckedEmail', true));
  readonly #subscriptions: readonly vscode.Disposable[];
  /** Keeps the worker while an email is open. */
  #held: Promise<vscode.Disposable> | undefined;

  constructor(services: Services, tags: TagContext) {
    this.#services = services;
    this.#tags = tags;
    this.#worker = services.worker();
    const { workspace } = vscode;
    this.#subscriptions = [
      this.#collection,
      this.#changes,
      workspace.onDidOpenTextDocument(({ uri }) => this.#opened(uri)),
      workspace.onDidChangeTextDocument(
        ({ document, contentChanges }) => contentChanges.length > 0 && this.#lookLater(document.uri),
      ),
      workspace.onDidCloseTextDocument(({ uri }) => this.#closed(uri)),
      workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('mailing.checks') && this.refresh()),
      services.documents.onDidSave(({ address }) => this.#lookLater(address.uri)),
    ];
    for (const { uri } of workspace.textDocuments) this.#opened(uri);
  }

  /** Looks at every open email again: what is known of its service, or of its readers, has changed. */
  refresh(): void {
    for (const open of this.#open.values()) this.#lookAt(open, 0);
  }

  /** What is known of the email that a document is a part of. */
  checked(uri: vscode.Uri): CheckedMail | undefined {
    return this.#open.get(this.#mailOf(uri)?.key ?? '')?.checked;
  }

  /** As `checked`, where nothing was typed since. */
  current(uri: vscode.Uri): CheckedMail | undefined {
    const checked = this.checked(uri);
    return checked && isCurrent(checked.texts) ? checked : undefined;
  }

  /** Checks the email of an open document now, whatever the settings say; a local file is checked from now on until it is closed. */
  async checkNow(uri: vscode.Uri): Promise<CheckedMail | undefined> {
    if (uri.scheme !== 'mailing') this.#files.add(uri.toString());
    this.#opened(uri);
    const open = this.#open.get(this.#mailOf(uri)?.key ?? '');
    return open && this.#check(open);
  }

  dispose(): void {
    for (const { timer } of this.#open.values()) clearTimeout(timer);
    this.#open.clear();
    this.#holdWorker();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #mailOf(uri: vscode.Uri): MailDocuments | undefined {
    return this.#files.has(uri.toString()) ? fileMail(uri) : mailOf(this.#services.documents, uri);
  }

  #opened(uri: vscode.Uri): void {
    const mail = this.#mailOf(uri);
    if (mail === undefined) return;
    if (!this.#open.has(mail.key)) this.#open.set(mail.key, { mail });
    this.#holdWorker();
    this.#lookLater(uri);
  }

  #closed(uri: vscode.Uri): void {
    const mail = this.#mailOf(uri);
    this.#files.delete(uri.toString());
    const open = mail && this.#open.get(mail.key);
    if (!mail || !open) return;
    const isOpen = vscode.workspace.textDocuments.some(
      (document) => !document.isClosed && this.#mailOf(document.uri)?.key === mail.key,
    );
    if (isOpen) {
      this.#lookAt(open);
      return;
    }
    clearTimeout(open.timer);
    this.#open.delete(mail.key);
    this.#show(open, undefined);
    this.#holdWorker();
  }

  #lookLater(uri: vscode.Uri): void {
    const open = this.#open.get(this.#mailOf(uri)?.key ?? '');
    if (open) this.#lookAt(open);
  }

  #lookAt(open: OpenMail, ms = restMs): void {
    clearTimeout(open.timer);
    open.timer = setTimeout(() => {
      if (isCheckingOn(open.mail.uris.body) || open.mail.connection === undefined) void this.#check(open);
      else this.#show(open, undefined);
    }, ms);
  }

  /** Never rejects: what went wrong is told by the worker, and then nothing is known of the email. */
  async #check(open: OpenMail): Promise<CheckedMail | undefined> {
    const { mail } = open;
    try {
      const texts = await textsOf(this.#services.documents, mail);
      const { body, stylesheet, details } = texts;
      if (body === undefined) return undefined;
      const fields = fieldsOf(details?.text);
      const given = Object.entries(fields).map(([field, { text }]) => [field, text] as const);
      const email: Email = {
        body: body.text,
        ...(stylesheet && { stylesheet: stylesheet.text }),
        ...Object.fromEntries(given),
      };
      const options = checkOptionsOf(this.#services.connections, mail.uris.body, this.#tags);
      const worker = await this.#worker;
      const about = posix.basename(mail.uris.body.path);
      const { findings, bytes } = await worker
        .run('check', { email, options }, { key: mail.key, about })
        .catch(uncheckedBy);
      // What was typed meanwhile is checked soon.
      if (!isCurrent(texts) || this.#open.get(mail.key) !== open) return undefined;
      const shown = placeFindings(findings, fields).flatMap((finding) => showing(finding, texts));
      this.#tick();
      return this.#show(open, { mail, texts, options, findings: shown, bytes });
    } catch (error) {
      if (!isCancelled(error)) {
        this.#services.log.warn('An email was not checked.', error);
        this.#show(open, undefined);
      }
      return undefined;
    }
  }

  #show(open: OpenMail, checked: CheckedMail | undefined): CheckedMail | undefined {
    const uris = [...(open.checked?.findings ?? []), ...(checked?.findings ?? [])].map(({ uri }) => uri);
    const all = new Map(uris.map((uri) => [uri.toString(), uri]));
    for (const [key, uri] of all) {
      const own = checked?.findings.filter((finding) => finding.uri.toString() === key) ?? [];
      this.#collection.set(
        uri,
        own.map(({ diagnostic }) => diagnostic),
      );
    }
    if (checked) open.checked = checked;
    else delete open.checked;
    this.#changes.fire(open.mail);
    return checked;
  }

  #holdWorker(): void {
    const held = this.#held;
    if (this.#open.size > 0) {
      this.#held ??= this.#worker.then((worker) => worker.hold());
    } else {
      this.#held = undefined;
      void held?.then((hold) => hold.dispose());
    }
  }
}

function showing(finding: PlacedFinding, texts: MailTexts): ShownFinding[] {
  const at = (place: DocumentPlace): vscode.Location | undefined => {
    const text = texts[place.part];
    return text && new vscode.Location(text.uri, rangeIn(text, place));
  };
  const place = at(finding);
  return place
    ? [{ ...finding, uri: place.uri, range: place.range, diagnostic: diagnosticOf(finding, place.range, at) }]
    : [];
}

function diagnosticOf(
  { finding, related }: PlacedFinding,
  range: vscode.Range,
  at: (place: DocumentPlace) => vscode.Location | undefined,
): vscode.Diagnostic {
  const { rule, severity, message, url, unnecessary } = finding;
  const diagnostic = new vscode.Diagnostic(range, escapeMessage(message, 400), severities[severity]);
  diagnostic.source = source;
  diagnostic.code = url === undefined ? rule : { value: rule, target: vscode.Uri.parse(url, true) };
  diagnostic.relatedInformation = related.flatMap((place) => {
    const location = at(place);
    return location ? [new vscode.DiagnosticRelatedInformation(location, 'Here too')] : [];
  });
  if (unnecessary) diagnostic.tags = [vscode.DiagnosticTag.Unnecessary];
  return diagnostic;
}

/** A range of a part's text, in lines and characters. */
export function rangeIn(
  { document, text }: PartText,
  { start, end }: Pick<DocumentPlace, 'start' | 'end'>,
): vscode.Range {
  const position = (offset: number): vscode.Position => document?.positionAt(offset) ?? positionIn(text, offset);
  return new vscode.Range(position(start), position(end));
}

function positionIn(text: string, offset: number): vscode.Position {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/u);
  return new vscode.Position(before.length - 1, before.at(-1)?.length ?? 0);
}
