import { icon, make } from '../../../platform/webview/dom.ts';
import type { Details } from '../../../platform/webview/form/protocol.ts';
import type { Edits } from '../../../platform/webview/form/edits.ts';
import { type Field, DropdownChoice, TextInput } from '../../../platform/webview/form/fields.ts';
import { icons } from '../../../platform/webview/icons.ts';
import { isDelayUnit, readMailEntries, toSeconds, type MailEntry, delayUnits } from '../model.ts';
import type { MailCard } from '../protocol.ts';
import { formatAmountWithUnit, toLoopAmount } from './loop.ts';
import { makeButton, type ButtonElement } from '../../../platform/webview/toolkit.ts';

const delayUnitOptions = delayUnits.map((unit) => ({ value: unit, label: unit }));

/** One step of the sequence: a delay and the mail that is sent after it. */
class MailRow {
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

/** Shows the sequence in order: the trigger, each delay and mail, and the end or loop. */
export class Timeline {
  readonly element: HTMLElement;
  readonly #edits: Edits;
  readonly #run: (command: 'editMail' | 'deleteMail', id: number) => void;
  readonly #trigger = make('span', { class: 'name' });
  readonly #end = make('span', { class: 'name' });
  readonly #endDelay = make('div', { class: 'gap' });
  readonly #endStep = make(
    'li',
    { class: 'step end' },
    this.#endDelay,
    make('div', { class: 'milestone' }, icon(icons.loop), this.#end),
  );
  readonly #list: HTMLElement;
  readonly #emptyNotice = make('p', { class: 'hint', hidden: '' }, 'No mails yet: “Attach Mail…” adds the first one.');
  /** By the mail's id and its index in the text. */
  #rows = new Map<string, MailRow>();
  #cards: ReadonlyMap<number, MailCard> = new Map();
  #entries: readonly MailEntry[] = [];
  #isRecord = false;
  #enabled = true;

  constructor(edits: Edits, run: (command: 'editMail' | 'deleteMail', id: number) => void) {
    this.#edits = edits;
    this.#run = run;
    const start = make(
      'li',
      { class: 'step start' },
      make('div', { class: 'milestone' }, icon(icons.bolt), this.#trigger),
    );
    this.#list = make('ol', { class: 'timeline' }, start, this.#endStep);
    this.element = make('div', {}, this.#list, this.#emptyNotice);
    // A row doesn't move while its delay is being typed, but once it loses the focus.
    this.#list.addEventListener('focusout', () => setTimeout(() => this.#sortRows()));
  }

  get fields(): readonly Field[] {
    return [...this.#rows.values()].flatMap(({ fields }) => fields);
  }

  setIsRecord(isRecord: boolean): void {
    this.#isRecord = isRecord;
    this.#showRows();
  }

  setMailCards(cards: readonly MailCard[]): void {
    this.#cards = new Map(cards.map((card) => [card.id, card]));
    this.#showRows();
  }

  setEnabled(enabled: boolean): void {
    this.#enabled = enabled;
    for (const row of this.#rows.values()) row.setEnabled(enabled);
  }

  /** Shows the sequence of the details. `trigger` is a label. */
  update(details: Details, trigger: string): void {
    this.#trigger.textContent = trigger;
    this.#entries = readMailEntries(details);
    const rows = new Map<string, MailRow>();
    for (const entry of this.#entries) {
      const key = `${entry.id}/${entry.index}`;
      const row = this.#rows.get(key) ?? new MailRow(entry, this.#edits, this.#run);
      row.setEnabled(this.#enabled);
      rows.set(key, row);
    }
    for (const [key, row] of this.#rows) if (!rows.has(key)) row.element.remove();
    this.#rows = rows;
    this.#showRows();
    this.#showEnd(details);
    this.#sortRows();
  }

  #showRows(): void {
    for (const entry of this.#entries)
      this.#rows.get(`${entry.id}/${entry.index}`)?.show(entry, this.#cards.get(entry.id), this.#isRecord);
    this.#emptyNotice.hidden = this.#entries.length > 0;
  }

  #showEnd({ loop, loop_delay: delay }: Details): void {
    const isLoop = loop === 1;
    const { value, unit } = toLoopAmount(typeof delay === 'number' ? delay : 0);
    this.#endStep.classList.toggle('once', !isLoop);
    this.#endDelay.replaceChildren(
      make('span', { class: 'wait' }, isLoop && value > 0 ? `+ ${formatAmountWithUnit(value, unit)}` : ''),
    );
    this.#end.textContent = isLoop ? 'Can be triggered again' : 'Ends';
  }

  /** Sorts the mails by delay. */
  #sortRows(): void {
    const { activeElement } = document;
    const isTyping =
      activeElement instanceof HTMLElement &&
      activeElement.localName === 'vscode-text-field' &&
      this.#list.contains(activeElement);
    const ordered = this.#entries.toSorted(
      (one, other) => getDelaySeconds(one) - getDelaySeconds(other) || one.index - other.index,
    );
    const rows = ordered.flatMap(({ id, index }) => this.#rows.get(`${id}/${index}`)?.element ?? []);
    const currentRows = [...this.#list.querySelectorAll('li.mail')];
    const isInOrder = rows.length === currentRows.length && rows.every((row, index) => row === currentRows[index]);
    if (isInOrder || (isTyping && rows.every((row) => currentRows.includes(row)))) return;
    const focused =
      activeElement instanceof HTMLElement && this.#list.contains(activeElement) ? activeElement : undefined;
    for (const row of rows) this.#list.insertBefore(row, this.#endStep);
    focused?.focus();
  }
}

/** Returns seconds. Invalid delays sort last. */
function getDelaySeconds({ delay, delay_unit: unit }: MailEntry): number {
  const isDelay = typeof delay === 'number' && (typeof unit === 'number' || isDelayUnit(unit));
  return isDelay ? toSeconds({ delay, delay_unit: unit }) : Number.MAX_SAFE_INTEGER;
}
