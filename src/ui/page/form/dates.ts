import { t } from '@vscode/l10n';
import { make } from '../dom.ts';
import { iconButton } from '../toolkit.ts';
import { readDateTime, writeDateTime, formatZone, type DateTime } from './dateTime.ts';
import { getPathKey, type Edits } from './edits.ts';
import { createField, formatUnreadable, toLine, type FieldOptions } from './fields.ts';
import type { JsonValue } from './protocol.ts';

function createLabel(text: string, input: HTMLInputElement) {
  return make('label', make('span.label', text), input);
}

interface DateOptions extends FieldOptions {
  /** Whether a day without a time can get one. */
  readonly hasTime?: boolean;
}

/**
 * Creates an input for a date and, if the value has one, its time. Editing one keeps the other. A hint shows values that the browser's controls can't
 * show.
 */
export function createDateInput({ path, label, hint = '', hasTime = false }: DateOptions, edits: Edits) {
  const day = make('input.date', { type: 'date', 'data-field': getPathKey(path), max: '9999-12-31' });
  const time = make('input.date.time', { type: 'time', step: 1 });
  const timeLabel = createLabel(t('Time'), time);
  timeLabel.hidden = !hasTime;
  const removeTime = iconButton('cancel', t('Remove Time'), () => {
    time.value = '';
    removeTime.hidden = true;
    lastDate = { ...lastDate, time: '', separator: '', zone: '' };
    if (lastDate.day !== '') edits.set(path, writeDateTime(lastDate), true);
    time.focus();
  });
  removeTime.hidden = true;
  const moment = make('div.moment', createLabel(label, day), timeLabel, removeTime);
  const field = createField(path, make('div.field', moment), [day, time]);
  /** The last complete date. Keeps the time while a day is typed or cleared. */
  let lastDate: DateTime = { day: '', time: '', separator: '', zone: '' };
  let dayZone = '';
  /** The text's value if it is not a date. */
  let invalidText: string | undefined;

  for (const input of [day, time]) {
    input.addEventListener('input', () => {
      const seconds = getSeconds() || lastDate.time;
      lastDate = { ...lastDate, day: day.value, time: seconds, separator: seconds && (lastDate.separator || ' ') };
      // An incomplete date has no value yet. A cleared time is not midnight.
      if (!isHalfTyped() && (input === day || input.value !== ''))
        edits.set(path, lastDate.day === '' ? undefined : writeDateTime(lastDate), false);
    });
    input.addEventListener('blur', edits.settle);
  }
  time.addEventListener('blur', () => {
    time.value = lastDate.time;
  });

  /** Shows an invalid value, or else the time zone. */
  function updateHint() {
    const zone = formatZone(lastDate.time === '' ? dayZone : lastDate.zone);
    const zoneText =
      zone === undefined
        ? t("Dates are in the service's time zone, which it doesn't report.")
        : t`The time zone is ${zone}.`;
    const text = `${hint} ${day.value === '' ? '' : zoneText}`.trim();
    field.setHint(invalidText === undefined ? text : formatUnreadable(invalidText));
  }

  /** Browsers omit zero seconds. */
  function getSeconds() {
    const { value } = time;
    return value.length === 'HH:MM'.length ? `${value}:00` : value;
  }

  function isHalfTyped() {
    return [day, time].some((input) => document.activeElement === input && input.validity.badInput);
  }

  return {
    ...field,
    setEnabled: (enabled: boolean) => {
      field.setEnabled(enabled);
      removeTime.disabled = !enabled;
    },
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
        timeLabel.hidden = date.time === '' && !hasTime;
        if (getSeconds() !== date.time && canSet) time.value = date.time;
      }
      removeTime.hidden = !hasTime || lastDate.time === '';
      const shownDay = date?.day ?? '';
      if (day.value !== shownDay && canSet) day.value = shownDay;
      invalidText = line !== '' && date === undefined && canSet ? line : undefined;
      updateHint();
    },
  };
}
