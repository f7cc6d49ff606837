import type { FieldProblem } from '../../../platform/webview/form/protocol.ts';
import { getValueAt, type Values } from '../../../platform/documents/form/text.ts';
import { validateFollowUp } from '../detailsSchema.ts';
import { readMailEntries } from '../model.ts';

/** Returns schema errors, and warnings about values that are valid but may be mistakes. */
export function findFollowUpProblems(details: Values): readonly FieldProblem[] {
  const errors = validateFollowUp(details).map(({ path, message }): FieldProblem => ({ path, message, kind: 'error' }));
  return [...errors, ...findFollowUpWarnings(details)];
}

function findFollowUpWarnings(details: Values): readonly FieldProblem[] {
  const { loop, loop_mail_skip: skipped } = details;
  const ids = readMailEntries(details).map(({ id }) => id);
  const skipsAll = loop === 1 && ids.length > 0 && Array.isArray(skipped) && ids.every((id) => skipped.includes(id));
  const lists = getValueAt(details, ['condition', 'lists']);
  const hasEmptyExclusion =
    getValueAt(details, ['condition', 'lists_status']) === 'is_not' && Array.isArray(lists) && lists.length === 0;
  return [
    ...(skipsAll
      ? [createFollowUpWarning(['loop_mail_skip'], 'Every mail is skipped when looping: a second round sends nothing.')]
      : []),
    ...(hasEmptyExclusion
      ? [createFollowUpWarning(['condition', 'lists'], 'No list is selected, so no users are excluded.')]
      : []),
  ];
}

function createFollowUpWarning(path: FieldProblem['path'], message: string): FieldProblem {
  return { path, message, kind: 'warning' };
}

/** Patterns of the service's error messages, with the path of the field. The first match wins. */
const followUpRefusalPatterns: readonly (readonly [RegExp, FieldProblem['path']])[] = [
  [/display[ _]name/iu, ['display_name']],
  [/trigger/iu, ['trigger']],
  [/delay/iu, ['mails']],
  [/\bloop/iu, ['loop']],
  [/condition|segment|\blists?\b/iu, ['condition', 'lists']],
  [/\bname\b/iu, ['name']],
];

/** Returns the path of the field that a service's error message names; empty if there is none. */
export function findFollowUpRefusalPath(message: string): FieldProblem['path'] {
  return followUpRefusalPatterns.find(([pattern]) => pattern.test(message))?.[1] ?? [];
}
