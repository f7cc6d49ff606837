import { t } from '../../../l10n.ts';
import {
  createFormSection,
  createPair,
  DropdownChoice,
  FlagInput,
  RadioChoice,
  TextInput,
  toLine,
} from '../../../ui/page/form/fields.ts';
import { ListPicker } from '../../../ui/page/form/lists.ts';
import { FormPage } from '../../../ui/page/form/page.ts';
import type { Details, JsonValue } from '../../../ui/page/form/protocol.ts';
import type { MessageHandlers } from '../../../ui/protocol.ts';
import type { FollowUpFormCommand, FollowUpFormOptions, FollowUpToPage, MailCard } from '../protocol.ts';
import { readMailEntries } from '../model.ts';
import { Loop } from './loop.ts';
import { Timeline } from './timeline.ts';

const createListStatuses = () => [
  {
    value: 'is',
    label: t('Users on one of the selected lists'),
    description: t('Without a list: all users.'),
  },
  { value: 'is_not', label: t('Users on none of the selected lists') },
];
const createSegmentStatuses = () => [
  { value: 'is', label: t('Users in one of the segments') },
  { value: 'is_not', label: t('Users in none of the segments') },
];

/** The form of a follow-up's details. */
export class FollowUpForm extends FormPage<FollowUpToPage, FollowUpFormCommand> {
  readonly #attachButton = this.createAction(t('Add Email…'), 'attachMail', 'primary');
  readonly #flags = [
    new FlagInput(
      'active',
      t({ message: 'Active', comment: 'State of a follow-up' }),
      t('An inactive follow-up sends nothing when it is triggered.'),
    ),
    new FlagInput('send_once', t('Send once'), t('Each user gets it only once.')),
  ];
  readonly #trigger = new DropdownChoice('trigger', t('Trigger'), [], 'wide');
  protected readonly lists = new ListPicker(['condition', 'lists'], t('Lists of the condition'), this.retry);
  readonly #timeline = new Timeline((command, id) => this.run(command, id));
  readonly #loop = new Loop();
  #triggers: FollowUpFormOptions['triggers'] = [];
  #details: Details = {};
  #cards: readonly MailCard[] = [];
  #isRecord = false;

  constructor() {
    super();
    this.actions.append(this.#attachButton);
    this.actions.hidden = true;
    this.lists.element.classList.replace('section', 'subsection');
    const displayHint = t('Shown on the unsubscribe page.');
    const names = createPair(
      new TextInput('name', t('Name'), { required: true, hint: t('For you and your team.') }),
      new TextInput('display_name', t('Display name'), { required: true, hint: displayHint }),
    );
    const segments = new TextInput(['condition', 'segments'], t('Segments'), {
      placeholder: '4, 12',
      hint: t("IDs separated by commas. The service doesn't report which segments exist."),
      read: parseSegmentIds,
      write: formatSegmentIds,
    });
    const segmentStatus = ['condition', 'segments_status'];
    this.form.append(
      createFormSection(t('Follow-up'), names, ...this.#flags),
      createFormSection(
        t({ message: 'Start', comment: 'Heading: what starts a follow-up' }),
        this.#trigger,
        new RadioChoice(['condition', 'lists_status'], t('List condition'), createListStatuses(), 'is'),
        this.lists,
        createPair(
          new DropdownChoice(segmentStatus, t('Segment condition'), createSegmentStatuses(), 'wide'),
          segments,
        ),
      ),
      createFormSection(
        t({ message: 'Sequence', comment: 'Heading: the mails of a follow-up and their delays' }),
        this.#timeline.element,
      ),
      createFormSection(
        t({ message: 'Loop', comment: 'Heading: whether a follow-up starts again after its last mail' }),
        this.#loop.element,
      ),
    );
  }

  protected get label(): string {
    return t('Follow-up');
  }

  protected readonly handlers: MessageHandlers<FollowUpToPage> = {
    options: ({ options: { triggers, readOnlyReason }, isRecord }) => {
      this.#triggers = triggers;
      this.#trigger.setOptions(triggers);
      for (const flag of readOnlyReason === undefined ? [] : this.#flags) {
        flag.setHint(readOnlyReason ?? '');
        flag.setLocked(true);
      }
      this.#isRecord = isRecord;
      this.actions.hidden = !isRecord;
      if (!isRecord) this.showStatus('', t('Local file'));
      this.#renderSequence();
    },
    mails: ({ mails, isActive, statusText }) => {
      this.#cards = mails;
      this.showStatus(isActive ? 'sent' : '', statusText);
      this.#renderSequence();
    },
  };

  protected updateLayout(details: Details): void {
    this.#details = details;
    this.#renderSequence();
  }

  protected setEnabled(enabled: boolean): void {
    this.#attachButton.disabled = !enabled;
    this.#timeline.setEnabled(enabled);
  }

  #renderSequence() {
    const details = this.#details;
    const cards = this.#cards;
    const { trigger } = details;
    const triggerLabel =
      this.#triggers.find(({ value }) => value === trigger)?.label ??
      (typeof trigger === 'string' && trigger !== '' ? trigger : t('No trigger yet'));
    this.#timeline.update(details, triggerLabel, cards, this.#isRecord);
    const names = new Map(cards.map(({ id, name }) => [id, name]));
    this.#loop.update(
      details,
      readMailEntries(details).map(({ id }) => ({ id, name: names.get(id) ?? t`Email #${id}` })),
    );
  }
}

/** Returns ids if the text contains only ids, otherwise the text, which validation reports. */
function parseSegmentIds(text: string) {
  const parts = text.split(/[\s,;]+/u).filter((part) => part !== '');
  return parts.every((part) => /^\d{1,15}$/u.test(part)) ? parts.map(Number) : text;
}

function formatSegmentIds(value: JsonValue) {
  return Array.isArray(value) ? value.join(', ') : toLine(value);
}
