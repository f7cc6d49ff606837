import * as vscode from 'vscode';
import { findChange } from '../../email/html/text.ts';
import { formatNumber, t } from '../../l10n.ts';
import { getComposingProfile } from '../../platform/connections/model.ts';
import { getProfile } from '../../sync/mapping/mappedEmails.ts';
import type { ExtensionServices } from '../services.ts';
import { getActiveHtmlDocument } from '../../ui/export/htmlFile.ts';
import { confirm, showInfo, showWarning } from '../../ui/messages.ts';
import { insertBlock } from './blocks.ts';
import { findLocalMail, findMailDocuments, readMailTexts, type MailTexts } from './mailDocuments.ts';

export { completeBlocks, provideBlockPage } from './blocks.ts';

type FormatServices = Pick<ExtensionServices, 'connections' | 'documents' | 'worker'>;

function createEdits(document: vscode.TextDocument, body: string, text: string) {
  const { offset, length, text: inserted } = findChange(body, text);
  const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
  return body === text ? [] : [vscode.TextEdit.replace(range, inserted)];
}

/** Returns how an email is sent, and its stylesheet, which may show elements in a line or preserve white space. */
async function readContext({ connections, documents }: FormatServices, { uri }: vscode.TextDocument) {
  const mail = findMailDocuments(documents, uri) ?? (await findLocalMail(uri));
  const { connection, local, uris } = mail;
  // A file that isn't mapped may also have one beside it.
  const stylesheet = uris.stylesheet ?? vscode.Uri.joinPath(uri, '..', 'style.css');
  const reading = readMailTexts(documents, { ...mail, uris: { body: uris.body, stylesheet } });
  const texts = await reading.catch((): MailTexts => ({}));
  // As in previews.
  const profile = local
    ? (getProfile(local.mapping, local.template) ?? 'acymailing')
    : getComposingProfile(connections.get(connection ?? ''));
  return { profile, stylesheet: texts.stylesheet?.text ?? '' };
}

/** Returns the edits that format a document or a range of it, by default as the editor's settings say. Shows why an email isn't formatted. */
export async function formatDocument(
  services: FormatServices,
  document: vscode.TextDocument,
  given?: vscode.FormattingOptions,
  selection?: vscode.Range,
): Promise<vscode.TextEdit[]> {
  const [body, { version }] = [document.getText(), document];
  // Whole lines, so that their indentation is formatted too.
  const range = selection && {
    start: document.offsetAt(new vscode.Position(selection.start.line, 0)),
    end: document.offsetAt(document.lineAt(selection.end.line).range.end),
  };
  const { tabSize, insertSpaces } = given ?? vscode.workspace.getConfiguration('editor', document);
  const indent = insertSpaces === false ? '\t' : ' '.repeat(Number(tabSize) || 2);
  const options = { indent, ...(await readContext(services, document)), ...(range && { range }) };
  const formatted = await (await services.worker()).run('format', { body, options });
  // The edits would replace what was typed meanwhile.
  if (document.version !== version) return [];
  if ('text' in formatted) return createEdits(document, body, formatted.text);
  void showWarning(formatted.refused);
  return [];
}

async function findDocument(argument: unknown) {
  if (argument instanceof vscode.Uri) return vscode.workspace.openTextDocument(argument);
  const document = getActiveHtmlDocument();
  if (!document) void showWarning(t('To format an email, open its HTML.'));
  return document;
}

async function apply({ uri }: vscode.TextDocument, edits: vscode.TextEdit[]) {
  const edit = new vscode.WorkspaceEdit();
  edit.set(uri, edits);
  return vscode.workspace.applyEdit(edit);
}

export const createHandlers = (services: FormatServices, formatter: string) => ({
  async 'mailing.format'(argument: unknown) {
    const document = await findDocument(argument);
    return document !== undefined && apply(document, await formatDocument(services, document));
  },
  'mailing.insertBlock': (argument: unknown) => insertBlock(services, argument, false),
  'mailing.wrapWithBlock': (argument: unknown) => insertBlock(services, argument, true),
  async 'mailing.shrink'(argument: unknown) {
    const document = await findDocument(argument);
    if (!document) return false;
    const [body, { version }] = [document.getText(), document];
    const options = await readContext(services, document);
    const { text, bytesBefore, bytesAfter } = await (await services.worker()).run('shrink', { body, options });
    if (text === body) {
      void showInfo(t('Nothing to remove: this email is as short as it can be.'));
      return false;
    }
    const title = t`Shrink this email from ${formatNumber(bytesBefore)} to ${formatNumber(bytesAfter)} bytes as sent?`;
    const detail = t('Removes indentation, comments for authors, and unused styles. You can undo this.');
    if (!(await confirm(title, [detail], t('Shrink'))) || document.version !== version) return false;
    return apply(document, createEdits(document, body, text));
  },
  /** Makes the email formatter the default for HTML in this workspace. */
  async 'mailing.useFormatter'() {
    const settings = vscode.workspace.getConfiguration('editor', { languageId: 'html' });
    await settings.update('defaultFormatter', formatter, vscode.ConfigurationTarget.Workspace, true);
  },
});
