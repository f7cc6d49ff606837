import * as vscode from 'vscode';
import type { RecordRef } from '../../platform/connections/record.ts';
import { TargetPicker } from '../../platform/documents/recordCommands.ts';
import { createSwatch } from '../../platform/explorer/drawing.ts';
import { runAfterChange, changeOnce, findNewId } from '../../platform/sending/changeOnce.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import { showWarning } from '../../platform/ui/messages.ts';
import { withProgress } from '../../platform/ui/progress.ts';
import {
  colorName,
  colorProblem,
  parseDraft,
  mailProblem,
  nameProblem,
  requestOf,
  swatches,
  type ListDraft,
} from './draft.ts';
import { collection, listsNamed, readList } from './model.ts';
import type { CommandArgument } from '../../platform/ui/commands.ts';

const title = 'New List';
/** In place of an id, where the service named none and shows none: its own begin with 1. */
const unseen = 0;
const start: ListDraft = { name: '', active: true, visible: true };

/**
 * Makes a list. Its fields may be given with the argument by the API document's names; where the name is given, nothing is asked.
 * Undefined where the user cancels, and where it is not known whether it was made.
 */
export async function createList(
  services: ExtensionServices,
  argument: CommandArgument,
): Promise<RecordRef | undefined> {
  const fields = parseDraft(argument);
  const connection = await new TargetPicker(services.connections).pickConnection(argument, title);
  if (connection === undefined) return undefined;
  const draft = fields.name === undefined ? await ask({ ...start, ...fields }) : { ...start, ...fields };
  return draft && make(services, connection.id, draft);
}

/** Asks the service once. Undefined where it is not known whether the list was made. */
async function make(services: ExtensionServices, connection: string, draft: ListDraft): Promise<RecordRef | undefined> {
  const { connections, explorer } = services;
  const request = requestOf(draft);
  const description = `the list "${request.name}" was made`;
  const namesakes = async (signal: AbortSignal): Promise<readonly number[]> => {
    const found = await connections.run(connection, (client) => listsNamed(client, request.name, signal));
    return found.map(({ id }) => id);
  };
  const before = await withProgress('Looking at the lists', namesakes);
  const show = async (id: number): Promise<void> => {
    const ref = { connection, id };
    explorer.refresh({ connection, collection });
    await runAfterChange(description, () => tellDifferences(services, ref, draft));
    void explorer.reveal(collection, ref);
  };
  const check = async (signal: AbortSignal): Promise<number | undefined> => {
    explorer.refresh({ connection, collection });
    return findNewId(before, await namesakes(signal));
  };
  const id = await changeOnce(
    { description, repeatAction: 'make it again', location: 'the lists', check, onConfirmed: show },
    async () => {
      const { listId } = await connections.run(connection, (client) => client.createList(request));
      // The document does not say what the answer holds.
      return listId ?? (await withProgress('Looking at the lists', check).catch(() => undefined)) ?? unseen;
    },
  );
  if (id === undefined) return undefined;
  if (id === unseen) {
    void showWarning(
      `The service answered without an error, but it has no new list "${request.name}". Look at the lists before you make it again.`,
    );
    return undefined;
  }
  await show(id);
  return { connection, id };
}

/** Tells what the service did not keep as it was sent. */
async function tellDifferences(
  { connections }: ExtensionServices,
  { connection, id }: RecordRef,
  draft: ListDraft,
): Promise<void> {
  const list = await withProgress('Reading the list', (signal) =>
    connections.run(connection, (client) => readList(client, id, signal, { fresh: true })),
  );
  const kept: Readonly<Record<string, boolean>> = {
    color: draft.color === undefined || list.color?.toLowerCase() === draft.color.toLowerCase(),
    active: list.active === null || (list.active === 1) === draft.active,
    visible: list.visible === null || (list.visible === 1) === draft.visible,
    welcomeId: draft.welcomeId === undefined || list.welcome_id === draft.welcomeId,
    unsubscribeId: draft.unsubscribeId === undefined || list.unsubscribe_id === draft.unsubscribeId,
  };
  const lost = Object.entries(kept)
    .filter(([, same]) => !same)
    .map(([name]) => name);
  if (lost.length > 0)
    void showWarning(`"${draft.name}" was made, but the service did not keep as sent: ${lost.join(', ')}.`);
}

type Changed = ListDraft | undefined;

