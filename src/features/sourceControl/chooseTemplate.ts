import * as vscode from 'vscode';
import { type CommandArgument, getFields } from '../../platform/ui/commands.ts';
import { escapeMessage } from '../../platform/ui/text.ts';
import type { Folders } from './folders.ts';
import type { ProjectTemplate } from './project.ts';

interface TemplateChoice {
  readonly title: string;
  /** Returns whether a template can be chosen. */
  isPossible?(item: ProjectTemplate): boolean;
}

/** Resolves a command argument: a file, a row of the Source Control view, `{ folder }`, or nothing for the active editor. */
export async function resolveTemplates(
  folders: Folders,
  argument: CommandArgument,
  choice: TemplateChoice,
): Promise<readonly ProjectTemplate[]> {
  await folders.updateProjects();
  const all = folders.projects.flatMap((project) =>
    project.mapping.templates.map((template) => ({ project, template })),
  );
  const possible = all.filter((one) => choice.isPossible?.(one) ?? true);
  const { folder, resourceUri } = getFields(argument);
  const uris = [argument, resourceUri].filter((value) => value instanceof vscode.Uri);
  if (folder !== undefined) return possible.filter(({ template }) => template.folder === folder);
  const activeUri = argument === undefined ? vscode.window.activeTextEditor?.document.uri : undefined;
  const matches = [...uris, ...(activeUri ? [activeUri] : [])].flatMap((uri) =>
    possible.filter(({ project, template }) => {
      const path = project.files.relativePath(uri);
      return path !== undefined && project.folder.has(template, path);
    }),
  );
  if (matches.length > 0 || uris.length > 0) return matches;
  const one = await pickTemplate(possible, choice.title);
  return one === undefined ? [] : [one];
}

/** Returns the only template, or prompts for one. */
export async function pickTemplate(
  templates: readonly ProjectTemplate[],
  title: string,
): Promise<ProjectTemplate | undefined> {
  if (templates.length <= 1) return templates[0];
  const items = templates.map((one) => ({ label: escapeMessage(one.template.folder), one }));
  return (await vscode.window.showQuickPick(items, { title, placeHolder: 'Which template?' }))?.one;
}
