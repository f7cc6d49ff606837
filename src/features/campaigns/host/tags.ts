import type { Connections } from '../../../platform/connections/connections.ts';
import { createCustomFields, findTagProblems, readTagLanguage } from '../../../email/tags/index.ts';
import type { FieldProblem, TagsToPage } from '../protocol.ts';

/** Returns the tag settings of a connection. Without one, the AcyMailing tags. */
export function readFormTags(connections: Connections, connection: string | undefined): TagsToPage {
  if (connection === undefined) return { type: 'tags', setting: 'acymailing', fields: [] };
  const setting = connections.get(connection)?.tags ?? 'acymailing';
  return { type: 'tags', setting, fields: createCustomFields(connections.getCustomFieldNames(connection)) };
}

export function findSubjectProblems(subject: unknown, { setting, fields }: TagsToPage): FieldProblem[] {
  if (typeof subject !== 'string') return [];
  const problems = findTagProblems(subject, readTagLanguage(setting), 'subject', { fields });
  return problems.map(({ message }): FieldProblem => ({ path: ['subject'], message, kind: 'warning' }));
}
