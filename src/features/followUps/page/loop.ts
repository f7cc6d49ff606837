import { make } from '../../../platform/webview/dom.ts';
import type { Edits } from '../../../platform/webview/form/edits.ts';
import { Field, FlagInput } from '../../../platform/webview/form/fields.ts';
import { IdCheckboxes } from '../../../platform/webview/form/lists.ts';
import type { Details, JsonValue } from '../../../platform/webview/form/protocol.ts';
import { setDescription, type ChoiceElement, type TextElement } from '../../../platform/webview/toolkit.ts';
import type { MailCard } from '../protocol.ts';

/** Seconds per unit of a loop delay, longest first. Months are excluded because their length varies. */
const loopUnitSeconds = [
  ['weeks', 604_800],
  ['days', 86_400],
  ['hours', 3600],
  ['minutes', 60],
  ['seconds', 1],
] as const;

export type LoopUnit = (typeof loopUnitSeconds)[number][0];

const loopUnits: readonly LoopUnit[] = loopUnitSeconds.map(([unit]) => unit).toReversed();

/** Converts seconds to the longest unit that yields a whole number. */
export function toLoopAmount(seconds: number): { readonly value: number; readonly unit: LoopUnit } {
  const [unit, length] = loopUnitSeconds.find(([, each]) => seconds > 0 && seconds % each === 0) ?? ['days', 86_400];
  return { value: seconds / length, unit };
}

function toLoopSeconds(value: number, unit: LoopUnit): number {
  return value * (loopUnitSeconds.find(([each]) => each === unit)?.[1] ?? 1);
}

/** "3 days", "1 day". */
export function formatAmountWithUnit(value: unknown, unit: unknown): string {
  const name =
    typeof unit === 'number'
      ? value === 1
        ? `unit of ${unit} seconds`
        : `units of ${unit} seconds`
      : String(unit ?? '');
  return `${String(value)} ${value === 1 ? name.replace(/s$/u, '') : name}`;
}

