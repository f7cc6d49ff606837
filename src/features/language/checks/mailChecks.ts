import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { posix } from 'node:path';
import type { CheckOptions, Finding, PartRange, Severity } from '../../../email/checks/model.ts';
import { Debouncer, once } from '../../../ui/async.ts';
import { escapeMessage } from '../../../service/text.ts';
import { isCanceled } from '../../../ui/errors.ts';
import { prepareEmail } from './checkOptions.ts';
import {
  isCurrent,
  findLocalMail,
  findMailDocuments,
  readMailTexts,
  type MailDocuments,
  type MailTexts,
  type PartText,
} from '../mailDocuments.ts';
import { weighImages } from '../imageHovers.ts';
import { createUncheckedResult, placeFindings } from '../../../sync/mapping/placedFindings.ts';
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

export type MailChecks = ReturnType<typeof createMailChecks>;

/**
 * Checks open emails after each change, and publishes the findings as diagnostics.
 * @param remoteSizes sizes of remote images in bytes, by URL
 */
export function createMailChecks(services: ExtensionServices, remoteSizes: ReadonlyMap<string, number>) {
  const { workspace, languages, commands } = vscode;
  const loading = services.worker();
  const collection = languages.createDiagnosticCollection('mailing');
  /** Emails with an open document, open local files that the user asked to check, and those of the last check of the workspace. */
  const openMails = new Map<string, OpenMail>();
  /** Keys of local emails, by the URIs of their files. */
  const localKeys = new Map<string, string>();
  const changes = new vscode.EventEmitter<void>();
  /** Completes a walkthrough step. */
  const markFirstCheck = once(() => commands.executeCommand('setContext', 'mailing.hasCheckedEmail', true));
  const mappingFiles = workspace.createFileSystemWatcher(`**/${mappingName}`);
  /** Set with the first check of the workspace. */
  const watchFiles = once(() => {
    const files = workspace.createFileSystemWatcher('**/*.{html,htm,css,json}');
    const changed = (uri: vscode.Uri) => scheduleCheck(getOpen(uri));
    subscriptions.push(
      files,
      ...[files.onDidCreate, files.onDidChange, files.onDidDelete].map((event) => event(changed)),
    );
  });
  const subscriptions: vscode.Disposable[] = [
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
  function refresh() {
    for (const open of openMails.values()) scheduleCheck(open);
  }

  /** Returns the last result of the email that contains a document. */
  function getChecked(uri: vscode.Uri) {
    return getOpen(uri)?.checked;
  }

  /** Returns the last result unless the text changed since. */
  function getCurrent(uri: vscode.Uri) {
    const checked = getChecked(uri);
    return checked && isCurrent(checked.texts) ? checked : undefined;
  }

  /** Checks the email of an open document now, regardless of settings. A local file is checked until it is closed. */
  async function checkNow(uri: vscode.Uri) {
    const mail = uri.scheme === 'mailing' ? findMail(uri) : await findLocalMail(uri);
    return mail && check(open(mail));
  }

  /**
   * Checks local emails, and keeps their findings also while they are closed. Removes those of the last check of the workspace.
   * @param onChecked is called after each email
   * @returns the results so far if the signal is aborted; undefined for emails that couldn't be read
   */
  async function checkWorkspace(
    mails: ReadonlyMap<string, MailDocuments>,
    signal: AbortSignal,
    onChecked: (count: number) => void,
  ) {
    watchFiles();
    for (const each of openMails.values()) {
      if (each.isKept !== true || mails.has(each.mail.key)) continue;
      each.isKept = false;
      settle(each);
    }
    const results: (CheckedMail | undefined)[] = [];
    const worker = await loading;
    const hold = worker.hold();
    try {
      for (const mail of mails.values()) {
        const tracked = Object.assign(track(mail), { isKept: true });
        const result = await check(tracked, signal);
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

  function dispose() {
    for (const open of openMails.values()) release(open);
    openMails.clear();
    for (const subscription of subscriptions) subscription.dispose();
  }

  function findMail(uri: vscode.Uri) {
    return openMails.get(localKeys.get(uri.toString()) ?? '')?.mail ?? findMailDocuments(services.documents, uri);
  }

  function getOpen(uri: vscode.Uri) {
    return openMails.get(findMail(uri)?.key ?? '');
  }

  function track(mail: MailDocuments) {
    const tracked: OpenMail = openMails.get(mail.key) ?? { mail, debouncer: new Debouncer(CHECK_DEBOUNCE_MS) };
    tracked.mail = mail;
    openMails.set(mail.key, tracked);
    if (mail.local) for (const uri of Object.values(mail.uris)) localKeys.set(uri.toString(), mail.key);
    return tracked;
  }

  function open(mail: MailDocuments) {
    const opened = track(mail);
    opened.workerHold ??= loading.then((worker) => worker.hold());
    return opened;
  }

  function handleOpen(uri: vscode.Uri) {
    const mail = findMail(uri);
    if (mail) scheduleCheck(open(mail));
  }

  function handleClose(uri: vscode.Uri) {
    const open = getOpen(uri);
    if (open) settle(open);
  }

  /** Checks an email again after one of its documents was closed. Removes its findings if none is open and they don't stay. */
  function settle(open: OpenMail) {
    const isOpen = workspace.textDocuments.some((document) => !document.isClosed && getOpen(document.uri) === open);
    if (!isOpen) release(open);
    if (isOpen || open.isKept === true) return scheduleCheck(open);
    openMails.delete(open.mail.key);
    for (const [uri, key] of localKeys) if (key === open.mail.key) localKeys.delete(uri);
    publish(open, undefined);
  }

  function scheduleCheck(open: OpenMail | undefined) {
    open?.debouncer.run(() => {
      const { connection, uris } = open.mail;
      const isEnabled = workspace.getConfiguration('mailing', uris.body).get('checks.enabled', true);
      if (isEnabled || connection === undefined) void check(open);
      else publish(open, undefined);
    });
  }

  /** Never rejects: errors are logged, and the findings are removed. */
  async function check(open: OpenMail, signal?: AbortSignal) {
    try {
      // The mapping may have changed.
      const mail = open.mail.local ? await findLocalMail(open.mail.uris.body) : open.mail;
      const texts = await readMailTexts(services.documents, mail);
      if (texts.body === undefined && mail.local) throw new Error(`There is no file ${mail.uris.body.path}.`);
      if (texts.body === undefined) return undefined;
      const { sources, email, fields, options, findImages } = await prepareEmail(services, mail, texts);
      const about = posix.basename(mail.uris.body.path);
      const { findings, bytes, ruleNames } = await (
        await loading
      )
        .run('check', { email, options }, { key: mail.key, about, ...(signal && { signal }) })
        .catch((error: unknown) => ({ ...createUncheckedResult(error), ruleNames: {} }));
      const canWeigh = mail.local || remoteSizes.size > 0;
      const imageSizes = canWeigh ? await weighImages(texts, findImages, remoteSizes) : [];
      // Changes made meanwhile are already scheduled.
      if (!isCurrent(texts) || openMails.get(mail.key) !== open) return undefined;
      const shown = placeFindings(findings, fields, sources).flatMap((finding) =>
        showFinding(finding, texts, ruleNames),
      );
      markFirstCheck();
      return publish(open, { texts, options, findings: shown, bytes, imageSizes });
    } catch (error) {
      if (!isCanceled(error)) {
        services.log.warn("Couldn't check an email.", error);
        publish(open, undefined);
      }
      return undefined;
    }
  }

  function publish(open: OpenMail, checked: CheckedMail | undefined) {
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
    checkWorkspace,
    dispose,
  };
}

function release(open: OpenMail) {
  open.debouncer.dispose();
  void open.workerHold?.then((hold) => hold.dispose());
  open.workerHold = undefined;
}

/** Returns the finding with its diagnostic; none if its document has no text. */
function showFinding(finding: Finding, texts: MailTexts, ruleNames: Readonly<Record<string, string>>): ShownFinding[] {
  const locate = (range: PartRange) => {
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
  const position = (offset: number) => document?.positionAt(offset) ?? getPosition(text, offset);
  return new vscode.Range(position(start), position(end));
}

function getPosition(text: string, offset: number) {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/u);
  return new vscode.Position(before.length - 1, before.at(-1)?.length ?? 0);
}
