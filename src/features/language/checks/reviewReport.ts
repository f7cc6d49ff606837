import { posix } from 'node:path';
import * as vscode from 'vscode';
import { createReportPage, type ReportSection } from '../../../email/report/page.ts';
import { formatNumber, t } from '../../../l10n.ts';
import { escapeMessage } from '../../../service/text.ts';
import { NodeFiles } from '../../../sync/files.ts';
import { ReportPictures } from '../../../sync/mapping/pictures.ts';
import { showMultiPick } from '../../../platform/documents/recordCommands.ts';
import { getActiveEditorUris } from '../../../platform/documents/unsaved.ts';
import { chooseRecord } from '../../../platform/documents/chooseRecord.ts';
import type { ExtensionServices } from '../../services.ts';
import { getFields, type CommandArgument } from '../../../ui/commands.ts';
import { offerToOpen, promptForFile } from '../../../ui/export/run.ts';
import { getFileName } from '../../../ui/export/htmlFile.ts';
import { withProgress } from '../../../ui/messages.ts';
import {
  findMail,
  findWorkspaceMails,
  readLinkedParts,
  readMailTexts,
  readStoredTexts,
  type MailDocuments,
} from '../mailDocuments.ts';
import { prepareEmail } from './checkOptions.ts';

const getTitle = () => t('Create Review Report');

/**
 * Writes a report of emails, as `mailing report` does. Resolves with the file and the number of emails; undefined if the user cancels.
 * @param argument an email's document, record or changed file. Without one, prompts for the active and the mapped emails
 * @param selected all selected ones
 */
export async function createReviewReport(
  services: ExtensionServices,
  argument: CommandArgument,
  selected: CommandArgument,
) {
  const mails = await selectMails(services, argument, selected);
  const uri = mails && (await promptForFile({ title: getTitle(), saveLabel: t('Create') }, 'report', 'html'));
  if (!uri) return undefined;
  // Of a service's emails, the saved versions.
  const [first] = mails;
  const base = services.connections.get(first?.connection ?? '')?.name ?? 'HEAD';
  const pictures = new ReportPictures();
  const worker = await services.worker();
  // The thread would otherwise end after each job.
  const hold = worker.hold();
  const html = await withProgress(t('Creating the review report'), async (signal, report) => {
    const sections: ReportSection[] = [];
    for (const mail of mails) {
      const [email, update] = await readReviewedEmail(services, mail, pictures);
      sections.push(await worker.run('review', [email, sections.length, base, update], { signal, about: email.name }));
      report(t('{0} of {1}', formatNumber(sections.length), formatNumber(mails.length)), 100 / mails.length);
    }
    return createReportPage(sections, base);
  }).finally(() => hold.dispose());
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(html));
  void offerToOpen(t`Created ${getFileName(uri)}.`, uri, () => vscode.env.openExternal(uri));
  return { uri, emails: mails.length };
}

async function selectMails(services: ExtensionServices, argument: CommandArgument, selected: CommandArgument) {
  const named: readonly CommandArgument[] = Array.isArray(selected) && selected.length > 0 ? selected : [argument];
  const mails = new Map<string, MailDocuments>();
  for (const each of argument === undefined ? getActiveEditorUris() : named) {
    const { resourceUri = each } = getFields(each);
    const uri = resourceUri instanceof vscode.Uri ? resourceUri : await findBody(services, each);
    const mail = uri && (await findMail(services.documents, uri));
    if (mail) mails.set(mail.key, mail);
  }
  const all = argument === undefined ? new Map([...mails, ...(await findWorkspaceMails())]) : mails;
  if (all.size === 0) throw new Error(t('No emails found in the workspace.'));
  if (all.size === mails.size) return [...mails.values()];
  const items = Array.from(all.values(), (mail) => ({
    label: escapeMessage(getName(mail)),
    picked: mails.size === 0 || mails.has(mail.key),
    mail,
  }));
  const picked = await showMultiPick(items, { title: getTitle(), placeholder: t('Select emails') });
  return picked?.map(({ mail }) => mail);
}

async function findBody(services: ExtensionServices, argument: CommandArgument) {
  const chosen = await chooseRecord(services, argument, getTitle(), 'findBody');
  return chosen?.collection.findBody(chosen.ref, chosen.argument);
}

const getName = ({ local, uris }: MailDocuments) => local?.template?.folder ?? getFileName(uris.body);

async function readReviewedEmail(services: ExtensionServices, mail: MailDocuments, pictures: ReportPictures) {
  const { body } = mail.uris;
  const texts = await readMailTexts(services.documents, mail);
  const { email, sources, sending, options, findImages } = await prepareEmail(services, mail, texts);
  const stored = await readStoredTexts(services.documents, mail);
  const before = stored.body && (await prepareEmail(services, mail, stored)).email;
  const root = vscode.workspace.getWorkspaceFolder(body)?.uri ?? vscode.Uri.joinPath(body, '..');
  const folder = posix.relative(root.path, posix.dirname(body.path));
  const read =
    body.scheme === 'file'
      ? await pictures.read(new NodeFiles(root.fsPath), { written: texts, texts: sources, folder, findImages }, sending)
      : { pictures: new Map<string, string>(), omittedPictures: new Set<string>() };
  const linked = await readLinkedParts(mail, texts.body?.text ?? '');
  const reviewed = { name: getName(mail), email, before, sending, checks: options, ...read };
  return [reviewed, stored.body && linked && ([stored.body.text, ...linked] as const)] as const;
}