/** Edits a duration in seconds as a number and a unit. */
class DurationInput extends Field {
  readonly element: HTMLElement;
  readonly #number = make(
    'vscode-text-field',
    { 'data-field': 'loop_delay' },
    'Wait before it starts again',
  ) as TextElement;
  readonly #unit = make('vscode-dropdown', {
    'aria-label': 'Unit of the wait',
    'data-field': 'loop_delay/unit',
  }) as ChoiceElement;
  #chosenUnit: LoopUnit = 'days';
  #seconds: JsonValue;

  constructor(edits: Edits) {
    super(['loop_delay']);
    this.#unit.append(...loopUnits.map((unit) => make('vscode-option', { value: unit }, unit)));
    const amountRow = make('div', { class: 'amount' }, this.#number, this.#unit);
    const hint = 'Counted from the last mail. The service adds it before the follow-up can be triggered again.';
    this.element = make('div', { class: 'field' }, amountRow, make('p', { class: 'hint' }, hint), this.remarks.element);
    const postEdit = (isFinal: boolean): void => {
      this.#seconds = parseDuration(this.#text, this.#chosenUnit);
      edits.set(this.path, this.#seconds, isFinal);
    };
    this.#number.addEventListener('input', () => postEdit(false));
    this.#number.addEventListener('focusout', () => edits.settle());
    this.#unit.addEventListener('change', () => {
      const unit = loopUnits.find((each) => each === this.#unit.value);
      if (unit === undefined || unit === this.#chosenUnit) return;
      this.#chosenUnit = unit;
      postEdit(true);
    });
  }

  get #text(): string {
    return this.#number.control?.value ?? this.#number.value;
  }

  show(value: JsonValue): void {
    if (value === this.#seconds) return;
    this.#seconds = value;
    const isDuration = typeof value === 'number' && Number.isInteger(value) && value >= 0;
    if (isDuration && parseDuration(this.#text, this.#chosenUnit) === value) return;
    const amount = isDuration ? toLoopAmount(value) : undefined;
    this.#chosenUnit = amount?.unit ?? 'seconds';
    const text = amount === undefined ? (value === undefined ? '' : JSON.stringify(value)) : String(amount.value);
    this.#number.value = text;
    if (this.#number.control) this.#number.control.value = text;
    if (this.#unit.value !== this.#chosenUnit) this.#unit.value = this.#chosenUnit;
  }

  protected override get controls(): readonly (ChoiceElement | TextElement)[] {
    return [this.#number, this.#unit];
  }

  override focus(): void {
    this.#number.control?.focus();
  }

  protected override describe(_isWrong: boolean, descriptions: readonly HTMLElement[]): void {
    if (this.#number.control) this.#number.control.inputMode = 'numeric';
    setDescription(this.#number, descriptions);
  }
}

/** Returns seconds if the text is a whole number, otherwise the text, which validation reports. */
function parseDuration(text: string, unit: LoopUnit): number | string {
  const line = text.trim();
  if (line === '') return 0;
  return /^\d{1,9}$/u.test(line) ? toLoopSeconds(Number(line), unit) : text;
}

/** Selects the mails that later rounds skip. */
class SkippedMails extends Field {
  readonly element: HTMLElement;
  readonly #rows = make('div', { class: 'skipped' });
  readonly #boxes: IdCheckboxes;
  #mails: readonly Pick<MailCard, 'id' | 'name'>[] = [];
  #selectedIds: ReadonlySet<JsonValue> = new Set();
  #enabled = true;
  #renderedKey = '';

  constructor(edits: Edits) {
    super(['loop_mail_skip']);
    this.#boxes = new IdCheckboxes(this.path, edits, this.#rows);
    const legend = make('legend', { class: 'label' }, 'Mails that later rounds skip');
    this.element = make('fieldset', { class: 'field plain' }, legend, this.#rows, this.remarks.element);
  }

  setMails(mails: readonly Pick<MailCard, 'id' | 'name'>[]): void {
    this.#mails = mails;
    this.#render();
  }

  show(value: JsonValue): void {
    this.#selectedIds = new Set(Array.isArray(value) ? value : []);
    this.#render();
  }

  protected override get controls(): readonly never[] {
    return [];
  }

  override setEnabled(enabled: boolean): void {
    this.#enabled = enabled;
    this.#render();
  }

  override focus(): void {
    this.#rows.querySelector<HTMLElement>('vscode-checkbox')?.focus();
  }

  #render(): void {
    const mailIds = new Set<unknown>(this.#mails.map(({ id }) => id));
    const missingMails = [...this.#selectedIds]
      .filter((id): id is number => typeof id === 'number' && !mailIds.has(id))
      .map((id) => ({ id, name: `Mail #${id} (not found)` }));
    const key = JSON.stringify([this.#mails.map(({ id, name }) => [id, name]), missingMails, this.#enabled]);
    if (key !== this.#renderedKey) {
      this.#renderedKey = key;
      this.#rows.replaceChildren(
        ...[...this.#mails, ...missingMails].map(({ id, name }) => this.#boxes.make(id, this.#enabled, name)),
      );
      if (this.#rows.childElementCount === 0) this.#rows.append(make('p', { class: 'hint' }, 'It has no mails yet.'));
    }
    this.#boxes.show(this.#selectedIds);
  }
}

/** The fields of the loop after the last mail. */
export class Loop {
  readonly element: HTMLElement;
  readonly fields: readonly Field[];
  readonly #skippedMails: SkippedMails;
  readonly #nested: HTMLElement;

  constructor(edits: Edits) {
    const loop = new FlagInput(
      {
        path: ['loop'],
        label: 'Start again after the last mail',
        hint: 'The follow-up can be triggered again, and all mails are sent again.',
        fallback: false,
      },
      edits,
    );
    const duration = new DurationInput(edits);
    this.#skippedMails = new SkippedMails(edits);
    this.fields = [loop, duration, this.#skippedMails];
    this.#nested = make(
      'div',
      { class: 'nested', role: 'group', 'aria-label': 'Loop' },
      duration.element,
      this.#skippedMails.element,
    );
    this.element = make('div', { class: 'loop' }, loop.element, this.#nested);
  }

  update({ loop }: Details): void {
    this.#nested.hidden = loop !== 1;
  }

  setMails(mails: readonly Pick<MailCard, 'id' | 'name'>[]): void {
    this.#skippedMails.setMails(mails);
  }
}
