import { icon, make } from '../../../platform/webview/dom.ts';
import { icons } from '../../../platform/webview/icons.ts';
import { makeButton, type ButtonElement } from '../../../platform/webview/toolkit.ts';
import { getPathKey, type Edits } from '../../../platform/webview/form/edits.ts';
import type { Details } from '../../../platform/webview/form/protocol.ts';
import {
  TextInput,
  capitalize,
  createFormSection,
  type Field,
  type TextOptions,
  DropdownChoice,
  FlagInput,
  RadioChoice,
} from '../../../platform/webview/form/fields.ts';
import { ListPicker } from '../../../platform/webview/form/lists.ts';
import { FormPage } from '../../../platform/webview/form/page.ts';
import { getSnippet, InboxLine } from '../../../platform/webview/inbox.ts';
import type { MessageHandlers } from '../../../platform/webview/messages.ts';
import type { Audience, CampaignFormCommand, Lists, CampaignToPage, TagsToPage } from '../protocol.ts';
import { DateInput } from '../../../platform/webview/form/dates.ts';
import { toDisplayText } from '../../../email/compose/fieldText.ts';
import {
  createTagInsertion,
  completeTags,
  getExampleOutput,
  readTagLanguage,
  filterCompletions,
  tagLanguage,
  type TagLanguage,
  type TagLocation,
} from '../../../email/tags/index.ts';
import { Suggestions, type Suggestion } from '../../../platform/webview/form/suggestions.ts';

const ADDRESS_PLACEHOLDER = 'name@example.com';
const messageFields: readonly TextOptions[] = [
  { path: ['subject'], label: 'Subject', required: true },
  { path: ['name'], label: 'Name', required: true, hint: 'For you and your team: recipients never see it.' },
];
/** Each pair is laid out side by side if there is space. */
const senderFieldPairs: readonly (readonly TextOptions[])[] = [
  [
    { path: ['from_name'], label: 'From name' },
    { path: ['from_email'], label: 'From email', type: 'email', placeholder: ADDRESS_PLACEHOLDER },
  ],
  [
    { path: ['reply_to_name'], label: 'Reply-to name' },
    { path: ['reply_to_email'], label: 'Reply-to email', type: 'email', placeholder: ADDRESS_PLACEHOLDER },
  ],
  [
    {
      path: ['bounce_email'],
      label: 'Bounce email',
      type: 'email',
      placeholder: ADDRESS_PLACEHOLDER,
      hint: 'Receives undeliverable emails.',
    },
    {
      path: ['bcc'],
      label: 'Bcc',
      placeholder: 'one@example.com, two@example.com',
      hint: 'Each gets a copy. Addresses separated by commas.',
    },
  ],
];
const listPickerOptions = {
  path: ['listIds'],
  legend: 'Lists',
  missingHint: 'The service doesn’t report this campaign’s lists. Lists that you select here replace them.',
};

export class CampaignFormPage extends FormPage<CampaignToPage> {
  protected readonly fields: readonly Field[];
  readonly #send: ButtonElement;
  readonly #inbox = new InboxLine('The service’s sender');
  readonly #texts = new Map<string, TextInput>();
  readonly #lists: ListPicker;
  readonly #audience: AudienceLine;
  readonly #sending: SendingSection;
  readonly #tags = new TagFields();
  protected override readonly ownHandlers: MessageHandlers<CampaignToPage> = {
    tags: (settings) => this.#tags.update(settings),
    status: ({ isRecord, status }) => {
      this.actions.hidden = !isRecord;
      if (status !== undefined) this.showStatus(status.state, capitalize(status.label));
      else if (!isRecord) this.showStatus('', 'Local file');
    },
    zones: ({ isStartUtc }) => this.#sending.setStartZone(isStartUtc),
    audience: ({ audience }) => this.#audience.show(audience),
    body: ({ html }) => {
      this.#bodySnippet = getSnippet(new DOMParser().parseFromString(html, 'text/html'));
      this.#updatePreview();
    },
  };
  #bodySnippet = '';

