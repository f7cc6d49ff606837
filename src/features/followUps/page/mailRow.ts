import { make } from '../../../platform/webview/dom.ts';
import type { JsonValue } from '../../../platform/webview/form/protocol.ts';
import type { Edits } from '../../../platform/webview/form/edits.ts';
import { DropdownChoice, TextInput, type Field } from '../../../platform/webview/form/fields.ts';
import { makeButton, type ButtonElement } from '../../../platform/webview/toolkit.ts';
import { delayUnits } from '../model.ts';
import type { MailCard } from '../protocol.ts';
import { formatAmountWithUnit } from './delays.ts';

const delayUnitOptions = delayUnits.map((unit) => ({ value: unit, label: unit }));

/** A mail of the text, with its index there. */
export interface MailEntry {
  readonly index: number;
  readonly id: number;
  readonly delay: JsonValue;
  readonly delay_unit: JsonValue;
}

/** One step of the sequence: a delay and the mail that is sent after it. */
export class MailRow {
  readonly element: HTMLElement;
  readonly fields: readonly Field[];
  readonly #delayLabel = make('span', { class: 'wait' });
  readonly #name = make('span', { class: 'name' });
  readonly #subject = make('span', { class: 'subject' });
  readonly #sentNote = make('p', { class: 'hint' });
  readonly #editButton: ButtonElement;
  readonly #deleteButton: ButtonElement;
  readonly #actions: HTMLElement;
  #isEditable = false;
  #enabled = true;

  constructor({ index, id }: MailEntry, edits: Edits, run: (command: 'editMail' | 'deleteMail', id: number) => void) {
    const delayOptions = {
      path: ['mails', index, 'delay'],
      label: 'Delay',
      inputMode: 'numeric',
      class: 'number',
      read: parseWholeNumber,
    } as const;
    const delay = new TextInput(delayOptions, edits);
    const unit = new DropdownChoice(
      { path: ['mails', index, 'delay_unit'], label: 'Unit', options: delayUnitOptions },
      edits,
    );
    this.fields = [delay, unit];
    this.#editButton = makeButton('Edit', () => run('editMail', id));
    this.#deleteButton = makeButton('Delete…', () => run('deleteMail', id));
    this.#actions = make('div', { class: 'actions' }, this.#editButton, this.#deleteButton);
    const head = make(
      'div',
      { class: 'head' },
      make('div', { class: 'title' }, this.#name, this.#subject),
      this.#actions,
    );
    this.element = make(
      'li',
      { class: 'step mail', 'data-mail': String(id) },
      make('div', { class: 'gap' }, this.#delayLabel),
      make(
        'div',
        { class: 'card' },
        head,
        make('div', { class: 'pair rhythm' }, delay.element, unit.element),
        this.#sentNote,
      ),
    );
  }

  show({ id, delay, delay_unit: unit }: MailEntry, card: MailCard | undefined, isRecord: boolean): void {
    this.#delayLabel.textContent = delay === 0 ? 'at once' : `+ ${formatAmountWithUnit(delay, unit)}`;
    const name = card?.name ?? `Mail #${id}`;
    this.#name.textContent = name;
    this.#subject.textContent = card?.subject === undefined || card.subject === name ? '' : card.subject;
    this.#editButton.textContent = card?.sentText === undefined ? 'Supply Text…' : 'Edit';
    this.#editButton.setAttribute('aria-label', `${this.#editButton.textContent} ${name}`);
    this.#deleteButton.setAttribute('aria-label', `Delete ${name}…`);
    this.#actions.hidden = !isRecord;
    this.#isEditable = card?.sentText !== undefined || !isRecord;
    this.#sentNote.hidden = !isRecord;
    this.element.classList.toggle('uneditable', !this.#isEditable);
    this.#sentNote.textContent =
      card?.sentText === undefined
        ? 'This machine has not sent its text, and the service never returns it: supply one to change it or its delay.'
        : `Text ${card.sentText}. The service never returns it: it may hold another one.`;
    this.#updateEnabled();
  }

  setEnabled(enabled: boolean): void {
    this.#enabled = enabled;
    this.#updateEnabled();
  }

  #updateEnabled(): void {
    for (const field of this.fields) field.setEnabled(this.#enabled && this.#isEditable);
    this.#editButton.disabled = !this.#enabled;
    this.#deleteButton.disabled = !this.#enabled;
  }
}

/** Returns a number if the text is a whole number, otherwise the text, which validation reports. */
function parseWholeNumber(text: string): number | string {
  const line = text.trim();
  return /^\d{1,9}$/u.test(line) ? Number(line) : text;
}
