import { icon, make } from '../kit/dom.ts';
import type { Host } from '../kit/host.ts';
import { icons } from '../kit/icons.ts';
import { firstWords, InboxLine } from '../kit/inbox.ts';
import { Edits, keyOf } from './edits.ts';
import { TextInput, type Field, type TextOptions } from './fields.ts';
import { Header } from './header.ts';
import { ListPicker } from './lists.ts';
import type { FieldProblem, FromPage, Path, ToPage } from './protocol.ts';
import { Remarks } from './remarks.ts';
import { Sending } from './sending.ts';
import { lengthHint } from './subject.ts';

/** What outlives the page while it is hidden: how far it was scrolled, and the field that had the focus. */
export interface PageState {
  readonly scroll: number;
  readonly field?: string;
}

type Handlers = { readonly [Type in ToPage['type']]: (message: Extract<ToPage, { type: Type }>) => void };

const address = 'name@example.com';
const message: readonly TextOptions[] = [
  { path: ['subject'], label: 'Subject', required: true },
  { path: ['name'], label: 'Name', required: true, hint: 'For you and your team: recipients never see it.' },
];
/** Pairs that stand beside each other where there is room. */
const sender: readonly (readonly TextOptions[])[] = [
  [{ path: ['from_name'], label: 'From name' }, { path: ['from_email'], label: 'From e-mail', type: 'email', placeholder: address }],
  [{ path: ['reply_to_name'], label: 'Reply-to name' }, { path: ['reply_to_email'], label: 'Reply-to e-mail', type: 'email', placeholder: address }],
  [
    { path: ['bounce_email'], label: 'Bounce e-mail', type: 'email', placeholder: address, hint: 'Where undeliverable e-mails come back to.' },
    { path: ['bcc'], label: 'Bcc', placeholder: 'one@example.com, two@example.com', hint: 'Each gets a copy. Addresses separated by commas.' },
  ],
];

