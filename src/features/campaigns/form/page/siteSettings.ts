import { t } from '@vscode/l10n';
import { make } from '../../../../ui/page/dom.ts';
import { createFormSection, TextInput, toLine } from '../../../../ui/page/form/fields.ts';
import type { Details, JsonValue } from '../../../../ui/page/form/protocol.ts';

/** The settings of the site: UTM values to edit, and the other settings as text. Stored values of a campaign that isn't automatic are always locked. */
export class SiteSettings {
  readonly element: HTMLElement;
  readonly #fields: Readonly<Record<string, TextInput>>;
  readonly #others = make('div');
  #isAuto = false;
  #stored: Details = {};

  constructor() {
    const labels = { utm_source: t('UTM source'), utm_medium: t('UTM medium'), utm_campaign: t('UTM campaign') };
    const hint = t(
      "You can add missing settings. Stored ones change on the service's website only, unless the campaign is automatic.",
    );
    const read = (text: string) => text || undefined;
    this.#fields = Object.fromEntries(
      Object.entries(labels).map(([name, label]) => [name, new TextInput(['sending_params', name], label, { read })]),
    );
    const fields = Object.values(this.#fields);
    this.element = createFormSection(t('Site settings'), make('p.hint', hint), ...fields, this.#others);
  }

  showStored(params: Details = {}): void {
    this.#stored = params;
    this.#updateLocks();
  }

  showDetails({ sending_type: type, sending_params: params }: Details): void {
    this.#isAuto = type === 'auto';
    const entries = Object.entries<JsonValue>({ ...(params as Details | undefined) });
    const others = entries.filter(([name]) => !Object.hasOwn(this.#fields, name));
    this.#others.replaceChildren(...others.map(([name, value]) => make('p.hint', `${name}: ${toLine(value)}`)));
    this.#updateLocks();
  }

  #updateLocks() {
    for (const [name, field] of Object.entries(this.#fields))
      field.setLocked(!this.#isAuto && Object.hasOwn(this.#stored, name));
  }
}
