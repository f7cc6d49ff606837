import { t } from '@vscode/l10n';
import { formatKilobytes } from '../../../email/compose/compose.ts';
import { toDisplayText } from '../../../email/compose/fieldText.ts';
import { CHANGE_OUTLINE, describeChanges, findChangedBlocks, groupProblems } from '../../../email/report/changes.ts';
import { make } from '../../../ui/page/dom.ts';
import { createInboxLine, getSnippet } from '../../../ui/page/inbox.ts';
import type { ComparedVersion, ComparedVersions, ToolbarState } from '../protocol.ts';
import { createScrollSync } from './grid.ts';
import { listenTo } from './interaction.ts';
import type { createPictures } from './pictures.ts';
import { createRenderer } from './renderer.ts';
import { createStage } from './stage.ts';
import { createToolbar, createViewOptions } from './toolbar.ts';
import { createViews } from './views.ts';

const ignore = () => undefined;

/** Shows two versions of an email side by side, which scroll together, with their changed blocks outlined. */
export function createComparison(pictures: ReturnType<typeof createPictures>) {
  const viewOptions = createViewOptions().filter(({ value }) => value !== 'clients');
  const toolbar = createToolbar(ignore, apply, viewOptions);
  const status = make('p', { role: 'status' });
  const syncScroll = createScrollSync(() => sides.map((side) => side.getScrolled()));
  const sides = (['before', 'after'] as const).map(createSide);
  const title = make('h1.heard', t('Compare Emails Side by Side'));
  const element = make('div.sides', ...sides.map((side) => side.element));
  let versions: readonly ComparedVersion[] = [];
  let changes: ReturnType<typeof findChangedBlocks>;

  document.body.replaceChildren(make('main.comparison', title, toolbar.element, status, element));
  toolbar.update({ view: 'sent' });

  function createSide(name: 'before' | 'after') {
    const label = make('h2');
    const summary = make('summary');
    const problems = make('ul');
    const inbox = createInboxLine();
    const stage = createStage();
    const renderer = createRenderer(stage.device, {
      onFrame: (frame) => {
        frame.element.title = label.textContent;
        const scroll = () => syncScroll(frame.document.scrollingElement);
        listenTo(frame, { point: ignore, hover: ignore, choose: ignore, follow: ignore, scroll });
      },
      onIdle: markChanges,
    });
    const views = createViews(renderer, ignore, { hover: ignore, choose: ignore });
    const { element: text } = views.text;
    let shown: ComparedVersion | undefined;
    text.addEventListener('scroll', () => syncScroll(text));

    /** Outlines the changed blocks. Rendering the email again removes the outlines. */
    function markChanges() {
      // One character further, because the element before ends at the start.
      for (const { start } of changes?.[name] ?? []) {
        const element = renderer.elementAt(start + 1) as HTMLElement | undefined;
        element?.style.setProperty('outline', CHANGE_OUTLINE, 'important');
        element?.style.setProperty('outline-offset', '-3px', 'important');
      }
    }

    function show(version: ComparedVersion, { base, root }: Pick<ComparedVersions, 'base' | 'root'>) {
      const { body, stylesheet, envelope, sending, sent, findings } = version;
      const replace = (part: 'html' | 'text') => ({
        offset: 0,
        length: shown?.sent[part].length ?? 0,
        text: sent[part],
      });
      const service = { ...sending, isAssumed: false };
      label.textContent = toDisplayText(version.label);
      views.setSent({ type: 'sent', service, html: replace('html'), text: replace('text') });
      views.set({ body, stylesheet, envelope, base, root, picture: base === undefined ? undefined : pictures.find });
      shown = version;
      const groups = groupProblems(findings).filter(({ found }) => found.length > 0);
      summary.textContent = [formatKilobytes(views.getBytes()), ...groups.map(({ count }) => count)].join(' · ');
      problems.replaceChildren(
        ...groups.flatMap(({ found }) => found.map(({ message }) => make('li', toDisplayText(message)))),
      );
      inbox.show(envelope, version.label, renderer.frame ? getSnippet(renderer.frame.document) : '');
    }

    function setToolbar(state: ToolbarState) {
      views.setToolbar(state);
      stage.arrange(state.width);
      stage.element.hidden = views.isText();
      text.hidden = !views.isText();
    }

    return {
      element: make(
        'section',
        label,
        make('details', summary, problems),
        inbox.element,
        make('div.content', stage.element, text),
      ),
      getScrolled: () => (views.isText() ? text : renderer.frame?.document.scrollingElement),
      getNote: views.getNote,
      show,
      setToolbar,
      update: views.update,
    };
  }

  function apply(state: ToolbarState) {
    const [before = '', after = ''] = versions.map(({ body, sent }) => (state.view === 'authored' ? body : sent.html));
    changes = findChangedBlocks(before, after);
    for (const side of sides) side.setToolbar(state);
    const texts = [describeChanges(before, after, changes), sides[0]?.getNote()];
    status.textContent = versions.length > 0 ? texts.filter(Boolean).join(' · ') : '';
  }

  /** Shows the versions, or their changed texts. */
  function show(shown: ComparedVersions) {
    if (versions.length === 0) pictures.reset(shown);
    ({ versions } = shown);
    for (const [index, version] of versions.entries()) sides[index]?.show(version, shown);
    apply(toolbar.getState());
  }

  return { show, update: () => sides.forEach((side) => side.update()) };
}
