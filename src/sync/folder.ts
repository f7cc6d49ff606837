import { isObject, parseJson, type JsonObject } from '../service/client/shapes.ts';
import { applyEdits, modify, parseTree, findNodeAtLocation } from 'jsonc-parser';
import { createConflictLines, hasMarks, type SideNames } from './merge.ts';
import { isRelative, mayNameImages, withAddresses, withPaths, type Assets, type FindImages } from './assets.ts';
import { contentHash, type FieldTexts } from './fields.ts';
import type { Files } from './files.ts';
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

/** The files changed before they could be written. Nothing was written. */
export class FolderChangedError extends Error {
  constructor(folder: string) {
    super(`The files in ${folder} changed meanwhile. Nothing was written.`);
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
    const { details } = this.#layout;
    const [written, ...own] = await Promise.all([
      this.#files.read(`${template.folder}/${details.file}`),
      ...this.#layout.texts.map(({ field }) => this.#files.read(this.path(template, field))),
    ]);
    const texts: Record<string, string> = {};
    for (const [index, { field, format }] of this.#layout.texts.entries()) {
      const text = own[index];
      if (text !== undefined) texts[field] = await this.#withAddresses(this.path(template, field), format, text);
    }
    if (written === undefined) return texts;
    // A file with conflict markers isn't JSON. Each of its fields gets the whole text, so that the markers are found.
    if (hasMarks(written)) return { ...texts, ...Object.fromEntries(details.fields.map((field) => [field, written])) };
    const values = details.parse(written);
    for (const field of details.fields) if (typeof values[field] === 'string') texts[field] = values[field];
    return texts;
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
    const changed = this.#layout.texts.filter(({ field }) => texts[field] !== undefined);
    const files = await Promise.all(
      changed.map(async ({ field }) => {
        return [this.path(template, field), await this.renderFile(template, field, texts)] as const;
      }),
    );
    const now = await this.read(template);
    const isChanged = (name: string): boolean =>
      (now[name] === undefined) !== (expected[name] === undefined) ||
      contentHash(now[name] ?? '') !== contentHash(expected[name] ?? '');
    if (Object.keys({ ...texts, ...conflicts }).some(isChanged)) throw new FolderChangedError(template.folder);
    for (const [path, text] of files) await this.#files.write(path, text);
    await this.#writeDetails(template, texts, conflicts, names);
  }

