import { t } from '../../../l10n.ts';
import { make } from '../dom.ts';
import { iconButton, type ButtonElement } from '../toolkit.ts';
import { readDateTime, writeDateTime, formatZone, type DateTime } from './dateTime.ts';
import { Field, formatUnreadable, toLine } from './fields.ts';
import type { JsonValue } from './protocol.ts';

function createLabel(text: string, input: HTMLInputElement) {
  return make('label', make('span.label', text), input);
}

/**
 * An input for a date and, if the value has one, its time. Editing one always keeps the other. A hint shows values that the browser's controls can't
 * show.
 */
export class DateInput extends Field {
  readonly #hasTime: boolean;
  readonly #fixedHint: string;
  readonly #day: HTMLInputElement;
  readonly #time: HTMLInputElement;
  readonly #timeLabel: HTMLElement;
  readonly #removeTime: ButtonElement;
  /** The last complete date. Keeps the time while a day is typed or cleared. */
  #date: DateTime = { day: '', time: '', separator: '', zone: '' };
  #dayZone = '';
  /** The text's value if it is not a date. */
  #invalidText: string | undefined;

  /** `hasTime`: a day without a time can get one. */
  constructor(path: string, label: string, hasTime: boolean, hint = '') {
    const day = make('input.date', { type: 'date', max: '9999-12-31' });
    const time = make('input.date.time', { type: 'time', step: 1 });
    const moment = make('div.moment', createLabel(label, day));
    super(path, make('div.field', moment), [day, time]);
    this.#hasTime = hasTime;
    this.#fixedHint = hint;
    this.#day = day;
    this.#time = time;
    this.#timeLabel = createLabel(t('Time'), time);
    this.#timeLabel.hidden = !hasTime;
    this.#removeTime = iconButton('cancel', t('Remove Time'), () => this.#clearTime());
    this.#removeTime.hidden = true;
    moment.append(this.#timeLabel, this.#removeTime);
    for (const input of [day, time]) input.addEventListener('input', () => this.#read(input));
    time.addEventListener('blur', () => {
      time.value = this.#date.time;
    });
  }

  show(value: JsonValue): void {
    const line = toLine(value);
    const date = readDateTime(line);
    const canSet = !this.#isHalfTyped;
    // If a cleared day is entered again, it gets its previous time.
    if (date) {
      this.#date = date;
      this.#timeLabel.hidden = date.time === '' && !this.#hasTime;
      if (this.#seconds !== date.time && canSet) this.#time.value = date.time;
    }
    this.#removeTime.hidden = !this.#hasTime || this.#date.time === '';
    const day = date?.day ?? '';
    if (this.#day.value !== day && canSet) this.#day.value = day;
    this.#invalidText = line !== '' && !date && canSet ? line : undefined;
    this.#updateHint();
  }

  override setEnabled(enabled: boolean): void {
    super.setEnabled(enabled);
    this.#removeTime.disabled = !enabled;
  }

  /** Sets the zone of days without a time: UTC, or the service's own. */
  setDayZone(isUtc: boolean): void {
    this.#dayZone = isUtc ? 'Z' : '';
    this.#updateHint();
  }

  #clearTime() {
    this.#time.value = '';
    this.#removeTime.hidden = true;
    this.#date = { ...this.#date, time: '', separator: '', zone: '' };
    if (this.#date.day !== '') this.edit(writeDateTime(this.#date), true);
    this.#time.focus();
  }

  #read(input: HTMLInputElement) {
    const date = this.#date;
    const time = this.#seconds || date.time;
    this.#date = { ...date, day: this.#day.value, time, separator: time && (date.separator || ' ') };
    // An incomplete date has no value yet. A cleared time is not midnight.
    if (!this.#isHalfTyped && (input === this.#day || input.value !== ''))
      this.edit(this.#date.day === '' ? undefined : writeDateTime(this.#date), false);
  }

  /** Shows an invalid value, or else the time zone. */
  #updateHint() {
    const zone = formatZone(this.#date.time === '' ? this.#dayZone : this.#date.zone);
    const zoneText =
      zone === undefined
        ? t("Dates are in the service's time zone, which it doesn't report.")
        : t`The time zone is ${zone}.`;
    const text = `${this.#fixedHint} ${this.#day.value === '' ? '' : zoneText}`.trim();
    this.setHint(this.#invalidText === undefined ? text : formatUnreadable(this.#invalidText));
  }

  /** The time. Browsers omit zero seconds. */
  get #seconds() {
    const { value } = this.#time;
    return value.length === 'HH:MM'.length ? `${value}:00` : value;
  }

  get #isHalfTyped() {
    return [this.#day, this.#time].some((input) => document.activeElement === input && input.validity.badInput);
  }
}
