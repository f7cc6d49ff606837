import * as vscode from 'vscode';
import { showInfo } from '../../platform/ui/messages.ts';
import { contentHash, type FieldTexts } from './fields.ts';
import { saveOpenFiles } from './openFiles.ts';
import type { ProjectTarget, FolderTools } from './tools.ts';

/**
 * Writes a revision into a template's files as unsaved edits and shows the differences. The replaced texts are stored as a revision first.
 * @param label the revision's time, formatted for the user
 * @returns the number of changed files
 */
export async function restoreRevisionFiles(
  tools: FolderTools,
  projectTarget: ProjectTarget,
  texts: FieldTexts,
  label: string,
): Promise<number> {
  const { project, target } = projectTarget;
  const { files, folder } = project;
  await saveOpenFiles(tools, [projectTarget]);
  const local = await folder.read(target.template);
  const status = project.getStatus(target);
  await tools.revisions.add(target, { ...(status?.kind === 'compared' ? status.comparison.remote : {}), ...local });

  const built = folder.builtFields(target.template);
  const isChanged = (field: string): boolean => contentHash(texts[field] ?? '') !== contentHash(local[field] ?? '');
  const changed = Object.keys(texts).filter(isChanged);
  const byFile = new Map(
    changed.filter((field) => !built.includes(field)).map((field) => [folder.path(target.template, field), field]),
  );
  const edit = new vscode.WorkspaceEdit();
  const changes: (readonly vscode.Uri[])[] = [];
  for (const [path, field] of byFile) {
    const uri = files.uri(path);
    const before = await files.read(path);
    const text = await folder.renderFile(target.template, field, texts);
    if (before === undefined) edit.createFile(uri, { contents: new TextEncoder().encode(text) });
    else {
      const document = await vscode.workspace.openTextDocument(uri);
      edit.replace(uri, new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length)), text);
    }
    changes.push([uri, tools.documents.snapshots.add(path, before ?? ''), uri]);
  }
  const skipped = changed.filter((field) => built.includes(field)).map((field) => folder.path(target.template, field));
  if (skipped.length > 0) void showInfo(`${skipped.join(', ')} is built, and was left as it is: change its source.`);
  else if (changes.length === 0) void showInfo('The folder has this state already.');
  if (changes.length === 0) return 0;
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new Error('The editor did not take the edit: nothing was changed.');
  await vscode.commands.executeCommand('vscode.changes', `Before ↔ ${label}`, changes);
  return changes.length;
}
