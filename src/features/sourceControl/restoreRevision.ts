import * as vscode from 'vscode';
import { showInfo } from '../../platform/ui/messages.ts';
import { contentHash, type FieldTexts } from './fields.ts';
import { saveOpenFiles } from './openFiles.ts';
import type { ProjectTarget, FolderTools } from './tools.ts';

/**
 * Puts earlier texts of a template into its files, as an edit that is not saved and can be undone, and shows what they replace: that is
 * kept among the states of the template first.
 * @param label when they were seen, as the user reads it
 * @returns the number of files that are others
 */
export async function restoreRevisionFiles(
  tools: FolderTools,
  chosen: ProjectTarget,
  texts: FieldTexts,
  label: string,
): Promise<number> {
  const { project, target } = chosen;
  const { files, folder } = project;
  await saveOpenFiles(tools, [chosen]);
  const local = await folder.read(target.template);
  const known = project.getStatus(target);
  await tools.revisions.add(target, { ...(known?.kind === 'compared' ? known.comparison.remote : {}), ...local });

  const built = folder.builtFields(target.template);
  const isOther = (field: string): boolean => contentHash(texts[field] ?? '') !== contentHash(local[field] ?? '');
  const others = Object.keys(texts).filter(isOther);
  const byFile = new Map(
    others.filter((field) => !built.includes(field)).map((field) => [folder.path(target.template, field), field]),
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
  const left = others.filter((field) => built.includes(field)).map((field) => folder.path(target.template, field));
  if (left.length > 0) void showInfo(`${left.join(', ')} is built, and was left as it is: change its source.`);
  else if (changes.length === 0) void showInfo('The folder has this state already.');
  if (changes.length === 0) return 0;
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new Error('The editor did not take the edit: nothing was changed.');
  await vscode.commands.executeCommand('vscode.changes', `Before ↔ ${label}`, changes);
  return changes.length;
}
