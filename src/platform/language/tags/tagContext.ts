import type * as vscode from 'vscode';
import type { Connections } from '../../connections/connections.ts';
import { createCustomFields, readTagLanguage, parseTags, sampleRendering } from '../../../email/tags/index.ts';
import type { CustomField, Rendering, Tag, TagLanguage } from '../../../email/tags/index.ts';
import { getTagTexts, type TagText } from './tagTexts.ts';

/** Longer texts get no pairs, folding and hints. No delivered email is that long. */
const MAX_PARSED_CHARS = 2_000_000;

/** Returns the person that the document's preview shows; undefined if it shows raw tags, or there is no preview. */
export type GetPersonRendering = (document: vscode.Uri) => Rendering | undefined;

/** Context for the tags of a document: their language, custom fields, and the person used in examples. */
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

  /** Returns the tag language of the document's connection. */
  language({ authority }: vscode.Uri): TagLanguage {
    const tags = this.#connections.get(authority)?.tags ?? 'acymailing';
    if (typeof tags === 'string') return readTagLanguage(tags);
    const cached = this.#languages.get(tags) ?? readTagLanguage(tags);
    this.#languages.set(tags, cached);
    return cached;
  }

  /** Returns custom fields found in the service's subscribers. */
  fields({ authority }: vscode.Uri): readonly CustomField[] {
    return createCustomFields(this.#connections.getCustomFieldNames(authority));
  }

  /** Returns the person used in examples. */
  getRendering(uri: vscode.Uri): Rendering {
    return this.#getPerson(uri) ?? sampleRendering();
  }

  /**
   * Parses the tags of a text once per document version. Returns none for very long texts, because this runs on every
   * keystroke.
   */
  readonly tags = (text: TagText, language: TagLanguage): readonly Tag[] => {
    const cached = this.#tags.get(text);
    if (cached?.language === language) return cached.tags;
    const tags = text.text.length > MAX_PARSED_CHARS ? [] : parseTags(text.text, language);
    this.#tags.set(text, { language, tags });
    return tags;
  };

  /** Finds the texts of a document once per version. */
  texts(document: vscode.TextDocument): readonly TagText[] {
    const cached = this.#texts.get(document);
    if (cached?.version === document.version) return cached.texts;
    const texts = getTagTexts(document.languageId, document.getText());
    this.#texts.set(document, { version: document.version, texts });
    return texts;
  }
}
