import { posix } from 'node:path';
import {
  findNodeAtLocation,
  getNodePath,
  getNodeValue,
  parseTree,
  type Node,
  type ParseError,
  printParseErrorCode,
  applyEdits,
  modify,
  type FormattingOptions,
} from 'jsonc-parser';
import * as v from 'valibot';
import { cmsNames } from '../../email/sent/model.ts';
import type { Range } from '../../email/html/text.ts';
import { t } from '../../l10n.ts';
import { parseBaseUrl } from '../../service/client/address.ts';
import { isObject } from '../../service/client/shapes.ts';
import type { Assets } from './assets.ts';
import { checksSchema, profiles, profileSchema, severities, type CheckSettings } from './checkSettings.ts';
import { findTooDeepOffset } from '../fields/json.ts';
import { canonicalName, pathProblem, templateFileNames as names } from '../paths.ts';

/** A mapped template. All paths are relative to the folder of `mailing.json` and have slashes. */
export interface MappedTemplate {
  /** The folder of the template's files, unique in a mapping. */
  readonly folder: string;
  readonly ids: Readonly<Record<string, number>>;
  /** The body, if it isn't the folder's own body file. */
  readonly body?: string;
  /** The body, if a tool builds it. */
  readonly output?: string;
  /** Files and folders that the output is built from. */
  readonly source?: readonly string[];
  /** Name of the VS Code task that builds the output: `npm: build`. */
  readonly task?: string;
  /** Range of the entry in `mailing.json`. */
  readonly range: Range;
}

/** A mapped template on one of its connections. `id` is the template's id on that connection. */
export interface Target {
  readonly template: MappedTemplate;
  readonly connection: string;
  /** The address that the user confirmed. Without it, the connection's current one is used. */
  readonly baseUrl?: string;
  readonly id: number;
}

/** With the offsets in the text of `mailing.json`. */
interface MappingProblem extends Range {
  readonly message: string;
  /** The file isn't a JSON object, so nothing can be written into it. */
  readonly isSyntax?: boolean;
  /** The settings of connections may be misread, so nothing may be pushed. */
  readonly blocksPush?: boolean;
}

/** A connection in `mailing.json`. The address and the profile are for the command line; the editor has its own. */
interface MappedConnection extends Readonly<v.InferOutput<typeof connectionSchema>> {
  readonly range: Range;
}

/** The content of a `mailing.json`. Invalid entries are left out and listed in `problems`. */
export interface Mapping {
  readonly templates: readonly MappedTemplate[];
  /**
   * Connections by id, with the ranges of their keys in `mailing.json`. Use `isProtected` to check for protection: it takes problems into
   * account.
   */
  readonly connections: Readonly<Record<string, MappedConnection>>;
  readonly assets: Assets;
  readonly checks: CheckSettings;
  readonly problems: readonly MappingProblem[];
}

const describeObject = (name: string, example: string) => t`"${name}" must be an object, such as ${example}.`;
const describeList = (name: string, example: string) => t`"${name}" must be a list, such as ${example}.`;

const describeUnknownKey = (name: string, allowed: readonly string[]) =>
  t`Unknown key "${name}". Allowed keys: ${allowed.join(', ')}.`;

const quoteAll = (names: readonly string[]) => names.map((name) => JSON.stringify(name)).join(', ');

/** Messages by their names in the schemas. `name`: the key or path of the invalid value. */
const valueMessages: Readonly<Record<string, (name: string, value: unknown) => string>> = {
  path: (name, value) =>
    (typeof value === 'string' ? pathProblem(value, name) : undefined) ?? t`"${name}" must be a path in quotes.`,
  id: (name) => t`"${name}" must be the ID of a template.`,
  ids: (name) => t`"${name}" must map connections to IDs, such as ${'{ "production": 12 }'}.`,
  task: (name) => t`"${name}" must be the name of a task, such as ${'"npm: build"'}.`,
  template: (name) => describeObject(name, '{ "folder": "emails/welcome", "ids": { "production": 12 } }'),
  flag: (name) => t`"${name}" must be true or false.`,
  connection: (name) => describeObject(name, '{ "protected": true }'),
  address: (name) => t`"${name}" must be an address in quotes.`,
  baseUrl: (name, value) => {
    const address = parseBaseUrl(String(value));
    return address.ok ? '' : `"${name}": ${address.problem}`;
  },
  profile: (name) => t`"${name}" must be one of these: ${quoteAll(profiles)}.`,
  cms: (name) => t`"${name}" must be one of these: ${quoteAll(cmsNames)}.`,
  severity: (name) => t`"${name}" must be one of these: ${quoteAll(severities)}.`,
  checks: (name) => describeObject(name, '{ "clients": ["Gmail"] }'),
  files: (name) => describeList(name, '["emails/**/*.html"]'),
  clients: (name) => describeList(name, '["Gmail"]'),
  client: (name) => t`"${name}" must be a name in quotes.`,
  rules: (name) => describeObject(name, '{ "image-alt": "error" }'),
  shares: (name) => describeObject(name, '{ "Gmail": 0.4 }'),
  share: (name) => t`"${name}" must be a number from 0 to 1.`,
  https: (name) => t`"${name}" must be an address that begins with https://.`,
};

