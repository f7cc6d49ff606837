import type { Template } from '../api/index.ts';
import { baseName, build } from '../documents/uri.ts';
import type { TreeCollection } from '../explorer/model.ts';
import { templateLooks } from './looks.ts';

/** The templates' branch of the explorer. A drag of a template into an editor opens its body. */
export const templateTree: TreeCollection<Template> = {
  ...templateLooks,
  item: (template, ref) => ({
    ...templateLooks.item(template, ref),
    document: build(templateLooks.id, ref, `${baseName(template.name ?? '', `template ${template.id}`)}.html`),
  }),
};
