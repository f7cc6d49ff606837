import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { assertMessageSize } from '../../email/received/limits.ts';
import { readEnvelope } from '../../email/compose/compose.ts';
import type { RecordKey } from '../../platform/connections/model.ts';
import { showMultiPick } from '../../platform/documents/recordCommands.ts';
import { getActiveEditorUris } from '../../platform/documents/unsaved.ts';
import { prepareEmail } from '../language/checks/checkOptions.ts';
import { findMail, readMailTexts, readParts, readStoredTexts, type MailDocuments } from '../language/mailDocuments.ts';
import { LocalPictures } from '../preview/pictures.ts';
import { getFolder, previewPage, toWebviewFolder } from '../preview/source.ts';
import { fromComparison, type FromComparison, type ToPage } from '../preview/protocol.ts';
import { Debouncer } from '../../ui/async.ts';
import { getFields, type CommandArgument } from '../../ui/commands.ts';
import { getFileName } from '../../ui/export/htmlFile.ts';
import { showInfo } from '../../ui/messages.ts';
import { WebviewPage } from '../../ui/webview/webview.ts';
import { exactTimeFormat } from '../../service/format.ts';
import { escapeMessage } from '../../service/text.ts';
import type { FieldTexts } from '../../sync/fields/fields.ts';
import type { EmailTexts } from '../../sync/mapping/placedFindings.ts';
import { findTargets, type FolderTools } from './selection.ts';
import { getProjectPath } from './sourceControls.ts';

/** Delay after a change before the editor's version is shown again. */
const DEBOUNCE_MS = 300;

/** A version of an email that can be compared. */
interface Version extends vscode.QuickPickItem {
  /** What arguments of the command name: a connection, or the time of a revision in ms since the epoch. */
  readonly key?: string | number;
  /** Reads the texts; undefined if the user cancels. Absent for the editor's version, which is read after each change. */
  read?(): Promise<EmailTexts | undefined>;
  /** Whether it was received, and isn't composed again. */
  readonly isSent?: boolean;
}

const getTitle = () => t('Compare Emails Side by Side');

/**
 * Shows two versions of an email side by side. Resolves with their labels; undefined if the user cancels.
 * @param argument a document, or `resourceUri` and the version to compare with: `connection`, the time of a revision as `version`, or a
 * proposed body as `text`
 */
export async function compareRendered(tools: FolderTools, argument: CommandArgument) {
  const { resourceUri = argument, connection, version = connection, text } = getFields(argument);
  const [uri] = resourceUri instanceof vscode.Uri ? [resourceUri] : getActiveEditorUris();
  const mail = uri && (await findMail(tools.documents, uri));
  if (!mail) throw new Error(t('To compare an email, open its HTML.'));
  if (typeof text === 'string') {
    const read = async () => ({ ...(await readMailTexts(tools.documents, mail)), body: { text } });
    return showComparison(tools, mail, [{ label: t('Editor') }, { label: t('Updated'), read }]);
  }
  const versions = await listVersions(tools, mail);
  const isOther = ({ key }: Version) => (version === undefined ? key !== undefined : key === version);
  const selected = [versions[0], versions.find(isOther) ?? versions[1]];
  const items = versions.map((each) => ({ ...each, picked: selected.includes(each) }));
  const options = { title: getTitle(), placeholder: t('Select two versions') };
  const picked = version === undefined ? await showMultiPick(items, options) : items.filter((item) => item.picked);
  if (picked && picked.length !== 2) throw new Error(t('Select two versions.'));
  return picked && showComparison(tools, mail, picked.toReversed());
}

/**
 * Shows an email beside a received message, and a report. Resolves with the report; undefined if the user cancels.
 * @param argument the `.eml` file, which is compared with the active email, or a document of an email
 */
export async function compareReceived(tools: FolderTools, argument: CommandArgument) {
  const uris = [argument, ...getActiveEditorUris()].filter((uri) => uri instanceof vscode.Uri);
  const mails = await Promise.all(uris.map((uri) => findMail(tools.documents, uri)));
  const mail = mails.find((found) => found);
  if (!mail) throw new Error(t('To compare an email, open its HTML.'));
  const isMessage = ({ path }: vscode.Uri) => /\.eml$/iu.test(path);
  const file = uris.find(isMessage) ?? (await vscode.window.showOpenDialog({ filters: { EML: ['eml'] } }))?.[0];
  if (!file) return undefined;
  assertMessageSize((await vscode.workspace.fs.stat(file)).size);
  const bytes = await vscode.workspace.fs.readFile(file);
  const { email, sending } = await prepareEmail(tools, mail, await readMailTexts(tools.documents, mail));
  const worker = await tools.worker();
  const { html, report, anonymous } = await worker.run('received', [email, sending, bytes]);
  const read = async () => ({ body: { text: html } });
  await showComparison(tools, mail, [{ label: t('Editor') }, { label: getFileName(file), read, isSent: true }]);
  const copy = t('Copy Report');
  const uri = tools.documents.snapshots.add(`${getFileName(file)}.txt`, report);
  await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.Beside, preview: false });
  if ((await showInfo(t('Nothing was uploaded.'), copy)) === copy) await vscode.env.clipboard.writeText(anonymous);
  return report;
}

