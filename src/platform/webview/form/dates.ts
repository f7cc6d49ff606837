import { make } from '../dom.ts';
import { readDateTime, writeDateTime, formatZone, type DateTime } from './dateTime.ts';
import { getPathKey, type Edits } from './edits.ts';
import { toLine, createFieldHint, formatUnreadable, Field } from './fields.ts';
import type { JsonValue, Path } from './protocol.ts';

const emptyDate: DateTime = { day: '', time: '', separator: '', zone: '' };

/** Input for a date and, if the value has one, its time. Editing one keeps the other. A hint shows values that the browser's controls can't show. */
export class DateInput extends Field {
  readonly element: HTMLElement;
  readonly #day: HTMLInputElement;
  readonly #time: HTMLInputElement;
  readonly #timeField: HTMLElement;
  readonly #hint: HTMLElement;
  readonly #hintText: string;
  /** The last complete date. Keeps the time while a day is typed or cleared. */
  #lastDate = emptyDate;
  #dayZone = '';
  /** The text's value if it is not a date. */
  #invalidText: string | undefined;

  constructor({ path, label: text, hint = '' }: { path: Path; label: string; hint?: string }, edits: Edits) {
    super(path);
    const id = `date-${getPathKey(path)}`;
    this.#hintText = hint;
    const described = { 'aria-describedby': `${id}-hint ${this.remarks.element.id}` };
    this.#day = make('input', {
      type: 'date',
      id,
      class: 'date',
      'data-field': getPathKey(path),
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
    this.#hint = createFieldHint(hint || undefined);
    this.#hint.id = `${id}-hint`;
    const day = make('div', {}, make('label', { for: id, class: 'label' }, text), this.#day);
    const controls = make('div', { class: 'moment' }, day, this.#timeField);
    this.element = make('div', { class: 'field' }, controls, this.#hint, this.remarks.element);
    for (const input of [this.#day, this.#time]) {
      input.addEventListener('input', () => {
        this.#lastDate = { ...this.#lastDate, day: this.#day.value, time: this.#seconds || this.#lastDate.time };
        // An incomplete date has no value yet. A cleared time is not midnight.
        if (!this.#isHalfTyped() && (input === this.#day || input.value !== '')) edits.set(path, this.#value, false);
      });
      input.addEventListener('blur', () => edits.settle());
    }
    this.#time.addEventListener('blur', () => {
      this.#time.value = this.#lastDate.time;
    });
  }

  /** Sets the zone of days without a time: UTC, or the service's own. */
  setDayZone(isUtc: boolean): void {
    this.#dayZone = isUtc ? 'Z' : '';
    this.#updateHint();
  }

  show(value: JsonValue): void {
    const line = toLine(value);
    const date = readDateTime(line);
    const isHalfTyped = this.#isHalfTyped();
    // If a cleared day is entered again, it gets its previous time.
    if (date !== undefined) {
      this.#lastDate = date;
      this.#timeField.hidden = date.time === '';
      if (this.#seconds !== date.time && !isHalfTyped) this.#time.value = date.time;
    }
    const day = date?.day ?? '';
    if (this.#day.value !== day && !isHalfTyped) this.#day.value = day;
    this.#invalidText = line !== '' && date === undefined && !isHalfTyped ? line : undefined;
    this.#updateHint();
  }

  /** Shows an invalid value, or else the time zone. */
  #updateHint(): void {
    const unshown = this.#invalidText;
    const zone = formatZone({ zone: this.#lastDate.time === '' ? this.#dayZone : this.#lastDate.zone });
    const words =
      zone === undefined ? 'In the service’s own time zone, which it doesn’t report.' : `The time zone is ${zone}.`;
    const hints =
      unshown === undefined ? [this.#hintText, this.#day.value === '' ? '' : words] : [formatUnreadable(unshown)];
    this.#hint.textContent = hints.filter((part) => part !== '').join(' ');
    this.#hint.hidden = this.#hint.textContent === '';
  }

  protected override get controls(): readonly HTMLInputElement[] {
    return [this.#day, this.#time];
  }

  protected override describe(isWrong: boolean): void {
    this.#day.ariaInvalid = isWrong ? 'true' : null;
  }

  get #value(): string | undefined {
    return this.#lastDate.day === '' ? undefined : writeDateTime(this.#lastDate);
  }

  /** Browsers omit zero seconds. */
  get #seconds(): string {
    const { value } = this.#time;
    return value.length === 'HH:MM'.length ? `${value}:00` : value;
  }

  #isHalfTyped(): boolean {
    return [this.#day, this.#time].some((input) => document.activeElement === input && input.validity.badInput);
  }
}