const path = v.pipe(
  v.string('path'),
  v.check((text) => pathProblem(text) === undefined, 'path'),
  v.transform((text) => posix.normalize(text).replace(/\/$/u, '')),
);
const templateIdSchema = v.pipe(v.number('id'), v.integer('id'), v.minValue(1, 'id'));

const pathsSchema = v.pipe(
  // A union would report a list with one invalid path as invalid as a whole.
  v.lazy((value) => (Array.isArray(value) ? v.array(path) : path)),
  v.transform((value) => [value].flat()),
);

const templateSchema = v.object(
  {
    folder: path,
    ids: v.optional(v.record(v.string(), templateIdSchema, 'ids'), {}),
    body: v.optional(path),
    output: v.optional(path),
    source: v.optional(pathsSchema),
    task: v.optional(v.pipe(v.string('task'), v.regex(/\S/u, 'task'))),
  },
  'template',
);
// `v.object` would accept a list.
const connectionSchema = v.pipe(
  v.custom(isObject, 'connection'),
  v.object({
    baseUrl: v.optional(
      v.pipe(
        v.string('address'),
        v.check((text) => parseBaseUrl(text).ok, 'baseUrl'),
      ),
    ),
    profile: v.optional(profileSchema),
    cms: v.optional(v.picklist(cmsNames, 'cms')),
    protected: v.optional(v.boolean('flag'), false),
  }),
);
const addressSchema = v.pipe(v.string('address'), v.regex(/^https?:\/\/[^\s"'<>]+$/u, 'https'));

const rootKeys = ['$schema', 'connections', 'templates', 'assets', 'checks'];
const templateKeys = Object.keys(templateSchema.entries);
const connectionKeys = Object.keys(connectionSchema.pipe[1].entries);

/** Maximum size in UTF-16 units: enough for 10,000 templates, and still fast to parse. */
const MAX_MAPPING_CHARS = 4 * 1024 * 1024;
/** Maximum number of problems reported per template. Finding the range of each takes time. */
const MAX_ISSUES = 20;

const NOTHING = { templates: [], connections: {}, assets: [], checks: {} };
const SYNTAX = { isSyntax: true, blocksPush: true };
const BLOCKING = { blocksPush: true };

/** Returns the mapping of a file that can't be used. */
export const createInvalidMapping = (message: string, end = 0): Mapping => ({
  ...NOTHING,
  problems: [{ message, start: 0, end, ...SYNTAX }],
});

/** Reads the text of a `mailing.json`. Never throws. */
export function readMapping(text: string): Mapping {
  const createInvalid = (message: string) => createInvalidMapping(message, text.length);
  if (text.length > MAX_MAPPING_CHARS) return createInvalid(t('mailing.json is larger than 4 MB.'));
  if (findTooDeepOffset(text) !== undefined) return createInvalid(t('mailing.json is nested too deeply.'));
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: false, allowTrailingComma: true });
  const problems = errors.map(({ error, offset, length }) => ({
    message: t`Invalid JSON: ${printParseErrorCode(error)}.`,
    start: offset,
    end: offset + Math.max(1, length),
    ...SYNTAX,
  }));
  if (root?.type === 'object') return new MappingReader(root, problems).read();
  return problems.length > 0 ? { ...NOTHING, problems } : createInvalid(t('mailing.json must contain a JSON object.'));
}

/** Reads the entries of a mapping. Each invalid entry is always left out and among the problems. */
class MappingReader {
  readonly #root: Node;
  readonly #problems: MappingProblem[];

  constructor(root: Node, problems: MappingProblem[]) {
    this.#root = root;
    this.#problems = problems;
  }

  read(): Mapping {
    this.#checkKeys(this.#root, []);
    const templates = this.#listChildren('templates', 'array', '[{ "folder": "emails/welcome" }]').flatMap((node) =>
      this.#readTemplate(node),
    );
    const connections = this.#readConnections(new Set(templates.flatMap(({ ids }) => Object.keys(ids))));
    const assets = listProperties(this.#listChildren('assets', 'object', '{ "emails/img": "https://…" }'))
      .flatMap(([folder, node]) => this.#readAssets(folder, node))
      // The longest path first, so that the innermost folder matches.
      .sort(([one], [other]) => other.length - one.length);
    const checks = findNodeAtLocation(this.#root, ['checks']);
    return {
      templates: this.#removeDuplicates(templates),
      connections,
      assets,
      checks: (checks && this.#validate(checksSchema, checks)) ?? {},
      problems: this.#problems,
    };
  }

  #report(node: Node, message: string, more?: Partial<MappingProblem>) {
    this.#problems.push({ message, ...nodeRange(node), ...more });
  }

  #validate<S extends v.GenericSchema>(schema: S, node: Node, more?: Partial<MappingProblem>) {
    const result = v.safeParse(schema, getNodeValue(node));
    if (result.success) return result.output;
    for (const { path: at = [], message, input } of result.issues.slice(0, MAX_ISSUES)) {
      const keys = at.map(({ key }) => key as string | number);
      const named = findNodeAtLocation(node, keys);
      const name = (keys.length > 0 ? keys : getNodePath(node)).join('.');
      const text = valueMessages[message]?.(name, input) ?? message;
      this.#report(named ?? node, named ? text : t`"${name}" is missing.`, more);
    }
    return undefined;
  }

  #listChildren(name: string, type: 'array' | 'object', example: string, more?: Partial<MappingProblem>) {
    const node = findNodeAtLocation(this.#root, [name]);
    if (node?.type === type) return node.children ?? [];
    if (node) this.#report(node, (type === 'array' ? describeList : describeObject)(name, example), more);
    return [];
  }

  #readTemplate(node: Node): MappedTemplate[] {
    const template = this.#validate(templateSchema, node);
    if (!template) return [];
    const { output, source } = template;
    const drop = (describe: (name: string) => string, ...keys: ('body' | 'source' | 'task')[]) => {
      const first = keys.find((key) => template[key] !== undefined);
      if (first === undefined) return;
      this.#report(findNodeAtLocation(node, [first]) ?? node, describe(first));
      for (const key of keys) delete template[key];
    };
    if (output === undefined)
      drop((name) => t`"${name}" needs an "output": the HTML file that is built.`, 'source', 'task');
    else {
      drop(
        (name) => t`"${name}" is written by hand and "output" is built, so a template has only one of them.`,
        'body',
      );
      if (source?.includes(output))
        drop((name) => t`"${name}" is the "output" itself. Name the files that it is built from.`, 'source');
    }
    return [{ ...template, range: nodeRange(node) }];
  }

  /** @param ids of the connections that templates name */
  #readConnections(ids: ReadonlySet<string>) {
    const named = listProperties(
      this.#listChildren('connections', 'object', '{ "production": { "protected": true } }', BLOCKING),
    );
    const similar = new Map(Array.from(ids, (id) => [canonicalName(id), id]));
    const entries = named.map(([name, node, key]) => {
      const id = similar.get(canonicalName(name));
      // In another spelling, it would protect nothing.
      if (id !== undefined && !ids.has(name)) this.#report(key, describeUnknownKey(name, [id]), BLOCKING);
      const settings = this.#validate(connectionSchema, node, BLOCKING) ?? { protected: true };
      return [name, { ...settings, range: nodeRange(key) }] as const;
    });
    return Object.fromEntries(entries);
  }

  #readAssets(folder: string, node: Node): (readonly [folder: string, address: string])[] {
    const address = this.#validate(addressSchema, node);
    const problem = pathProblem(folder);
    if (problem !== undefined) this.#report(node.parent ?? node, problem);
    if (address === undefined || problem !== undefined) return [];
    return [[v.parse(path, folder), address.replace(/\/+$/u, '')]];
  }

  /** Reports unknown and duplicate keys. A parser would silently use the last duplicate. */
  #checkKeys(node: Node, at: readonly string[]) {
    const { children = [], type } = node;
    if (type !== 'object') return children.forEach((child) => this.#checkKeys(child, [...at, '[]']));
    const allowed = allowedKeys(at);
    const visited = new Set<string>();
    for (const [name, value, key] of listProperties(children)) {
      if (visited.has(name)) this.#report(key, t`Duplicate key "${name}".`, BLOCKING);
      else if (allowed?.includes(name) === false) this.#report(key, describeUnknownKey(name, allowed), BLOCKING);
      visited.add(name);
      this.#checkKeys(value, [...at, name]);
    }
  }

  /** Keeps the first of several templates with the same folder, file or id. Leaves out one with the same file for several fields. */
  #removeDuplicates(templates: readonly MappedTemplate[]): readonly MappedTemplate[] {
    const claimedBy = new Map<string, string>();
    return templates.filter(({ folder, body = `${folder}/${names.body}`, output = body, ids, range }) => {
      const claims: [key: string, describe: (other: string) => string][] = [
        [pathKey(folder), (other) => t`The folder "${folder}" is already used by "${other}".`],
      ];
      for (const file of [...[names.stylesheet, names.details].map((name) => `${folder}/${name}`), output])
        claims.push([pathKey(file), (other) => t`The file "${file}" is already used by "${other}".`]);
      for (const [connection, id] of Object.entries(ids))
        claims.push([
          `id ${connection} ${id}`,
          (other) => t`Template ${id} on "${connection}" is already mapped to "${other}".`,
        ]);
      const own = new Set<string>();
      const taken = claims.find(([key]) => claimedBy.has(key) || own.size === own.add(key).size);
      if (!taken) for (const [key] of claims) claimedBy.set(key, folder);
      else this.#problems.push({ message: taken[1](claimedBy.get(taken[0]) ?? folder), ...range });
      return taken === undefined;
    });
  }
}

