import { make } from '../../webviews/dom.ts';
import { firstWords, InboxLine } from '../../webviews/inbox.ts';
import { keyOf } from '../../webviews/form/edits.ts';
import { TextInput, type Field, type TextOptions } from '../../webviews/form/fields.ts';
import { ListPicker } from '../../webviews/form/lists.ts';
import { FormPage, type FormHost } from '../../webviews/form/page.ts';
import { AudienceLine } from './audience.ts';
import { Header } from './header.ts';
import type { FormCommand, Lists, OwnToPage } from '../protocol.ts';
import { Sending } from './sending.ts';
import { lengthHint } from './subject.ts';
import { TagFields } from './tags.ts';

type Handlers = { readonly [Type in OwnToPage['type']]: (message: Extract<OwnToPage, { type: Type }>) => void };

const address = 'name@example.com';
const message: readonly TextOptions[] = [
  { path: ['subject'], label: 'Subject', required: true },
  { path: ['name'], label: 'Name', required: true, hint: 'For you and your team: recipients never see it.' },
];
/** Pairs that stand beside each other where there is room. */
const sender: readonly (readonly TextOptions[])[] = [
  [
    { path: ['from_name'], label: 'From name' },
    { path: ['from_email'], label: 'From e-mail', type: 'email', placeholder: address },
  ],
  [
    { path: ['reply_to_name'], label: 'Reply-to name' },
    { path: ['reply_to_email'], label: 'Reply-to e-mail', type: 'email', placeholder: address },
  ],
  [
    {
      path: ['bounce_email'],
      label: 'Bounce e-mail',
      type: 'email',
      placeholder: address,
      hint: 'Where undeliverable e-mails come back to.',
    },
    {
      path: ['bcc'],
      label: 'Bcc',
      placeholder: 'one@example.com, two@example.com',
      hint: 'Each gets a copy. Addresses separated by commas.',
    },
  ],
];
const lists = {
  path: ['listIds'],
  legend: 'Lists',
  unknown: 'The service does not say which lists this campaign has. What is chosen here replaces them.',
};

/** The campaign's form. */
export class CampaignFormPage extends FormPage<FormCommand, OwnToPage> {
  protected readonly fields: readonly Field[];
  readonly #header: Header;
  readonly #inbox = new InboxLine('The service’s sender');
  readonly #texts = new Map<string, TextInput>();
  readonly #lists: ListPicker;
  readonly #audience: AudienceLine;
  readonly #sending: Sending;
  readonly #tags = new TagFields();
  readonly #own: Handlers = {
    tags: (known) => this.#tags.know(known),
    standing: ({ isRecord, standing }) => this.#header.show(isRecord, standing),
    zones: ({ isStartUtc }) => this.#sending.tellStartZone(isStartUtc),
    audience: ({ audience }) => this.#audience.show(audience),
    body: ({ html }) => {
      this.#words = firstWords(new DOMParser().parseFromString(html, 'text/html'));
      this.#describe();
    },
  };
  #words = '';

  constructor(host: FormHost<FormCommand, OwnToPage>) {
    super(host);
    const { edits } = this;
    const retry = (): void => host.post({ type: 'retry' });
    this.#header = new Header((command) => host.post({ type: 'run', command }));
    this.#audience = new AudienceLine(retry);
    this.#lists = new ListPicker(lists, edits, retry, this.#audience.element);
    this.#sending = new Sending(edits);
    const texts = (options: readonly TextOptions[]): HTMLElement[] => options.map((each) => {
      const field = new TextInput(each, edits, () => this.#describe());
      this.#texts.set(keyOf(each.path), field);
      return field.element;
    });
    const subject = make('fieldset', { class: 'section' }, make('legend', {}, 'Message'), ...texts(message), this.#inbox.element);
    const line = this.#texts.get('subject');
    if (line) this.#tags.add(line, 'subject');
    const from = make(
      'fieldset',
      { class: 'section' },
      make('legend', {}, 'Sender'),
      make('p', { class: 'hint' }, 'What is left empty is taken from the service’s configuration.'),
      ...sender.map((pair) => make('div', { class: 'pair' }, ...texts(pair))),
    );
    this.form.append(subject, from, this.#lists.element, this.#sending.element);
    this.fields = [...this.#texts.values(), this.#lists, ...this.#sending.fields];
  }

  protected override get bar(): HTMLElement {
    return this.#header.element;
  }

  protected override showLists(known: Lists): void {
    this.#lists.showLists(known);
  }

  protected override arrange(details: Readonly<Record<string, unknown>>): void {
    if (!this.edits.isPending(['sending_type'])) this.#sending.arrange(details);
  }

  protected override shown(): void {
    this.#describe();
  }

  protected override enable(enabled: boolean): void {
    this.#header.enable(enabled);
  }

  protected override receive(each: OwnToPage): void {
    this.#handle(each);
  }

  #handle<Type extends OwnToPage['type']>(each: Extract<OwnToPage, { type: Type }>): void {
    const handler = this.#own[each.type as Type] as ((each: Extract<OwnToPage, { type: Type }>) => void) | undefined;
    handler?.(each);
  }

  /** What is seen of the e-mail before it is opened, as it is being typed. */
  #describe(): void {
    const text = (key: string): string => this.#texts.get(key)?.text ?? '';
    const subject = this.#texts.get('subject');
    if (subject) {
      subject.hint.hidden = false;
      subject.hint.textContent = lengthHint(subject.text);
    }
    this.#inbox.show(
      { subject: text('subject'), preheader: '', from_name: text('from_name'), from_email: text('from_email') },
      '',
      this.#words,
    );
  }
}
