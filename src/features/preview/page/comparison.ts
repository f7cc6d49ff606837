import { t } from '@vscode/l10n';
import { formatKilobytes } from '../../../email/compose/compose.ts';
import { toDisplayText } from '../../../email/compose/fieldText.ts';
import type { Range } from '../../../email/html/text.ts';
import { CHANGE_OUTLINE, describeChanges, findChangedBlocks, groupProblems } from '../../../email/report/changes.ts';
import { make } from '../../../ui/page/dom.ts';
import { createInboxLine, getSnippet } from '../../../ui/page/inbox.ts';
import type { ComparedVersion, ComparedVersions, ToolbarState } from '../protocol.ts';
import { createScrollSync } from './grid.ts';
import type { Pictures } from './pictures.ts';
import { createViewOptions, Toolbar } from './toolbar.ts';
import { Views } from './views.ts';

/** One version of an email, with its changed blocks outlined. */
class Side {
  readonly #label = make('h2');
  readonly #summary = make('summary');
  readonly #problems = make('ul');
  readonly #inbox = createInboxLine();
  readonly views: Views;
  readonly element: HTMLElement;
  #shown: ComparedVersion | undefined;
  #changed: readonly Range[] = [];

  constructor(onScroll: (scrolled: Element | null) => void) {
    this.views = new Views({
      scroll: () => onScroll(this.views.scrolled),
      onRender: () => this.views.renderer.frame?.element.setAttribute('title', this.#label.textContent),
      onIdle: () => this.#markChanges(),
    });
    this.element = make(
      'section',
      this.#label,
      make('details', this.#summary, this.#problems),
      this.#inbox.element,
      this.views.element,
    );
  }

  show(version: ComparedVersion, { base, root }: ComparedVersions, pictures: Pictures) {
    const { body, stylesheet, envelope, sending, sent, findings } = version;
    const replace = (part: 'html' | 'text') => ({
      offset: 0,
      length: this.#shown?.sent[part].length ?? 0,
      text: sent[part],
    });
    this.#label.textContent = toDisplayText(version.label);
    this.views.setSent({
      service: { ...sending, isAssumed: false },
      html: replace('html'),
      text: replace('text'),
    });
    this.views.set({ body, stylesheet, envelope, base, root, picture: pictures.find });
    this.#shown = version;
    const groups = groupProblems(findings).filter(({ found }) => found.length > 0);
    this.#summary.textContent = [formatKilobytes(this.views.bytes), ...groups.map(({ count }) => count)].join(' · ');
    this.#problems.replaceChildren(
      ...groups.flatMap(({ found }) => found.map(({ message }) => make('li', toDisplayText(message)))),
    );
    const { frame } = this.views.renderer;
    this.#inbox.show(envelope, version.label, frame ? getSnippet(frame.document) : '');
  }

  setToolbar(state: ToolbarState, changed: readonly Range[] = []) {
    this.#changed = changed;
    this.views.setToolbar(state);
  }

  /** Outlines the changed blocks. Rendering the email again removes the outlines. */
  #markChanges() {
    // One character further, because the element before ends at the start.
    for (const { start } of this.#changed) {
      const element = this.views.renderer.elementAt(start + 1) as HTMLElement | undefined;
      element?.style.setProperty('outline', CHANGE_OUTLINE, 'important');
      element?.style.setProperty('outline-offset', '-3px', 'important');
    }
  }
}

/** Shows two versions of an email side by side, which scroll together. Both are shown with the same toolbar. */
export class Comparison {
  readonly #pictures: Pictures;
  readonly #toolbar = new Toolbar(
    () => undefined,
    () => this.#apply(),
    createViewOptions().filter(({ value }) => value !== 'clients'),
  );
  readonly #status = make('p', { role: 'status' });
  readonly #sides: readonly [before: Side, after: Side];
  #versions: readonly ComparedVersion[] = [];

  constructor(pictures: Pictures) {
    const syncScroll = createScrollSync(() => this.#sides.map(({ views }) => views.scrolled));
    this.#pictures = pictures;
    this.#sides = [new Side(syncScroll), new Side(syncScroll)];
    const title = make('h1.heard', t('Compare Emails Side by Side'));
    const sides = make('div.sides', ...this.#sides.map(({ element }) => element));
    document.body.replaceChildren(make('main.comparison', title, this.#toolbar.element, this.#status, sides));
    this.#toolbar.update({ view: 'sent' });
  }

  /** Shows the versions, or their changed texts. */
  show(shown: ComparedVersions): void {
    if (this.#versions.length === 0) this.#pictures.reset(shown);
    this.#versions = shown.versions;
    for (const [index, version] of this.#versions.entries()) this.#sides[index]?.show(version, shown, this.#pictures);
    this.#apply();
  }

  /** Shows pictures that have arrived. */
  update(): void {
    for (const { views } of this.#sides) views.update();
  }

  #apply() {
    const { state } = this.#toolbar;
    const [before = '', after = ''] = this.#versions.map(({ body, sent }) =>
      state.view === 'authored' ? body : sent.html,
    );
    const changes = findChangedBlocks(before, after);
    const [first, second] = this.#sides;
    first.setToolbar(state, changes?.before);
    second.setToolbar(state, changes?.after);
    const texts = [describeChanges(before, after, changes), first.views.note];
    this.#status.textContent = this.#versions.length > 0 ? texts.filter(Boolean).join(' · ') : '';
  }
}
