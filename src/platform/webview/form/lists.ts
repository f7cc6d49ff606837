import { icon, make, createSpokenComma } from '../dom.ts';
import { icons } from '../icons.ts';
import { makeButton, type CheckboxElement, type TextElement } from '../toolkit.ts';
import { getPathKey, type Edits } from './edits.ts';
import { Field } from './fields.ts';
import type { FormListChoice, JsonValue, Lists, Path } from './protocol.ts';

/** More lists than this get a filter box. */
const MIN_LISTS_TO_FILTER = 10;
/** Lists beyond this number are found with the filter. */
const MAX_ROWS = 100;

interface ListOptions {
  /** Path of the ids in the details. */
  readonly path: Path;
  readonly legend: string;
  /** Hint if the details have no ids. */
  readonly missingHint?: string;
}

/** Checkboxes for a list of ids. Only changes by the user are edits. */
export class IdCheckboxes {
  readonly #path: Path;
  readonly #edits: Edits;
  readonly #parent: HTMLElement;

  /** `parent` contains the checkboxes. */
  constructor(path: Path, edits: Edits, parent: HTMLElement) {
    this.#path = path;
    this.#edits = edits;
    this.#parent = parent;
  }

  make(id: number, enabled: boolean, label: string | HTMLElement): HTMLElement {
    const attributes = { 'data-id': String(id), 'data-field': `${getPathKey(this.#path)}/${id}` };
    const box = make('vscode-checkbox', attributes, label) as CheckboxElement;
    box.disabled = !enabled;
    box.addEventListener('change', () => {
      if (String(box.checked) === box.dataset['shown']) return;
      box.dataset['shown'] = String(box.checked);
      this.#edits.choose(this.#path, id, box.checked);
    });
    return box;
  }

  show(chosen: ReadonlySet<JsonValue>): void {
    for (const box of this.#parent.querySelectorAll<CheckboxElement>('vscode-checkbox')) {
      const isChosen = chosen.has(Number(box.dataset['id']));
      box.dataset['shown'] = String(isChosen);
      if (box.checked !== isChosen) box.checked = isChosen;
    }
  }
}