  /** Returns the fields that a build task generates, which must not be written. */
  builtFields({ output }: MappedTemplate): readonly string[] {
    return output === undefined ? [] : [this.#layout.builtField];
  }

  /** Returns whether a field has its own file, which is merged line by line. */
  isText(field: string): boolean {
    return this.#layout.texts.some((text) => text.field === field);
  }

  /** Returns the file of a field, relative to the folder of `mailing.json`. */
  path({ folder, body, output = body }: Pick<MappedTemplate, 'folder' | 'body' | 'output'>, field: string): string {
    if (output !== undefined && field === this.#layout.builtField) return output;
    return `${folder}/${this.#layout.texts.find((text) => text.field === field)?.file ?? this.#layout.details.file}`;
  }

  /** Returns the file of the body, which may be a built output. */
  bodyPath(template: Pick<MappedTemplate, 'folder' | 'body' | 'output'>): string {
    return this.path(template, this.#layout.builtField);
  }

  /** Returns all files that contain fields of a template. */
  paths(template: MappedTemplate): readonly string[] {
    return [...new Set(this.#fields.map((field) => this.path(template, field)))];
  }

  /** Returns whether a file contains fields of a template or is one of its sources. */
  has(template: MappedTemplate, path: string): boolean {
    return this.fieldsIn(template, path).length > 0 || this.isSource(template, path);
  }

  /** Returns whether a template's output is built from a file. */
  isSource(template: MappedTemplate, path: string): boolean {
    const isNamed = template.source?.some((source) => path === source || path.startsWith(`${source}/`)) === true;
    return isNamed && !this.paths(template).includes(path);
  }

  /** Returns the text of a field's file with the given values. */
  async renderFile(template: MappedTemplate, field: string, texts: FieldTexts): Promise<string> {
    const path = this.path(template, field);
    const own = this.#layout.texts.find((text) => text.field === field);
    if (own !== undefined) return this.#withPaths(path, own.format, texts[field] ?? '');
    return this.#withDetails(await this.#files.read(path), texts);
  }

  /** Returns the fields of a template that a file contains. */
  fieldsIn(template: MappedTemplate, path: string): readonly string[] {
    return this.#fields.filter((field) => this.path(template, field) === path);
  }

  /** Returns the images without a public address, which recipients can't see because the service accepts no uploads. */
  async findLocalImages(texts: FieldTexts): Promise<readonly string[]> {
    const found: string[] = [];
    for (const { field, format } of this.#layout.texts) {
      const text = texts[field];
      if (text !== undefined)
        found.push(...(await this.#findImages(text, format)).map(({ value }) => value).filter(isRelative));
    }
    return [...new Set(found)];
  }

  get #fields(): readonly string[] {
    return [...this.#layout.texts.map(({ field }) => field), ...this.#layout.details.fields];
  }

  async #withAddresses(path: string, format: 'html' | 'css', text: string): Promise<string> {
    const assets = this.#assets();
    if (assets.length === 0) return text;
    return withAddresses(text, await this.#findImages(text, format), parentFolder(path), assets);
  }

  async #withPaths(path: string, format: 'html' | 'css', text: string): Promise<string> {
    const assets = this.#assets();
    if (assets.length === 0) return text;
    const [images, existing] = await Promise.all(
      [text, (await this.#files.read(path)) ?? ''].map((one) => this.#findImages(one, format)),
    );
    return withPaths(text, images ?? [], parentFolder(path), assets, existing);
  }

  /** Changes only the given fields and keeps the order and formatting of the file. */
  async #writeDetails(
    { folder }: MappedTemplate,
    texts: FieldTexts,
    conflicts: FieldTexts,
    names: SideNames,
  ): Promise<void> {
    const { file, fields } = this.#layout.details;
    const mine = fields.filter((field) => texts[field] !== undefined);
    const theirs = fields.filter((field) => conflicts[field] !== undefined);
    if (mine.length === 0 && theirs.length === 0) return;
    const path = `${folder}/${file}`;
    let text = this.#withDetails(await this.#files.read(path), texts);
    if (theirs.length > 0)
      text = withConflicts(
        text,
        theirs.map((field) => [field, conflicts[field] ?? '']),
        names,
      );
    await this.#files.write(path, text);
  }

  #withDetails(written: string | undefined, texts: FieldTexts): string {
    const formattingOptions = { insertSpaces: true, tabSize: 2 };
    let text = written === undefined || hasMarks(written) ? '{}\n' : written;
    for (const field of this.#layout.details.fields) {
      if (texts[field] !== undefined)
        text = applyEdits(text, modify(text, [field], texts[field], { formattingOptions }));
    }
    return text;
  }
}

function parentFolder(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1) || '.';
}

/** Puts conflict markers around the lines of fields that changed on both sides. */
function withConflicts(
  json: string,
  conflicts: readonly (readonly [field: string, theirs: string])[],
  names: SideNames,
): string {
  // Each field needs a line of its own.
  const root = parseJson(json);
  const text = `${JSON.stringify(isObject(root) ? root : {}, null, 2)}\n`;
  const tree = parseTree(text);
  const theirs = new Map(conflicts.map(([field, value]) => [field, value]));
  const starts = new Map(
    [...theirs.keys()].map((field) => {
      const offset = (tree && findNodeAtLocation(tree, [field])?.parent?.offset) ?? 0;
      return [text.slice(0, offset).split('\n').length - 1, field];
    }),
  );
  return text
    .split('\n')
    .flatMap((line, index) => {
      const field = starts.get(index);
      if (field === undefined) return [line];
      const other = `  ${JSON.stringify(field)}: ${JSON.stringify(theirs.get(field) ?? '')}${line.endsWith(',') ? ',' : ''}`;
      return createConflictLines([line], [other], names);
    })
    .join('\n');
}

/** Returns the texts of a record that a folder manages. */
export function readFieldTexts(
  { texts, details }: Pick<FolderLayout, 'texts' | 'details'>,
  getField: (name: string) => unknown,
): FieldTexts {
  const fields = [...texts.map(({ field }) => field), ...details.fields];
  return Object.fromEntries(fields.map((field) => [field, String(getField(field) ?? '')]));
}
