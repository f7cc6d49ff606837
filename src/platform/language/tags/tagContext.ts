import type * as vscode from 'vscode';
import type { Connections } from '../../connections/connections.ts';
import { createCustomFields, readTagLanguage, parseTags, sampleRendering } from '../../../email/tags/index.ts';
import type { CustomField, Rendering, Tag, TagLanguage } from '../../../email/tags/index.ts';
import { getTagTexts, type TagText } from './tagTexts.ts';

/** Characters of a text whose halves are linked, folded and hinted at: more than any email that is delivered. */
const MAX_PARSED_CHARS = 2_000_000;

/** Whom the preview of a document is for; undefined where it shows the tags themselves, or there is none. */
export type GetPersonRendering = (document: vscode.Uri) => Rendering | undefined;

/** What is known of the tags of a document: their language, the service's own fields, whom examples are made for. */
export class TagContext {
  readonly #connections: Connections;
  readonly #languages = new WeakMap<object, TagLanguage>();
  readonly #tags = new WeakMap<TagText, { readonly language: TagLanguage; readonly tags: readonly Tag[] }>();
  readonly #texts = new WeakMap<
    vscode.TextDocument,
    { readonly version: number; readonly texts: readonly TagText[] }
  >();

  readonly #getPerson: GetPersonRendering;

  constructor(connections: Connections, personOf: GetPersonRendering = () => undefined) {
    this.#connections = connections;
    this.#getPerson = personOf;
  }

  /** The language that the connection of a document says its service speaks. */
  language({ authority }: vscode.Uri): TagLanguage {
    const tags = this.#connections.get(authority)?.tags ?? 'acymailing';
    if (typeof tags === 'string') return readTagLanguage(tags);
    const known = this.#languages.get(tags) ?? readTagLanguage(tags);
    this.#languages.set(tags, known);
    return known;
  }

  /** Fields of the service that no document names, as far as they were seen in its subscribers. */
  fields({ authority }: vscode.Uri): readonly CustomField[] {
    return createCustomFields(this.#connections.getCustomFieldNames(authority));
  }

  /** Whom examples are made for. */
  getRendering(uri: vscode.Uri): Rendering {
    return this.#getPerson(uri) ?? sampleRendering();
  }

  /** The tags of a text of a document, read once for each of its versions; none of one that is too long for an editor's every keystroke. */
  readonly tags = (text: TagText, language: TagLanguage): readonly Tag[] => {
    const known = this.#tags.get(text);
    if (known?.language === language) return known.tags;
    const tags = text.text.length > MAX_PARSED_CHARS ? [] : parseTags(text.text, language);
    this.#tags.set(text, { language, tags });
    return tags;
  };

  /** The texts of a document, found once for each of its versions. */
  texts(document: vscode.TextDocument): readonly TagText[] {
    const known = this.#texts.get(document);
    if (known?.version === document.version) return known.texts;
    const texts = getTagTexts(document.languageId, document.getText());
    this.#texts.set(document, { version: document.version, texts });
    return texts;
  }
}
