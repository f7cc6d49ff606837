import { t } from '@vscode/l10n';
import { plural } from '../../../../l10n.ts';
import { icon, make } from '../../../../ui/page/dom.ts';
import { icons } from '../../../../ui/page/icons.ts';
import { makeButton } from '../../../../ui/page/toolkit.ts';
import type { MessageHandlers } from '../../../../ui/protocol.ts';
import type { Details } from '../../../../ui/page/form/protocol.ts';
import {
  capitalize,
  createFormSection,
  createNestedGroup,
  createPair,
  DropdownChoice,
  FlagInput,
  RadioChoice,
  TextInput,
} from '../../../../ui/page/form/fields.ts';
import { ListPicker } from '../../../../ui/page/form/lists.ts';
import { FormPage } from '../../../../ui/page/form/page.ts';
import { createInboxLine, getSnippet } from '../../../../ui/page/inbox.ts';
import type { Audience, CampaignFormCommand, CampaignToPage, TagsToPage } from '../protocol.ts';
import { SiteSettings } from './siteSettings.ts';
import { DateInput } from '../../../../ui/page/form/dates.ts';
import { toDisplayText } from '../../../../email/compose/fieldText.ts';
import {
  createRendering,
  createTagInsertion,
  completeTags,
  getExampleOutput,
  readTagLanguage,
  filterCompletions,
  renderTags,
  samplePeople,
} from '../../../../email/tags/index.ts';
import { Suggestions, type Suggestion } from '../../../../ui/page/form/suggestions.ts';

const emailOptions = { type: 'email', placeholder: 'name@example.com' } as const;

/** The form of a campaign's details. */
export class CampaignForm extends FormPage<CampaignToPage, CampaignFormCommand> {
  readonly #subject = new TextInput('subject', t('Subject'), { required: true });
  readonly #fromName = new TextInput('from_name', t('From name'));
  readonly #fromEmail = new TextInput('from_email', t('From email'), emailOptions);
  readonly #inbox = createInboxLine(t("The service's default sender"));
  protected readonly lists = new ListPicker(
    ['listIds'],
    t('Lists'),
    this.retry,
    t("The service doesn't report this campaign's lists. Lists that you select here replace them."),
  );
  readonly #audience = make('div.audience', { 'aria-live': 'polite', hidden: '' });
  readonly #schedule = new Schedule();
  readonly #siteSettings = new SiteSettings();
  readonly #send = this.createAction(t('Send…'), 'send', 'primary');
  readonly #statistics = this.createAction(t('Show Statistics'), 'showStatistics', 'primary');
  readonly #versionsText = make('span');
  readonly #versionsLink = make('a', t('Open Website'));
  readonly #versionsNotice = make('div.notice', { role: 'status', hidden: '' }, this.#versionsText, this.#versionsLink);
  #bodySnippet = '';
  #storedPreheader = '';
  #sendsAtOnce = false;
  #sendingType: unknown;
  /** Offers no tags until the extension has sent the settings. */
  #tags: Omit<TagsToPage, 'type'> = { setting: 'none', fields: [] };

