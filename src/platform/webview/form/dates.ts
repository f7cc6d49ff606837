import { make } from '../dom.ts';
import { readDateTime, writeDateTime, zoneWords, type DateTime } from './dateTime.ts';
import { keyOf, type Edits } from './edits.ts';
import { asLine, hintOf, unreadable, type Field } from './fields.ts';
import type { FieldProblem, Path } from './protocol.ts';
import { Remarks } from './remarks.ts';

const dayAlone: DateTime = { day: '', time: '', separator: '', zone: '' };

/**
 * A day, and its time where the value has one: each is changed by itself, and keeps the other. What is no date can't be shown by the
 * browser's controls, and is said below them.
 */
export class DateInput implements Field {
  readonly path: Path;
  readonly element: HTMLElement;
  readonly #day: HTMLInputElement;
  readonly #time: HTMLInputElement;
  readonly #timeField: HTMLElement;
  readonly #hint: HTMLElement;
  readonly #hintText: string;
  readonly #remarks = new Remarks();
  /** The last whole date that was shown or typed: a day keeps its time while that is typed, or after the day was taken away. */
  #last = dayAlone;
  /** The zone of a day without a time. */
  #zoneOfDays = '';
  /** What the text has instead of a date. */
  #unshown: string | undefined;

  constructor({ path, label: text, hint = '' }: { path: Path; label: string; hint?: string }, edits: Edits) {
    this.path = path;
    const id = `date-${keyOf(path)}`;
    this.#hintText = hint;
    const described = { 'aria-describedby': `${id}-hint ${id}-remarks` };
    this.#day = make('input', {
      type: 'date',
      id,
      class: 'date',
      'data-field': keyOf(path),
      max: '9999-12-31',
      ...described,
    });
    this.#time = make('input', { type: 'time', id: `${id}-time`, class: 'date time', step: '1', ...described });
    this.#timeField = make(
      'div',
      { hidden: '' },
      make('label', { for: `${id}-time`, class: 'label' }, 'Time'),
      this.#time,
    );
    this.#hint = hintOf(hint || undefined);
    this.#hint.id = `${id}-hint`;
    this.#remarks.element.id = `${id}-remarks`;
    const day = make('div', {}, make('label', { for: id, class: 'label' }, text), this.#day);
    const controls = make('div', { class: 'moment' }, day, this.#timeField);
    this.element = make('div', { class: 'field' }, controls, this.#hint, this.#remarks.element);
    for (const input of [this.#day, this.#time]) {
      input.addEventListener('input', () => {
        this.#last = { ...this.#last, day: this.#day.value, time: this.#seconds || this.#last.time };
        // Half a date has no value: it waits for its other half. A time that was emptied is not midnight.
        if (!this.#isHalfTyped() && (input === this.#day || input.value !== '')) edits.set(path, this.#value, false);
      });
      input.addEventListener('blur', () => edits.settle());
    }
    this.#time.addEventListener('blur', () => {
      this.#time.value = this.#last.time;
    });
  }

  /** Which zone a day without a time is of: UTC, or the service's own. */
  tellZone(isUtc: boolean): void {
    this.#zoneOfDays = isUtc ? 'Z' : '';
    this.#describe();
  }

  show(value: unknown): void {
    const line = asLine(value);
    const date = readDateTime(line);
    const isHalfTyped = this.#isHalfTyped();
    // A day that was taken away comes back with the time it had.
    if (date !== undefined) {
      this.#last = date;
      this.#timeField.hidden = date.time === '';
      if (this.#seconds !== date.time && !isHalfTyped) this.#time.value = date.time;
    }
    const day = date?.day ?? '';
    if (this.#day.value !== day && !isHalfTyped) this.#day.value = day;
    this.#unshown = line !== '' && date === undefined && !isHalfTyped ? line : undefined;
    this.#describe();
  }

  /** Says what can't be shown, or else the zone of what is. */
  #describe(): void {
    const unshown = this.#unshown;
    const zone = zoneWords({ zone: this.#last.time === '' ? this.#zoneOfDays : this.#last.zone });
    const words =
      zone === undefined ? 'The service’s own time zone counts, which it does not tell.' : `The time zone is ${zone}.`;
    const hints = unshown === undefined ? [this.#hintText, this.#day.value === '' ? '' : words] : [unreadable(unshown)];
    this.#hint.textContent = hints.filter((part) => part !== '').join(' ');
    this.#hint.hidden = this.#hint.textContent === '';
  }

  say(problems: readonly FieldProblem[]): void {
    const isWrong = this.#remarks.say(problems);
    this.element.classList.toggle('wrong', isWrong);
    this.#day.ariaInvalid = isWrong ? 'true' : null;
  }

  enable(enabled: boolean): void {
    this.#day.disabled = !enabled;
    this.#time.disabled = !enabled;
  }

  focus(): void {
    this.#day.focus();
  }

  get #value(): string | undefined {
    return this.#last.day === '' ? undefined : writeDateTime(this.#last);
  }

  /** The browser leaves out seconds that are none. */
  get #seconds(): string {
    const { value } = this.#time;
    return value.length === 'HH:MM'.length ? `${value}:00` : value;
  }

  #isHalfTyped(): boolean {
    return [this.#day, this.#time].some((input) => document.activeElement === input && input.validity.badInput);
  }
}
