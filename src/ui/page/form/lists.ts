import { t } from '@vscode/l10n';
import { formatNumber } from '../../../l10n.ts';
import { createColorSample, createSpokenComma, icon, make } from '../dom.ts';
import { icons } from '../icons.ts';
import { makeButton, type CheckboxElement } from '../toolkit.ts';
import { getPathKey, type Edits } from './edits.ts';
import { createField } from './fields.ts';
import type { FormListChoice, JsonValue, Lists, Path } from './protocol.ts';

/** More lists than this get a filter box. */
const MIN_LISTS_TO_FILTER = 10;
/** Lists beyond this number are found with the filter. */
const MAX_ROWS = 100;

/** Creates rows with checkboxes for a list of ids. Only changes by the user are edits. `render` calls `renderRows`. */
export function createIdField(path: Path, edits: Edits, element: HTMLElement, rows: HTMLElement, render: () => void) {
  element.append(rows);
  /** The ids in the text. */
  let selectedIds: ReadonlySet<number> = new Set();
  let isEnabled = true;
  let renderedKey = '';
  return {
    ...createField(path, element),
    isEnabled: () => isEnabled,
    getSelectedIds: () => selectedIds,
    show: (value: JsonValue) => {
      selectedIds = new Set(Array.isArray(value) ? value.filter((id): id is number => Number.isInteger(id)) : []);
      render();
    },
    setEnabled: (enabled: boolean) => {
      isEnabled = enabled;
      render();
    },
    focus: (options?: FocusOptions) => findFirstControl(element)?.focus(options),
    /** Renders rows unless those of the same key are shown, and checks the selected ids. */
    renderRows: (key: unknown, createRows: () => readonly HTMLElement[]) => {
      const newKey = JSON.stringify([key, isEnabled]);
      if (newKey !== renderedKey) {
        renderedKey = newKey;
        const { activeElement } = document;
        const focused = rows.contains(activeElement) && activeElement?.getAttribute('data-field');
        rows.replaceChildren(...createRows());
        if (focused)
          (rows.querySelector<HTMLElement>(`[data-field="${focused}"]`) ?? findFirstControl(element))?.focus();
      }
      for (const box of rows.querySelectorAll<CheckboxElement>('vscode-checkbox'))
        box.checked = selectedIds.has(Number(box.dataset['id']));
    },
    createCheckbox: (id: number, label: string | HTMLElement) => {
      const box = make('vscode-checkbox', { 'data-id': id, 'data-field': `${getPathKey(path)}/${id}` }, label);
      box.disabled = !isEnabled;
      box.addEventListener('change', () => {
        if (box.checked === selectedIds.has(id)) return;
        const others = [...selectedIds].filter((each) => each !== id);
        selectedIds = new Set(box.checked ? [...others, id] : others);
        edits.choose(path, id, box.checked);
      });
      return box;
    },
  };
}

function findFirstControl(element: HTMLElement) {
  return element.querySelector<HTMLElement>('[data-field]:not([hidden])');
}

/** Creates a checkbox for each of the service's lists. `missingHint` is shown if the details have no ids. */
export function createListPicker(
  { path, legend, missingHint = '' }: { readonly path: Path; readonly legend: string; readonly missingHint?: string },
  edits: Edits,
  retry: () => void,
) {
  const key = getPathKey(path);
  const element = make('fieldset.section', make('legend', legend));
  const rows = make('div.rows');
  const filterLabel = t('Filter lists');
  const attributes = { class: 'filter', placeholder: filterLabel, hidden: '', 'data-field': `${key}/filter` };
  const filter = make('vscode-text-field', attributes, filterLabel);
  const status = make('div.state', { role: 'status', hidden: '' });
  const field = createIdField(path, edits, element, rows, render);
  let state: Lists = { kind: 'loading' };
  filter.addEventListener('input', render);
  rows.before(filter, status);

  function render() {
    const { kind } = state;
    const { lists, incompleteNote } = kind === 'loaded' ? state : { lists: [] };
    const chosen = field.getSelectedIds();
    const listedIds = new Set(lists.map(({ id }) => id));
    // While lists are loading, no list counts as missing.
    const unlisted = kind === 'loading' ? [] : [...chosen].filter((id) => !listedIds.has(id));
    const query = (filter.hidden ? '' : (filter.control?.value ?? '')).trim().toLocaleLowerCase();
    const matches = lists.filter(({ name }) => name.toLocaleLowerCase().includes(query));
    // Selected lists are always shown, whatever their number.
    const isLong = matches.length > MAX_ROWS;
    const shown = [
      ...matches.filter(({ id }) => isLong && chosen.has(id)),
      ...matches.filter(({ id }) => !isLong || !chosen.has(id)).slice(0, MAX_ROWS),
    ];
    const hiddenCount = matches.length - shown.length;
    const hints = [
      ...(hiddenCount > 0 ? [t`${formatNumber(hiddenCount)} more. Type part of a name to find them.`] : []),
      ...(query !== '' && matches.length === 0 ? [t('No matching lists.')] : []),
      ...(incompleteNote === undefined ? [] : [incompleteNote]),
    ];
    field.renderRows([kind, unlisted, shown.map(({ id }) => id), hints], () => [
      // If not all lists were read, the list may still exist.
      ...unlisted.map((id) => createUnlistedRow(id, kind === 'loaded' && incompleteNote === undefined)),
      ...shown.map(createRow),
      ...hints.map((hint) => make('p.hint', hint)),
    ]);
    rows.hidden = rows.childElementCount === 0;
  }

  function createRow({ id, name, color, subscribers, note }: FormListChoice) {
    const row = make(
      'span.row',
      createColorSample(color),
      make('span.name', { title: name }, name),
      note && make('span.note', createSpokenComma(), note),
      subscribers && make('span.count', createSpokenComma(), subscribers),
    );
    return field.createCheckbox(id, row);
  }

  /** Creates the row of an id that is not among the loaded lists. */
  function createUnlistedRow(id: number, isMissing: boolean) {
    const remove = makeButton(t('Remove'), () => edits.choose(path, id, false), {
      'aria-label': t`Remove list #${id}`,
      'data-field': `${key}/${id}`,
    });
    remove.disabled = !field.isEnabled();
    const name = make('span.name', isMissing ? t`List #${id} (not found)` : t`List #${id}`);
    const symbol = isMissing && icon(icons.warning);
    return make(isMissing ? 'div.row.lost.missing' : 'div.row.lost', symbol, name, remove);
  }

  return {
    ...field,
    show: (value: JsonValue) => {
      field.setHint(value === undefined ? missingHint : '');
      field.show(value);
    },
    showLists: (lists: Lists) => {
      state = lists;
      filter.hidden = lists.kind !== 'loaded' || lists.lists.length <= MIN_LISTS_TO_FILTER;
      rows.classList.toggle('framed', !filter.hidden);
      status.hidden = lists.kind === 'loaded' && lists.lists.length > 0;
      status.classList.toggle('failed', lists.kind === 'failed');
      if (lists.kind === 'failed') {
        const text = make('span', t`Couldn't read the lists: ${lists.message}`);
        status.replaceChildren(make('p.remark.error', icon(icons.error), text), makeButton(t('Retry'), retry));
      } else {
        const texts = {
          none: t('This file belongs to no service, so its lists are shown by ID.'),
          loading: t('Loading lists…'),
          loaded: t('The service has no lists yet.'),
        };
        status.replaceChildren(texts[lists.kind]);
      }
      render();
    },
  };
}
