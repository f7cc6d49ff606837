import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { plural } from '../../l10n.ts';
import { showMultiPick } from '../../platform/documents/recordCommands.ts';
import { escapeMessage } from '../../service/text.ts';
import { partName } from '../../sync/parts/values.ts';
import { getFields, type CommandArgument } from '../../ui/commands.ts';
import { showInfo, withProgress } from '../../ui/messages.ts';
import { readFile, readPartTexts } from '../language/mailDocuments.ts';
import type { ExtensionServices } from '../services.ts';
import { findEmails, getPartUri } from './linkedParts.ts';
import { FileEdits } from './fileEdits.ts';

const getTitle = () => t('Extract Part');

/**
 * Makes a part of the selected code, also in the other emails with this code that the user checks. Resolves with the name of the part;
 * undefined if the user cancels.
 */
export async function extractPart(services: ExtensionServices, argument: CommandArgument) {
  const { document, selection } = vscode.window.activeTextEditor ?? {};
  if (document?.languageId !== 'html' || !selection) throw new Error(t('Select the code in the HTML of an email.'));
  const root = document.uri.scheme === 'mailing' ? undefined : vscode.workspace.getWorkspaceFolder(document.uri)?.uri;
  if (!root) return offerMapping(document.uri);
  const selected = document.getText(selection);
  const code = selected.trim();
  const start = document.offsetAt(selection.start) + selected.indexOf(code);
  const name = await askName(root, argument);
  if (name === undefined) return undefined;
  const worker = await services.worker();
  const find = async (uri: vscode.Uri, selected?: number) => {
    const text = (await readFile(uri)) ?? '';
    return { uri, text, edits: await worker.run('extractPart', [text, name, code, selected]) };
  };
  const own = await find(document.uri, start);
  const edit = own.edits.find((each) => each.start === start && each.end === start + code.length);
  if (!edit)
    throw new Error(
      t(
        'Select whole elements. The selection would split an element, a placeholder of the visual editor or code for Outlook, or belongs to another part.',
      ),
    );
  const others = await withProgress(t('Finding the same code'), async (signal) => {
    const found = [{ ...own, edits: own.edits.filter((each) => each !== edit) }];
    for (const [key, email] of await findEmails()) {
      signal.throwIfAborted();
      if (key !== document.uri.toString() && email.root.toString() === root.toString())
        found.push(await find(email.uri));
    }
    return found.filter(({ edits }) => edits.length > 0);
  });
  const items = others.map((other) => ({
    label: escapeMessage(vscode.workspace.asRelativePath(other.uri)),
    description: plural(other.edits.length, t('{0} place'), t('{0} places')),
    picked: true,
    ...other,
  }));
  const options = { title: getTitle(), placeholder: t('Select the emails with the same code to link') };
  const picked = items.length > 0 ? await showMultiPick(items, options) : [];
  if (!picked) return undefined;
  const edits = new FileEdits();
  edits.create(getPartUri(root, name), code);
  for (const email of [{ ...own, edits: [edit] }, ...picked]) await edits.add(email.uri, email.text, email.edits);
  await edits.apply();
  return name;
}

async function askName(root: vscode.Uri, argument: CommandArgument) {
  const names = Object.keys(await readPartTexts(root));
  const getProblem = (name: string) => {
    if (!partName.test(name)) return t('Use at most 60 of a-z, 0-9 and hyphens.');
    return names.includes(name) ? t`"${name}" already exists.` : undefined;
  };
  const { name } = getFields(argument);
  if (typeof name === 'string' && getProblem(name) === undefined) return name;
  const prompt = t('Name of the part, such as footer');
  return vscode.window.showInputBox({ title: getTitle(), prompt, validateInput: getProblem });
}

async function offerMapping(uri: vscode.Uri) {
  const map = t('Map Templates…');
  const chosen = await showInfo(t('Linked parts need files. Map the template to a folder first.'), map);
  if (chosen === map) await vscode.commands.executeCommand('mailing.folders.map', uri);
  return undefined;
}
