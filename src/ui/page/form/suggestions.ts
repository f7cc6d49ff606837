import './suggestions.css';
import { t } from '@vscode/l10n';
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

/**
 * Shows suggestions in a list below a text field. While the list is open, the field is a combobox. `suggest` returns the suggestions at an offset of the
 * text, the best first.
 */
export function offerSuggestions(
  field: TextElement,
  suggest: (text: string, offset: number) => readonly Suggestion[],
): void {
  const list = make('div.options', { tabindex: '0', role: 'listbox', 'aria-label': t('Tags') });
  const description = make('p.about', { 'aria-hidden': 'true' });
  const box = make('div.offered', { hidden: '' }, list, description);
  const count = make('span.heard', { role: 'status' });
  let suggestions: readonly Suggestion[] = [];
  let active = 0;
  /** The user closed the list. The next trigger character opens it again. */
  let isDismissed = false;
  // Positions the list.
  const container = make('div.suggesting');
  field.replaceWith(container);
  container.append(field, box, count);
  field.addEventListener('input', (event) => {
    const { data, inputType, isComposing } = event as InputEvent;
    if (triggerPattern.test(data ?? '')) isDismissed = false;
    const isTyping = !box.hidden || (inputType ?? '').startsWith('insert');
    if (isTyping && !isComposing && !isDismissed) open();
    else close();
  });
  field.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, isComposing } = event;
    if (isComposing) return;
    const isOpen = !box.hidden && !ctrlKey && !metaKey && !altKey && !shiftKey;
    const last = suggestions.length - 1;
    const targets = {
      ArrowDown: active === last ? 0 : active + 1,
      ArrowUp: active === 0 ? last : active - 1,
      PageDown: Math.min(active + PAGE_STEP, last),
      PageUp: Math.max(active - PAGE_STEP, 0),
    };
    const target = new Map(Object.entries(targets)).get(key);
    if (key === ' ' && ctrlKey) open();
    else if (isOpen && target !== undefined) activate(target);
    else if (isOpen && (key === 'Enter' || key === 'Tab')) choose(suggestions[active]);
    else if (isOpen && key === 'Escape') {
      isDismissed = true;
      close();
    } else {
      // The caret moves away.
      if (['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(key)) close();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  field.addEventListener('click', close);
  field.addEventListener('focusout', close);
  box.addEventListener('mousedown', (event) => event.preventDefault());

  function open() {
    const { control } = field;
    suggestions =
      control && !control.readOnly ? suggest(control.value, control.selectionEnd ?? control.value.length) : [];
    if (!control || suggestions.length === 0) return close();
    list.replaceChildren(...suggestions.map(createOption));
    box.hidden = false;
    count.textContent = plural(suggestions.length, t('{0} suggestion'), t('{0} suggestions'));
    control.role = 'combobox';
    control.ariaAutoComplete = 'list';
    control.ariaExpanded = 'true';
    control.ariaControlsElements = [list];
    activate(0);
  }

  function createOption(suggestion: Suggestion) {
    const { label, example, description: about } = suggestion;
    const shown = example === '' ? [] : [createSpokenComma(), make('span.example', { dir: 'auto' }, example)];
    const heard = make('span.heard', `, ${about}`);
    const name = make('span.name', label);
    const option = make('div.option', { role: 'option' }, name, ...shown, heard);
    option.addEventListener('click', () => choose(suggestion));
    return option;
  }

  function close() {
    const { control } = field;
    if (box.hidden) return;
    box.hidden = true;
    count.textContent = '';
    if (!control) return;
    control.ariaActiveDescendantElement = control.ariaControlsElements = null;
    control.ariaExpanded = control.ariaAutoComplete = control.role = null;
  }

  function activate(index: number) {
    active = index;
    for (const [at, option] of [...list.children].entries()) option.ariaSelected = String(at === index);
    const option = list.children[index];
    description.textContent = suggestions[index]?.description ?? '';
    option?.scrollIntoView({ block: 'nearest' });
    if (field.control) field.control.ariaActiveDescendantElement = option ?? null;
  }

  function choose(chosen: Suggestion | undefined) {
    const { control } = field;
    close();
    if (!chosen || !control) return;
    const { start, end, text, selection } = chosen.edit;
    control.setRangeText(text, start, end);
    control.setSelectionRange(selection.start, selection.end);
    // Listeners of the field treat it like typed input.
    control.dispatchEvent(
      new InputEvent('input', { bubbles: true, composed: true, data: text, inputType: 'insertReplacementText' }),
    );
    if (chosen.continues) open();
    else close();
  }
}