  constructor() {
    super('Campaign');
    const { edits, host } = this;
    const retry = (): void => host.post({ type: 'retry' });
    const createAction = (label: string, command: CampaignFormCommand, appearance = 'secondary'): ButtonElement =>
      makeButton(label, () => host.post({ type: 'run', command }), { appearance, 'data-command': command });
    this.#send = createAction('Send…', 'send', 'primary');
    this.actions.append(
      createAction('Open Body', 'openBody'),
      createAction('Preview', 'preview'),
      createAction('Send Test', 'sendTest'),
      this.#send,
    );
    this.#audience = new AudienceLine(retry);
    this.#lists = new ListPicker(listPickerOptions, edits, retry);
    this.#lists.element.append(this.#audience.element);
    this.#sending = new SendingSection(edits);
    const texts = (options: readonly TextOptions[]): HTMLElement[] =>
      options.map((each) => {
        const field = new TextInput(each, edits, () => this.#updatePreview());
        this.#texts.set(getPathKey(each.path), field);
        return field.element;
      });
    const subject = createFormSection('Message', ...texts(messageFields), this.#inbox.element);
    const line = this.#texts.get('subject');
    if (line) this.#tags.add(line, 'subject');
    const hint = make('p', { class: 'hint' }, 'Empty fields use the service’s configuration.');
    const from = createFormSection(
      'Sender',
      hint,
      ...senderFieldPairs.map((pair) => make('div', { class: 'pair' }, ...texts(pair))),
    );
    this.form.append(subject, from, this.#lists.element, this.#sending.element);
    this.fields = [...this.#texts.values(), this.#lists, ...this.#sending.fields];
  }

  protected override showLists(choices: Lists): void {
    this.#lists.showLists(choices);
  }

  protected override updateLayout(details: Details): void {
    if (!this.edits.isPending(['sending_type'])) this.#sending.updateVisibility(details);
  }

  protected override onShown(): void {
    this.#updatePreview();
  }

  protected override setEnabled(enabled: boolean): void {
    this.#send.disabled = !enabled;
  }

  #updatePreview(): void {
    const text = (key: string): string => this.#texts.get(key)?.text ?? '';
    this.#texts.get('subject')?.setHint(formatLengthHint(text('subject')));
    this.#inbox.show(
      { subject: text('subject'), preheader: '', from_name: text('from_name'), from_email: text('from_email') },
      '',
      this.#bodySnippet,
    );
  }
}

/** Characters of a subject that inboxes show on a phone in portrait orientation, and on a desktop. */
const PHONE_SUBJECT_CHARS = 33;
const DESKTOP_SUBJECT_CHARS = 60;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Returns the length of a subject in graphemes, and where inboxes cut it. */
function formatLengthHint(subject: string): string {
  const letters = [...graphemes.segment(subject.trim())].map(({ segment }) => segment);
  const { length } = letters;
  if (length === 0)
    return `Inboxes show about ${PHONE_SUBJECT_CHARS} characters on a phone and ${DESKTOP_SUBJECT_CHARS} on a desktop.`;
  const count = `${length} ${length === 1 ? 'character' : 'characters'}`;
  if (length <= PHONE_SUBJECT_CHARS) return `${count}: fits on a phone and on a desktop.`;
  const start = letters.slice(0, PHONE_SUBJECT_CHARS).join('').trimEnd();
  return length <= DESKTOP_SUBJECT_CHARS
    ? `${count}: a phone shows about “${start}…”`
    : `${count}: a desktop cuts it after about ${DESKTOP_SUBJECT_CHARS}, a phone shows about “${start}…”`;
}

/** Shows the number of recipients of the selected lists. */
class AudienceLine {
  readonly element = make('div', { class: 'audience', 'aria-live': 'polite', hidden: '' });
  readonly #retry: () => void;

  constructor(retry: () => void) {
    this.#retry = retry;
  }

  show(audience: Audience): void {
    const text = formatAudience(audience);
    this.element.hidden = text === undefined;
    this.element.classList.toggle('uncertain', audience.kind !== 'counted');
    this.element.replaceChildren(...(text === undefined ? [] : [icon(icons.people), make('span', {}, text)]));
    if (audience.kind === 'failed') this.element.append(makeButton('Count Again', this.#retry));
  }
}

function formatAudience(audience: Audience): string | undefined {
  switch (audience.kind) {
    case 'none':
      return undefined;
    case 'counting':
      return 'Counting the recipients…';
    case 'failed':
      return `The recipients can’t be counted: ${audience.message}`;
    case 'counted':
      return audience.exact
        ? `${audience.recipients}, each counted once`
        : `At least ${audience.recipients}, each counted once`;
  }
}

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

/** Adds completions of the service's tags to form fields. */
export class TagFields {
  /** Offers no tags until the host has sent the settings. */
  #language: TagLanguage = tagLanguage('none');
  #fields: TagsToPage['fields'] = [];

  update({ setting, fields }: TagsToPage): void {
    this.#language = readTagLanguage(setting);
    this.#fields = fields;
  }

  /** `where`: the part of the email that the field contains. */
  add(field: TextInput, where: TagLocation): void {
    new Suggestions(field.control, (text, offset) => this.#suggest(text, offset, where));
  }

  #suggest(text: string, offset: number, where: TagLocation): Suggestion[] {
    const found = completeTags(text, offset, this.#language, { where, fields: this.#fields });
    return filterCompletions(found, text, offset).map((tag) => ({
      label: toDisplayText(tag.label),
      example: toDisplayText(getExampleOutput(tag)),
      description: toDisplayText(tag.description),
      edit: createTagInsertion(tag),
      continues: tag.shouldRetrigger,
    }));
  }
}
