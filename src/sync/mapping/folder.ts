import { t } from '../../l10n.ts';
import { isObject, parseJson, type JsonObject } from '../../service/client/shapes.ts';
import { applyEdits, modify } from 'jsonc-parser';
import { createConflictLines, hasMarks, type SideNames } from '../merge/merge.ts';
import { isRelative, mayNameImages, withAddresses, withPaths, type Assets, type FindImages } from './assets.ts';
import { contentHash, normalizeText, type FieldTexts } from '../fields/fields.ts';
import type { Files } from '../files.ts';
import type { MappedTemplate } from './mapping.ts';

/** The files of a template's folder and the fields in them. */
export interface FolderLayout {
  /** Fields that have their own file. */
  readonly texts: readonly { readonly field: string; readonly file: string; readonly format: 'html' | 'css' }[];
  /** The file with all other fields. */
  readonly details: {
    readonly file: string;
    readonly fields: readonly string[];
    /** Parses the file. @throws `InvalidDocumentError` */
    parse(text: string): Readonly<JsonObject>;
  };
  /** The field that a template's `output` contains. */
  readonly builtField: string;
}

/** The parts of a template's mapping that name its files. */
type TemplateFiles = Pick<MappedTemplate, 'folder' | 'body' | 'output'>;

/** A file with fields of a template. The file with the details has no format. */
interface FieldFile {
  /** Relative to the folder of `mailing.json`. */
  readonly path: string;
  readonly fields: readonly string[];
  readonly format?: 'html' | 'css';
}

/** The files changed before they could be written. Nothing was written. */
export class FolderChangedError extends Error {
  constructor(folder: string) {
    super(t`The files in ${folder} changed in the meantime. Nothing was written.`);
  }
}

/** Reads and writes the fields of templates in their folders. Images in the texts have public addresses instead of paths, as on the service. */
export class TemplateFolder {
  readonly #files: Files;
  readonly #layout: FolderLayout;
  readonly #assets: () => Assets;
  readonly #findImages: FindImages;

  constructor(files: Files, layout: FolderLayout, assets: () => Assets, findImages: FindImages) {
    this.#files = files;
    this.#layout = layout;
    this.#assets = assets;
    this.#findImages = async (text, format) => (mayNameImages(text) ? findImages(text, format) : []);
  }

