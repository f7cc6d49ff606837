import { make } from '../../../platform/webview/dom.ts';
import type { Details } from '../../../platform/webview/form/protocol.ts';
import { DateInput } from '../../../platform/webview/form/dates.ts';
import type { Edits } from '../../../platform/webview/form/edits.ts';
import {
  DropdownChoice,
  FlagInput,
  RadioChoice,
  TextInput,
  createFormSection,
  type Field,
} from '../../../platform/webview/form/fields.ts';

const sendingTypeOptions = [
  { value: 'now', label: 'Now', description: 'Sent when you send it.' },
  { value: 'scheduled', label: 'Scheduled', description: 'Goes out on a day.' },
  { value: 'auto', label: 'Automatic', description: 'Goes out again and again.' },
];

const frequencyOptions = [
  { value: 'every', label: 'At a rhythm' },
  { value: 'cron', label: 'Each time the service runs its tasks', description: 'As often as its cron job does.' },
];

const unitOptions = [
  { value: 'hour', label: 'hours' },
  { value: 'day', label: 'days' },
  { value: 'week', label: 'weeks' },
  { value: 'month', label: 'months' },
];

/** The sending type and its dependent fields. Hides fields that don't apply. */
export class SendingSection {
  readonly element: HTMLElement;
  readonly fields: readonly Field[];
  readonly #scheduled: HTMLElement;
  readonly #auto: HTMLElement;
  readonly #every: HTMLElement;
  readonly #start: DateInput;

  constructor(edits: Edits) {
    const type = new RadioChoice(
      { path: ['sending_type'], label: 'When it goes out', options: sendingTypeOptions, fallback: 'now' },
      edits,
    );
    const date = new DateInput({ path: ['sending_date'], label: 'Day' }, edits);
    const frequency = new RadioChoice({ path: ['frequency'], label: 'How often', options: frequencyOptions }, edits);
    const every = {
      path: ['frequency_options', 'value'],
      label: 'Every',
      inputMode: 'numeric',
      class: 'number',
      read: parseFrequencyValue,
    } as const;
    const value = new TextInput(every, edits);
    const unit = new DropdownChoice(
      { path: ['frequency_options', 'unit'], label: 'Unit', options: unitOptions },
      edits,
    );
    const start = new DateInput(
      { path: ['start_date'], label: 'First day', hint: 'Without one it begins at once.' },
      edits,
    );
    this.#start = start;
    const confirm = new FlagInput(
      {
        path: ['need_confirm'],
        label: 'Ask before each sending',
        hint: 'The service creates a draft each time and sends it after confirmation.',
        fallback: true,
      },
      edits,
    );
    this.fields = [type, date, frequency, value, unit, start, confirm];
    this.#every = make('div', { class: 'pair rhythm' }, value.element, unit.element);
    const nested = (label: string, ...content: readonly HTMLElement[]): HTMLElement =>
      make('div', { class: 'nested', role: 'group', 'aria-label': label }, ...content);
    this.#scheduled = nested('Scheduled', date.element);
    this.#auto = nested('Automatic', frequency.element, this.#every, start.element, confirm.element);
    this.element = createFormSection('Sending', type.element, this.#scheduled, this.#auto);
  }

  /** Sets the time zone of the first day: UTC, or that of the service. */
  setStartZone(isUtc: boolean): void {
    this.#start.setDayZone(isUtc);
  }

  updateVisibility(details: Details): void {
    const { sending_type: type, frequency } = details;
    this.#scheduled.hidden = type !== 'scheduled';
    this.#auto.hidden = type !== 'auto';
    this.#every.hidden = frequency !== 'every';
  }
}

/** Parses a whole number. Other text is returned unchanged, so that validation reports it. */
function parseFrequencyValue(text: string): number | string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : text;
}
