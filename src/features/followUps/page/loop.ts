import { localized, plural, t } from '../../../l10n.ts';
import { make } from '../../../ui/page/dom.ts';
import { createNestedGroup, Field, FlagInput } from '../../../ui/page/form/fields.ts';
import { IdField } from '../../../ui/page/form/lists.ts';
import type { Details, JsonValue } from '../../../ui/page/form/protocol.ts';
import { makeSelect, type TextElement } from '../../../ui/page/toolkit.ts';
import { delayUnitLabels } from '../model.ts';
import type { MailCard } from '../protocol.ts';

/** Seconds per unit of a loop delay, shortest first. Months are excluded because their length varies. */
const loopUnitSeconds = { seconds: 1, minutes: 60, hours: 3600, days: 86_400, weeks: 604_800 } as const;

type LoopUnit = keyof typeof loopUnitSeconds;

const loopUnits = Object.keys(loopUnitSeconds) as readonly LoopUnit[];

const loopUnitLabels = localized(() => ({
  seconds: t('seconds'),
  ...delayUnitLabels(),
}));

/** Converts seconds to the longest unit that yields a whole number. */
export function toLoopAmount(seconds: number): { readonly value: number; readonly unit: LoopUnit } {
  const unit = (seconds > 0 && loopUnits.findLast((each) => seconds % loopUnitSeconds[each] === 0)) || 'days';
  return { value: seconds / loopUnitSeconds[unit], unit };
}

const durations = localized((): Readonly<Record<string, readonly [one: string, other: string]>> => ({
  seconds: [t('{0} second'), t('{0} seconds')],
  minutes: [t('{0} minute'), t('{0} minutes')],
  hours: [t('{0} hour'), t('{0} hours')],
  days: [t('{0} day'), t('{0} days')],
  weeks: [t('{0} week'), t('{0} weeks')],
  months: [t('{0} month'), t('{0} months')],
}));

/** "3 days", "1 day". A number as the unit is in seconds. Invalid values are shown as they are. */
export function formatAmountWithUnit(value: unknown, unit: unknown): string {
  const [amount, name] =
    typeof value === 'number' && typeof unit === 'number' ? [value * unit, 'seconds'] : [value, String(unit ?? '')];
  const duration = Object.entries(durations()).find(([each]) => each === name)?.[1];
  return typeof amount === 'number' && duration ? plural(amount, ...duration) : `${String(value)} ${name}`.trim();
}

const INITIAL_UNIT = 'days';

/** A duration in seconds: a number and a unit. Keeps the user's unit while it fits the value. */
class DurationInput extends Field {
  readonly #number: TextElement;
  readonly #unit: HTMLSelectElement;
  #chosenUnit: LoopUnit = INITIAL_UNIT;
  #seconds: JsonValue;

  constructor() {
    const number = make('vscode-text-field', t('Wait before it starts again'));
    const options = loopUnits.map((unit) => [unit, loopUnitLabels()[unit]] as const);
    const unit = makeSelect(
      { 'aria-label': t('Unit of the wait'), 'data-field': 'loop_delay/unit' },
      options,
      (selected) => {
        if (selected === this.#chosenUnit) return;
        this.#chosenUnit = selected;
        this.#report(true);
      },
    );
    unit.value = INITIAL_UNIT;
    const hint = t(
      'Counted from the last email. The service waits this long before the follow-up can be triggered again.',
    );
    super('loop_delay', make('div.field', make('div.amount', number, unit)), [number, unit], hint);
    this.#number = number;
    this.#unit = unit;
    number.addEventListener('input', () => this.#report(false));
  }

  show(value: JsonValue): void {
    const { control } = this.#number;
    if (control) control.inputMode = 'numeric';
    if (value === this.#seconds) return;
    this.#seconds = value;
    const isDuration = typeof value === 'number' && Number.isInteger(value) && value >= 0;
    if (isDuration && this.#parse() === value) return;
    const amount = isDuration ? toLoopAmount(value) : undefined;
    this.#unit.value = this.#chosenUnit = amount?.unit ?? 'seconds';
    const text = amount ? String(amount.value) : value === undefined ? '' : JSON.stringify(value);
    this.#number.value = text;
    if (control) control.value = text;
  }

  #parse() {
    return parseDuration(this.#number.control?.value ?? this.#number.value, this.#chosenUnit);
  }

  #report(isFinal: boolean) {
    this.#seconds = this.#parse();
    this.edit(this.#seconds, isFinal);
  }
}

/** Returns seconds if the text is a whole number, otherwise the text, which validation reports. */
function parseDuration(text: string, unit: LoopUnit) {
  const line = text.trim();
  if (line === '') return 0;
  return /^\d{1,9}$/u.test(line) ? Number(line) * loopUnitSeconds[unit] : text;
}

type NamedMail = Pick<MailCard, 'id' | 'name'>;

/** The mails that later rounds skip. */
class SkippedMails extends IdField {
  #mails: readonly NamedMail[] = [];

  constructor() {
    const legend = make('legend.label', t('Emails to skip in later rounds'));
    super(['loop_mail_skip'], make('fieldset.field.plain', legend), make('div.skipped'));
  }

  setMails(mails: readonly NamedMail[]): void {
    this.#mails = mails;
    this.render();
  }

  protected render(): void {
    const missingIds = [...this.selectedIds].filter((id) => this.#mails.every((mail) => mail.id !== id));
    const shown = [...this.#mails, ...missingIds.map((id) => ({ id, name: t`Email #${id} (not found)` }))];
    this.renderRows(shown, () =>
      shown.length === 0
        ? [make('p.hint', t('No emails yet.'))]
        : shown.map(({ id, name }) => this.createCheckbox(id, name)),
    );
  }
}

/** The loop after the last mail. Its fields are only shown while it is on. */
export class Loop {
  readonly element: HTMLElement;
  readonly #skippedMails = new SkippedMails();
  readonly #nested = createNestedGroup(
    t({ message: 'Loop', comment: 'Heading: whether a follow-up starts again after its last mail' }),
    new DurationInput(),
    this.#skippedMails,
  );

  constructor() {
    const hint = t('The follow-up can be triggered again, and all emails are sent again.');
    const loop = new FlagInput('loop', t('Start again after the last email'), hint);
    this.element = make('div.loop', loop.element, this.#nested);
  }

  update(details: Details, mails: readonly NamedMail[]): void {
    this.#nested.hidden = details['loop'] !== 1;
    this.#skippedMails.setMails(mails);
  }
}
