import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { FoundRecord } from '../../platform/documents/recordCommands.ts';
import { toBaseName } from '../../platform/documents/uri.ts';
import { type CommandArgument, getFields } from '../../platform/ui/commands.ts';
import { getActiveHtmlDocument, toHtmlSource } from '../../platform/ui/htmlFile.ts';
import { promptForText } from '../../platform/ui/messages.ts';
import { allFields, type TemplateFields } from './model.ts';
import type { Templates } from './templates.ts';

/** A starter, as the build makes it of `media/starters/`: one file has the texts of all. */
interface Starter extends TemplateFields {
  readonly file: string;
  readonly css?: string;
  readonly description: string;
  readonly drag_editor: string;
}

interface Origin extends vscode.QuickPickItem {
  /** The fields that the new template starts from. */
  load(): Promise<Partial<TemplateFields>>;
  readonly suggestedName: string;
}

/**
 * Makes a template: empty, from a starter, or from the HTML in the active editor. Fields may be given with the argument by the
 * API document's names; where a name is given, nothing is asked.
 */
export async function createTemplate(
  templates: Templates,
  argument: CommandArgument,
): Promise<FoundRecord | undefined> {
  const connection = await templates.targets.pickConnection(argument, 'New Template');
  if (connection === undefined) return undefined;
  const fields = fieldsIn(argument);
  if (fields !== undefined) return templates.create(connection.id, fields);

  const origin = await pickOrigin(templates);
  if (origin === undefined) return undefined;
  const asked = {
    title: 'New Template',
    prompt: `Name of the template on ${connection.name}`,
    value: origin.suggestedName,
  };
  const name = await promptForText(asked, 'A template needs a name.');
  return name === undefined ? undefined : templates.create(connection.id, { ...(await origin.load()), name });
}

/** The fields that an argument names; undefined where it names no template. */
function fieldsIn(argument: CommandArgument): TemplateFields | undefined {
  const values = getFields(argument);
  const { name } = values;
  if (typeof name !== 'string' || name.trim() === '') return undefined;
  return {
    ...Object.fromEntries(
      allFields.map((field) => [field, values[field]]).filter(([, value]) => typeof value === 'string'),
    ),
    name,
  };
}

async function pickOrigin(templates: Templates): Promise<Origin | undefined> {
  const origins: (Origin | vscode.QuickPickItem)[] = [
    { label: '$(file) Empty', description: 'Start from nothing', suggestedName: '', load: async () => ({}) },
    ...fromEditor(templates),
    { label: 'Starters', kind: vscode.QuickPickItemKind.Separator },
    ...(await starters(templates.services.context.extensionUri)),
  ];
  const picked = await vscode.window.showQuickPick(origins, {
    title: 'New Template',
    placeHolder: 'What should it start from?',
    matchOnDescription: true,
  });
  return picked !== undefined && 'load' in picked ? picked : undefined;
}

function fromEditor(templates: Templates): Origin[] {
  const document = getActiveHtmlDocument();
  if (document === undefined) return [];
  const { documents } = templates.services;
  const { name } = toHtmlSource(document);
  return [
    {
      label: '$(edit) From the file in the editor',
      description: toBaseName(name, 'untitled'),
      suggestedName: toBaseName(name, ''),
      load: async () => {
        const stylesheet =
          documents.find(document.uri) &&
          (await vscode.workspace.openTextDocument(documents.getSiblingUri(document.uri, '.css'))).getText();
        return { body: document.getText(), stylesheet };
      },
    },
  ];
}

async function starters(extension: vscode.Uri): Promise<Origin[]> {
  const { fsPath } = vscode.Uri.joinPath(extension, 'dist', 'starters', 'index.json');
  const index = JSON.parse(await readFile(fsPath, 'utf8')) as readonly Starter[];
  return index
    .filter(({ drag_editor }) => drag_editor !== '1')
    .map(({ file: _, css: _css, description, drag_editor: _editor, ...fields }) => ({
      label: `$(mail) ${fields.name}`,
      description,
      suggestedName: fields.name,
      load: async () => ({
        ...fields,
        body: fields.body?.replace(/<!--\s*\/?repeat\s*-->\n?/gu, ''),
        stylesheet: fields.stylesheet ?? '',
      }),
    }));
}
