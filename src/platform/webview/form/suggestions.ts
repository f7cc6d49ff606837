import './suggestions.css';
import * as l10n from '@vscode/l10n';
import { plural } from '../../../l10n.ts';
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

/** Shows suggestions in a list below a text field. While the list is open, the field is a combobox. */
export class Suggestions {
  readonly #field: TextElement;
  readonly #suggest: (text: string, offset: number) => readonly Suggestion[];
  readonly #list = make('div', { class: 'options', role: 'listbox', 'aria-label': l10n.t('Tags') });
  readonly #description = make('p', { class: 'about', 'aria-hidden': 'true' });
  readonly #box = make('div', { class: 'offered', hidden: '' }, this.#list, this.#description);
  readonly #count = make('span', { class: 'heard', role: 'status' });
  #suggestions: readonly Suggestion[] = [];
  #active = 0;
  /** The user closed the list. The next trigger character opens it again. */
  #isDismissed = false;

  /** `suggest` returns the suggestions at an offset of the text, the best first. */
  constructor(field: TextElement, suggest: (text: string, offset: number) => readonly Suggestion[]) {
    this.#field = field;
    this.#suggest = suggest;
    // Positions the list.
    const container = make('div', { class: 'suggesting' });
    field.replaceWith(container);
    container.append(field, this.#box, this.#count);
    field.addEventListener('input', (event) => this.#handleInput(event as InputEvent));
    field.addEventListener('keydown', (event) => this.#handleKey(event));
    field.addEventListener('click', () => this.#close());
    field.addEventListener('focusout', () => this.#close());
    this.#box.addEventListener('mousedown', (event) => event.preventDefault());
  }

  #handleInput({ data, inputType, isComposing }: InputEvent): void {
    if (triggerPattern.test(data ?? '')) this.#isDismissed = false;
    const isTyping = !this.#box.hidden || (inputType ?? '').startsWith('insert');
    if (isTyping && !isComposing && !this.#isDismissed) this.#open();
    else this.#close();
  }

  #handleKey(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey, shiftKey, isComposing } = event;
    if (isComposing) return;
    const isOpen = !this.#box.hidden && !ctrlKey && !metaKey && !altKey && !shiftKey;
    const last = this.#suggestions.length - 1;
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: this.#active === last ? 0 : this.#active + 1,
      ArrowUp: this.#active === 0 ? last : this.#active - 1,
      PageDown: Math.min(this.#active + PAGE_STEP, last),
      PageUp: Math.max(this.#active - PAGE_STEP, 0),
    };
    const target = Object.hasOwn(targets, key) ? targets[key] : undefined;
    if (key === ' ' && ctrlKey) this.#open();
    else if (isOpen && target !== undefined) this.#activate(target);
    else if (isOpen && (key === 'Enter' || key === 'Tab')) this.#choose(this.#suggestions[this.#active]);
    else if (isOpen && key === 'Escape') {
      this.#isDismissed = true;
      this.#close();
    } else {
      // The caret moves away.
      if (['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(key)) this.#close();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #open(): void {
    const { control } = this.#field;
    this.#suggestions =
      control && !control.readOnly ? this.#suggest(control.value, control.selectionEnd ?? control.value.length) : [];
    if (!control || this.#suggestions.length === 0) return this.#close();
    this.#list.replaceChildren(...this.#suggestions.map((suggestion) => this.#createOption(suggestion)));
    this.#box.hidden = false;
    const { length } = this.#suggestions;
    this.#count.textContent = plural(length, l10n.t('{0} suggestion'), l10n.t('{0} suggestions'));
    control.role = 'combobox';
    control.ariaAutoComplete = 'list';
    control.ariaExpanded = 'true';
    control.ariaControlsElements = [this.#list];
    this.#activate(0);
  }

  #createOption(suggestion: Suggestion): HTMLElement {
    const { label, example, description } = suggestion;
    const shown = example === '' ? [] : [createSpokenComma(), make('span', { class: 'example', dir: 'auto' }, example)];
    const heard = make('span', { class: 'heard' }, `, ${description}`);
    const name = make('span', { class: 'name' }, label);
    const option = make('div', { class: 'option', role: 'option' }, name, ...shown, heard);
    option.addEventListener('click', () => this.#choose(suggestion));
    return option;
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
    for (const [at, option] of [...this.#list.children].entries()) option.ariaSelected = String(at === index);
    const option = this.#list.children[index];
    this.#description.textContent = this.#suggestions[index]?.description ?? '';
    option?.scrollIntoView({ block: 'nearest' });
    if (this.#field.control) this.#field.control.ariaActiveDescendantElement = option ?? null;
  }

  #choose(chosen: Suggestion | undefined): void {
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
