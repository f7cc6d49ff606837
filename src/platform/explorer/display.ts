import { isApiError, unreadableFields } from '../../service/client/shapes.ts';
import { profileLabels, type Connection, type ConnectionState } from '../connections/model.ts';
import { formatList, formatPair, localized, t } from '../../l10n.ts';
import { errorText } from '../../ui/errors.ts';
import { joinParts } from '../../service/format.ts';
import { escapeMarkdown, toSingleLine } from '../../service/text.ts';
import type { FilterField, FilterValues, RecordItem, TooltipRow } from './model.ts';

/** The display of a connection's state. */
interface StateItem {
  readonly codicon: string;
  /** Id of a theme color. */
  readonly color?: string;
  /** Shown beside the name; empty if the state is unknown. */
  readonly label: string;
  /** Suffix of `mailing.connection.`, for `when` clauses. */
  readonly context: string;
  /** How to fix it, for the tooltip. */
  readonly remedy?: string;
}

const getKeyRemedy = () => t('Set the API key with the button beside the name.');
const stateItems = localized((): Readonly<Record<Exclude<ConnectionState['kind'], 'failed'>, StateItem>> => ({
  unknown: { codicon: 'globe', label: '', context: 'unknown' },
  connected: {
    codicon: 'globe',
    color: 'charts.green',
    label: t({ message: 'connected', comment: 'State of a connection' }),
    context: 'connected',
  },
  keyMissing: {
    codicon: 'key',
    color: 'list.warningForeground',
    label: t({ message: 'key missing', comment: 'State of a connection' }),
    context: 'keyMissing',
    remedy: getKeyRemedy(),
  },
}));

export function getStateItem(state: ConnectionState, { sandbox }: Connection): StateItem {
  if (state.kind === 'failed') {
    const { icon: codicon, stateText: label } = state.error.info;
    const [context, remedy] = needsNewKey(state.error)
      ? ['keyRefused', getKeyRemedy()]
      : ['failed', t('Test the connection with the button beside the name.')];
    return { codicon, label, color: 'list.errorForeground', context, remedy };
  }
  const item = stateItems()[state.kind];
  return sandbox && state.kind !== 'keyMissing' ? { ...item, codicon: 'beaker' } : item;
}

/** Returns whether another API key would fix the error. */
export function needsNewKey(error: unknown): boolean {
  return isApiError(error) && error.info.buttons[0] === 'setApiKey';
}

/**
 * Returns the text beside the connection's name. The side bar is narrow, so problems come first. The sandbox's address
 * is omitted.
 */
export function describeConnection(connection: Connection, state: ConnectionState): string {
  const { label, remedy } = getStateItem(state, connection);
  const host = URL.canParse(connection.baseUrl) ? new URL(connection.baseUrl).host : '';
  const place = connection.sandbox ? t('sandbox') : host;
  return joinParts(remedy === undefined ? [place, label] : [label, place]);
}

export function getConnectionTooltip(connection: Connection, state: ConnectionState): readonly TooltipRow[] {
  const { label, remedy } = getStateItem(state, connection);
  const composingLabels = {
    documented: t({ message: 'unchanged', comment: "After the label 'Sends emails'" }),
    acymailing: t({ message: 'like AcyMailing', comment: "After the label 'Sends emails'" }),
  };
  const composing = connection.composing === undefined ? '' : composingLabels[connection.composing];
  return [
    [t('Name'), connection.name],
    [t('Address'), connection.baseUrl],
    [t('Profile'), profileLabels[connection.profile]],
    [t('Sends emails'), composing],
    [t('State'), label || t('not checked yet')],
    [t('Cause'), state.kind === 'failed' ? errorText(state.error) : ''],
    [t('What to do'), remedy ?? ''],
  ];
}

/** Returns a color swatch as an image URI. Undefined unless the text has the form `#rrggbb`. */
export function createSwatch(text: string): string | undefined {
  const value = text.trim();
  if (!/^#[0-9a-f]{6}$/i.test(value)) return undefined;
  // The outline keeps colors visible that match the background.
  const circle = `<circle cx="8" cy="8" r="5.5" fill="${value}" stroke="#808080" stroke-opacity=".6"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16">${circle}</svg>`;
  return `data:image/svg+xml;base64,${btoa(svg)}`;
}

/** Formats rows of name and value as Markdown, one per line, without empty values. */
export function formatTooltip(rows: readonly TooltipRow[]): string {
  return rows
    .map(([name, value]) => [escapeMarkdown(name, 40), escapeMarkdown(value, 300)] as const)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => formatPair(`**${name}**`, value))
    .join('  \n');
}

/** Adds a note to the item of a record that can't be read completely. */
export function addUnreadableNote(item: RecordItem, record: object): RecordItem {
  const fields = unreadableFields(record);
  if (fields.length === 0) return item;
  const note = t('partly unreadable');
  const cause = t`Fields in an undocumented format: ${formatList(fields)}`;
  return {
    ...item,
    description: joinParts([item.description, note]),
    tooltip: [...item.tooltip, [t("Can't be read"), cause]],
    accessibleName: [item.accessibleName ?? item.label, note].join(', '),
  };
}

/** Removes empty values and fields that the collection doesn't have. */
export function cleanFilter(fields: readonly FilterField[], values: FilterValues): FilterValues {
  const entries = fields.map(({ key }) => [key, typeof values[key] === 'string' ? values[key].trim() : ''] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}

export function isFiltered(values: FilterValues): boolean {
  return Object.keys(values).length > 0;
}

/** Describes a filter: `Name contains "sale", Type is Drag and drop`. Empty if nothing is filtered. */
export function describeFilter(fields: readonly FilterField[], values: FilterValues): string {
  return fields
    .filter(({ key }) => values[key] !== undefined)
    .map((field) => {
      const value = getValueLabel(field, values);
      return field.choices
        ? t({ message: '{0} is {1}', args: [field.label, value], comment: 'A filter, such as: State is Active' })
        : t`${field.label} contains "${value}"`;
    })
    .join(', ');
}

/** Returns the label of a field's value. */
export function getValueLabel({ key, choices }: FilterField, values: FilterValues): string {
  const value = values[key] ?? '';
  return choices?.find((choice) => choice.value === value)?.label ?? toSingleLine(value, 60);
}
