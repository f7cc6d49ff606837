import * as l10n from '@vscode/l10n';
import { make } from '../dom.ts';
import { readDateTime, writeDateTime, formatZone, type DateTime } from './dateTime.ts';
import { getPathKey, type Edits } from './edits.ts';
import { createField, formatUnreadable, toLine, type FieldOptions } from './fields.ts';
import type { JsonValue } from './protocol.ts';

function createLabel(text: string, input: HTMLInputElement): HTMLElement {
  return make('label', {}, make('span', { class: 'label' }, text), input);
}

/**
 * Creates an input for a date and, if the value has one, its time. Editing one keeps the other. A hint shows values that the browser's controls can't
 * show.
 */
export function createDateInput({ path, label, hint = '' }: FieldOptions, edits: Edits) {
  const day = make('input', { type: 'date', class: 'date', 'data-field': getPathKey(path), max: '9999-12-31' });
  const time = make('input', { type: 'time', class: 'date time', step: 1 });
  const timeLabel = createLabel(l10n.t('Time'), time);
  timeLabel.hidden = true;
  const moment = make('div', { class: 'moment' }, createLabel(label, day), timeLabel);
  const field = createField(path, make('div', { class: 'field' }, moment), [day, time]);
  /** The last complete date. Keeps the time while a day is typed or cleared. */
  let lastDate: DateTime = { day: '', time: '', separator: '', zone: '' };
  let dayZone = '';
  /** The text's value if it is not a date. */
  let invalidText: string | undefined;

  for (const input of [day, time]) {
    input.addEventListener('input', () => {
      lastDate = { ...lastDate, day: day.value, time: getSeconds() || lastDate.time };
      // An incomplete date has no value yet. A cleared time is not midnight.
      if (!isHalfTyped() && (input === day || input.value !== ''))
        edits.set(path, lastDate.day === '' ? undefined : writeDateTime(lastDate), false);
    });
    input.addEventListener('blur', () => edits.settle());
  }
  time.addEventListener('blur', () => {
    time.value = lastDate.time;
  });

  /** Shows an invalid value, or else the time zone. */
  function updateHint() {
    const zone = formatZone(lastDate.time === '' ? dayZone : lastDate.zone);
    const zoneText =
      zone === undefined
        ? l10n.t("Dates are in the service's time zone, which it doesn't report.")
        : l10n.t`The time zone is ${zone}.`;
    const text = `${hint} ${day.value === '' ? '' : zoneText}`.trim();
    field.setHint(invalidText === undefined ? text : formatUnreadable(invalidText));
  }

  /** Browsers omit zero seconds. */
  function getSeconds(): string {
    const { value } = time;
    return value.length === 'HH:MM'.length ? `${value}:00` : value;
  }

  function isHalfTyped(): boolean {
    return [day, time].some((input) => document.activeElement === input && input.validity.badInput);
  }

  return {
    ...field,
    /** Sets the zone of days without a time: UTC, or the service's own. */
    setDayZone: (isUtc: boolean) => {
      dayZone = isUtc ? 'Z' : '';
      updateHint();
    },
    show: (value: JsonValue) => {
      const line = toLine(value);
      const date = readDateTime(line);
      const canSet = !isHalfTyped();
      // If a cleared day is entered again, it gets its previous time.
      if (date !== undefined) {
        lastDate = date;
        timeLabel.hidden = date.time === '';
        if (getSeconds() !== date.time && canSet) time.value = date.time;
      }
      const shownDay = date?.day ?? '';
      if (day.value !== shownDay && canSet) day.value = shownDay;
      invalidText = line !== '' && date === undefined && canSet ? line : undefined;
      updateHint();
    },
  };
}
