import * as vscode from 'vscode';
import { escapeMessage } from '../ui/text.ts';
import { isFiltered, getValueLabel } from './filters.ts';
import type { FilterField, FilterValues } from './model.ts';
import type { CollectionNode } from './nodes.ts';

interface FieldChoice extends vscode.QuickPickItem {
  /** Undefined for "Clear Filter". */
  readonly field?: FilterField;
}

interface ValueChoice extends vscode.QuickPickItem {
  readonly value: string;
}

export async function pickBranch(nodes: readonly CollectionNode[], title: string): Promise<CollectionNode | undefined> {
  const choices = nodes.map((node) => ({
    label: `$(${node.definition.codicon}) ${node.definition.label}`,
    description: escapeMessage(node.parent.definition.name),
    node,
  }));
  return (
    await vscode.window.showQuickPick(choices, { title, placeHolder: 'Choose a collection', matchOnDescription: true })
  )?.node;
}

/** Prompts for a field and its value, and returns the changed filter. Undefined if the user cancels. */
export async function promptForFilter({ definition, filter }: CollectionNode): Promise<FilterValues | undefined> {
  const title = `Filter ${definition.label}`;
  const field = await promptForField(title, definition.filters, filter);
  if (!field) return undefined;
  if (!field.field) return {};
  const value = await promptForValue(title, field.field, filter);
  return value === undefined ? undefined : { ...filter, [field.field.key]: value };
}

async function promptForField(
  title: string,
  fields: readonly FilterField[],
  filter: FilterValues,
): Promise<FieldChoice | undefined> {
  const choices: FieldChoice[] = fields.map((field) => ({
    label: field.label,
    description: filter[field.key] === undefined ? '' : escapeMessage(getValueLabel(field, filter)),
    field,
  }));
  const clear: FieldChoice = { label: '$(clear-all) Clear Filter' };
  return vscode.window.showQuickPick(isFiltered(filter) ? [...choices, clear] : choices, {
    title,
    placeHolder: 'Filter by',
  });
}

async function promptForValue(title: string, field: FilterField, filter: FilterValues): Promise<string | undefined> {
  const current = filter[field.key] ?? '';
  if (!field.choices) {
    return vscode.window.showInputBox({
      title,
      prompt: `${field.label} to search for. Leave it empty for all.`,
      value: current,
      ignoreFocusOut: true,
    });
  }
  const choices: ValueChoice[] = [{ label: 'All', value: '' }, ...field.choices].map((choice) => ({
    ...choice,
    description: choice.value === current ? 'current' : '',
  }));
  return (await vscode.window.showQuickPick(choices, { title, placeHolder: field.label }))?.value;
}