/** A field that can be changed before the list is made. Undefined where the user leaves it as it was. */
interface Field {
  readonly label: string;
  readonly codicon: string;
  show(draft: ListDraft): string;
  change(draft: ListDraft): Promise<Changed> | Changed;
}

const fields: readonly Field[] = [
  {
    label: 'Name',
    codicon: 'edit',
    show: ({ name }) => name,
    change: async (draft) =>
      withText(draft, 'name', await askText('Name of the list: subscribers may see it', draft.name, nameProblem)),
  },
  {
    label: 'Colour',
    codicon: 'symbol-color',
    show: ({ color }) => (color === undefined ? 'the service’s choice' : colorName(color)),
    change: askColor,
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
    show: ({ welcomeId }) => mailWords(welcomeId),
    change: (draft) => askMail(draft, 'welcomeId', 'Id of the mail that is sent to who subscribes'),
  },
  {
    label: 'Unsubscribe mail',
    codicon: 'mail',
    show: ({ unsubscribeId }) => mailWords(unsubscribeId),
    change: (draft) => askMail(draft, 'unsubscribeId', 'Id of the mail that is sent to who unsubscribes'),
  },
];

/** Asks for the name, and then shows everything that the list will have, to be changed or left. Undefined where the user cancels. */
async function ask(initial: ListDraft): Promise<ListDraft | undefined> {
  const name = await askText('Name of the list: subscribers may see it', initial.name, nameProblem);
  if (name === undefined) return undefined;
  let draft: ListDraft = { ...initial, name };
  let last: string | undefined;
  for (;;) {
    const chosen = await review(draft, last);
    if (chosen === undefined) return undefined;
    if (chosen === 'make') return draft;
    last = chosen.label;
    draft = (await chosen.change(draft)) ?? draft;
  }
}

/** `last`: label of the field that was changed last, where the focus comes back to. */
function review(draft: ListDraft, last: string | undefined): Promise<Field | 'make' | undefined> {
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly value: Field | 'make' }>();
  const create = {
    label: `$(add) Create "${draft.name.replaceAll('$(', '$\u200B(')}"`,
    description: 'with what stands below',
    value: 'make' as const,
  };
  const rows = fields.map((field) => ({
    label: field.label,
    description: field.show(draft),
    value: field,
    ...iconOf(field, draft),
  }));
  pick.title = title;
  pick.placeholder = 'Press Enter to create it, or choose what to change first: later it can’t be';
  pick.ignoreFocusOut = true;
  pick.items = [create, ...rows];
  const active = rows.find(({ label }) => label === last);
  pick.activeItems = [active ?? create];
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]?.value);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function iconOf({ label, codicon }: Field, { color }: ListDraft): { readonly iconPath: vscode.Uri | vscode.ThemeIcon } {
  const image = label === 'Colour' && color !== undefined ? createSwatch(color) : undefined;
  return { iconPath: image === undefined ? new vscode.ThemeIcon(codicon) : vscode.Uri.parse(image) };
}

async function askText(
  prompt: string,
  value: string,
  problemOf: (text: string) => string | undefined,
): Promise<string | undefined> {
  const answer = await vscode.window.showInputBox({
    title,
    prompt,
    value,
    ignoreFocusOut: true,
    validateInput: problemOf,
  });
  return answer?.trim();
}

function withText(draft: ListDraft, field: 'name' | 'color', value: string | undefined): Changed {
  return value === undefined ? undefined : { ...draft, [field]: value };
}

async function askColor(draft: ListDraft): Promise<Changed> {
  const other = {
    label: 'Another colour…',
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
    title,
    placeHolder: 'Which colour marks the list?',
    ignoreFocusOut: true,
  });
  if (picked === undefined) return undefined;
  return withText(
    draft,
    'color',
    picked.color ?? (await askText('Colour of the list, as #rrggbb', draft.color ?? '#', colorProblem)),
  );
}

async function askMail(draft: ListDraft, field: 'welcomeId' | 'unsubscribeId', prompt: string): Promise<Changed> {
  const text = await askText(`${prompt}. Empty for none`, String(draft[field] ?? ''), mailProblem);
  if (text === undefined) return undefined;
  const { [field]: _before, ...rest } = draft;
  return text === '' ? rest : { ...rest, [field]: Number(text) };
}

function mailWords(id: number | undefined): string {
  return id === undefined ? 'none' : `mail ${id}`;
}
