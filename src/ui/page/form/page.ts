import './form.css';
import { t } from '@vscode/l10n';
import { formatPair, quote } from '../../../l10n.ts';
import { icon, make } from '../dom.ts';
import { connectHost } from '../channel.ts';
import { icons } from '../icons.ts';
import type { MessageHandlers, TypedMessage } from '../../protocol.ts';
import { button, checkbox, makeButton, radios, registerControls, textField } from '../toolkit.ts';
import { createEdits, getPathKey } from './edits.ts';
import { capitalize, createRemarks, type Field } from './fields.ts';
import type { Details, FieldProblem, FormFromPage, FormToPage, JsonValue, Lists, Path } from './protocol.ts';

registerControls(button, textField, checkbox, radios);

/** The state that VS Code stores while the page is hidden: scroll position and focused field. */
interface FormPageState {
  readonly scroll: number;
  readonly field?: string | undefined;
}

/** What a feature adds to its form. */
interface FormParts<More extends TypedMessage> {
  getFields(): readonly Field[];
  showLists(lists: Lists): void;
  /** Shows or hides fields depending on the details. */
  updateLayout(details: Details): void;
  /** Called once all fields show the details. */
  onShown?(): void;
  /** Enables or disables the controls that are not fields. */
  setEnabled(enabled: boolean): void;
  /** Handlers of the feature's own messages. */
  readonly handlers: MessageHandlers<More>;
}

/**
 * Creates the page of a form: it shows the text's details and posts each edit. `More`: the feature's own messages to the page. `getLabel` returns its
 * heading for screen readers, which is also the accessible name of the actions.
 */
