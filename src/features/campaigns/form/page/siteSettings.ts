import { t } from '@vscode/l10n';
import { make } from '../../../../ui/page/dom.ts';
import type { Edits } from '../../../../ui/page/form/edits.ts';
import { createFormSection, createTextInput, toLine } from '../../../../ui/page/form/fields.ts';
import type { Details, JsonValue } from '../../../../ui/page/form/protocol.ts';

/** Creates the settings of the site: UTM values to edit, and the other settings as text. */
export function createSiteSettings(edits: Edits) {
  const labels: Readonly<Record<string, string>> = {
    utm_source: t('UTM source'),
    utm_medium: t('UTM medium'),
    utm_campaign: t('UTM campaign'),
  };
  const others = make('div');
  const hint = t(
    "You can add missing settings. Stored ones change on the service's website only, unless the campaign is automatic.",
  );
  let isEnabled = true;
  let isAuto = false;
  let stored: Details = {};
  const fields = Object.entries(labels).map(([name, label]) => {
    const options = { path: ['sending_params', name], label, read: (text: string) => text || undefined };
    const field = createTextInput(options, edits);
    const update = (enabled = isEnabled) => {
      isEnabled = enabled;
      field.setEnabled(enabled && (isAuto || !Object.hasOwn(stored, name)));
    };
    return { ...field, setEnabled: update };
  });
  const element = createFormSection(
    t('Site settings'),
    make('p.hint', hint),
    ...fields.map((field) => field.element),
    others,
  );
  const update = () => {
    for (const field of fields) field.setEnabled();
  };
  return {
    element,
    fields,
    showStored: (params: Details = {}) => {
      stored = params;
      update();
    },
    showDetails: ({ sending_type: type, sending_params: params }: Details) => {
      isAuto = type === 'auto';
      const entries = Object.entries<JsonValue>({ ...(params as Details | undefined) });
      const rest = entries.filter(([name]) => !Object.hasOwn(labels, name));
      others.replaceChildren(...rest.map(([name, value]) => make('p.hint', `${name}: ${toLine(value)}`)));
      update();
    },
  };
}
