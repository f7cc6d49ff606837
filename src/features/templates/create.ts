import { t } from '@vscode/l10n';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { toServiceRef } from '../../platform/connections/model.ts';
import type { FoundRecord } from '../../platform/documents/recordCommands.ts';
import { toBaseName } from '../../platform/documents/uri.ts';
import { type CommandArgument, getFields } from '../../ui/commands.ts';
import { getActiveHtmlDocument, toHtmlSource } from '../../ui/export/htmlFile.ts';
import { promptForRequiredText } from '../../ui/messages.ts';
import { collection, templateFields, type TemplateFields } from './model.ts';
import type { Templates } from './templates.ts';

/** A starter template. The build collects all of `media/starters/` in one file. */
interface Starter extends TemplateFields {
  readonly file: string;
  readonly css?: string;
  readonly description: string;
  readonly drag_editor: string;
}

interface TemplateOrigin extends vscode.QuickPickItem {
  /** Loads the fields of the new template. */
  load(): Promise<Partial<TemplateFields>>;
  readonly suggestedName: string;
}

/**
 * Creates a template: empty, from a starter, or from the HTML in the active editor. The argument may contain fields by their API names;
 * with a name, there are no prompts.
 */
export async function createTemplate(
  templates: Templates,
  argument: CommandArgument,
): Promise<FoundRecord | undefined> {
  const connection = await templates.targets.pickConnection(argument, t('New Template'));
  if (connection === undefined) return undefined;
  const fields = readFields(argument);
  if (fields !== undefined) return templates.create(toServiceRef(connection), fields);

  const origin = await pickTemplateOrigin(templates);
  if (origin === undefined) return undefined;
  const promptOptions = {
    title: t('New Template'),
    prompt: t`Name of the template on ${connection.name}`,
    value: origin.suggestedName,
  };
  const name = await promptForRequiredText(promptOptions, t('A template needs a name.'));
  return name === undefined
    ? undefined
    : templates.create(toServiceRef(connection), { ...(await origin.load()), name });
}

/** Returns the template fields of an argument; undefined without a name. */
function readFields(argument: CommandArgument): TemplateFields | undefined {
  const values = getFields(argument);
  const { name } = values;
  if (typeof name !== 'string' || name.trim() === '') return undefined;
  return {
    ...Object.fromEntries(
      templateFields.map((field) => [field, values[field]]).filter(([, value]) => typeof value === 'string'),
    ),
    name,
  };
}

async function pickTemplateOrigin(templates: Templates) {
  const origins: (TemplateOrigin | vscode.QuickPickItem)[] = [
    {
      label: `$(file) ${t({ message: 'Empty', comment: 'A template without content' })}`,
      description: t('Without content'),
      suggestedName: '',
      load: async () => ({}),
    },
    ...listEditorOrigins(templates),
    {
      label: t({ message: 'Starters', comment: 'Heading above finished templates to start from' }),
      kind: vscode.QuickPickItemKind.Separator,
    },
    ...(await readStarters(templates.services.context.extensionUri)),
  ];
  const picked = await vscode.window.showQuickPick(origins, {
    title: t('New Template'),
    placeHolder: t('Select what to start from'),
    matchOnDescription: true,
  });
  return picked !== undefined && 'load' in picked ? picked : undefined;
}

function listEditorOrigins(templates: Templates): TemplateOrigin[] {
  const document = getActiveHtmlDocument();
  if (document === undefined) return [];
  const { documents } = templates.services;
  const { name } = toHtmlSource(document);
  return [
    {
      label: `$(edit) ${t('From the file in the editor')}`,
      description: toBaseName(name, t('untitled')),
      suggestedName: toBaseName(name, ''),
      load: async () => {
        const body = document.getText();
        if (documents.find(document.uri)?.kind.collection !== collection) return { body };
        const uri = documents.getSiblingUri(document.uri, '.css');
        return { body, stylesheet: (await vscode.workspace.openTextDocument(uri)).getText() };
      },
    },
  ];
}

async function readStarters(extension: vscode.Uri): Promise<TemplateOrigin[]> {
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