/** Returns the versions of an email, the newest first. */
async function listVersions(tools: FolderTools, mail: MailDocuments): Promise<readonly Version[]> {
  const { documents, folders, mapped, revisions, targets } = tools;
  const { collection } = mapped.kind;
  const address = documents.find(mail.uris.body);
  const isTemplate = address?.kind.collection === collection;
  await folders.updateProjects();
  const [target] = isTemplate
    ? folders.targets.filter((one) => one.connection === address.connection && one.id === address.id)
    : findTargets(folders, mail.uris.body);
  const refs: readonly RecordKey[] = target
    ? folders.targets.filter((one) => one.project === target.project && one.template === target.template)
    : address
      ? [address]
      : [];
  const toTexts = async (fields: FieldTexts): Promise<EmailTexts> => {
    const { body: text = '', stylesheet = '' } = fields;
    if (target && mail.local)
      return readParts(mail, async (uri) => {
        const path = getProjectPath(target.project, uri) ?? '';
        return { text: await target.project.folder.renderFile(target.template, path, fields) };
      });
    return { body: { text }, stylesheet: { text: stylesheet }, details: { text: JSON.stringify(fields) } };
  };
  const readRecord = async (ref: RecordKey) => {
    const kind = isTemplate || !address ? mapped.kind : address.kind;
    const record = await (await documents.getRecord(kind.collection, ref)).read();
    return kind === mapped.kind ? toTexts(mapped.readTexts(record)) : readStoredTexts(documents, mail);
  };
  const pickRecord = async () => {
    const ref = await targets.pickRecord({}, { ...mapped.picking, title: getTitle() });
    return ref && readRecord(ref);
  };
  const head = mail.local && (await readStoredTexts(documents, mail));
  const isMappable = isTemplate || !address;
  const states = isMappable ? await Promise.all(refs.map((ref) => revisions.getRevisions(ref))) : [];
  return [
    { label: t('Editor') },
    ...(head?.body ? [{ label: 'HEAD', read: async () => head }] : []),
    ...(target
      ? [{ label: t('Folder'), read: async () => toTexts(await target.project.folder.read(target.template)) }]
      : []),
    ...refs.map((ref) => ({
      label: escapeMessage(targets.getServiceName(ref.connection)),
      key: ref.connection,
      read: () => readRecord(ref),
    })),
    ...(isMappable ? [{ label: t('Another Template…'), read: pickRecord }] : []),
    ...states.flat().map(({ at, texts }) => ({
      label: exactTimeFormat().format(at),
      description: escapeMessage(texts['subject'] ?? ''),
      key: at,
      read: () => toTexts(texts),
    })),
  ];
}

/** Opens a tab with two versions, the earlier one first, which follows the email's editors. Resolves with their labels. */
async function showComparison(tools: FolderTools, mail: MailDocuments, versions: readonly Version[]) {
  const { body } = mail.uris;
  const stored: (EmailTexts | undefined)[] = [];
  for (const { read } of versions) {
    const texts = await read?.();
    if (read && !texts) return undefined;
    stored.push(texts);
  }
  const labels = versions.map(({ label }) => label);
  const folder = getFolder(body);
  const root = (await tools.previews.resolve(body))?.root ?? folder;
  const title = `${getFileName(body)} (${labels.join(' ↔ ')})`;
  const panel = vscode.window.createWebviewPanel('mailing.comparison', title, vscode.ViewColumn.Active);
  const page = new WebviewPage<FromComparison, ToPage>(
    panel.webview,
    tools.context.extensionUri,
    { ...previewPage, title, roots: root ? [root] : [], schema: fromComparison },
    { ready: update, pictures: ({ paths }) => pictures?.request(paths) },
  );
  const pictures = root && new LocalPictures(root, (read) => page.post({ type: 'pictures', pictures: read }));
  const debouncer = new Debouncer(DEBOUNCE_MS);
  const changes = vscode.workspace.onDidChangeTextDocument(({ document }) => {
    if (Object.values(mail.uris).some((uri) => uri.toString() === document.uri.toString())) debouncer.run(update);
  });
  panel.onDidChangeViewState(() => panel.visible || page.suspend());
  panel.onDidDispose(() => [page, debouncer, changes, pictures].forEach((each) => each?.dispose()));
  return labels;

  async function update() {
    const compared = await Promise.all(versions.map((version, index) => prepare(version, stored[index])));
    const [base, rootAddress] = [folder, root].map((each) => each && toWebviewFolder(panel.webview, each));
    page.post({ type: 'compare', versions: compared, base, root: rootAddress });
  }

  async function prepare({ label, isSent }: Version, texts: EmailTexts | undefined) {
    const shown = texts ?? (await readMailTexts(tools.documents, mail));
    const { email, options, sending } = await prepareEmail(tools, mail, shown);
    const worker = await tools.worker();
    const { findings } = await worker.run('check', { email, options });
    const sent = isSent ? { html: email.body, text: '' } : await worker.run('compose', { email, options: sending });
    const [html = '', stylesheet = '', details] = [shown.body, shown.stylesheet, shown.details].map(
      (part) => part?.text,
    );
    const envelope = details === undefined ? undefined : readEnvelope(details);
    return { label, body: html, stylesheet, envelope, sending, sent, findings };
  }
}
