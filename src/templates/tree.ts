import type { Template } from '../api/index.ts';
import type { TreeCollection } from '../explorer/model.ts';

/** The templates' branch of the explorer. A drag of a template into an editor opens its body. */
export async function templateTree(): Promise<TreeCollection<Template>> {
  const [{ templateLooks }, { baseName, build }] = await Promise.all([import('./looks.ts'), import('../documents/uri.ts')]);
  return {
    ...templateLooks,
    item: (template, ref) => ({
      ...templateLooks.item(template, ref),
      document: build(templateLooks.id, ref, `${baseName(template.name ?? '', `template ${template.id}`)}.html`),
    }),
  };
}
