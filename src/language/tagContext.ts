import type * as vscode from 'vscode';
import type { Connections } from '../connections/connections.ts';
import { customFields, languageOf, sampleRendering } from '../tags/index.ts';
import type { CustomField, Rendering, TagLanguage } from '../tags/index.ts';
import { tagTexts, type TagText } from './tagTexts.ts';

/** Whom the preview of a document is for; undefined where it shows the tags themselves, or there is none. */
export type PersonOf = (document: vscode.Uri) => Rendering | undefined;

/** What is known of the tags of a document: their language, the service's own fields, whom examples are made for. */
export class TagContext {
  readonly #connections: Connections;
  readonly #languages = new WeakMap<object, TagLanguage>();
  readonly #texts = new WeakMap<vscode.TextDocument, { readonly version: number; readonly texts: readonly TagText[] }>();

  readonly #personOf: PersonOf;

  constructor(connections: Connections, personOf: PersonOf) {
    this.#connections = connections;
    this.#personOf = personOf;
  }

  /** The language that the connection of a document says its service speaks. */
  language({ authority }: vscode.Uri): TagLanguage {
    const tags = this.#connections.get(authority)?.tags ?? 'acymailing';
    if (typeof tags === 'string') return languageOf(tags);
    const known = this.#languages.get(tags) ?? languageOf(tags);
    this.#languages.set(tags, known);
    return known;
  }

  /** Fields of the service that no document names, as far as they were seen in its subscribers. */
  fields({ authority }: vscode.Uri): readonly CustomField[] {
    return customFields(this.#connections.fieldsSeen(authority));
  }

  /** Whom examples are made for. */
  to(uri: vscode.Uri): Rendering {
    return this.#personOf(uri) ?? sampleRendering();
  }

  /** The texts of a document, found once for each of its versions. */
  texts(document: vscode.TextDocument): readonly TagText[] {
    const known = this.#texts.get(document);
    if (known?.version === document.version) return known.texts;
    const texts = tagTexts(document.languageId, document.getText());
    this.#texts.set(document, { version: document.version, texts });
    return texts;
  }
}
