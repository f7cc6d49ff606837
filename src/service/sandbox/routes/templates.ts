import { readGroup, readId, readRange } from '../query.ts';
import { emptyMail } from '../records.ts';
import type { StoredTemplate } from '../records.ts';
import { formatTime } from '../time.ts';
import type { RouteContext, RouteHandlers } from './route.ts';
import { containsIgnoreCase, okMessage, fail, readNumber, ok, pickTexts, readText } from './route.ts';

const writableFields = [
  'name',
  'subject',
  'body',
  'from_name',
  'from_email',
  'reply_to_name',
  'reply_to_email',
  'headers',
  'preheader',
  'stylesheet',
] as const;

function toTemplateRow(
  {
    id,
    name,
    created,
    drag_editor,
    body,
    subject,
    from_name,
    from_email,
    reply_to_name,
    reply_to_email,
    settings,
    stylesheet,
    headers,
    preheader,
  }: StoredTemplate,
  { store }: RouteContext,
): object {
  const isNullable = store.profile.richRecords;
  return {
    id: String(id),
    name,
    creation_date: formatTime(created),
    drag_editor,
    body,
    subject,
    from_name,
    from_email,
    reply_to_name,
    reply_to_email,
    settings: settings ?? (isNullable ? null : ''),
    stylesheet: stylesheet ?? (isNullable ? null : ''),
    headers,
    preheader,
  };
}

/** Returns the changed fields. The `acymailing` profile ignores empty strings and the stylesheet. */
function readTemplateChanges({ body, store }: RouteContext): Partial<StoredTemplate> {
  const texts = pickTexts(body, writableFields);
  if (!store.profile.ignoresEmptied) return texts;
  return Object.fromEntries(Object.entries(texts).filter(([name, text]) => text !== '' && name !== 'stylesheet'));
}

/** Fields other than strings cannot be stored. */
const hasInvalidField = ({ body }: RouteContext): boolean =>
  writableFields.some((name) => body[name] !== undefined && body[name] !== null && typeof body[name] !== 'string');

/** The documented id may be a string of digits; the `acymailing` profile requires an integer. */
function readTemplateId({ body, store: { profile } }: RouteContext): number | undefined {
  const id = body[profile.templateIdField];
  return profile.templateIdField === 'id' && typeof id !== 'number' ? undefined : readNumber(id);
}

export const templateRoutes: RouteHandlers = {
  getOneTemplate: {
    method: 'GET',
    failure: 'Error getting the template: <detail>',
    run(call) {
      const id = readId(call.query, 'templateId');
      if (!id) return fail(422, 'Template ID not provided in the request.');
      const template = call.store.templates.get(id);
      return template ? ok([toTemplateRow(template, call)]) : fail(404, 'Template not found.');
    },
  },
  getTemplates: {
    method: 'GET',
    failure: 'Error getting the collection of templates: <detail>',
    run(call) {
      const { query, store } = call;
      const filters = readGroup(query, 'filters');
      const search = filters['search'] ?? '';
      const editor = { standard: '0', drag: '1' }[filters['templateType'] ?? readText(query['templateType']) ?? ''];
      const matches = (template: StoredTemplate): boolean =>
        (editor === undefined || template.drag_editor === editor) &&
        (search === '' || containsIgnoreCase(template.name, search) || containsIgnoreCase(template.subject, search));
      const { offset, limit } = readRange(query, 20, store.profile.limitCap);
      const page = store.templates.page(offset, limit, search || editor !== undefined ? matches : undefined);
      return ok(page.map((template) => toTemplateRow(template, call)));
    },
  },
  createTemplate: {
    method: 'POST',
    failure: 'Error creating template.',
    run(call) {
      const { body, store } = call;
      if (!readText(body['name'])) return fail(422, 'Missing template name.');
      if (hasInvalidField(call)) return fail(500, 'Error creating template.');
      const id = store.nextId('mail');
      store.templates.set({
        ...emptyMail,
        created: store.now(),
        drag_editor: '0',
        settings: null,
        ...readTemplateChanges(call),
        id,
      });
      return ok({ templateId: id }, 201);
    },
  },
  updateTemplate: {
    method: 'POST',
    failure: 'Error modifying template.',
    run(call) {
      const { store } = call;
      const id = readTemplateId(call);
      if (!id) return fail(422, 'Missing or incorrect template ID.');
      const template = store.templates.get(id);
      if (!template) return fail(404, 'Missing or incorrect template ID.');
      if (template.drag_editor === '1') return fail(403, "You can't edit this template.");
      if (hasInvalidField(call)) return fail(500, 'Error modifying template.');
      store.templates.set({ ...template, ...readTemplateChanges(call) });
      return ok({ templateId: id });
    },
  },
  deleteTemplate: {
    method: 'DELETE',
    failure: 'Failed deleting template.',
    run({ query, store }) {
      const id = readId(query, 'templateId');
      if (!id) return fail(422, 'Template ID not provided in the request.');
      return store.templates.delete(id) ? okMessage('Template deleted.') : fail(404, 'Template not found.');
    },
  },
};
