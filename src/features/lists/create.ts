import * as vscode from 'vscode';
import type { RecordRef } from '../../platform/connections/model.ts';
import { showPick, TargetPicker } from '../../platform/documents/recordCommands.ts';
import { createSwatch } from '../../platform/explorer/display.ts';
import { runAfterChange, changeOnce, findNewId } from '../../platform/sending/recordChanges.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import { showWarning } from '../../platform/ui/messages.ts';
import { withProgress } from '../../platform/ui/progress.ts';
import {
  getColorName,
  validateColor,
  parseDraft,
  validateMailId,
  validateListName,
  createListRequest,
  swatches,
  type ListDraft,
} from './draft.ts';
import { collection, findListsByName, readList } from './model.ts';
import { getFields, type CommandArgument } from '../../platform/ui/commands.ts';

const NEW_LIST_TITLE = 'New List';

/**
 * Creates a list. The argument may contain fields by their API names; with a name, there are no prompts.
 * Returns undefined if the user cancels or the outcome is unknown.
 */
export async function createList(
  services: ExtensionServices,
  argument: CommandArgument,
): Promise<RecordRef | undefined> {
  const fields = parseDraft(getFields(argument));
  const connection = await new TargetPicker(services.connections).pickConnection(argument, NEW_LIST_TITLE);
  if (connection === undefined) return undefined;
  const draft = fields.name === '' ? await promptForDraft(fields) : fields;
  return draft && createListFromDraft(services, connection.id, draft);
}

/** Sends the request once. Returns undefined if the outcome is unknown. */
async function createListFromDraft(
  services: ExtensionServices,
  connection: string,
  draft: ListDraft,
): Promise<RecordRef | undefined> {
  const { connections, explorer } = services;
  const request = createListRequest(draft);
  const description = `the list "${request.name}" was made`;
  const findSameNameIds = async (signal: AbortSignal): Promise<readonly number[]> => {
    const found = await connections.run(connection, (client) => findListsByName(client, request.name, signal));
    return found.map(({ id }) => id);
  };
  const before = await withProgress('Looking at the lists', findSameNameIds);
  const check = async (signal: AbortSignal): Promise<number | undefined> => {
    explorer.refresh({ connection, collection });
    return findNewId(before, await findSameNameIds(signal));
  };
  return changeOnce({
    description,
    repeatAction: 'make it again',
    location: 'the lists',
    request: async () => {
      const { listId } = await connections.run(connection, (client) => client.createList(request));
      // The API document doesn't specify whether the response contains the id.
      return listId ?? withProgress('Looking at the lists', check).catch(() => undefined);
    },
    check,
    finish: async (id) => {
      if (id === undefined) {
        void showWarning(
          `The service answered without an error, but it has no new list "${request.name}". Look at the lists before you make it again.`,
        );
        return undefined;
      }
      const ref = { connection, id };
      explorer.refresh({ connection, collection });
      await runAfterChange(description, () => reportDifferences(services, ref, draft));
      void explorer.reveal(collection, ref);
      return ref;
    },
  });
}

/** Warns about fields that the service stored differently. */
async function reportDifferences(
  { connections }: ExtensionServices,
  { connection, id }: RecordRef,
  draft: ListDraft,
): Promise<void> {
  const list = await withProgress('Reading the list', (signal) =>
    connections.run(connection, (client) => readList(client, id, signal, { fresh: true })),
  );
  const matches: Readonly<Record<string, boolean>> = {
    color: draft.color === undefined || list.color?.toLowerCase() === draft.color.toLowerCase(),
    active: list.active === null || (list.active === 1) === draft.active,
    visible: list.visible === null || (list.visible === 1) === draft.visible,
    welcomeId: draft.welcomeId === undefined || list.welcome_id === draft.welcomeId,
    unsubscribeId: draft.unsubscribeId === undefined || list.unsubscribe_id === draft.unsubscribeId,
  };
  const differentFields = Object.entries(matches)
    .filter(([, isSame]) => !isSame)
    .map(([name]) => name);
  if (differentFields.length > 0)
    void showWarning(`"${draft.name}" was made, but the service did not keep as sent: ${differentFields.join(', ')}.`);
}

type DraftChange = Partial<ListDraft> | undefined;

/** A field that the user can edit before the list is created. `change` returns undefined if the user cancels. */
interface DraftField {
  readonly label: string;
  readonly codicon: string;
  show(draft: ListDraft): string;
  change(draft: ListDraft): Promise<DraftChange> | DraftChange;
}

