import * as l10n from '@vscode/l10n';
import { make } from '../dom.ts';
import { readDateTime, writeDateTime, formatZone, type DateTime } from './dateTime.ts';
import { getPathKey, type Edits } from './edits.ts';
import { toLine, formatUnreadable, Field, type FieldOptions } from './fields.ts';
import type { JsonValue } from './protocol.ts';

function createLabel(text: string, input: HTMLInputElement): HTMLElement {
  return make('label', {}, make('span', { class: 'label' }, text), input);
}

/** Input for a date and, if the value has one, its time. Editing one keeps the other. A hint shows values that the browser's controls can't show. */
export class DateInput extends Field {
  readonly #day: HTMLInputElement;
  readonly #time: HTMLInputElement;
  readonly #timeLabel: HTMLElement;
  readonly #hintText: string;
  /** The last complete date. Keeps the time while a day is typed or cleared. */
  #lastDate: DateTime = { day: '', time: '', separator: '', zone: '' };
  #dayZone = '';
  /** The text's value if it is not a date. */
  #invalidText: string | undefined;

  constructor({ path, label, hint = '' }: FieldOptions, edits: Edits) {
    const day = make('input', { type: 'date', class: 'date', 'data-field': getPathKey(path), max: '9999-12-31' });
    const time = make('input', { type: 'time', class: 'date time', step: 1 });
    const timeLabel = createLabel(l10n.t('Time'), time);
    timeLabel.hidden = true;
    const moment = make('div', { class: 'moment' }, createLabel(label, day), timeLabel);
    super(path, make('div', { class: 'field' }, moment), [day, time]);
    this.#day = day;
    this.#time = time;
    this.#timeLabel = timeLabel;
    this.#hintText = hint;
    for (const input of [day, time]) {
      input.addEventListener('input', () => {
        const last = { ...this.#lastDate, day: day.value, time: this.#seconds || this.#lastDate.time };
        this.#lastDate = last;
        // An incomplete date has no value yet. A cleared time is not midnight.
        if (!this.#isHalfTyped() && (input === day || input.value !== ''))
          edits.set(path, last.day === '' ? undefined : writeDateTime(last), false);
      });
      input.addEventListener('blur', () => edits.settle());
    }
    time.addEventListener('blur', () => {
      time.value = this.#lastDate.time;
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
      this.#timeLabel.hidden = date.time === '';
      if (this.#seconds !== date.time && !isHalfTyped) this.#time.value = date.time;
    }
    const day = date?.day ?? '';
    if (this.#day.value !== day && !isHalfTyped) this.#day.value = day;
    this.#invalidText = line !== '' && date === undefined && !isHalfTyped ? line : undefined;
    this.#updateHint();
  }

  /** Shows an invalid value, or else the time zone. */
  #updateHint(): void {
    const { time, zone: ownZone } = this.#lastDate;
    const zone = formatZone(time === '' ? this.#dayZone : ownZone);
    const zoneText =
      zone === undefined
        ? l10n.t("Dates are in the service's time zone, which it doesn't report.")
        : l10n.t`The time zone is ${zone}.`;
    const hint = `${this.#hintText} ${this.#day.value === '' ? '' : zoneText}`.trim();
    this.setHint(this.#invalidText === undefined ? hint : formatUnreadable(this.#invalidText));
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
