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
import type { CommandArgument } from '../../platform/ui/commands.ts';

const NEW_LIST_TITLE = 'New List';
const defaultDraft: ListDraft = { name: '', active: true, visible: true };

/**
 * Creates a list. The argument may contain fields by their API names; with a name, there are no prompts.
 * Returns undefined if the user cancels or the outcome is unknown.
 */
export async function createList(
  services: ExtensionServices,
  argument: CommandArgument,
): Promise<RecordRef | undefined> {
  const fields = parseDraft(argument);
  const connection = await new TargetPicker(services.connections).pickConnection(argument, NEW_LIST_TITLE);
  if (connection === undefined) return undefined;
  const draft =
    fields.name === undefined ? await promptForDraft({ ...defaultDraft, ...fields }) : { ...defaultDraft, ...fields };
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

type DraftChange = ListDraft | undefined;

/** A field that the user can edit before the list is created. `change` returns undefined if the user cancels. */
interface DraftField {
  readonly label: string;
  readonly codicon: string;
  show(draft: ListDraft): string;
  change(draft: ListDraft): Promise<DraftChange> | DraftChange;
}

const fields: readonly DraftField[] = [
  {
    label: 'Name',
    codicon: 'edit',
    show: ({ name }) => name,
    change: async (draft) =>
      withField(
        draft,
        'name',
        await promptForValue('Name of the list: subscribers may see it', draft.name, validateListName),
      ),
  },
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
    change: (draft) => ({ ...draft, active: !draft.active }),
  },
  {
    label: 'Visible',
    codicon: 'eye',
    show: ({ visible }) => (visible ? 'yes: shown on subscription forms' : 'no: not shown on subscription forms'),
    change: (draft) => ({ ...draft, visible: !draft.visible }),
  },
  {
    label: 'Welcome mail',
    codicon: 'mail',
    show: ({ welcomeId }) => describeMailId(welcomeId),
    change: (draft) => promptForMailId(draft, 'welcomeId', 'Id of the mail that is sent to who subscribes'),
  },
  {
    label: 'Unsubscribe mail',
    codicon: 'mail',
    show: ({ unsubscribeId }) => describeMailId(unsubscribeId),
    change: (draft) => promptForMailId(draft, 'unsubscribeId', 'Id of the mail that is sent to who unsubscribes'),
  },
];

/** Prompts for the name, then shows all fields for editing. Returns undefined if the user cancels. */
async function promptForDraft(initial: ListDraft): Promise<ListDraft | undefined> {
  const name = await promptForValue('Name of the list: subscribers may see it', initial.name, validateListName);
  if (name === undefined) return undefined;
  let draft: ListDraft = { ...initial, name };
  let last: string | undefined;
  for (;;) {
    const chosen = await reviewDraft(draft, last);
    if (chosen === undefined) return undefined;
    if (chosen === 'make') return draft;
    last = chosen.label;
    draft = (await chosen.change(draft)) ?? draft;
  }
}

/** `last`: the label of the last edited field, which receives the focus. */
function reviewDraft(draft: ListDraft, last: string | undefined): Promise<DraftField | 'make' | undefined> {
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly value: DraftField | 'make' }>();
  const create = {
    label: `$(add) Create "${draft.name.replaceAll('$(', '$\u200B(')}"`,
    description: 'With the values below',
    value: 'make' as const,
  };
  const rows = fields.map((field) => ({
    label: field.label,
    description: field.show(draft),
    value: field,
    ...createIcon(field, draft),
  }));
  pick.title = NEW_LIST_TITLE;
  pick.placeholder = 'Press Enter to create it, or choose what to change first: later it can’t be';
  pick.ignoreFocusOut = true;
  pick.items = [create, ...rows];
  const active = rows.find(({ label }) => label === last);
  pick.activeItems = [active ?? create];
  return showPick(pick, () => pick.selectedItems[0]?.value);
}

function createIcon(
  { label, codicon }: DraftField,
  { color }: ListDraft,
): { readonly iconPath: vscode.Uri | vscode.ThemeIcon } {
  const image = label === 'Color' && color !== undefined ? createSwatch(color) : undefined;
  return { iconPath: image === undefined ? new vscode.ThemeIcon(codicon) : vscode.Uri.parse(image) };
}

async function promptForValue(
  prompt: string,
  value: string,
  validate: (text: string) => string | undefined,
): Promise<string | undefined> {
  const answer = await vscode.window.showInputBox({
    title: NEW_LIST_TITLE,
    prompt,
    value,
    ignoreFocusOut: true,
    validateInput: validate,
  });
  return answer?.trim();
}

function withField(draft: ListDraft, field: 'name' | 'color', value: string | undefined): DraftChange {
  return value === undefined ? undefined : { ...draft, [field]: value };
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
  if (picked === undefined) return undefined;
  return withField(
    draft,
    'color',
    picked.color ?? (await promptForValue('Color of the list, as #rrggbb', draft.color ?? '#', validateColor)),
  );
}

async function promptForMailId(
  draft: ListDraft,
  field: 'welcomeId' | 'unsubscribeId',
  prompt: string,
): Promise<DraftChange> {
  const text = await promptForValue(`${prompt}. Empty for none`, String(draft[field] ?? ''), validateMailId);
  if (text === undefined) return undefined;
  const { [field]: _before, ...rest } = draft;
  return text === '' ? rest : { ...rest, [field]: Number(text) };
}

function describeMailId(id: number | undefined): string {
  return id === undefined ? 'none' : `mail ${id}`;
}
