import { t } from '@vscode/l10n';
import { localized, plural } from '../../../l10n.ts';
import { make } from '../../../ui/page/dom.ts';
import type { Edits } from '../../../ui/page/form/edits.ts';
import { createField, createFlagInput, createNestedGroup } from '../../../ui/page/form/fields.ts';
import { createIdField } from '../../../ui/page/form/lists.ts';
import type { Details, JsonValue } from '../../../ui/page/form/protocol.ts';
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
  return typeof amount === 'number' && duration !== undefined
    ? plural(amount, ...duration)
    : `${String(value)} ${name}`.trim();
}

const INITIAL_UNIT = 'days';

/** Creates the fields of a duration in seconds: a number and a unit. */
function createDurationInput(edits: Edits) {
  const path = ['loop_delay'];
  const label = t('Wait before it starts again');
  const number = make('vscode-text-field', { 'data-field': 'loop_delay' }, label);
  const unit = make(
    'select',
    { 'aria-label': t('Unit of the wait'), 'data-field': 'loop_delay/unit' },
    ...loopUnits.map((value) =>
      make('option', { value, selected: value === INITIAL_UNIT ? '' : undefined }, loopUnitLabels()[value]),
    ),
  );
  const hint = t(
    'Counted from the last email. The service waits this long before the follow-up can be triggered again.',
  );
  let chosenUnit: LoopUnit = INITIAL_UNIT;
  let seconds: JsonValue;
  const parse = () => parseDuration(number.control?.value ?? number.value, chosenUnit);
  const postEdit = (isFinal: boolean) => edits.set(path, (seconds = parse()), isFinal);
  number.addEventListener('input', () => postEdit(false));
  number.addEventListener('focusout', () => edits.settle());
  unit.addEventListener('change', () => {
    const selected = loopUnits.find((each) => each === unit.value);
    if (selected === undefined || selected === chosenUnit) return;
    chosenUnit = selected;
    postEdit(true);
  });
  const element = make('div.field', make('div.amount', number, unit));
  return {
    ...createField(path, element, [number, unit], hint),
    show: (value: JsonValue) => {
      if (number.control) number.control.inputMode = 'numeric';
      if (value === seconds) return;
      seconds = value;
      const isDuration = typeof value === 'number' && Number.isInteger(value) && value >= 0;
      if (isDuration && parse() === value) return;
      const amount = isDuration ? toLoopAmount(value) : undefined;
      chosenUnit = amount?.unit ?? 'seconds';
      const text = amount === undefined ? (value === undefined ? '' : JSON.stringify(value)) : String(amount.value);
      number.value = text;
      if (number.control) number.control.value = text;
      if (unit.value !== chosenUnit) unit.value = chosenUnit;
    },
  };
}

/** Returns seconds if the text is a whole number, otherwise the text, which validation reports. */
function parseDuration(text: string, unit: LoopUnit) {
  const line = text.trim();
  if (line === '') return 0;
  return /^\d{1,9}$/u.test(line) ? Number(line) * loopUnitSeconds[unit] : text;
}

type NamedMail = Pick<MailCard, 'id' | 'name'>;

/** Creates the selection of mails that later rounds skip. */
function createSkippedMails(edits: Edits) {
  const legend = make('legend.label', t('Emails to skip in later rounds'));
  const element = make('fieldset.field.plain', legend);
  const field = createIdField(['loop_mail_skip'], edits, element, make('div.skipped'), render);
  let mails: readonly NamedMail[] = [];

  function render() {
    const missingIds = [...field.getSelectedIds()].filter((id) => mails.every((mail) => mail.id !== id));
    const shown = [...mails, ...missingIds.map((id) => ({ id, name: t`Email #${id} (not found)` }))];
    field.renderRows(shown, () =>
      shown.length === 0
        ? [make('p.hint', t('No emails yet.'))]
        : shown.map(({ id, name }) => field.createCheckbox(id, name)),
    );
  }

  return {
    ...field,
    setMails: (shown: readonly NamedMail[]) => {
      mails = shown;
      render();
    },
  };
}

/** Creates the fields of the loop after the last mail. */
export function createLoop(edits: Edits) {
  const loop = createFlagInput(
    {
      path: ['loop'],
      label: t('Start again after the last email'),
      hint: t('The follow-up can be triggered again, and all emails are sent again.'),
      fallback: false,
    },
    edits,
  );
  const duration = createDurationInput(edits);
  const skippedMails = createSkippedMails(edits);
  const nested = createNestedGroup(
    t({ message: 'Loop', comment: 'Heading: whether a follow-up starts again after its last mail' }),
    duration.element,
    skippedMails.element,
  );
  return {
    element: make('div.loop', loop.element, nested),
    fields: [loop, duration, skippedMails],
    update: (details: Details, mails: readonly NamedMail[]) => {
      nested.hidden = details['loop'] !== 1;
      skippedMails.setMails(mails);
    },
  };
}