  constructor() {
    super();
    this.actions.append(
      this.createAction(t('Open Body'), 'openBody'),
      this.createAction(t({ message: 'Preview', comment: 'Button that opens the preview' }), 'preview'),
      this.createAction(t('Send Test'), 'sendTest'),
      this.#send,
      this.#statistics,
    );
    this.#statistics.hidden = true;
    new Suggestions(this.#subject.control, (line, offset) => this.#suggestTags(line, offset));
    this.lists.element.append(this.#audience);
    this.#siteSettings.element.hidden = true;
    const nameOptions = { required: true, hint: t('For you and your team. Recipients never see it.') };
    const name = new TextInput('name', t('Name'), nameOptions);
    this.form.append(
      this.#versionsNotice,
      createFormSection(t('Message'), this.#subject, name, this.#inbox.element),
      this.lists.element,
      this.#schedule.element,
      this.#createSenderSection(),
      this.#siteSettings.element,
    );
    this.form.addEventListener('input', () => this.onShown());
  }

  protected get label(): string {
    return t('Campaign');
  }

  protected readonly handlers: MessageHandlers<CampaignToPage> = {
    tags: (settings) => {
      this.#tags = settings;
      this.onShown();
    },
    status: ({ isRecord, status, preheader = '', siteParams, versions = '' }) => {
      this.#versionsText.textContent = versions;
      this.#versionsNotice.hidden = versions === '';
      this.#siteSettings.showStored(siteParams);
      this.#storedPreheader = preheader;
      this.onShown();
      this.actions.hidden = !isRecord;
      this.#statistics.hidden = status?.state !== 'sent';
      this.#send.hidden = !this.#statistics.hidden;
      if (status !== undefined) this.showStatus(status.state, capitalize(status.label));
      else if (!isRecord) this.showStatus('', t('Local file'));
    },
    zones: ({ isStartUtc, sendsAtOnce, site }) => {
      this.#siteSettings.element.hidden = site === undefined;
      this.#versionsLink.href = site ?? '';
      this.#schedule.start.setDayZone(isStartUtc);
      this.#sendsAtOnce = sendsAtOnce;
      this.#updateSendLabel();
    },
    audience: ({ audience }) => this.#showAudience(audience),
    body: ({ html }) => {
      this.#bodySnippet = getSnippet(new DOMParser().parseFromString(html, 'text/html'));
      this.onShown();
    },
  };

  protected updateLayout(details: Details): void {
    if (this.edits.isPending(['sending_type'])) return;
    this.#schedule.updateVisibility(details);
    this.#siteSettings.showDetails(details);
    this.#sendingType = details['sending_type'];
    this.#updateSendLabel();
  }

  protected setEnabled(enabled: boolean): void {
    this.#send.disabled = !enabled;
  }

  /** Updates the inbox line, while the user types too. */
  protected override onShown(): void {
    const [subject, preheader] = [this.#render(this.#subject.text, 'subject'), this.#storedPreheader];
    const sender = { from_name: this.#fromName.text, from_email: this.#fromEmail.text };
    this.#subject.setHint(formatLengthHint(subject));
    this.#inbox.show({ subject, preheader: this.#render(preheader, 'preheader'), ...sender }, '', this.#bodySnippet);
  }

  /** Returns a text as a typical subscriber gets it. */
  #render(text: string, where: 'subject' | 'preheader') {
    const rendering = { ...createRendering(samplePeople()[0]?.person ?? {}), where };
    return renderTags(text, readTagLanguage(this.#tags.setting), rendering).text;
  }

  #createSenderSection() {
    const bccOptions = {
      placeholder: 'one@example.com, two@example.com',
      hint: t('Each address gets a copy. Separate addresses with commas.'),
    };
    const bounceOptions = { ...emailOptions, hint: t('Receives undeliverable emails.') };
    return createFormSection(
      t('Sender'),
      make('p.hint', t("Empty fields use the service's configuration.")),
      createPair(this.#fromName, this.#fromEmail),
      createPair(
        new TextInput('reply_to_name', t('Reply-to name')),
        new TextInput('reply_to_email', t('Reply-to email'), emailOptions),
      ),
      createPair(
        new TextInput('bounce_email', t('Bounce email'), bounceOptions),
        new TextInput('bcc', t('Bcc'), bccOptions),
      ),
    );
  }

  #updateSendLabel() {
    const isScheduled = !this.#sendsAtOnce && (this.#sendingType === 'scheduled' || this.#sendingType === 'auto');
    this.#send.textContent = isScheduled
      ? t({ message: 'Schedule…', comment: 'Button that schedules a campaign' })
      : t('Send…');
  }

  /** Shows the number of recipients of the selected lists. */
  #showAudience(audience: Audience) {
    const text = formatAudience(audience);
    this.#audience.hidden = text === undefined;
    this.#audience.classList.toggle('uncertain', audience.kind !== 'counted');
    this.#audience.replaceChildren(...(text === undefined ? [] : [icon(icons.people), make('span', text)]));
    if (audience.kind === 'failed') this.#audience.append(makeButton(t('Count Again'), this.retry));
  }

  /** Returns completions of the service's tags. */
  #suggestTags(line: string, offset: number): Suggestion[] {
    const { setting, fields } = this.#tags;
    const found = completeTags(line, offset, readTagLanguage(setting), { where: 'subject', fields });
    return filterCompletions(found, line, offset).map((tag) => ({
      label: toDisplayText(tag.label),
      example: toDisplayText(getExampleOutput(tag)),
      description: toDisplayText(tag.description),
      edit: createTagInsertion(tag),
      continues: tag.shouldRetrigger,
    }));
  }
}

/** Characters of a subject that inboxes show on a phone in portrait orientation, and on a desktop. */
const PHONE_SUBJECT_CHARS = 33;
const DESKTOP_SUBJECT_CHARS = 60;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Returns the length of a subject in graphemes, and where inboxes cut it. */
function formatLengthHint(subject: string) {
  const letters = [...graphemes.segment(subject.trim())].map(({ segment }) => segment);
  const { length } = letters;
  if (length === 0)
    return t`Inboxes show about ${PHONE_SUBJECT_CHARS} characters on a phone and ${DESKTOP_SUBJECT_CHARS} on a desktop.`;
  const count = plural(length, t('{0} character.'), t('{0} characters.'));
  if (length <= PHONE_SUBJECT_CHARS) return `${count} ${t('Fits on a phone and on a desktop.')}`;
  const start = `${letters.slice(0, PHONE_SUBJECT_CHARS).join('').trimEnd()}…`;
  const phone = t`Phones show about "${start}".`;
  return length <= DESKTOP_SUBJECT_CHARS
    ? `${count} ${phone}`
    : `${count} ${t`Desktops show about ${DESKTOP_SUBJECT_CHARS} characters.`} ${phone}`;
}

function formatAudience(audience: Audience) {
  switch (audience.kind) {
    case 'none':
      return undefined;
    case 'counting':
      return t('Counting the recipients…');
    case 'failed':
      return t`Couldn't count the recipients: ${audience.message}`;
    case 'counted':
      return audience.exact
        ? plural(audience.count, t('{0} recipient, counted once'), t('{0} recipients, each counted once'))
        : plural(
            audience.count,
            t('At least {0} recipient, counted once'),
            t('At least {0} recipients, each counted once'),
          );
  }
}

const createSendingTypeOptions = () => [
  {
    value: 'now',
    label: t({ message: 'Now', comment: 'Sending type of a campaign' }),
    description: t('Sends when you choose Send.'),
  },
  {
    value: 'scheduled',
    label: t({ message: 'Scheduled', comment: 'Sending type of a campaign' }),
    description: t('Sends on a date.'),
  },
  {
    value: 'auto',
    label: t({ message: 'Automatic', comment: 'Sending type of a campaign' }),
    description: t('Sends repeatedly.'),
  },
];

const createFrequencyOptions = () => [
  { value: 'every', label: t('At an interval') },
  {
    value: 'cron',
    label: t('Each time the service runs its tasks'),
    description: t('As often as its cron job runs.'),
  },
];

const createUnitOptions = () => [
  { value: 'hour', label: t('hours') },
  { value: 'day', label: t('days') },
  { value: 'week', label: t('weeks') },
  { value: 'month', label: t('months') },
];

/** The sending type, and the fields that depend on it. */
class Schedule {
  /** Its time zone is UTC or that of the service. */
  readonly start = new DateInput('start_date', t('First day'), false, t('Leave empty to start immediately.'));
  readonly element: HTMLElement;
  readonly #every: HTMLElement;
  readonly #scheduled: HTMLElement;
  readonly #auto: HTMLElement;

  constructor() {
    const day = t({ message: 'Day', comment: 'Label of a date field' });
    const value = new TextInput(
      ['frequency_options', 'value'],
      t({ message: 'Every', comment: 'A number and a unit of time follow.' }),
      { inputMode: 'numeric', class: 'number', read: parseFrequencyValue },
    );
    const unit = new DropdownChoice(['frequency_options', 'unit'], t('Unit'), createUnitOptions());
    const confirmHint = t('The service creates a draft each time and sends it after confirmation.');
    this.#every = make('div.pair.rhythm', value.element, unit.element);
    this.#scheduled = createNestedGroup(
      t({ message: 'Scheduled', comment: 'Sending type of a campaign' }),
      new DateInput('sending_date', day, true),
    );
    this.#auto = createNestedGroup(
      t({ message: 'Automatic', comment: 'Sending type of a campaign' }),
      new RadioChoice('frequency', t('Frequency'), createFrequencyOptions()),
      this.#every,
      this.start,
      new FlagInput('need_confirm', t('Confirm each email'), confirmHint, true),
    );
    const type = new RadioChoice('sending_type', t('Sending type'), createSendingTypeOptions(), 'now');
    this.element = createFormSection(t('Schedule'), type, this.#scheduled, this.#auto);
  }

  /** Hides fields that don't apply. */
  updateVisibility(details: Details): void {
    this.#scheduled.hidden = details['sending_type'] !== 'scheduled';
    this.#auto.hidden = details['sending_type'] !== 'auto';
    this.#every.hidden = details['frequency'] !== 'every';
  }
}

/** Parses a whole number. Other text is returned unchanged, so that validation reports it. */
function parseFrequencyValue(text: string) {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : text;
}
