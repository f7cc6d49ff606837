import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { posix } from 'node:path';
import type { CheckOptions, Email, Finding, PartRange, Severity } from '../../../email/checks/model.ts';
import { Debouncer, once } from '../../ui/async.ts';
import { escapeMessage } from '../../../service/text.ts';
import { isCanceled } from '../../ui/errors.ts';
import { getCheckOptions } from './checkOptions.ts';
import { isCurrent, findMailDocuments, readMailTexts } from '../mailDocuments.ts';
import type { MailDocuments, MailTexts, PartText } from '../mailDocuments.ts';
import { createUncheckedResult, getMailFields, placeFindings } from '../../../sync/placedFindings.ts';
import { mappingName } from '../../../sync/paths.ts';
import type { ExtensionServices } from '../../services.ts';

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
  readonly texts: MailTexts;
  readonly options: CheckOptions;
  readonly findings: readonly ShownFinding[];
  /** Size of the sent email, if it could be composed. */
  readonly bytes: number | undefined;
}

interface OpenMail {
  readonly mail: MailDocuments;
  readonly debouncer: Debouncer;
  /** Keeps the worker alive while the email is open. */
  readonly workerHold: Promise<{ dispose(): void }>;
  checked?: CheckedMail | undefined;
}

export type MailChecks = ReturnType<typeof createMailChecks>;

