import { t } from '../../l10n.ts';
import type { Sent } from './model.ts';

/** Emails of the service's visual editor (drag and drop), whose styles come from the site and the template's settings. */

const EDITOR_SELECTOR = '#acym__wysid__template';

/** Returns whether the service treats an email as one of its visual editor: the name of the outer element suffices, even in a comment. */
export const isEditorEmail = (body: string): boolean => body.includes(EDITOR_SELECTOR.slice(1));

/** Returns whether an email lacks most of its styles, so that its HTML and size say nothing. */
export const isUnknown = (missing: Sent['missing']): boolean => missing?.includes('editorStylesheet') === true;

/** Describes why a sent email, or some of its styles, are unknown. Undefined if nothing is missing. */
export function describeMissing(missing: Sent['missing']): string | undefined {
  if (isUnknown(missing))
    return t(
      "The sent email and its size are unknown, because the site's stylesheet for the drag-and-drop editor couldn't be read.",
    );
  return missing
    ? t(
        "Some styles are missing: the API doesn't return settings, stylesheet and preheader of drag-and-drop campaigns.",
      )
    : undefined;
}

/** Returns the site's own stylesheet for such emails as the service applies it: to the whole email, except the first rule. */
export const unscopeStylesheet = (css: string): string => css.replaceAll(`${EDITOR_SELECTOR} `, '');

/** Elements of the editor whose content the settings style. */
const styledContents = ['.acym__wysid__tinymce--text', '.acymailing_content'];

/** Returns the rules of a template's settings (JSON): two for each element. Empty if they aren't an object. */
export function createSettingsCss(settings: string): string {
  return Object.entries(parseSettings(settings))
    .flatMap(([element, properties]) => {
      const declarations = Object.entries(properties ?? {})
        .filter(([property, value]) => property !== 'overridden' && value !== null && typeof value !== 'object')
        .map(([property, value]) => `${property}: ${String(value)};`);
      return styledContents.map(
        (content) =>
          `${EDITOR_SELECTOR} .acym__wysid__column__element__td ${content} ${element}` +
          `:not(.acym__wysid__content-no-settings-style){${declarations.join('')}}`,
      );
    })
    .join('');
}

function parseSettings(settings: string): Readonly<Record<string, object | null>> {
  try {
    return settings.startsWith('{"') ? (JSON.parse(settings) as Record<string, object | null>) : {};
  } catch {
    return {};
  }
}
