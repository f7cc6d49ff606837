import './suggestions.css';
import { plural, t } from '../../../l10n.ts';
import { make, createSpokenComma } from '../dom.ts';
import type { TextElement } from '../toolkit.ts';

interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A suggestion at the caret of a text field. Offsets are UTF-16. */
export interface Suggestion {
  readonly label: string;
  /** An example of the result. Empty if there is none. */
  readonly example: string;
  readonly description: string;
  /** The edit of the field's text, and the selection after it. */
  readonly edit: TextRange & { readonly text: string; readonly selection: TextRange };
  /** Whether more suggestions follow. */
  readonly continues: boolean;
}

/** Characters that open the suggestions when they are typed. */
const triggerPattern = /[{:|/]$/u;
const PAGE_STEP = 8;

/** Suggestions in a list below a text field, the best first. While the list is open, the field is always a combobox, and one suggestion is active. */
export class Suggestions {
  readonly #field: TextElement;
  readonly #suggest: (text: string, offset: number) => readonly Suggestion[];
  readonly #list = make('div.options', { tabindex: '0', role: 'listbox', 'aria-label': t('Tags') });
  readonly #description = make('p.about', { 'aria-hidden': 'true' });
  readonly #box = make('div.offered', { hidden: '' }, this.#list, this.#description);
  readonly #count = make('span.heard', { role: 'status' });
  #suggestions: readonly Suggestion[] = [];
  #active = 0;
  /** The user closed the list. The next trigger character opens it again. */
  #isDismissed = false;

  /** `suggest` returns the suggestions at an offset of the text. */
  constructor(field: TextElement, suggest: (text: string, offset: number) => readonly Suggestion[]) {
    this.#field = field;
    this.#suggest = suggest;
    // Positions the list.
    const container = make('div.suggesting');
    field.replaceWith(container);
    container.append(field, this.#box, this.#count);
    field.addEventListener('input', (event) => this.#handleInput(event as InputEvent));
    field.addEventListener('keydown', (event) => {
      if (event.isComposing || !this.#handleKey(event)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    field.addEventListener('click', () => this.#close());
    field.addEventListener('focusout', () => this.#close());
    this.#box.addEventListener('mousedown', (event) => event.preventDefault());
  }

  #handleInput({ data, inputType, isComposing }: InputEvent) {
    if (triggerPattern.test(data ?? '')) this.#isDismissed = false;
    const isTyping = !this.#box.hidden || (inputType ?? '').startsWith('insert');
    if (isTyping && !isComposing && !this.#isDismissed) this.#open();
    else this.#close();
  }

  /** Returns whether the key was for the list. */
  #handleKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
    const isOpen = !this.#box.hidden && !ctrlKey && !metaKey && !altKey && !shiftKey;
    const active = this.#active;
    const last = this.#suggestions.length - 1;
    const targets = {
      ArrowDown: active === last ? 0 : active + 1,
      ArrowUp: active === 0 ? last : active - 1,
      PageDown: Math.min(active + PAGE_STEP, last),
      PageUp: Math.max(active - PAGE_STEP, 0),
    };
    const target = new Map(Object.entries(targets)).get(key);
    if (key === ' ' && ctrlKey) this.#open();
    else if (isOpen && target !== undefined) this.#activate(target);
    else if (isOpen && (key === 'Enter' || key === 'Tab')) this.#choose(this.#suggestions[active]);
    else if (isOpen && key === 'Escape') {
      this.#isDismissed = true;
      this.#close();
    } else {
      // The caret moves away.
      if (['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(key)) this.#close();
      return false;
    }
    return true;
  }

  #open() {
    const { control } = this.#field;
    this.#suggestions =
      control && !control.readOnly ? this.#suggest(control.value, control.selectionEnd ?? control.value.length) : [];
    const { length } = this.#suggestions;
    if (!control || length === 0) return this.#close();
    this.#list.replaceChildren(...this.#suggestions.map((suggestion) => this.#createOption(suggestion)));
    this.#box.hidden = false;
    this.#count.textContent = plural(length, t('{0} suggestion'), t('{0} suggestions'));
    control.role = 'combobox';
    control.ariaAutoComplete = 'list';
    control.ariaExpanded = 'true';
    control.ariaControlsElements = [this.#list];
    this.#activate(0);
  }

  #createOption(suggestion: Suggestion) {
    const { label, example, description } = suggestion;
    const shown = example === '' ? [] : [createSpokenComma(), make('span.example', { dir: 'auto' }, example)];
    const heard = make('span.heard', `, ${description}`);
    const option = make('div.option', { role: 'option' }, make('span.name', label), ...shown, heard);
    option.addEventListener('click', () => this.#choose(suggestion));
    return option;
  }

  #close() {
    const { control } = this.#field;
    if (this.#box.hidden) return;
    this.#box.hidden = true;
    this.#count.textContent = '';
    if (!control) return;
    control.ariaActiveDescendantElement = control.ariaControlsElements = null;
    control.ariaExpanded = control.ariaAutoComplete = control.role = null;
  }

  #activate(index: number) {
    this.#active = index;
    for (const [at, option] of [...this.#list.children].entries()) option.ariaSelected = String(at === index);
    const option = this.#list.children[index];
    this.#description.textContent = this.#suggestions[index]?.description ?? '';
    option?.scrollIntoView({ block: 'nearest' });
    if (this.#field.control) this.#field.control.ariaActiveDescendantElement = option ?? null;
  }

  #choose(chosen: Suggestion | undefined) {
    const { control } = this.#field;
    this.#close();
    if (!chosen || !control) return;
    const { start, end, text, selection } = chosen.edit;
    control.setRangeText(text, start, end);
    control.setSelectionRange(selection.start, selection.end);
    // Listeners of the field treat it like typed input.
    control.dispatchEvent(
      new InputEvent('input', { bubbles: true, composed: true, data: text, inputType: 'insertReplacementText' }),
    );
    if (chosen.continues) this.#open();
    else this.#close();
  }
}
