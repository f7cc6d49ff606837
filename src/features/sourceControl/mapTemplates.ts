import * as vscode from 'vscode';
import { type CommandArgument, getFields } from '../../platform/ui/commands.ts';
import { withProgress } from '../../platform/ui/progress.ts';
import { withEntry } from './editMapping.ts';
import type { FolderTools } from './tools.ts';
import { mappableRoots, mappingName } from './model.ts';
import { checkPath, pathError } from './paths.ts';
import { pull } from './transfers.ts';
import { WorkspaceFiles } from './workspaceFiles.ts';

/** Maps templates of a connection to folders and pulls them. Resolves with the folders' paths; undefined if the user cancels. */
export async function mapTemplates(
  tools: FolderTools,
  argument: CommandArgument,
): Promise<readonly string[] | undefined> {
  const root = await pickWorkspaceFolder();
  if (root === undefined) return undefined;
  const { connections, folders, mapped, targets } = tools;
  const refs = await targets.pickRecords(argument, {
    ...mapped.picking,
    title: 'Map Templates to a Folder',
    placeholder: 'Which templates?',
  });
  if (refs === undefined) return undefined;
  const { folder: givenFolder } = getFields(argument);
  const parent = typeof givenFolder === 'string' ? givenFolder : await askFolder();
  if (parent === undefined) return undefined;
  checkPath(parent);

  const files = new WorkspaceFiles(root);
  const project = await folders.openProject(root);
  const usedPaths = new Set((project?.mapping.templates ?? []).map(({ folder }) => folder.toLowerCase()));
  const isMapped = (id: number): boolean =>
    project?.mapping.templates.some(({ ids }) => ids[refs.connection] === id) === true;
  const added = await withProgress('Reading templates', (signal) =>
    Promise.all(
      refs.ids
        .filter((id) => !isMapped(id))
        .map(async (id) => {
          const record = await connections.run(refs.connection, (client) =>
            mapped.kind.read(client, id, { connection: refs.connection, signal }),
          );
          return { id, name: mapped.kind.name(record) };
        }),
    ),
  );
  const before = await files.read(mappingName);
  let text = before;
  const paths = added.map(({ id, name }) => {
    const path = makeUniquePath(`${parent.replace(/\/$/u, '')}/${slug(name) || `template-${id}`}`, usedPaths);
    text = withEntry(text, { folder: path, ids: { [refs.connection]: id } });
    return path;
  });
  if (text === undefined || paths.length === 0) throw new Error('These templates are mapped already.');
  await files.write(mappingName, text, { text: before });
  const mappedProject = await folders.openProject(root);
  await mappedProject?.readMapping();
  const mappedTargets = (mappedProject?.targets ?? []).filter(
    ({ template, connection }) => connection === refs.connection && paths.includes(template.folder),
  );
  if (mappedProject)
    await pull(
      tools,
      mappedTargets.map((target) => ({ project: mappedProject, target })),
    );
  return paths;
}

export async function pickWorkspaceFolder(): Promise<vscode.Uri | undefined> {
  const all = mappableRoots(vscode.workspace.workspaceFolders);
  if (all.length === 0)
    throw new Error('Open the folder of your repository first: templates are mapped to folders of it.');
  if (all.length === 1) return all[0];
  const picked = await vscode.window.showWorkspaceFolderPick({ placeHolder: 'Which folder?' });
  return all.find((uri) => uri.toString() === picked?.uri.toString());
}

function askFolder(): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: 'Map Templates to a Folder',
    prompt: 'Each template gets a folder of its own in this one.',
    value: 'emails',
    validateInput: pathError,
  });
}

/** Returns a name as a path segment: lower-case letters and digits with hyphens between them. */
function slug(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/gu, '')
    .slice(0, 60);
}

export function makeUniquePath(path: string, usedPaths: Set<string>): string {
  let free = path;
  for (let number = 2; usedPaths.has(free.toLowerCase()); number += 1) free = `${path}-${number}`;
  usedPaths.add(free.toLowerCase());
  return free;
}
