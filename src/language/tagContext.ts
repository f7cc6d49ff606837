import type * as vscode from 'vscode';
import type { Connections } from '../connections/connections.ts';
import { describedLanguage, sampleRendering, tagLanguage } from '../tags/index.ts';
import type { CustomField, FamilyDescription, Rendering, TagLanguage } from '../tags/index.ts';
import { tagTexts, type TagText } from './tagTexts.ts';

/** What is known of the tags of a document: their language, the service's own fields, whom examples are made for. */
export class TagContext {
  readonly #connections: Connections;
  readonly #languages = new WeakMap<object, TagLanguage>();
  readonly #texts = new WeakMap<vscode.TextDocument, { readonly version: number; readonly texts: readonly TagText[] }>();

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** The language that the connection of a document says its service speaks. */
  language({ authority }: vscode.Uri): TagLanguage {
    const tags = this.#connections.get(authority)?.tags ?? 'acymailing';
    if (typeof tags === 'string') return tagLanguage(tags);
    const known = this.#languages.get(tags) ?? languageOf(tags.families);
    this.#languages.set(tags, known);
    return known;
  }

  /** Fields of the service that no document names, as far as they were seen in its subscribers. */
  fields({ authority }: vscode.Uri): readonly CustomField[] {
    const subscriber = tagLanguage('acymailing').families.find(({ source }) => source === 'subscriber');
    const columns = new Set(subscriber?.ids.map(({ id }) => id));
    return this.#connections
      .fieldsSeen(authority)
      .filter((name) => !columns.has(name))
      .map((name) => ({ namekey: name, label: name }));
  }

  /** Whom examples are made for. */
  to(_uri: vscode.Uri): Rendering {
    return sampleRendering();
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

/** Families that somebody described in the settings; what has no fields is left out. */
function languageOf(families: Readonly<Record<string, unknown>>): TagLanguage {
  return describedLanguage({ families: Object.fromEntries(Object.entries(families).filter(isDescription)) });
}

const texts = ['title', 'about'] as const;

function isDescription(entry: readonly [string, unknown]): entry is [string, FamilyDescription] {
  const [, value] = entry;
  if (typeof value !== 'object' || value === null || !('fields' in value)) return false;
  const described: Readonly<Record<string, unknown>> = { ...value };
  const { fields, where } = described;
  const isList = where === undefined || (Array.isArray(where) && where.every((place) => typeof place === 'string'));
  const isText = texts.every((name) => described[name] === undefined || typeof described[name] === 'string');
  return typeof fields === 'object' && fields !== null && isList && isText;
}
