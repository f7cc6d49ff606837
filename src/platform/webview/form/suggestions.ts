import { make, createSpokenComma } from '../dom.ts';
import type { TextElement } from '../toolkit.ts';

interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** What may stand at the caret of a text field. UTF-16 offsets. */
export interface Suggestion {
  readonly label: string;
  /** What comes of it; empty: nothing, or it is not known. */
  readonly example: string;
  readonly description: string;
  /** What it makes of the field's text, and what is selected then. */
  readonly edit: TextRange & { readonly text: string; readonly selection: TextRange };
  /** Whether there is more to choose behind it. */
  readonly continues: boolean;
}

/** What may stand at an offset of a text, the best first; empty where nothing is to be offered. */
export type Suggest = (text: string, offset: number) => readonly Suggestion[];

/** How far Page Up and Page Down go. */
const PAGE_STEP = 8;
/** Keys that move the caret, away from what was offered there. */
const caretKeys: ReadonlySet<string> = new Set(['ArrowLeft', 'ArrowRight', 'Home', 'End']);

/** Offers what may stand at the caret of a text field, in a list below it. While that is there, the field is a combo box. */
export class Suggestions {
  /** Holds the field, which the list is placed by. */
  readonly element: HTMLElement;
  readonly #field: TextElement;
  readonly #trigger: RegExp;
  readonly #suggest: Suggest;
  readonly #list: HTMLElement;
  readonly #description = make('p', { class: 'about', 'aria-hidden': 'true' });
  readonly #box = make('div', { class: 'offered', hidden: '' });
  readonly #count = make('span', { class: 'heard', role: 'status' });
  readonly #keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => this.#activate((this.#active + 1) % this.#suggestions.length),
    ArrowUp: () => this.#activate((this.#active || this.#suggestions.length) - 1),
    PageDown: () => this.#activate(Math.min(this.#active + PAGE_STEP, this.#suggestions.length - 1)),
    PageUp: () => this.#activate(Math.max(this.#active - PAGE_STEP, 0)),
    Enter: () => this.#choose(),
    Tab: () => this.#choose(),
    Escape: () => {
      this.#isDismissed = true;
      this.#close();
    },
  };
  #suggestions: readonly Suggestion[] = [];
  #active = 0;
  /** The user has closed it: it comes back with the next of the signs. */
  #isDismissed = false;

  /** `label`: what is offered, in the plural. `signs`: what opens the list where it is typed, one letter each. */
  constructor(field: TextElement, label: string, triggerCharacters: string, suggest: Suggest) {
    this.#field = field;
    this.#trigger = new RegExp(`[${triggerCharacters}]$`, 'u');
    this.#suggest = suggest;
    this.#list = make('div', { class: 'options', role: 'listbox', 'aria-label': label });
    this.#box.append(this.#list, this.#description);
    this.element = make('div', { class: 'suggesting' });
    field.replaceWith(this.element);
    this.element.append(field, this.#box, this.#count);
    field.addEventListener('input', (event) => this.#handleInput(event as InputEvent));
    field.addEventListener('keydown', (event) => this.#handleKey(event));
    field.addEventListener('click', () => this.#close());
    field.addEventListener('focusout', () => this.#close());
    // The field keeps the focus.
    this.#box.addEventListener('mousedown', (event) => event.preventDefault());
    this.#list.addEventListener('click', ({ target }) => {
      const index = [...this.#list.children].findIndex((option) => target instanceof Node && option.contains(target));
      if (index < 0) return;
      this.#active = index;
      this.#choose();
    });
  }

  #handleInput({ data, inputType, isComposing }: InputEvent): void {
    if (this.#trigger.test(data ?? '')) this.#isDismissed = false;
    const isTyping = !this.#box.hidden || (inputType ?? '').startsWith('insert');
    if (isTyping && !isComposing && !this.#isDismissed) this.#open();
    else this.#close();
  }

  #handleKey(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey, shiftKey, isComposing } = event;
    if (isComposing) return;
    const isRequested = key === ' ' && ctrlKey;
    const isPlain = !ctrlKey && !metaKey && !altKey && !shiftKey;
    if (caretKeys.has(key)) this.#close();
    const act = isRequested
      ? () => this.#open()
      : !this.#box.hidden && isPlain && Object.hasOwn(this.#keys, key)
        ? this.#keys[key]
        : undefined;
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  #open(): void {
    const { control } = this.#field;
    this.#suggestions =
      control && !control.readOnly ? this.#suggest(control.value, control.selectionEnd ?? control.value.length) : [];
    if (!control || this.#suggestions.length === 0) return this.#close();
    this.#list.replaceChildren(...this.#suggestions.map(createOption));
    this.#box.hidden = false;
    this.#count.textContent = `${this.#suggestions.length} ${this.#suggestions.length === 1 ? 'suggestion' : 'suggestions'}`;
    control.role = 'combobox';
    control.ariaAutoComplete = 'list';
    control.ariaExpanded = 'true';
    control.ariaControlsElements = [this.#list];
    this.#activate(0);
  }

  #close(): void {
    const { control } = this.#field;
    if (this.#box.hidden) return;
    this.#box.hidden = true;
    this.#count.textContent = '';
    if (!control) return;
    control.ariaActiveDescendantElement = null;
    control.ariaControlsElements = null;
    control.ariaExpanded = null;
    control.ariaAutoComplete = null;
    control.role = null;
  }

  #activate(index: number): void {
    this.#active = index;
    [...this.#list.children].forEach((option, at) => {
      option.ariaSelected = String(at === index);
    });
    const option = this.#list.children[index];
    this.#description.textContent = this.#suggestions[index]?.description ?? '';
    option?.scrollIntoView({ block: 'nearest' });
    if (this.#field.control) this.#field.control.ariaActiveDescendantElement = option ?? null;
  }

  #choose(): void {
    const chosen = this.#suggestions[this.#active];
    const { control } = this.#field;
    this.#close();
    if (!chosen || !control) return;
    const { start, end, text, selection } = chosen.edit;
    control.setRangeText(text, start, end);
    control.setSelectionRange(selection.start, selection.end);
    // Whoever follows the field learns of it as if it had been typed.
    control.dispatchEvent(
      new InputEvent('input', { bubbles: true, composed: true, data: text, inputType: 'insertReplacementText' }),
    );
    if (chosen.continues) this.#open();
    else this.#close();
  }
}

function createOption({ label, example, description }: Suggestion): HTMLElement {
  const shown = example === '' ? [] : [createSpokenComma(), make('span', { class: 'example', dir: 'auto' }, example)];
  const heard = make('span', { class: 'heard' }, `, ${description}`);
  return make('div', { class: 'option', role: 'option' }, make('span', { class: 'name' }, label), ...shown, heard);
}
