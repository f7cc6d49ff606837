import * as vscode from 'vscode';
import type { Chosen, FolderTools } from './tools.ts';

/** Compares a template with a state of it that was seen on its service before. */
export async function compareEarlier({ history, documents, mapped, targets }: FolderTools, argument: unknown): Promise<void> {
  const { kind, layout, picking } = mapped;
  const ref = isChosen(argument) ? { connection: argument.target.connection, id: argument.target.id }
    : await targets.record(argument, { ...picking, title: 'Compare with an Earlier State', fromEditor: true });
  if (ref === undefined) return;
  const states = await history.states(ref);
  if (states.length === 0)
    throw new Error(`No earlier state of this ${kind.noun} was seen: states are kept from its first save, push or pull on.`);
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  const picked = await vscode.window.showQuickPick(
    states.map((state) => ({ label: format.format(state.at), description: state.texts['subject'] ?? '', state })),
    { title: 'Compare with an Earlier State', placeHolder: 'States that were seen on the service, newest first' },
  );
  if (picked === undefined) return;
  const parts = kind.parts.filter(({ suffix }) => layout.texts.some(({ format: own }) => suffix === `.${own}`));
  const changes = await Promise.all(parts.map(async ({ suffix }) => {
    const uri = await documents.uri(kind.collection, ref, suffix);
    const field = layout.texts.find(({ format: own }) => suffix === `.${own}`)?.field ?? '';
    return [uri, documents.snapshots.add(uri.path, picked.state.texts[field] ?? ''), uri];
  }));
  await vscode.commands.executeCommand('vscode.changes', `${picked.label} ↔ now`, changes);
}

function isChosen(value: unknown): value is Chosen {
  return typeof value === 'object' && value !== null && 'target' in value && 'project' in value;
}