const promptForName = ({ name }: ListDraft): Promise<DraftChange> =>
  promptForValue('Name of the list: subscribers may see it', name, validateListName, (text) => ({ name: text }));

const fields: readonly DraftField[] = [
  { label: 'Name', codicon: 'edit', show: ({ name }) => name, change: promptForName },
  {
    label: 'Color',
    codicon: 'symbol-color',
    show: ({ color }) => (color === undefined ? 'the service’s choice' : getColorName(color)),
    change: pickColor,
  },
  {
    label: 'Active',
    codicon: 'pass',
    show: ({ active }) => (active ? 'yes: emails can go to it' : 'no: no emails go to it'),
    change: ({ active }) => ({ active: !active }),
  },
  {
    label: 'Visible',
    codicon: 'eye',
    show: ({ visible }) => (visible ? 'yes: shown on subscription forms' : 'no: not shown on subscription forms'),
    change: ({ visible }) => ({ visible: !visible }),
  },
  createMailField('Welcome mail', 'welcomeId', 'Id of the mail that is sent to who subscribes'),
  createMailField('Unsubscribe mail', 'unsubscribeId', 'Id of the mail that is sent to who unsubscribes'),
];

function createMailField(label: string, field: 'welcomeId' | 'unsubscribeId', prompt: string): DraftField {
  return {
    label,
    codicon: 'mail',
    show: ({ [field]: id }) => (id === undefined ? 'none' : `mail ${id}`),
    change: ({ [field]: id }) =>
      promptForValue(`${prompt}. Empty for none`, String(id ?? ''), validateMailId, (text) => ({
        [field]: text === '' ? undefined : Number(text),
      })),
  };
}

/** Prompts for the name, then shows all fields for editing. Returns undefined if the user cancels. */
async function promptForDraft(initial: ListDraft): Promise<ListDraft | undefined> {
  const name = await promptForName(initial);
  if (name === undefined) return undefined;
  let draft: ListDraft = { ...initial, ...name };
  for (let last = ''; ;) {
    const chosen = await reviewDraft(draft, last);
    if (chosen?.field === undefined) return chosen && draft;
    last = chosen.label;
    draft = { ...draft, ...(await chosen.field.change(draft)) };
  }
}

/** Returns the chosen field, or an item without a field to create the list. `last`: the label of the last edited field, which receives the focus. */
function reviewDraft(
  draft: ListDraft,
  last: string,
): Promise<(vscode.QuickPickItem & { readonly field?: DraftField }) | undefined> {
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly field?: DraftField }>();
  const create = {
    label: `$(add) Create "${draft.name.replaceAll('$(', '$\u200B(')}"`,
    description: 'With the values below',
  };
  const rows = fields.map((field) => {
    const { label, codicon } = field;
    const image = label === 'Color' && draft.color ? createSwatch(draft.color) : undefined;
    const iconPath = image === undefined ? new vscode.ThemeIcon(codicon) : vscode.Uri.parse(image);
    return { label, description: field.show(draft), iconPath, field };
  });
  pick.title = NEW_LIST_TITLE;
  pick.placeholder = 'Press Enter to create it, or choose what to change first: later it can’t be';
  pick.ignoreFocusOut = true;
  pick.items = [create, ...rows];
  pick.activeItems = [rows.find(({ label }) => label === last) ?? create];
  return showPick(pick, () => pick.selectedItems[0]);
}

/** Returns the change for the text that the user enters. */
async function promptForValue(
  prompt: string,
  value: string,
  validateInput: (text: string) => string | undefined,
  toChange: (text: string) => DraftChange,
): Promise<DraftChange> {
  const options = { title: NEW_LIST_TITLE, prompt, value, ignoreFocusOut: true, validateInput };
  const text = await vscode.window.showInputBox(options);
  return text === undefined ? undefined : toChange(text.trim());
}

async function pickColor(draft: ListDraft): Promise<DraftChange> {
  const other = {
    label: 'Another color…',
    description: '#rrggbb',
    iconPath: new vscode.ThemeIcon('symbol-color'),
    color: undefined,
  };
  const choices = swatches.map(([label, color]) => ({
    label,
    description: color,
    color,
    iconPath: vscode.Uri.parse(createSwatch(color) ?? ''),
  }));
  const picked = await vscode.window.showQuickPick([...choices, other], {
    title: NEW_LIST_TITLE,
    placeHolder: 'Which color marks the list?',
    ignoreFocusOut: true,
  });
  if (picked === other)
    return promptForValue('Color of the list, as #rrggbb', draft.color ?? '#', validateColor, (color) => ({ color }));
  return picked && { color: picked.color };
}