/** Checks open emails after each change, and publishes the findings as diagnostics. */
export function createMailChecks(services: ExtensionServices) {
  const { workspace, languages, commands } = vscode;
  const loading = services.worker();
  const collection = languages.createDiagnosticCollection('mailing');
  /** Emails with an open document, and open local files that the user asked to check. */
  const openMails = new Map<string, OpenMail>();
  const changes = new vscode.EventEmitter<void>();
  /** Completes a walkthrough step. */
  const markFirstCheck = once(() => commands.executeCommand('setContext', 'mailing.hasCheckedEmail', true));
  const mappingFiles = workspace.createFileSystemWatcher(`**/${mappingName}`);
  const subscriptions: readonly vscode.Disposable[] = [
    collection,
    changes,
    mappingFiles,
    ...[mappingFiles.onDidCreate, mappingFiles.onDidChange, mappingFiles.onDidDelete].map((event) => event(refresh)),
    workspace.onDidOpenTextDocument(({ uri }) => handleOpen(uri)),
    workspace.onDidChangeTextDocument(
      ({ document, contentChanges }) => contentChanges.length > 0 && scheduleCheck(getOpen(document.uri)),
    ),
    workspace.onDidCloseTextDocument(({ uri }) => handleClose(uri)),
    workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('mailing.checks') && refresh()),
    services.documents.onDidSave(({ address }) => scheduleCheck(getOpen(address.uri))),
  ];
  for (const { uri } of workspace.textDocuments) handleOpen(uri);

  /** Checks all open emails again, after their connections or settings changed. */
  function refresh(): void {
    for (const open of openMails.values()) scheduleCheck(open);
  }

  /** Returns the last result of the email that contains a document. */
  function getChecked(uri: vscode.Uri): CheckedMail | undefined {
    return getOpen(uri)?.checked;
  }

  /** Returns the last result unless the text changed since. */
  function getCurrent(uri: vscode.Uri): CheckedMail | undefined {
    const checked = getChecked(uri);
    return checked && isCurrent(checked.texts) ? checked : undefined;
  }

  /** Checks the email of an open document now, regardless of settings. A local file is checked until it is closed. */
  async function checkNow(uri: vscode.Uri): Promise<CheckedMail | undefined> {
    const isLocal = uri.scheme !== 'mailing';
    const mail = isLocal ? { key: uri.toString(), connection: undefined, uris: { body: uri } } : findMail(uri);
    return mail && check(open(mail));
  }

  function dispose(): void {
    for (const open of openMails.values()) release(open);
    openMails.clear();
    for (const subscription of subscriptions) subscription.dispose();
  }

  function findMail(uri: vscode.Uri): MailDocuments | undefined {
    return openMails.get(uri.toString())?.mail ?? findMailDocuments(services.documents, uri);
  }

  function getOpen(uri: vscode.Uri): OpenMail | undefined {
    return openMails.get(findMail(uri)?.key ?? '');
  }

  function open(mail: MailDocuments): OpenMail {
    const opened = openMails.get(mail.key) ?? {
      mail,
      debouncer: new Debouncer(CHECK_DEBOUNCE_MS),
      workerHold: loading.then((worker) => worker.hold()),
    };
    openMails.set(mail.key, opened);
    return opened;
  }

  function handleOpen(uri: vscode.Uri): void {
    const mail = findMail(uri);
    if (mail) scheduleCheck(open(mail));
  }

  function handleClose(uri: vscode.Uri): void {
    const open = getOpen(uri);
    if (!open) return;
    if (workspace.textDocuments.some((document) => !document.isClosed && getOpen(document.uri) === open))
      return scheduleCheck(open);
    openMails.delete(open.mail.key);
    release(open);
    publish(open, undefined);
  }

  function scheduleCheck(open: OpenMail | undefined): void {
    open?.debouncer.run(() => {
      const { connection, uris } = open.mail;
      const isEnabled = workspace.getConfiguration('mailing', uris.body).get('checks.enabled', true);
      if (isEnabled || connection === undefined) void check(open);
      else publish(open, undefined);
    });
  }

  /** Never rejects: errors are logged, and the findings are removed. */
  async function check(open: OpenMail): Promise<CheckedMail | undefined> {
    const { mail } = open;
    try {
      const texts = await readMailTexts(services.documents, mail);
      const { body, stylesheet, details } = texts;
      if (body === undefined) return undefined;
      const fields = getMailFields(details?.text);
      const email: Email = {
        body: body.text,
        ...(stylesheet && { stylesheet: stylesheet.text }),
        ...Object.fromEntries(Object.entries(fields).map(([field, { text }]) => [field, text])),
      };
      const options = await getCheckOptions(services.connections, mail.uris.body);
      const worker = await loading;
      const about = posix.basename(mail.uris.body.path);
      const { findings, bytes, ruleNames } = await worker
        .run('check', { email, options }, { key: mail.key, about })
        .catch((error: unknown) => ({ ...createUncheckedResult(error), ruleNames: {} }));
      // Changes made meanwhile are already scheduled.
      if (!isCurrent(texts) || openMails.get(mail.key) !== open) return undefined;
      const shown = placeFindings(findings, fields).flatMap((finding) => showFinding(finding, texts, ruleNames));
      markFirstCheck();
      return publish(open, { texts, options, findings: shown, bytes });
    } catch (error) {
      if (!isCanceled(error)) {
        services.log.warn("Couldn't check an email.", error);
        publish(open, undefined);
      }
      return undefined;
    }
  }

  function publish(open: OpenMail, checked: CheckedMail | undefined): CheckedMail | undefined {
    type Entry = [vscode.Uri, vscode.Diagnostic[] | undefined];
    collection.set([
      ...(open.checked?.findings ?? []).map(({ uri }): Entry => [uri, undefined]),
      ...(checked?.findings ?? []).map(({ uri, diagnostic }): Entry => [uri, [diagnostic]]),
    ]);
    open.checked = checked;
    changes.fire();
    return checked;
  }

  return {
    /** Fires when the result of an email changes. */ onDidChange: changes.event,
    refresh,
    getChecked,
    getCurrent,
    checkNow,
    dispose,
  };
}

function release({ debouncer, workerHold }: OpenMail): void {
  debouncer.dispose();
  void workerHold.then((hold) => hold.dispose());
}

/** Returns the finding with its diagnostic; none if its document has no text. */
function showFinding(finding: Finding, texts: MailTexts, ruleNames: Readonly<Record<string, string>>): ShownFinding[] {
  const locate = (range: PartRange): vscode.Location[] => {
    const text = texts[range.part];
    return text ? [new vscode.Location(text.uri, getRange(text, range))] : [];
  };
  return locate(finding).map(({ uri, range }) => {
    const { rule, severity, message, url, unnecessary, related = [] } = finding;
    const diagnostic = new vscode.Diagnostic(range, escapeMessage(message, 400), diagnosticSeverities[severity]);
    diagnostic.source = DIAGNOSTIC_SOURCE;
    const name = ruleNames[rule] ?? rule;
    diagnostic.code = url === undefined ? name : { value: name, target: vscode.Uri.parse(url, true) };
    diagnostic.relatedInformation = related
      .flatMap(locate)
      .map((location) => new vscode.DiagnosticRelatedInformation(location, t('Same problem here')));
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
