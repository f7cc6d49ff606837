import * as v from 'valibot';
import { t } from '../../l10n.ts';
import type { Template } from '../../service/client/index.ts';
import { getDetailsMessage, requiredText, textFields } from '../fields/fieldSchemas.ts';
import type { FieldTexts } from '../fields/fields.ts';
import { readJson } from '../fields/jsonDocument.ts';
import { templateDetailFields, templateTextFields } from '../fields/templateFields.ts';
import { templateFileNames } from '../paths.ts';
import type { FolderLayout } from './folder.ts';

/** The fields of `<name>.template.json`: the fields of `updateTemplate` without body and stylesheet, and read-only settings. */
export const templateDetailsSchema = v.strictObject(
  {
    ...textFields({ ...templateTextFields, settings: 'text' }, undefined),
    name: requiredText(() => t('a template needs a name.')),
  },
  getDetailsMessage,
);

/** The files of a mapped folder and the template fields in them. */
export const templateLayout: FolderLayout = {
  texts: [
    { field: 'body', file: templateFileNames.body, format: 'html' },
    { field: 'stylesheet', file: templateFileNames.stylesheet, format: 'css' },
  ],
  details: {
    file: templateFileNames.details,
    fields: [...templateDetailFields, 'settings'],
    parse: (text) => readJson(text, templateDetailsSchema),
  },
  builtField: 'body',
};

/** Returns why a template can't be changed. The service responds with 403 to changes of drag-and-drop templates. */
export const getTemplateLockReason = ({ drag_editor }: Pick<Template, 'drag_editor'>): string | undefined =>
  drag_editor === 1
    ? t('Made with the drag-and-drop editor, so only that editor can change it. Duplicate it to edit a copy here.')
    : undefined;

/**
 * Returns the texts of a template, or of a campaign as if it were one. Only templates that can't be pushed have settings, so these are never
 * sent.
 */
export function readTemplateTexts(record: object): FieldTexts {
  const { texts, details } = templateLayout;
  const get = (field: string): unknown => Reflect.get(record, field);
  const fields = [...texts.map(({ field }) => field), ...details.fields].filter(
    (field) => field !== 'settings' || get('drag_editor') === 1,
  );
  return Object.fromEntries(fields.map((field) => [field, String(get(field) ?? '')]));
}

/**
 * Reads templates page by page.
 * @param onTemplate receives an id, and the texts if the page has all of them. Resolves with true to stop reading
 */
export async function readPages(
  templates: AsyncIterable<{ readonly id: number }>,
  onTemplate: (id: number, texts: FieldTexts | undefined) => Promise<boolean>,
): Promise<void> {
  for await (const template of templates) {
    const isWhole = templateLayout.texts.every(({ field }) => field in template);
    if (await onTemplate(template.id, isWhole ? readTemplateTexts(template) : undefined)) return;
  }
}