/** A checkbox for each of the service's lists. */
export class ListPicker extends Field {
  readonly element: HTMLElement;
  readonly #edits: Edits;
  readonly #retry: () => void;
  readonly #key: string;
  readonly #filter = make(
    'vscode-text-field',
    { class: 'filter', placeholder: 'Filter lists', hidden: '' },
    'Filter lists',
  ) as TextElement;
  readonly #status = make('div', { class: 'state', role: 'status', hidden: '' });
  readonly #rows = make('div', { class: 'rows' });
  readonly #boxes: IdCheckboxes;
  readonly #missingHint = make('p', { class: 'hint', hidden: '' });
  #lists: Lists = { kind: 'loading' };
  /** The ids in the text, or undefined if it has no such field. */
  #selectedIds: readonly number[] | undefined;
  #enabled = true;
  #renderedKey = '';

  /** `extra` is placed below the lists. */
  constructor(
    { path, legend, missingHint = '' }: ListOptions,
    edits: Edits,
    retry: () => void,
    ...extra: readonly HTMLElement[]
  ) {
    super(path);
    this.#key = getPathKey(path);
    this.#edits = edits;
    this.#boxes = new IdCheckboxes(path, edits, this.#rows);
    this.#retry = retry;
    this.#filter.dataset['field'] = `${this.#key}/filter`;
    this.#missingHint.textContent = missingHint;
    this.element = make(
      'fieldset',
      { class: 'section', 'aria-describedby': this.remarks.element.id },
      make('legend', {}, legend),
      this.#filter,
      this.#status,
      this.#rows,
      this.#missingHint,
      this.remarks.element,
      ...extra,
    );
    this.#filter.addEventListener('input', () => this.#render());
  }

  show(value: JsonValue): void {
    this.#selectedIds = Array.isArray(value)
      ? [...new Set(value.filter((id): id is number => Number.isInteger(id)))]
      : undefined;
    this.#missingHint.hidden = value !== undefined || this.#missingHint.textContent === '';
    this.#render();
  }

  showLists(lists: Lists): void {
    this.#lists = lists;
    this.#filter.hidden = lists.kind !== 'loaded' || lists.lists.length <= MIN_LISTS_TO_FILTER;
    this.#rows.classList.toggle('framed', !this.#filter.hidden);
    this.#showStatus();
    this.#render();
  }

  protected override get controls(): readonly never[] {
    return [];
  }

  override setEnabled(enabled: boolean): void {
    this.#enabled = enabled;
    this.#render();
  }

  override focus(): void {
    const first = this.#filter.hidden
      ? this.#rows.querySelector<HTMLElement>('vscode-checkbox, vscode-button')
      : this.#filter.control;
    first?.focus();
  }

  #showStatus(): void {
    const lists = this.#lists;
    const texts = {
      none: 'This file belongs to no service. Its lists are shown by their IDs.',
      loading: 'Loading the lists…',
      failed: '',
      loaded: 'The service has no lists yet.',
    };
    const hasStatus = lists.kind !== 'loaded' || lists.lists.length === 0;
    this.#status.hidden = !hasStatus;
    this.#status.classList.toggle('failed', lists.kind === 'failed');
    if (lists.kind === 'failed') {
      const failureText = make('span', {}, `The lists can’t be read: ${lists.message}`);
      this.#status.replaceChildren(
        make('p', { class: 'remark error' }, icon(icons.error), failureText),
        makeButton('Try Again', this.#retry),
      );
    } else if (hasStatus) this.#status.replaceChildren(texts[lists.kind]);
  }

  /** Renders the rows if they changed, and updates the checkboxes. */
  #render(): void {
    const { lists, incompleteNote } = this.#lists.kind === 'loaded' ? this.#lists : { lists: [] };
    const chosen = new Set(this.#selectedIds);
    const listedIds = new Set(lists.map(({ id }) => id));
    // While lists are loading, no list counts as missing.
    const unlisted = this.#lists.kind === 'loading' ? [] : [...chosen].filter((id) => !listedIds.has(id));
    const query = (this.#filter.hidden ? '' : (this.#filter.control?.value ?? '')).trim().toLocaleLowerCase();
    const matches = lists.filter(({ name }) => name.toLocaleLowerCase().includes(query));
    // Selected lists are always shown, whatever their number.
    const shown =
      matches.length <= MAX_ROWS
        ? matches
        : [
            ...matches.filter(({ id }) => chosen.has(id)),
            ...matches.filter(({ id }) => !chosen.has(id)).slice(0, MAX_ROWS),
          ];
    const renderedKey = JSON.stringify([this.#lists.kind, query, unlisted, shown.map(({ id }) => id), this.#enabled]);
    if (renderedKey !== this.#renderedKey) {
      this.#renderedKey = renderedKey;
      const focused = this.#focusedRow();
      const hiddenCount = matches.length - shown.length;
      this.#rows.replaceChildren(
        ...unlisted.map((id) => this.#createUnlistedRow(id)),
        ...shown.map((list) => this.#createRow(list)),
        ...(hiddenCount > 0
          ? [make('p', { class: 'hint' }, `${hiddenCount} more. Type part of a name to find them.`)]
          : []),
        ...(query !== '' && matches.length === 0 ? [make('p', { class: 'hint' }, 'No matching lists.')] : []),
        ...(incompleteNote === undefined ? [] : [make('p', { class: 'hint' }, incompleteNote)]),
      );
      this.#rows.hidden = this.#rows.childElementCount === 0;
      if (focused !== undefined)
        (
          this.#rows.querySelector<HTMLElement>(`[data-field="${this.#key}/${focused}"]`) ??
          this.#rows.querySelector<HTMLElement>('[data-field]')
        )?.focus();
    }
    this.#boxes.show(chosen);
  }

  #focusedRow(): string | undefined {
    const { activeElement } = document;
    return activeElement instanceof HTMLElement && this.#rows.contains(activeElement)
      ? activeElement.dataset['id']
      : undefined;
  }

  #createRow({ id, name, color, subscribers, note }: FormListChoice): HTMLElement {
    const swatch = make('i', { class: 'swatch', 'aria-hidden': 'true' });
    if (color !== undefined) swatch.style.background = color;
    const row = make('span', { class: 'row' }, swatch, make('span', { class: 'name', title: name }, name));
    if (note !== undefined) row.append(make('span', { class: 'note' }, createSpokenComma(), note));
    if (subscribers !== undefined) row.append(make('span', { class: 'count' }, createSpokenComma(), subscribers));
    return this.#boxes.make(id, this.#enabled, row);
  }

  /** Creates the row of an id that is not among the loaded lists. */
  #createUnlistedRow(id: number): HTMLElement {
    // If not all lists were read, the list may still exist.
    const isMissing = this.#lists.kind === 'loaded' && this.#lists.incompleteNote === undefined;
    const attributes = {
      'aria-label': `Remove list #${id}`,
      'data-field': `${this.#key}/${id}`,
      'data-id': String(id),
    };
    const remove = makeButton('Remove', () => this.#edits.choose(this.path, id, false), attributes);
    remove.disabled = !this.#enabled;
    const name = make('span', { class: 'name' }, isMissing ? `List #${id} (not found)` : `List #${id}`);
    return make(
      'div',
      { class: `row lost ${isMissing ? 'missing' : ''}` },
      ...(isMissing ? [icon(icons.warning)] : []),
      name,
      remove,
    );
  }
}
