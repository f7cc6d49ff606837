import { formatNumber, t } from '../../../l10n.ts';
import { createColorSample, createSpokenComma, icon, make } from '../dom.ts';
import { icons } from '../icons.ts';
import { makeButton, type CheckboxElement, type TextElement } from '../toolkit.ts';
import { dispatchEdit, getPathKey } from './edits.ts';
import { Field } from './fields.ts';
import type { FormListChoice, JsonValue, Lists, Path } from './protocol.ts';

/** More lists than this get a filter box. */
const MIN_LISTS_TO_FILTER = 10;
/** Lists beyond this number are found with the filter. */
const MAX_ROWS = 100;

/** Rows with checkboxes for a list of ids. Only changes by the user are edits. The rows always match their key and the enabled state. */
export abstract class IdField extends Field {
  /** The ids in the text. */
  protected selectedIds: ReadonlySet<number> = new Set();
  protected isEnabled = true;
  readonly #rows: HTMLElement;
  #renderedKey = '';

  constructor(path: Path, element: HTMLElement, rows: HTMLElement) {
    element.append(rows);
    super(path, element);
    this.#rows = rows;
  }

  /** Calls `renderRows`. */
  protected abstract render(): void;

  show(value: JsonValue): void {
    this.selectedIds = new Set(Array.isArray(value) ? value.filter((id): id is number => Number.isInteger(id)) : []);
    this.render();
  }

  override setEnabled(enabled: boolean): void {
    this.isEnabled = enabled;
    this.render();
  }

  override focus(options?: FocusOptions): void {
    this.element.querySelector<HTMLElement>('[data-field]:not([hidden])')?.focus(options);
  }

  /** Renders rows unless those of the same key are shown, and checks the selected ids. */
  protected renderRows(key: unknown, createRows: () => readonly HTMLElement[]): void {
    const rows = this.#rows;
    const newKey = JSON.stringify([key, this.isEnabled]);
    if (newKey !== this.#renderedKey) {
      this.#renderedKey = newKey;
      const { activeElement } = document;
      const focused = rows.contains(activeElement) && activeElement?.getAttribute('data-field');
      rows.replaceChildren(...createRows());
      if (focused) (rows.querySelector<HTMLElement>(`[data-field="${focused}"]`) ?? this).focus();
    }
    for (const box of rows.querySelectorAll<CheckboxElement>('vscode-checkbox'))
      box.checked = this.selectedIds.has(Number(box.dataset['id']));
  }

  protected createCheckbox(id: number, label: string | HTMLElement): HTMLElement {
    const box = make('vscode-checkbox', { 'data-id': id, 'data-field': this.getRowKey(id) }, label);
    box.disabled = !this.isEnabled;
    box.addEventListener('change', () => {
      if (box.checked === this.selectedIds.has(id)) return;
      const others = [...this.selectedIds].filter((each) => each !== id);
      this.selectedIds = new Set(box.checked ? [...others, id] : others);
      this.choose(id, box.checked);
    });
    return box;
  }

  protected choose(id: number, chosen: boolean): void {
    dispatchEdit(this.element, { type: 'choose', path: this.path, id, chosen });
  }

  protected getRowKey(name: string | number): string {
    return getPathKey([...this.path, name]);
  }
}

/** A checkbox for each of the service's lists. */
export class ListPicker extends IdField {
  readonly #rows: HTMLElement;
  readonly #missingHint: string;
  readonly #retry: () => void;
  readonly #filter: TextElement;
  readonly #status = make('div.state', { role: 'status', hidden: '' });
  #lists: Lists = { kind: 'loading' };

