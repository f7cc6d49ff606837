import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { toServiceRef, type RecordRef, type ServiceRef } from '../../platform/connections/model.ts';
import { showPick, TargetPicker } from '../../platform/documents/recordCommands.ts';
import { createSwatch } from '../../platform/explorer/display.ts';
import { changeOnce, describeCreation, findNewId, runAfterChange } from '../sending/recordChanges.ts';
import type { ExtensionServices } from '../services.ts';
import { showWarning, withProgress } from '../../ui/messages.ts';
import {
  getColorName,
  validateColor,
  parseDraft,
  validateMailId,
  validateListName,
  createListRequest,
  getSwatches,
  type ListDraft,
} from './draft.ts';
import { formatList, localized } from '../../l10n.ts';
import { collection, findListsByName, readList } from './model.ts';
import { getFields, type CommandArgument } from '../../ui/commands.ts';

const getTitle = () => t('New List');

/**
 * Creates a list. The argument may contain fields by their API names; with a name, there are no prompts.
 * Returns undefined if the user cancels or the outcome is unconfirmed.
 */
export async function createList(
  services: ExtensionServices,
  argument: CommandArgument,
): Promise<RecordRef | undefined> {
  const fields = parseDraft(getFields(argument));
  const connection = await new TargetPicker(services.connections).pickConnection(argument, getTitle());
  if (connection === undefined) return undefined;
  const draft = fields.name === '' ? await promptForDraft(fields) : fields;
  return draft && createListFromDraft(services, toServiceRef(connection), draft);
}

/** Sends the request once. Returns undefined if the outcome is unconfirmed. */
async function createListFromDraft(
  services: ExtensionServices,
  service: ServiceRef,
  draft: ListDraft,
): Promise<RecordRef | undefined> {
  const { connections, explorer } = services;
  const { connection } = service;
  const request = createListRequest(draft);
  const texts = describeCreation(request.name);
  const findSameNameIds = async (signal: AbortSignal) => {
    const found = await connections.run(service, (client) => findListsByName(client, request.name, signal));
    return found.map(({ id }) => id);
  };
  const before = await withProgress(t('Reading the lists'), findSameNameIds);
  const check = async (signal: AbortSignal) => {
    explorer.refresh({ connection, collection });
    return findNewId(before, await findSameNameIds(signal));
  };
  return changeOnce({
    texts,
    request: async () => {
      const { listId } = await connections.run(service, (client) => client.createList(request));
      // The API document doesn't specify whether the response contains the id.
      return listId ?? withProgress(t('Reading the lists'), check).catch(() => undefined);
    },
    check,
    finish: async (id) => {
      if (id === undefined) {
        void showWarning(
          t`The service accepted the request, but has no new list "${request.name}". Check the lists before you create it again.`,
        );
        return undefined;
      }
      const ref = { ...service, id };
      explorer.refresh({ connection, collection });
      await runAfterChange(texts.done, () => reportDifferences(services, ref, draft));
      void explorer.reveal(collection, ref);
      return ref;
    },
  });
}

/** Warns about fields that the service stored differently. */
async function reportDifferences({ connections }: ExtensionServices, ref: RecordRef, draft: ListDraft) {
  const list = await withProgress(t('Reading the list'), (signal) =>
    connections.run(ref, (client) => readList(client, ref.id, signal, { fresh: true })),
  );
  const matches = {
    color: draft.color === undefined || list.color?.toLowerCase() === draft.color.toLowerCase(),
    active: list.active === null || (list.active === 1) === draft.active,
    visible: list.visible === null || (list.visible === 1) === draft.visible,
    welcomeId: draft.welcomeId === undefined || list.welcome_id === draft.welcomeId,
    unsubscribeId: draft.unsubscribeId === undefined || list.unsubscribe_id === draft.unsubscribeId,
  };
  const differentFields = Object.entries(matches).flatMap(([name, isSame]) => (isSame ? [] : [name]));
  if (differentFields.length > 0)
    void showWarning(
      t`"${draft.name}" was created, but the service stored these fields differently: ${formatList(differentFields)}.`,
    );
}

type DraftChange = Partial<ListDraft> | undefined;

