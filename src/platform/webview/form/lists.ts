import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../../l10n.ts';
import { createColorSample, createSpokenComma, icon, make } from '../dom.ts';
import { icons } from '../icons.ts';
import { makeButton, type CheckboxElement } from '../toolkit.ts';
import { getPathKey, type Edits } from './edits.ts';
import { Field } from './fields.ts';
import type { FormListChoice, JsonValue, Lists, Path } from './protocol.ts';

/** More lists than this get a filter box. */
const MIN_LISTS_TO_FILTER = 10;
/** Lists beyond this number are found with the filter. */
const MAX_ROWS = 100;

/** Rows with checkboxes for a list of ids. Only changes by the user are edits. */
export abstract class IdField extends Field {
  protected readonly rows: HTMLElement;
  protected readonly edits: Edits;
  /** The ids in the text. */
  protected selectedIds: ReadonlySet<number> = new Set();
  protected isEnabled = true;
  #renderedKey = '';

  constructor(path: Path, edits: Edits, element: HTMLElement, rows: HTMLElement) {
    element.append(rows);
    super(path, element);
    this.rows = rows;
    this.edits = edits;
  }

  show(value: JsonValue): void {
    this.selectedIds = new Set(Array.isArray(value) ? value.filter((id): id is number => Number.isInteger(id)) : []);
    this.render();
  }

  override setEnabled(enabled: boolean): void {
    this.isEnabled = enabled;
    this.render();
  }

  override focus(): void {
    this.rows.querySelector<HTMLElement>('[data-field]')?.focus();
  }

  /** Renders the rows if they changed, and updates the checkboxes. */
  protected abstract render(): void;

  /** Renders rows unless those of the same key are shown, and checks the selected ids. */
  protected renderRows(key: unknown, createRows: () => readonly HTMLElement[]): void {
    const renderedKey = JSON.stringify([key, this.isEnabled]);
    if (renderedKey !== this.#renderedKey) {
      this.#renderedKey = renderedKey;
      const { activeElement } = document;
      const field = this.rows.contains(activeElement) && activeElement?.getAttribute('data-field');
      this.rows.replaceChildren(...createRows());
      if (field) (this.rows.querySelector<HTMLElement>(`[data-field="${field}"]`) ?? this).focus();
    }
    for (const box of this.rows.querySelectorAll<CheckboxElement>('vscode-checkbox'))
      box.checked = this.selectedIds.has(Number(box.dataset['id']));
  }

  protected createCheckbox(id: number, label: string | HTMLElement): HTMLElement {
    const attributes = { 'data-id': id, 'data-field': `${getPathKey(this.path)}/${id}` };
    const box = make('vscode-checkbox', attributes, label);
    box.disabled = !this.isEnabled;
    box.addEventListener('change', () => {
      if (box.checked === this.selectedIds.has(id)) return;
      const others = [...this.selectedIds].filter((each) => each !== id);
      this.selectedIds = new Set(box.checked ? [...others, id] : others);
      this.edits.choose(this.path, id, box.checked);
    });
    return box;
  }
}