  /** `missingHint` is shown if the details have no ids. */
  constructor(path: Path, legend: string, retry: () => void, missingHint = '') {
    const rows = make('div.rows');
    super(path, make('fieldset.section', make('legend', legend)), rows);
    this.#rows = rows;
    this.#missingHint = missingHint;
    this.#retry = retry;
    const filterLabel = t('Filter lists');
    const attributes = { placeholder: filterLabel, hidden: '', 'data-field': this.getRowKey('filter') };
    this.#filter = make('vscode-text-field.filter', attributes, filterLabel);
    this.#filter.addEventListener('input', () => this.render());
    rows.before(this.#filter, this.#status);
  }

  override show(value: JsonValue): void {
    this.setHint(value === undefined ? this.#missingHint : '');
    super.show(value);
  }

  showLists(lists: Lists): void {
    const { kind } = lists;
    this.#lists = lists;
    this.#filter.hidden = kind !== 'loaded' || lists.lists.length <= MIN_LISTS_TO_FILTER;
    this.#rows.classList.toggle('framed', !this.#filter.hidden);
    this.#status.hidden = kind === 'loaded' && lists.lists.length > 0;
    this.#status.classList.toggle('failed', kind === 'failed');
    if (kind === 'failed') {
      const text = make('span', t`Couldn't read the lists: ${lists.message}`);
      const remark = make('p.remark.error', icon(icons.error), text);
      this.#status.replaceChildren(remark, makeButton(t('Retry'), this.#retry));
    } else {
      const texts = {
        none: t('This file belongs to no service, so its lists are shown by ID.'),
        loading: t('Loading lists…'),
        loaded: t('The service has no lists yet.'),
      };
      this.#status.replaceChildren(texts[kind]);
    }
    this.render();
  }

  protected render(): void {
    const { kind } = this.#lists;
    const { lists, incompleteNote } = kind === 'loaded' ? this.#lists : { lists: [] };
    const listedIds = new Set(lists.map(({ id }) => id));
    // While lists are loading, no list counts as missing.
    const unlisted = kind === 'loading' ? [] : [...this.selectedIds].filter((id) => !listedIds.has(id));
    const query = (this.#filter.hidden ? '' : (this.#filter.control?.value ?? '')).trim().toLocaleLowerCase();
    const matches = lists.filter(({ name }) => name.toLocaleLowerCase().includes(query));
    // Selected lists are always shown, whatever their number.
    const isLong = matches.length > MAX_ROWS;
    const isFirst = ({ id }: FormListChoice) => isLong && this.selectedIds.has(id);
    const others = matches.filter((list) => !isFirst(list));
    const shown = [...matches.filter(isFirst), ...others.slice(0, MAX_ROWS)];
    const hiddenCount = matches.length - shown.length;
    const hints = [
      hiddenCount > 0 && t`${formatNumber(hiddenCount)} more. Type part of a name to search.`,
      query !== '' && matches.length === 0 && t('No matching lists.'),
      incompleteNote,
    ].filter((hint) => hint !== undefined && hint !== false);
    this.renderRows([kind, unlisted, shown.map(({ id }) => id), hints], () => [
      // If not all lists were read, the list may still exist.
      ...unlisted.map((id) => this.#createUnlistedRow(id, kind === 'loaded' && incompleteNote === undefined)),
      ...shown.map((list) => this.createCheckbox(list.id, createRow(list))),
      ...hints.map((hint) => make('p.hint', hint)),
    ]);
    this.#rows.hidden = this.#rows.childElementCount === 0;
  }

  /** Creates the row of an id that is not among the loaded lists. */
  #createUnlistedRow(id: number, isMissing: boolean) {
    const remove = makeButton(t('Remove'), () => this.choose(id, false), {
      'aria-label': t`Remove list #${id}`,
      'data-field': this.getRowKey(id),
    });
    remove.disabled = !this.isEnabled;
    const name = make('span.name', isMissing ? t`List #${id} (not found)` : t`List #${id}`);
    const symbol = isMissing && icon(icons.warning);
    return make(isMissing ? 'div.row.lost.missing' : 'div.row.lost', symbol, name, remove);
  }
}

function createRow({ name, color, subscribers, note }: FormListChoice) {
  return make(
    'span.row',
    createColorSample(color),
    make('span.name', { title: name }, name),
    note && make('span.note', createSpokenComma(), note),
    subscribers && make('span.count', createSpokenComma(), subscribers),
  );
}
