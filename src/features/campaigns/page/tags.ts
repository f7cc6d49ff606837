import { toDisplayText } from '../../../email/compose/fieldText.ts';
import {
  createTagInsertion,
  completeTags,
  getExampleOutput,
  readTagLanguage,
  filterCompletions,
  tagLanguage,
  type TagLanguage,
  type TagLocation,
} from '../../../email/tags/index.ts';
import type { TextInput } from '../../../platform/webview/form/fields.ts';
import { Suggestions, type Suggestion } from '../../../platform/webview/form/suggestions.ts';
import type { TagsToPage } from '../protocol.ts';

/** Adds completions of the service's tags to form fields. */
export class TagFields {
  /** Offers no tags until the host has sent the settings. */
  #language: TagLanguage = tagLanguage('none');
  #fields: TagsToPage['fields'] = [];

  update({ setting, fields }: TagsToPage): void {
    this.#language = readTagLanguage(setting);
    this.#fields = fields;
  }

  /** `where`: the part of the email that the field contains. */
  add(field: TextInput, where: TagLocation): void {
    new Suggestions(field.control, 'Tags', '{:|/', (text, offset) => this.#suggest(text, offset, where));
  }

  #suggest(text: string, offset: number, where: TagLocation): Suggestion[] {
    const found = completeTags(text, offset, this.#language, { where, fields: this.#fields });
    return filterCompletions(found, text, offset).map((tag) => ({
      label: toDisplayText(tag.label),
      example: toDisplayText(getExampleOutput(tag)),
      description: toDisplayText(tag.description),
      edit: createTagInsertion(tag),
      continues: tag.shouldRetrigger,
    }));
  }
}
