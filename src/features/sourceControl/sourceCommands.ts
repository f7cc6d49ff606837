import * as vscode from 'vscode';
import { getLocalSource } from '../../platform/preview/host/localSource.ts';
import { pickTemplate, resolveTemplates } from './chooseTemplate.ts';
import { buildTemplates } from './outputs.ts';
import { promote } from './promote.ts';
import type { FolderTools } from './tools.ts';
import type { CommandArgument } from '../../platform/ui/commands.ts';

const NOT_MAPPED_MESSAGE = 'This is no file of a mapped template.';

/** Runs the build tasks of an argument's templates. Resolves with their folders; undefined if a task failed. */
export async function buildCommand(
  tools: FolderTools,
  argument: CommandArgument,
): Promise<readonly string[] | undefined> {
  const title = 'Build';
  const templates = await resolveTemplates(tools.folders, argument, {
    title,
    isPossible: ({ template }) => template.task !== undefined,
  });
  if (templates.length === 0) throw new Error('mailing.json names no "task" that builds this.');
  for (const { project, template } of templates) {
    for (const document of vscode.workspace.textDocuments) {
      const path = project.files.relativePath(document.uri);
      if (document.isDirty && path !== undefined && project.folder.isSource(template, path)) await document.save();
    }
  }
  return (await buildTemplates(tools, templates)) ? templates.map(({ template }) => template.folder) : undefined;
}

export async function promoteCommand(tools: FolderTools, argument: CommandArgument): Promise<number | undefined> {
  const title = 'Promote to Another Connection';
  const templates = await resolveTemplates(tools.folders, argument, { title });
  if (templates.length === 0) throw new Error(NOT_MAPPED_MESSAGE);
  const one = await pickTemplate(templates, title);
  return one && promote(tools, one, argument);
}

/** Makes the preview of a source file show the output that is built from it. */
export function registerSourcePreviews({
  folders,
  previews,
}: Pick<FolderTools, 'folders' | 'previews'>): vscode.Disposable {
  return previews.registerResolver(async (document) => {
    const [one] = folders.findTemplatesWrittenIn(document).filter(({ template }) => template.output !== undefined);
    if (one === undefined) return undefined;
    const path = one.project.folder.bodyPath(one.template);
    const output = one.project.files.uri(path);
    if (!(await exists(output))) return `${path} does not exist. Build the template first.`;
    // An output may be a source itself. Don't resolve it again, to avoid an endless loop.
    return folders.findTemplatesWrittenIn(output).length > 0 ? getLocalSource(output) : previews.resolve(output);
  });
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}