/** A checkbox for each of the service's lists. */
export class ListPicker extends IdField {
  readonly #retry: () => void;
  readonly #filter = make(
    'vscode-text-field',
    { class: 'filter', placeholder: l10n.t('Filter lists'), hidden: '' },
    l10n.t('Filter lists'),
  );
  readonly #status = make('div', { class: 'state', role: 'status', hidden: '' });
  readonly #missingHint: string;
  #lists: Lists = { kind: 'loading' };

  /** `missingHint` is shown if the details have no ids. */
  constructor(
    { path, legend, missingHint = '' }: { readonly path: Path; readonly legend: string; readonly missingHint?: string },
    edits: Edits,
    retry: () => void,
  ) {
    const element = make('fieldset', { class: 'section' }, make('legend', {}, legend));
    super(path, edits, element, make('div', { class: 'rows' }));
    this.#retry = retry;
    this.#missingHint = missingHint;
    this.#filter.dataset['field'] = `${getPathKey(path)}/filter`;
    this.#filter.addEventListener('input', () => this.render());
    this.rows.before(this.#filter, this.#status);
  }

  override show(value: JsonValue): void {
    this.setHint(value === undefined ? this.#missingHint : '');
    super.show(value);
  }

  showLists(lists: Lists): void {
    this.#lists = lists;
    this.#filter.hidden = lists.kind !== 'loaded' || lists.lists.length <= MIN_LISTS_TO_FILTER;
    this.rows.classList.toggle('framed', !this.#filter.hidden);
    this.#status.hidden = lists.kind === 'loaded' && lists.lists.length > 0;
    this.#status.classList.toggle('failed', lists.kind === 'failed');
    if (lists.kind === 'failed') {
      const text = make('span', {}, l10n.t`Couldn't read the lists: ${lists.message}`);
      const remark = make('p', { class: 'remark error' }, icon(icons.error), text);
      this.#status.replaceChildren(remark, makeButton(l10n.t('Retry'), this.#retry));
    } else {
      const texts = {
        none: l10n.t('This file belongs to no service, so its lists are shown by ID.'),
        loading: l10n.t('Loading lists…'),
        loaded: l10n.t('The service has no lists yet.'),
      };
      this.#status.replaceChildren(texts[lists.kind]);
    }
    this.render();
  }

  override focus(): void {
    if (this.#filter.hidden) super.focus();
    else this.#filter.focus();
  }

  protected override render(): void {
    const { kind } = this.#lists;
    const { lists, incompleteNote } = kind === 'loaded' ? this.#lists : { lists: [] };
    const chosen = this.selectedIds;
    const listedIds = new Set(lists.map(({ id }) => id));
    // While lists are loading, no list counts as missing.
    const unlisted = kind === 'loading' ? [] : [...chosen].filter((id) => !listedIds.has(id));
    const query = (this.#filter.hidden ? '' : (this.#filter.control?.value ?? '')).trim().toLocaleLowerCase();
    const matches = lists.filter(({ name }) => name.toLocaleLowerCase().includes(query));
    // Selected lists are always shown, whatever their number.
    const isLong = matches.length > MAX_ROWS;
    const shown = [
      ...matches.filter(({ id }) => isLong && chosen.has(id)),
      ...matches.filter(({ id }) => !isLong || !chosen.has(id)).slice(0, MAX_ROWS),
    ];
    const hiddenCount = matches.length - shown.length;
    const hints = [
      ...(hiddenCount > 0 ? [l10n.t`${formatNumber(hiddenCount)} more. Type part of a name to find them.`] : []),
      ...(query !== '' && matches.length === 0 ? [l10n.t('No matching lists.')] : []),
      ...(incompleteNote === undefined ? [] : [incompleteNote]),
    ];
    this.renderRows([kind, unlisted, shown.map(({ id }) => id), hints], () => [
      // If not all lists were read, the list may still exist.
      ...unlisted.map((id) => this.#createUnlistedRow(id, kind === 'loaded' && incompleteNote === undefined)),
      ...shown.map((list) => this.#createRow(list)),
      ...hints.map((hint) => make('p', { class: 'hint' }, hint)),
    ]);
    this.rows.hidden = this.rows.childElementCount === 0;
  }

  #createRow({ id, name, color, subscribers, note }: FormListChoice): HTMLElement {
    const row = make(
      'span',
      { class: 'row' },
      createColorSample(color),
      make('span', { class: 'name', title: name }, name),
      note && make('span', { class: 'note' }, createSpokenComma(), note),
      subscribers && make('span', { class: 'count' }, createSpokenComma(), subscribers),
    );
    return this.createCheckbox(id, row);
  }

  /** Creates the row of an id that is not among the loaded lists. */
  #createUnlistedRow(id: number, isMissing: boolean): HTMLElement {
    const remove = makeButton(l10n.t('Remove'), () => this.edits.choose(this.path, id, false), {
      'aria-label': l10n.t`Remove list #${id}`,
      'data-field': `${getPathKey(this.path)}/${id}`,
    });
    remove.disabled = !this.isEnabled;
    const name = make('span', { class: 'name' }, isMissing ? l10n.t`List #${id} (not found)` : l10n.t`List #${id}`);
    const symbol = isMissing && icon(icons.warning);
    return make('div', { class: `row lost ${isMissing ? 'missing' : ''}` }, symbol, name, remove);
  }
}
