import * as vscode from 'vscode';
import type { ProjectTarget, FolderTools } from './tools.ts';

/** Saves the unsaved files and sources of templates before a command uses them. */
export async function saveOpenFiles(
  { savingUris: saving }: Pick<FolderTools, 'savingUris'>,
  items: readonly ProjectTarget[],
): Promise<void> {
  for (const { project, target } of items) {
    for (const document of vscode.workspace.textDocuments) {
      const path = project.files.relativePath(document.uri);
      if (!document.isDirty || path === undefined || !project.folder.has(target.template, path)) continue;
      const key = document.uri.toString();
      saving.add(key);
      try {
        if (!(await document.save())) throw new Error(`${path} could not be saved.`);
      } finally {
        saving.delete(key);
      }
    }
  }
}
