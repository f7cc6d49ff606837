import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { baseName } from '../documents/uri.ts';
import type { FoundRecord } from '../documents/recordCommands.ts';
import { given } from '../documents/parseArgument.ts';
import type { TemplateFields, Templates } from './templates.ts';

/** A starter as `media/starters/index.json` lists it. */
interface Starter {
  readonly file: string;
  readonly css?: string;
  readonly name: string;
  readonly description: string;
  readonly subject: string;
  readonly preheader: string;
  readonly from_name: string;
  readonly from_email: string;
  readonly reply_to_name: string;
  readonly reply_to_email: string;
  readonly drag_editor: string;
}

interface Origin extends vscode.QuickPickItem {
  /** The fields that the new template starts from. */
  load(): Promise<Omit<TemplateFields, 'name'>>;
  readonly suggestedName: string;
}

/**
 * Makes a template: empty, from a starter, or from the HTML in the active editor. Fields may be given with the argument by the
 * API document's names; where a name is given, nothing is asked.
 */
export async function createTemplate(templates: Templates, argument: unknown): Promise<FoundRecord | undefined> {
  const connection = await templates.targets.connection(given(argument).connection === undefined ? undefined : argument, 'New Template');
  if (connection === undefined) return undefined;
  const fields = givenFields(argument);
  if (fields !== undefined) return templates.create(connection.id, fields);

  const origin = await pickOrigin(templates);
  if (origin === undefined) return undefined;
  const name = await vscode.window.showInputBox({
    title: 'New Template',
    prompt: `Name of the template on ${connection.name}`,
    value: origin.suggestedName,
    validateInput: (value) => (value.trim() === '' ? 'A template needs a name.' : undefined),
  });
  if (name === undefined) return undefined;
  return templates.create(connection.id, { ...(await origin.load()), name: name.trim() });
}

const fieldNames = [
  'subject',
  'body',
  'stylesheet',
  'preheader',
  'from_name',
  'from_email',
  'reply_to_name',
  'reply_to_email',
  'headers',
] as const;

function givenFields(argument: unknown): TemplateFields | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const values = argument as Readonly<Record<string, unknown>>;
  if (typeof values.name !== 'string' || values.name.trim() === '') return undefined;
  const texts = fieldNames.filter((name) => typeof values[name] === 'string').map((name) => [name, values[name]]);
  return { name: values.name, ...(Object.fromEntries(texts) as Partial<TemplateFields>) };
}

async function pickOrigin(templates: Templates): Promise<Origin | undefined> {
  const origins: (Origin | vscode.QuickPickItem)[] = [
    { label: '$(file) Empty', description: 'Start from nothing', suggestedName: '', load: async () => ({}) },
    ...fromEditor(templates),
    { label: 'Starters', kind: vscode.QuickPickItemKind.Separator },
    ...(await starters(templates.rooms.context.extensionUri)),
  ];
  const picked = await vscode.window.showQuickPick(origins, {
    title: 'New Template',
    placeHolder: 'What should it start from?',
    matchOnDescription: true,
  });
  return picked !== undefined && 'load' in picked ? picked : undefined;
}

function fromEditor(templates: Templates): Origin[] {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined || document.languageId !== 'html') return [];
  const { documents } = templates.rooms;
  const name = document.uri.path.split('/').at(-1)?.replace(/\.html?$/iu, '') ?? '';
  return [
    {
      label: '$(edit) From the file in the editor',
      description: baseName(name, 'untitled'),
      suggestedName: baseName(name, ''),
      load: async () => {
        const stylesheet =
          documents.find(document.uri) && (await vscode.workspace.openTextDocument(documents.sibling(document.uri, '.css'))).getText();
        return { body: document.getText(), ...(stylesheet === undefined ? {} : { stylesheet }) };
      },
    },
  ];
}

async function starters(extension: vscode.Uri): Promise<Origin[]> {
  const read = (file: string) => readFile(vscode.Uri.joinPath(extension, 'media', 'starters', file).fsPath, 'utf8');
  const index = JSON.parse(await read('index.json')) as readonly Starter[];
  return index
    .filter(({ drag_editor }) => drag_editor !== '1')
    .map(({ file, css, name, description, subject, preheader, from_name, from_email, reply_to_name, reply_to_email }) => ({
      label: `$(mail) ${name}`,
      description,
      suggestedName: name,
      load: async () => ({
        body: (await read(file)).replace(/<!--\s*\/?repeat\s*-->\n?/gu, ''),
        stylesheet: css === undefined ? '' : await read(css),
        subject,
        preheader,
        from_name,
        from_email,
        reply_to_name,
        reply_to_email,
      }),
    }));
}