/** A field that the user can edit before the list is created. `change` returns undefined if the user cancels. */
interface DraftField {
  readonly label: string;
  readonly codicon: string;
  show(draft: ListDraft): string;
  change(draft: ListDraft): Promise<DraftChange> | DraftChange;
}

const promptForName = ({ name }: ListDraft) =>
  promptForValue(t('Name of the list. Subscribers may see it.'), name, validateListName, (text) => ({
    name: text,
  }));

const getFieldRows = localized((): readonly DraftField[] => [
  { label: t('Name'), codicon: 'edit', show: ({ name }) => name, change: promptForName },
  {
    label: t('Color'),
    codicon: 'symbol-color',
    show: ({ color }) => (color === undefined ? t('chosen by the service') : getColorName(color)),
    change: pickColor,
  },
  {
    label: t({ message: 'Active', comment: 'State of a list' }),
    codicon: 'pass',
    show: ({ active }) => (active ? t('yes, emails can be sent to it') : t('no, no emails are sent to it')),
    change: ({ active }) => ({ active: !active }),
  },
  {
    label: t({ message: 'Visible', comment: 'State of a list' }),
    codicon: 'eye',
    show: ({ visible }) => (visible ? t('yes, shown on subscription forms') : t('no, hidden on subscription forms')),
    change: ({ visible }) => ({ visible: !visible }),
  },
  createMailField(
    t('Welcome email'),
    'welcomeId',
    t('ID of the email that new subscribers receive. Leave it empty for none.'),
  ),
  createMailField(
    t('Unsubscribe email'),
    'unsubscribeId',
    t('ID of the email that unsubscribed users receive. Leave it empty for none.'),
  ),
]);

function createMailField(label: string, field: 'welcomeId' | 'unsubscribeId', prompt: string): DraftField {
  return {
    label,
    codicon: 'mail',
    show: ({ [field]: id }) =>
      id === undefined
        ? t({ message: 'none', comment: 'No email' })
        : t({ message: 'email {0}', args: [id], comment: '{0} is the ID of an email' }),
    change: ({ [field]: id }) =>
      promptForValue(prompt, String(id ?? ''), validateMailId, (text) => ({
        [field]: text === '' ? undefined : Number(text),
      })),
  };
}

/** Prompts for the name, then shows all fields for editing. Returns undefined if the user cancels. */
async function promptForDraft(initial: ListDraft) {
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
function reviewDraft(draft: ListDraft, last: string) {
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly field?: DraftField }>();
  const create = {
    label: `$(add) ${t`Create "${draft.name.replaceAll('$(', '$\u200B(')}"`}`,
    description: t('With the values below'),
  };
  const rows = getFieldRows().map((field) => {
    const { label, codicon } = field;
    const image = field.change === pickColor && draft.color ? createSwatch(draft.color) : undefined;
    const iconPath = image === undefined ? new vscode.ThemeIcon(codicon) : vscode.Uri.parse(image);
    return { label, description: field.show(draft), iconPath, field };
  });
  pick.title = getTitle();
  pick.placeholder = t("Press Enter to create it, or select a value to change. You can't change it later.");
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
) {
  const options = { title: getTitle(), prompt, value, ignoreFocusOut: true, validateInput };
  const text = await vscode.window.showInputBox(options);
  return text === undefined ? undefined : toChange(text.trim());
}

async function pickColor(draft: ListDraft): Promise<DraftChange> {
  const other = {
    label: t('Other Color…'),
    description: '#rrggbb',
    iconPath: new vscode.ThemeIcon('symbol-color'),
    color: undefined,
  };
  const choices = getSwatches().map(([label, color]) => ({
    label,
    description: color,
    color,
    iconPath: vscode.Uri.parse(createSwatch(color) ?? ''),
  }));
  const picked = await vscode.window.showQuickPick([...choices, other], {
    title: getTitle(),
    placeHolder: t('Select a color for the list'),
    ignoreFocusOut: true,
  });
  if (picked === other)
    return promptForValue(t`Color of the list, as ${'#rrggbb'}`, draft.color ?? '#', validateColor, (color) => ({
      color,
    }));
  return picked && { color: picked.color };
}
