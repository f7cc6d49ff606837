import * as vscode from 'vscode';
import { t } from '../../l10n.ts';
import { showPick } from '../documents/recordCommands.ts';
import { getFields, type CommandArgument, type CommandHandlers } from '../../ui/commands.ts';
import { showError, showInfo } from '../../ui/messages.ts';
import { escapeMessage } from '../../service/text.ts';
import { describeFilter, getValueLabel, isFiltered } from './display.ts';
import type { Explorer } from './explorer.ts';
import type { BranchRef } from './explorerTree.ts';
import type { FilterField, FilterValues } from './model.ts';
import { CollectionNode, NoticeNode } from './nodes.ts';

/**
 * Creates the handlers of the tree's commands. Their arguments are untrusted: they come from menus, keybindings and other extensions.
 */
export function createHandlers(explorer: Explorer) {
  return {
    // The button in the title of the view passes the focused row, as that row's own button does.
    'mailing.explorer.refresh': (target) => explorer.refresh('kind' in getFields(target) ? {} : toBranchRef(target)),
    // Returns the branch's filter; undefined if the user cancels.
    'mailing.explorer.filter': async (target, values) => {
      const tree = await explorer.tree();
      const none = t('Connect a mailing service first.');
      const node = await resolveBranch(target, t('Filter'), tree.branches(), none);
      const filter = node && ((values as FilterValues | undefined) ?? (await promptForFilter(node)));
      if (!filter) return undefined;
      const applied = tree.setFilter(node, filter);
      if (explorer.view.visible) await explorer.view.reveal(node, { select: false, focus: false, expand: true });
      return applied;
    },
    // Returns the branch's filter, which is empty; undefined if there was nothing to clear.
    'mailing.explorer.clearFilter': async (target) => {
      const tree = await explorer.tree();
      const filtered = tree.branches().filter((branch) => isFiltered(branch.filter));
      const node = await resolveBranch(target, t('Clear Filter'), filtered, t('No filter is set.'));
      return node && tree.setFilter(node, {});
    },
    'mailing.explorer.copyId': async (target) => {
      const id = [target, explorer.view.selection[0]].map((node) => getFields(node)['id']).find(Number.isSafeInteger);
      if (id === undefined) {
        void showError(new Error(t('Select a row in the tree first.')), {
          title: t("Couldn't copy the ID"),
        });
        return undefined;
      }
      await vscode.env.clipboard.writeText(String(id));
      vscode.window.setStatusBarMessage(`$(check) ${t`ID ${String(id)} copied`}`, 3000);
      return id;
    },
    'mailing.explorer.loadMore': (node) => (node instanceof NoticeNode ? node.parent.branch.loadMore() : undefined),
    'mailing.explorer.retry': (node) => (node instanceof NoticeNode ? node.parent.branch.retry() : undefined),
  } satisfies CommandHandlers;
}

/**
 * Returns the branch that a target names (its node, a record in it, or a reference), or the one the user picks from
 * `candidates`.
 */
async function resolveBranch(
  target: CommandArgument,
  title: string,
  candidates: readonly CollectionNode[],
  none: string,
) {
  if (target instanceof CollectionNode) return target;
  const ref = toBranchRef(target);
  const named = candidates.filter(
    ({ connection, collection }) =>
      [undefined, connection].includes(ref.connection) && [undefined, collection].includes(ref.collection),
  );
  if (named.length === 0) void showInfo(none);
  if (named.length <= 1) return named[0];
  const choices = named.map((node) => ({
    label: `$(${node.definition.codicon}) ${node.definition.label}`,
    description: escapeMessage(node.parent.definition.name),
    node,
  }));
  const options = { title, placeHolder: t('Select what to filter'), matchOnDescription: true };
  return (await vscode.window.showQuickPick(choices, options))?.node;
}

function toBranchRef(target: CommandArgument): BranchRef {
  const { connection, collection } = getFields(target);
  return {
    connection: typeof connection === 'string' ? connection : undefined,
    collection: typeof collection === 'string' ? collection : undefined,
  };
}

interface FilterChoice extends vscode.QuickPickItem {
  readonly field?: FilterField;
  /** The changed filter. */
  readonly values?: FilterValues;
}

/** Prompts for a text to find, or for a field and its value, and returns the changed filter. Undefined if the user cancels. */
async function promptForFilter({ definition, filter }: CollectionNode) {
  const title = t({
    message: 'Filter: {0}',
    args: [definition.label],
    comment: '{0} is a type of record, such as Templates',
  });
  const choices: FilterChoice[] = definition.filters.map((field) => ({
    label: field.label,
    description: filter[field.key] === undefined ? '' : escapeMessage(getValueLabel(field, filter)),
    field,
  }));
  if (isFiltered(filter)) choices.push({ label: `$(clear-all) ${t('Clear Filter')}`, values: {} });
  const textField = definition.filters.find((field) => field.choices === undefined);
  const pick = vscode.window.createQuickPick<FilterChoice>();
  Object.assign(pick, { title, placeholder: t('Type a text to find, or select a field'), items: choices });
  pick.onDidChangeValue((text) => {
    const typed = textField && {
      label: escapeMessage(describeFilter([textField], { [textField.key]: text })),
      alwaysShow: true,
      values: { ...filter, [textField.key]: text },
    };
    pick.items = typed && text.trim() !== '' ? [typed, ...choices] : choices;
  });
  const chosen = await showPick(pick, () => pick.selectedItems[0]);
  if (!chosen?.field) return chosen?.values;
  const { key, label, choices: values } = chosen.field;
  const current = filter[key] ?? '';
  if (!values) {
    const prompt = t({
      message: '{0}: enter the text to search for, or leave it empty to show all.',
      args: [label],
      comment: '{0} is the label of a field, such as Name',
    });
    const text = await vscode.window.showInputBox({ title, prompt, value: current, ignoreFocusOut: true });
    return text === undefined ? undefined : { ...filter, [key]: text };
  }
  const all = t({
    message: 'All',
    comment: 'Choice that clears a filter, such as of a state or type',
  });
  const items = [{ label: all, value: '' }, ...values].map((choice) => ({
    ...choice,
    description: choice.value === current ? t({ message: 'current', comment: 'Marks the current choice' }) : '',
  }));
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder: label });
  return picked && { ...filter, [key]: picked.value };
}