/** Returns whether every push to a connection needs a confirmation. True if the mapping may be misread. */
export function isProtected(mapping: Mapping, connection: string): boolean {
  return mapping.connections[connection]?.protected === true || pushBlocker(mapping) !== undefined;
}

/** Returns the problem that blocks every push, such as a mistyped key; undefined if there is none. */
export function pushBlocker({ problems }: Mapping): MappingProblem | undefined {
  return problems.find(({ blocksPush }) => blocksPush);
}

/** Returns the allowed keys of the object at a path; undefined if any key is allowed. */
function allowedKeys(pathSchema: readonly string[]) {
  if (pathSchema.length === 0) return rootKeys;
  if (pathSchema[0] === 'templates' && pathSchema[1] === '[]' && pathSchema.length === 2) return templateKeys;
  if (pathSchema[0] === 'checks' && pathSchema.length === 1) return Object.keys(checksSchema.entries);
  return pathSchema[0] === 'connections' && pathSchema.length === 2 ? connectionKeys : undefined;
}

/** Returns the same key for all spellings of a path that a file system may treat as equal. */
export function pathKey(text: string): string {
  return `path ${text.split('/').map(canonicalName).join('/')}`;
}

function listProperties(properties: readonly Node[]): [name: string, value: Node, key: Node][] {
  return properties.flatMap(({ children: [key, value] = [] }) => {
    return key && value ? [[String(key.value), value, key]] : [];
  });
}