/** The campaign's form: shows what the text holds, and tells each change that is made in it. */
export class FormPage {
  readonly #host: Host<ToPage, FromPage, PageState>;
  readonly #edits: Edits;
  readonly #header: Header;
  readonly #inbox = new InboxLine('The service’s sender');
  readonly #broken = make('div', { class: 'notice', role: 'alert', hidden: '' });
  readonly #readOnly = make('div', { class: 'notice', role: 'status', hidden: '' });
  /** What is about no field that can be seen. */
  readonly #general = new Remarks();
  readonly #form = make('main', { class: 'form', hidden: '' });
  readonly #texts = new Map<string, TextInput>();
  readonly #lists: ListPicker;
  readonly #sending: Sending;
  readonly #fields: readonly Field[];
  readonly #handlers: Handlers = {
    details: ({ seen, details, problems }) => this.#show(seen, details, problems),
    broken: ({ line, message: what }) => this.#showBroken(line, what),
    readOnly: ({ reason, canDuplicate }) => this.#showReadOnly(reason, canDuplicate),
    standing: ({ isRecord, standing }) => this.#header.show(isRecord, standing),
    lists: ({ lists }) => this.#lists.showLists(lists),
    audience: ({ audience }) => this.#lists.showAudience(audience),
    body: ({ html }) => {
      this.#words = firstWords(new DOMParser().parseFromString(html, 'text/html'));
      this.#describe();
    },
  };
  #words = '';
  #restore: PageState | undefined;
  #keeping: ReturnType<typeof setTimeout> | undefined;

  constructor(host: Host<ToPage, FromPage, PageState>) {
    this.#host = host;
    this.#edits = new Edits((edit) => host.post(edit));
    this.#header = new Header((command) => host.post({ type: 'run', command }));
    this.#lists = new ListPicker(this.#edits, () => host.post({ type: 'retry' }));
    this.#sending = new Sending(this.#edits);
    const texts = (options: readonly TextOptions[]): HTMLElement[] => options.map((each) => {
      const field = new TextInput(each, this.#edits, () => this.#describe());
      this.#texts.set(keyOf(each.path), field);
      return field.element;
    });
    const subject = make('fieldset', { class: 'section' }, make('legend', {}, 'Message'), ...texts(message), this.#inbox.element);
    const from = make('fieldset', { class: 'section' }, make('legend', {}, 'Sender'), make('p', { class: 'hint' }, 'What is left empty is taken from the service’s configuration.'), ...sender.map((pair) => make('div', { class: 'pair' }, ...texts(pair))));
    this.#form.append(this.#general.element, subject, from, this.#lists.element, this.#sending.element);
    this.#fields = [...this.#texts.values(), this.#lists, ...this.#sending.fields];
  }

  get elements(): readonly HTMLElement[] {
    return [this.#header.element, this.#broken, this.#readOnly, this.#form];
  }

  start(): void {
    this.#restore = this.#host.state();
    this.#host.listen((each) => this.#handle(each));
    window.addEventListener('keydown', (event) => this.#interceptUndo(event), { capture: true });
    window.addEventListener('scroll', () => this.#keepSoon(), { passive: true });
    document.addEventListener('focusin', () => this.#keepSoon());
    this.#host.post({ type: 'ready' });
  }

  #handle<Type extends ToPage['type']>(each: Extract<ToPage, { type: Type }>): void {
    const handler = this.#handlers[each.type as Type] as ((each: Extract<ToPage, { type: Type }>) => void) | undefined;
    handler?.(each);
  }

  #show(seen: number, details: Readonly<Record<string, unknown>>, problems: readonly FieldProblem[]): void {
    this.#edits.arrived(seen);
    this.#broken.hidden = true;
    this.#form.hidden = false;
    for (const field of this.#fields) if (!this.#edits.isPending(field.path)) field.show(valueAt(details, field.path));
    if (!this.#edits.isPending(['sending_type'])) this.#sending.arrange(details);
    this.#say(problems);
    this.#describe();
    this.#comeBack();
  }

  /** Puts what is to be said beside the field that it is about, or above all of them. */
  #say(problems: readonly FieldProblem[]): void {
    const rest = new Set(problems);
    const isOf = (field: Field, { path }: FieldProblem): boolean => {
      const key = keyOf(path);
      const own = keyOf(field.path);
      // A problem of the whole stands beside its first part, one of an entry beside the whole.
      return key === own || key.startsWith(`${own}/`) || (own.startsWith(`${key}/`) && own.endsWith('/value'));
    };
    for (const field of this.#fields) {
      const isShown = field.element.closest('[hidden]') === null;
      const own = isShown ? problems.filter((problem) => isOf(field, problem)) : [];
      for (const problem of own) rest.delete(problem);
      field.say(own);
    }
    this.#general.say([...rest].map((problem) => ({ ...problem, message: named(problem) })));
  }

  #showBroken(line: number, what: string): void {
    const open = make('vscode-button', { appearance: 'secondary' }, 'Open as Text');
    open.addEventListener('click', () => this.#host.post({ type: 'run', command: 'openAsText' }));
    const text = `Line ${line} is not valid JSON: ${what}. The form comes back as soon as the text can be read. Nothing is changed until then.`;
    this.#broken.replaceChildren(icon(icons.warning), make('span', {}, text), open);
    this.#broken.hidden = false;
    this.#form.hidden = true;
  }

  #showReadOnly(reason: string | undefined, canDuplicate: boolean): void {
    for (const field of this.#fields) field.enable(reason === undefined);
    this.#header.enable(reason === undefined);
    this.#readOnly.hidden = reason === undefined;
    if (reason === undefined) return;
    const duplicate = make('vscode-button', { appearance: 'secondary' }, 'Duplicate');
    duplicate.addEventListener('click', () => this.#host.post({ type: 'run', command: 'duplicate' }));
    this.#readOnly.replaceChildren(icon(icons.lock), make('span', {}, reason), ...(canDuplicate ? [duplicate] : []));
  }

  /** What is seen of the e-mail before it is opened, as it is being typed. */
  #describe(): void {
    const text = (key: string): string => this.#texts.get(key)?.text ?? '';
    const subject = this.#texts.get('subject');
    if (subject) {
      subject.hint.hidden = false;
      subject.hint.textContent = lengthHint(subject.text);
    }
    this.#inbox.show({ subject: text('subject'), preheader: '', from_name: text('from_name'), from_email: text('from_email') }, '', this.#words);
  }

  /** VS Code's undo knows nothing of an edit that is still under way: it would undo the one before. */
  #interceptUndo(event: KeyboardEvent): void {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.altKey && /^[zy]$/iu.test(event.key);
    if (!isUndo || !this.#edits.isPending()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#host.post({ type: event.shiftKey || event.key.toLowerCase() === 'y' ? 'redo' : 'undo' });
  }

  #keepSoon(): void {
    clearTimeout(this.#keeping);
    this.#keeping = setTimeout(() => {
      const { activeElement } = document;
      const field = activeElement instanceof HTMLElement ? activeElement.dataset['field'] : undefined;
      this.#host.keep({ scroll: window.scrollY, ...(field === undefined ? {} : { field }) });
    }, 100);
  }

  /** After it was hidden, the page is where it was; the focus too, but it is never taken from elsewhere. */
  #comeBack(): void {
    const before = this.#restore;
    if (before === undefined) return;
    this.#restore = undefined;
    requestAnimationFrame(() => window.scrollTo(0, before.scroll));
    const focus = (): void => {
      if (before.field === undefined || document.activeElement !== document.body) return;
      const own = this.#fields.find(({ path }) => keyOf(path) === before.field);
      if (own) own.focus();
      else document.querySelector<HTMLElement>(`[data-field="${CSS.escape(before.field)}"]`)?.focus();
    };
    if (document.hasFocus()) focus();
    else window.addEventListener('focus', focus, { once: true });
  }
}

function valueAt(details: Readonly<Record<string, unknown>>, path: Path): unknown {
  return path.reduce<unknown>((value, key) => (typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[key] : undefined), details);
}

function named({ path, message: text, kind }: FieldProblem): string {
  return path.length === 0 || kind === 'service' ? text : `“${path.join('.')}” ${text}`;
}
