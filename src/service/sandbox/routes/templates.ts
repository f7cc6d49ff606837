import { readGroup, readRange } from '../query.ts';
import { emptyMail } from '../records.ts';
import type { StoredTemplate } from '../records.ts';
import type { Store } from '../store.ts';
import { formatTime } from '../time.ts';
import type { RouteContext, RouteHandlers } from './route.ts';
import {
  containsIgnoreCase,
  okMessage,
  fail,
  readNumber,
  ok,
  pickColumns,
  pickTexts,
  readText,
  withRecord,
} from './route.ts';

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

const columns = [
  'id',
  'name',
  'creation_date',
  'drag_editor',
  'body',
  'subject',
  'from_name',
  'from_email',
  'reply_to_name',
  'reply_to_email',
  'settings',
  'stylesheet',
  'headers',
  'preheader',
] as const;

function toTemplateRow(template: StoredTemplate, { profile }: Store): object {
  const missing = profile.richRecords ? null : '';
  return pickColumns(
    {
      ...template,
      id: String(template.id),
      creation_date: formatTime(template.created),
      settings: template.settings ?? missing,
      stylesheet: template.stylesheet ?? missing,
    },
    columns,
  );
}

const templateId = {
  name: 'templateId',
  missing: 'Template ID not provided in the request.',
  notFound: 'Template not found.',
};

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
    failure: 'Error getting the template: <detail>',
    run: (call) =>
      withRecord(call, call.store.templates, templateId, (template) => ok([toTemplateRow(template, call.store)])),
  },
  getTemplates: {
    failure: 'Error getting the collection of templates: <detail>',
    run({ query, store }) {
      const filters = readGroup(query, 'filters');
      const search = filters['search'] ?? '';
      const editor = { standard: '0', drag: '1' }[filters['templateType'] ?? readText(query['templateType']) ?? ''];
      const matches = (template: StoredTemplate): boolean =>
        (editor === undefined || template.drag_editor === editor) &&
        (search === '' || containsIgnoreCase(template.name, search) || containsIgnoreCase(template.subject, search));
      const { offset, limit } = readRange(query, 20, store.profile.limitCap);
      const page = store.templates.page(offset, limit, search || editor !== undefined ? matches : undefined);
      return ok(page.map((template) => toTemplateRow(template, store)));
    },
  },
  createTemplate: {
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
    failure: 'Failed deleting template.',
    run: (call) =>
      withRecord(call, call.store.templates, templateId, ({ id }) => {
        call.store.templates.delete(id);
        return okMessage('Template deleted.');
      }),
  },
};