  /** Reads the fields that the folder contains. @throws if a file can't be read or is invalid */
  async read(template: MappedTemplate): Promise<FieldTexts> {
    const read = listFiles(this.#layout, template).map(async ({ path, fields, format }) => {
      const text = await this.#files.read(path);
      if (text === undefined) return {};
      const setAll = (value: string) => Object.fromEntries(fields.map((field) => [field, value]));
      if (format !== undefined) return setAll(await this.#withAddresses(path, format, text));
      // A file with conflict markers isn't JSON. Each of its fields gets the whole text, so that the markers are found.
      if (hasMarks(text)) return setAll(text);
      const values = Object.entries(this.#layout.details.parse(text));
      return Object.fromEntries(
        values.filter((entry): entry is [string, string] => fields.includes(entry[0]) && typeof entry[1] === 'string'),
      );
    });
    return (await Promise.all(read)).reduce((all, texts) => ({ ...all, ...texts }), {});
  }

  /**
   * Writes fields into their files and keeps the rest of each file.
   * @param expected the last result of `read`; a file that changed since is not overwritten
   * @param conflicts the service's values of details fields that changed on both sides
   * @throws `FolderChangedError`
   */
  async write(
    template: MappedTemplate,
    texts: FieldTexts,
    expected: FieldTexts,
    conflicts: FieldTexts = {},
    names: SideNames = { local: '', remote: '' },
  ): Promise<void> {
    const written = Object.keys({ ...texts, ...conflicts });
    const files = listFiles(this.#layout, template).filter(({ fields }) =>
      fields.some((field) => written.includes(field)),
    );
    const rendered = new Map<string, string>();
    for (const { path, format } of files)
      if (format !== undefined) rendered.set(path, await this.renderFile(template, path, texts));
    const existing = await Promise.all(files.map(async ({ path }) => ({ path, text: await this.#files.read(path) })));
    const now = await this.read(template);
    const isChanged = (name: string) =>
      (now[name] === undefined) !== (expected[name] === undefined) ||
      contentHash(now[name] ?? '') !== contentHash(expected[name] ?? '');
    if (written.some(isChanged)) throw new FolderChangedError(template.folder);
    for (const { path, text: expectedText } of existing) {
      // The details are rendered late, because only some of their fields were compared.
      const text = rendered.get(path) ?? withConflicts(await this.renderFile(template, path, texts), conflicts, names);
      await this.#files.write(path, text, { text: expectedText });
    }
  }

  /** Returns whether a build task generates a field, which must not be written then. */
  isBuilt({ output }: MappedTemplate, field: string): boolean {
    return output !== undefined && field === this.#layout.builtField;
  }

  /** Returns whether a field has its own file, which is merged line by line. */
  isText(field: string): boolean {
    return this.#layout.texts.some((text) => text.field === field);
  }

  /** Returns the file of a field, relative to the folder of `mailing.json`. */
  path(template: TemplateFiles, field: string): string {
    return listFiles(this.#layout, template).find(({ fields }) => fields.includes(field))?.path ?? '';
  }

  /** Returns the file of the body, which may be a built output. */
  bodyPath(template: TemplateFiles): string {
    return this.path(template, this.#layout.builtField);
  }

  /** Returns the files that contain fields of a template, in the order of the layout. */
  paths(template: TemplateFiles): readonly string[] {
    return listFiles(this.#layout, template).map(({ path }) => path);
  }

  /** Returns whether a file contains fields of a template or is one of its sources. */
  has(template: MappedTemplate, path: string): boolean {
    return this.paths(template).includes(path) || this.isSource(template, path);
  }

  /** Returns whether a template's output is built from a file. */
  isSource(template: MappedTemplate, path: string): boolean {
    const isNamed = template.source?.some((source) => path === source || path.startsWith(`${source}/`)) === true;
    return isNamed && !this.paths(template).includes(path);
  }

  /** Returns the text of one of a template's files with the given values. Keeps the line ends of the file. */
  async renderFile(template: MappedTemplate, path: string, texts: FieldTexts): Promise<string> {
    const { fields = [], format } = listFiles(this.#layout, template).find((file) => file.path === path) ?? {};
    const existing = await this.#files.read(path);
    if (format !== undefined) {
      const text = await this.#withPaths(path, format, texts[fields[0] ?? ''] ?? '', existing);
      if (!existing?.includes('\n')) return text;
      return normalizeText(text).replaceAll('\n', existing.includes('\r\n') ? '\r\n' : '\n');
    }
    const formattingOptions = { insertSpaces: true, tabSize: 2 };
    // Keep the order and formatting of the other fields.
    return fields
      .filter((field) => texts[field] !== undefined)
      .reduce(
        (text, field) => applyEdits(text, modify(text, [field], texts[field], { formattingOptions })),
        existing === undefined || hasMarks(existing) ? '{}\n' : existing,
      );
  }

  /** Returns the images without a public address, which recipients can't see because the service accepts no uploads. */
  async findLocalImages(texts: FieldTexts): Promise<readonly string[]> {
    const found = await Promise.all(
      this.#layout.texts.map(({ field, format }) => this.#findImages(texts[field] ?? '', format)),
    );
    return [...new Set(found.flatMap((images) => images.map(({ value }) => value).filter(isRelative)))];
  }

  async #withAddresses(path: string, format: 'html' | 'css', text: string) {
    const assets = this.#assets();
    if (assets.length === 0) return text;
    return withAddresses(text, await this.#findImages(text, format), parentFolder(path), assets).text;
  }

  async #withPaths(path: string, format: 'html' | 'css', text: string, existing = '') {
    const assets = this.#assets();
    if (assets.length === 0) return text;
    const images = await this.#findImages(text, format);
    return withPaths(text, images, parentFolder(path), assets, await this.#findImages(existing, format));
  }
}

/** Returns the files of a template in the order of the layout: those with one field, and the details. */
export function listFiles(
  { texts, details, builtField }: FolderLayout,
  { folder, body, output = body }: TemplateFiles,
): readonly FieldFile[] {
  return [
    ...texts.map(({ field, file, format }) => ({
      path: (field === builtField && output) || `${folder}/${file}`,
      fields: [field],
      format,
    })),
    { path: `${folder}/${details.file}`, fields: details.fields },
  ];
}

function parentFolder(path: string) {
  return path.slice(0, path.lastIndexOf('/') + 1) || '.';
}

/** Puts conflict markers around the lines of details that changed on both sides. */
function withConflicts(json: string, theirs: FieldTexts, names: SideNames) {
  if (Object.keys(theirs).length === 0) return json;
  const root = parseJson(json);
  // Each field needs a line of its own.
  const entries = Object.entries(isObject(root) ? root : {});
  const lines = entries.flatMap(([field, ours], index) => {
    const format = (value: unknown) =>
      `  ${JSON.stringify(field)}: ${JSON.stringify(value)}${index < entries.length - 1 ? ',' : ''}`;
    const other = theirs[field];
    return other === undefined ? [format(ours)] : createConflictLines([format(ours)], [format(other)], names);
  });
  return ['{', ...lines, '}', ''].join('\n');
}
