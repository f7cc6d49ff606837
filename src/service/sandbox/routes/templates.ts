import { emptyMail, envelopeFields, formatTime, type StoredTemplate } from '../records.ts';
import type { Store } from '../store.ts';
import {
  containsIgnoreCase,
  okMessage,
  fail,
  findRecord,
  readGroup,
  readNumber,
  readPageRange,
  ok,
  pickTexts,
  readText,
  type RouteContext,
  type Routes,
} from './route.ts';

const writableFields = [...envelopeFields, 'body', 'headers', 'stylesheet'] as const;

function toTemplateRow(template: StoredTemplate, { profile }: Store) {
  const { created, bcc: _bcc, bounce_email: _bounceEmail, ...columns } = template;
  const missing = profile.isInstallation ? null : '';
  return {
    ...columns,
    id: String(template.id),
    creation_date: formatTime(created),
    settings: template.settings ?? missing,
    stylesheet: template.stylesheet ?? missing,
  };
}

const findTemplate = ({ query, store }: RouteContext) =>
  findRecord(query, 'templateId', store.templates, {
    missing: 'Template ID not provided in the request.',
    notFound: 'Template not found.',
  });

/** Returns the changed fields. The `acymailing` profile ignores empty strings and the stylesheet. */
function readChanges({ body, store }: RouteContext, failure: string): Partial<StoredTemplate> {
  if (writableFields.some((name) => typeof (body[name] ?? '') !== 'string')) fail(500, failure);
  const texts = pickTexts(body, writableFields);
  if (!store.profile.isInstallation) return texts;
  return Object.fromEntries(Object.entries(texts).filter(([name, text]) => text !== '' && name !== 'stylesheet'));
}

export const templateRoutes: Routes = {
  getOneTemplate: (call) => ok([toTemplateRow(findTemplate(call), call.store)]),
  getTemplates(call) {
    const { query, store } = call;
    const filters = readGroup(query, 'filters');
    const search = filters['search'] ?? '';
    const editor = { standard: '0', drag: '1' }[filters['templateType'] ?? readText(query['templateType']) ?? ''];
    const matches = (template: StoredTemplate) =>
      (editor === undefined || template.drag_editor === editor) &&
      [template.name, template.subject].some((text) => containsIgnoreCase(text, search));
    const isFiltered = search !== '' || editor !== undefined;
    const page = store.templates.page(...readPageRange(call, 20), isFiltered ? matches : undefined);
    return ok(page.map((template) => toTemplateRow(template, store)));
  },
  createTemplate(call) {
    const { body, store } = call;
    if (!readText(body['name'])) fail(422, 'Missing template name.');
    const changes = readChanges(call, 'Error creating template.');
    const id = store.nextId('mail');
    const created = store.now();
    store.templates.put({ ...emptyMail, created, drag_editor: '0', settings: null, ...changes, id });
    return ok({ templateId: id }, 201);
  },
  updateTemplate(call) {
    const { body, store } = call;
    const { templateIdField } = store.profile;
    const given = body[templateIdField];
    // The documented id may be a string of digits; the `acymailing` profile requires an integer.
    const isInvalid = templateIdField === 'id' && typeof given !== 'number';
    const id = (isInvalid ? undefined : readNumber(given)) ?? fail(422, 'Missing or incorrect template ID.');
    const template = store.templates.get(id) ?? fail(404, 'Missing or incorrect template ID.');
    if (template.drag_editor === '1') fail(403, "You can't edit this template.");
    store.templates.put({ ...template, ...readChanges(call, 'Error modifying template.') });
    return ok({ templateId: id });
  },
  deleteTemplate(call) {
    call.store.templates.delete(findTemplate(call).id);
    return okMessage('Template deleted.');
  },
};