function nodeRange({ offset, length }: Node) {
  return { start: offset, end: offset + length };
}

/** A template as it is written. */
export type MappingEntry = Omit<MappedTemplate, 'range' | 'source'> & { readonly source?: string | readonly string[] };

/** Adds a template to the text of a `mailing.json`. Keeps comments, order and formatting. @throws if the JSON is invalid */
export function withEntry(text: string | undefined, entry: MappingEntry): string {
  const written = requireValidJson(text ?? '{\n  "templates": []\n}\n');
  const formattingOptions = detectFormatting(written);
  return applyEdits(written, modify(written, ['templates', -1], entry, { isArrayInsertion: true, formattingOptions }));
}

/**
 * Adds a template's id on a connection to the text of a `mailing.json`.
 * @throws if the JSON is invalid or the folder isn't mapped
 */
export function withId(text: string, folder: string, connection: string, id: number): string {
  const written = requireValidJson(text);
  const range = readMapping(written).templates.find((template) => template.folder === folder)?.range;
  const root = parseTree(written, [], { disallowComments: false, allowTrailingComma: true });
  const templates = root && findNodeAtLocation(root, ['templates'])?.children;
  const index = templates?.findIndex(({ offset }) => offset === range?.start) ?? -1;
  if (index < 0) throw new Error(t`mailing.json no longer maps "${folder}".`);
  return applyEdits(
    written,
    modify(written, ['templates', index, 'ids', connection], id, { formattingOptions: detectFormatting(written) }),
  );
}

function requireValidJson(text: string) {
  const { problems } = readMapping(text);
  const broken = problems.find(({ isSyntax }) => isSyntax);
  if (broken) throw new Error(t`Couldn't change mailing.json: ${broken.message} Correct it and try again.`);
  return text;
}

function detectFormatting(text: string): FormattingOptions {
  const indent = /^([ \t]+)\S/mu.exec(text)?.[1] ?? '  ';
  const insertSpaces = !indent.startsWith('\t');
  return { insertSpaces, tabSize: insertSpaces ? indent.length : 4, eol: text.includes('\r\n') ? '\r\n' : '\n' };
}