export function createFormPage<More extends TypedMessage>(getLabel: () => string) {
  const host = connectHost<FormToPage | More, FormFromPage, FormPageState>();
  // The page has no texts before it is connected.
  const label = getLabel();
  const edits = createEdits((edit) => host.post(edit));
  /** Problems without a visible field. */
  const generalRemarks = createRemarks();
  /** Contains the sections. Hidden if the text is invalid. */
  const form = make('main.form', { hidden: '' }, generalRemarks.element);
  /** The record's actions, above the form. Shown only for records of a service. */
  const actions = make('div.actions', { role: 'group', 'aria-label': label });
  const dot = make('i.dot', { 'aria-hidden': 'true' });
  const status = make('span.words');
  /** Shown instead of the form. */
  const invalidTextNotice = make('div.notice', { role: 'main', hidden: '' });
  const readOnlyNotice = make('div.notice', { role: 'status', hidden: '' });
  let stateToRestore = host.getState();
  /** The last focused field. A button beside the fields doesn't replace it. */
  let lastField = stateToRestore?.field;

  /** Shows each problem beside its field, or above all fields. */
  function showProblems(fields: readonly Field[], problems: readonly FieldProblem[]) {
    const unassigned = new Set(problems);
    const belongsTo = (field: Field, { path }: FieldProblem) => {
      const key = getPathKey(path);
      const own = getPathKey(field.path);
      // A problem of an object is shown beside its first field, one of an entry beside the field of the whole list.
      return key === own || key.startsWith(`${own}/`) || (own.startsWith(`${key}/`) && own.endsWith('/value'));
    };
    for (const field of fields) {
      const isShown = field.element.closest('[hidden]') === null;
      const own = isShown ? problems.filter((problem) => belongsTo(field, problem)) : [];
      for (const problem of own) unassigned.delete(problem);
      field.setProblems(own);
    }
    generalRemarks.setProblems([...unassigned].map((problem) => ({ ...problem, message: prefixWithPath(problem) })));
  }

  function saveState() {
    host.saveState(() => {
      lastField = document.activeElement?.getAttribute('data-field') ?? lastField;
      return { scroll: window.scrollY, field: lastField };
    });
  }

  /** Restores scroll position and focus, but never takes the focus from elsewhere. */
  function restoreState(fields: readonly Field[]) {
    if (stateToRestore === undefined) return;
    const { scroll, field } = stateToRestore;
    stateToRestore = undefined;
    requestAnimationFrame(() => window.scrollTo(0, scroll));
    const focus = () => {
      if (field === undefined || document.activeElement !== document.body) return;
      const own = fields.find(({ path }) => getPathKey(path) === field);
      // The click that brings the focus to the page would miss its target if the page scrolled.
      const target = own ?? document.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"]`);
      target?.focus({ preventScroll: true });
    };
    if (document.hasFocus()) focus();
    else window.addEventListener('focus', focus, { once: true });
  }

  return {
    host,
    edits,
    form,
    actions,
    showStatus: (state: string, text: string) => {
      dot.className = `dot ${state}`;
      // Screen readers announce every write, so unchanged text is not written again.
      if (status.textContent !== text) status.textContent = text;
    },
    start: ({ getFields, showLists, updateLayout, onShown, setEnabled, handlers }: FormParts<More>) => {
      const standing = make('div.standing', { role: 'status' }, dot, status);
      const heading = make('h1.heard', label);
      const bar = make('header.bar', heading, standing, actions);
      document.body.append(bar, invalidTextNotice, readOnlyNotice, form);
      // VS Code doesn't know pending edits yet, so its undo would revert the edit before.
      const interceptUndo = (event: KeyboardEvent) => {
        const key = event.key.toLowerCase();
        const isUndo = (event.ctrlKey || event.metaKey) && !event.altKey && (key === 'z' || key === 'y');
        if (!isUndo || !edits.isPending()) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        host.post({ type: event.shiftKey || key === 'y' ? 'redo' : 'undo' });
      };
      window.addEventListener('keydown', interceptUndo, { capture: true });
      window.addEventListener('scroll', saveState, { passive: true });
      document.addEventListener('focusin', saveState);
      const ownHandlers: MessageHandlers<FormToPage> = {
        details: ({ confirmedSeq, details, problems }) => {
          edits.confirm(confirmedSeq);
          invalidTextNotice.hidden = true;
          form.hidden = false;
          updateLayout(details);
          const fields = getFields();
          for (const field of fields) if (!edits.isPending(field.path)) field.show(getValue(details, field.path));
          showProblems(fields, problems);
          onShown?.();
          restoreState(fields);
        },
        broken: ({ line, message }) => {
          const open = makeButton(t('Open as Text'), () => host.post({ type: 'run', command: 'openAsText' }));
          const text = `${t`Line ${line}: ${message}`} ${t('Correct the text to see the form again.')}`;
          invalidTextNotice.replaceChildren(icon(icons.warning), make('span', { role: 'alert' }, text), open);
          invalidTextNotice.hidden = false;
          form.hidden = true;
        },
        readOnly: ({ reason, canDuplicate }) => {
          for (const field of getFields()) field.setEnabled(reason === undefined);
          setEnabled(reason === undefined);
          readOnlyNotice.hidden = reason === undefined;
          if (reason === undefined) return;
          const duplicate = makeButton(t({ message: 'Duplicate', comment: 'Button: duplicates a record' }), () =>
            host.post({ type: 'run', command: 'duplicate' }),
          );
          const text = make('span', reason);
          readOnlyNotice.replaceChildren(icon(icons.lock), text, ...(canDuplicate ? [duplicate] : []));
        },
        lists: ({ lists }) => showLists(lists),
        focusProblem: () =>
          getFields()
            .find(({ element }) => element.classList.contains('wrong'))
            ?.focus(),
      };
      host.start({ ...ownHandlers, ...handlers } as MessageHandlers<FormToPage | More>);
    },
  };
}

function getValue(details: Details, path: Path) {
  return path.reduce<JsonValue>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Details)[key] : undefined),
    details,
  );
}

function prefixWithPath({ path, message: text, kind }: FieldProblem) {
  return path.length === 0 || kind === 'service' ? text : formatPair(quote(path.join('.')), capitalize(text));
}
