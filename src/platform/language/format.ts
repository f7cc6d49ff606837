import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { findChange } from '../../email/html/text.ts';
import { formatNumber } from '../../l10n.ts';
import { getComposingProfile } from '../connections/model.ts';
import { templateLayout } from '../../sync/templateLayout.ts';
import type { ExtensionServices } from '../services.ts';
import { getActiveHtmlDocument } from '../ui/htmlFile.ts';
import { confirm, showInfo, showWarning } from '../ui/messages.ts';
import { findMailDocuments, readMailTexts } from './mailDocuments.ts';

type FormatServices = Pick<ExtensionServices, 'connections' | 'documents' | 'worker'>;

const MAX_STYLESHEET_BYTES = 1024 * 1024;

/** Local files are formatted as AcyMailing sends them, as in previews. */
const getProfile = ({ connections }: FormatServices, { scheme, authority }: vscode.Uri) =>
  scheme === 'mailing' ? getComposingProfile(connections.get(authority)) : 'acymailing';

function createEdits(document: vscode.TextDocument, body: string, text: string): vscode.TextEdit[] {
  const { offset, length, text: inserted } = findChange(body, text);
  const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
  return body === text ? [] : [vscode.TextEdit.replace(range, inserted)];
}

/** Returns the stylesheet of an email, which may show elements in a line or preserve white space. */
async function readStylesheet({ documents }: FormatServices, { uri }: vscode.TextDocument): Promise<string> {
  const mail = findMailDocuments(documents, uri);
  if (mail) return (await readMailTexts(documents, mail)).stylesheet?.text ?? '';
  const file = templateLayout.texts.find(({ format }) => format === 'css')?.file;
  if (uri.scheme !== 'file' || file === undefined) return '';
  const stylesheet = vscode.Uri.joinPath(uri, '..', file);
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === stylesheet.toString());
  if (open) return open.getText();
  const bytes = await Promise.resolve(vscode.workspace.fs.readFile(stylesheet)).catch(() => new Uint8Array());
  return new TextDecoder().decode(bytes.subarray(0, MAX_STYLESHEET_BYTES));
}

/** Returns the edits that format a document or a range of it. Shows why an email isn't formatted. */
export async function formatDocument(
  services: FormatServices,
  document: vscode.TextDocument,
  { tabSize, insertSpaces }: vscode.FormattingOptions,
  selection?: vscode.Range,
): Promise<vscode.TextEdit[]> {
  const [body, { version }] = [document.getText(), document];
  // Whole lines, so that their indentation is formatted too.
  const range = selection && {
    start: document.offsetAt(new vscode.Position(selection.start.line, 0)),
    end: document.offsetAt(document.lineAt(selection.end.line).range.end),
  };
  const indent = insertSpaces ? ' '.repeat(tabSize) : '\t';
  const stylesheet = await readStylesheet(services, document);
  const options = { indent, profile: getProfile(services, document.uri), stylesheet, ...(range && { range }) };
  const formatted = await (await services.worker()).run('format', { body, options });
  // The edits would replace what was typed meanwhile.
  if (document.version !== version) return [];
  if ('text' in formatted) return createEdits(document, body, formatted.text);
  void showWarning(formatted.refused);
  return [];
}

async function findDocument(argument: unknown): Promise<vscode.TextDocument | undefined> {
  if (argument instanceof vscode.Uri) return vscode.workspace.openTextDocument(argument);
  const document = getActiveHtmlDocument();
  if (!document) void showWarning(t('To format an email, open its HTML.'));
  return document;
}

async function apply({ uri }: vscode.TextDocument, edits: vscode.TextEdit[]): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.set(uri, edits);
  return vscode.workspace.applyEdit(edit);
}

export const createHandlers = (services: FormatServices) => ({
  async format(argument: unknown) {
    const document = await findDocument(argument);
    if (!document) return false;
    const { tabSize, insertSpaces } = vscode.workspace.getConfiguration('editor', document);
    const edits = await formatDocument(services, document, {
      tabSize: typeof tabSize === 'number' ? tabSize : 2,
      insertSpaces: insertSpaces !== false,
    });
    return apply(document, edits);
  },
  async shrink(argument: unknown) {
    const document = await findDocument(argument);
    if (!document) return false;
    const [body, { version }] = [document.getText(), document];
    const options = {
      profile: getProfile(services, document.uri),
      stylesheet: await readStylesheet(services, document),
    };
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
  async useFormatter() {
    const settings = vscode.workspace.getConfiguration('editor', { languageId: 'html' });
    await settings.update(
      'defaultFormatter',
      'mailing-studio.mailing-studio',
      vscode.ConfigurationTarget.Workspace,
      true,
    );
  },
});
