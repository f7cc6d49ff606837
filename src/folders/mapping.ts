import { posix } from 'node:path';
import { findNodeAtLocation, getNodeValue, parseTree, type Node, type ParseError, printParseErrorCode } from 'jsonc-parser';
import * as v from 'valibot';
import { whole } from '../documents/fieldSchemas.ts';
import { tooDeepAt } from '../documents/jsonReader.ts';

/** A template that is mapped: the folder its texts are in, and its id on each connection. */
export interface MappedTemplate {
  /** Path of the folder below that of `mailing.json`, with slashes. It tells templates apart. */
  readonly folder: string;
  readonly ids: Readonly<Record<string, number>>;
  /** The file with the body, where it is another one than that of the folder. A path below the folder of `mailing.json`. */
  readonly body?: string;
  /** The file that other tools build: the body then. A path below the folder of `mailing.json`. */
  readonly output?: string;
  /** Files, or folders of files, that the output is built from. Paths below the folder of `mailing.json`. */
  readonly source?: readonly string[];
  /** Name of the VS Code task that builds the output: `npm: build`. */
  readonly task?: string;
  /** Where it stands in `mailing.json`. */
  readonly place: Place;
}

/** UTF-16 offsets in the text of `mailing.json`. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

export interface MappingProblem extends Place {
  readonly message: string;
  /** The file is no JSON object as it stands: nothing can be written into it. */
  readonly isSyntax?: boolean;
}

/** What a `mailing.json` says. What is wrong in it is told, and left out; the rest stands. */
export interface Mapping {
  readonly templates: readonly MappedTemplate[];
  /** Connections by id. `protected`: every push to it is asked about. */
  readonly connections: Readonly<Record<string, { readonly protected: boolean }>>;
  /** Folders with images, and the public address that each stands for: [path, address]. */
  readonly assets: readonly (readonly [path: string, address: string])[];
  readonly problems: readonly MappingProblem[];
}

const path = v.pipe(
  v.string('must be a path in quotes.'),
  v.check(isInside, 'must be a path below the folder of mailing.json, with slashes.'),
  v.transform((text) => posix.normalize(text).replace(/\/$/u, '')),
);
const id = whole('must be the id of a template.', 1);

const paths = v.pipe(
  // Not a union: that would tell a list with one wrong path as wrong in all.
  v.lazy((value) => (Array.isArray(value) ? v.array(path) : path)),
  v.transform((value) => [value].flat()),
);
const taskMessage = 'must be the name of a task: "npm: build".';

const templateSchema = v.object({
  folder: path,
  ids: v.optional(v.record(v.string(), id, 'must be ids by connection: { "production": 12 }.'), {}),
  body: v.optional(path),
  output: v.optional(path),
  source: v.optional(paths),
  task: v.optional(v.pipe(v.string(taskMessage), v.regex(/\S/u, taskMessage))),
}, 'must be an object: { "folder": "emails/welcome", "ids": { "production": 12 } }.');
/** What does not go together in a template, and is left out then: the keys that are wrong, and what is told at the first of them. */
const clashes: readonly {
  readonly keys: readonly ('body' | 'source' | 'task')[];
  readonly message: string;
  isWrong(template: v.InferOutput<typeof templateSchema>): boolean;
}[] = [
  {
    keys: ['source', 'task'],
    message: 'needs an "output": the HTML file that is built.',
    isWrong: ({ output, source, task }) => output === undefined && (source ?? task) !== undefined,
  },
  {
    keys: ['body'],
    message: 'is written by hand, and "output" is built: a template has one of them.',
    isWrong: ({ body, output }) => body !== undefined && output !== undefined,
  },
  {
    keys: ['source'],
    message: 'is the "output" itself: name the files that it is built from.',
    isWrong: ({ output, source = [] }) => output !== undefined && source.includes(output),
  },
];

const connectionSchema = v.object(
  { protected: v.optional(v.boolean('must be true or false.'), false) },
  'must be an object: { "protected": true }.',
);
const addressSchema = v.pipe(
  v.string('must be an address in quotes.'),
  v.regex(/^https?:\/\/[^\s"'<>]+$/u, 'must be an address that begins with https://.'),
);

/** Reads the text of a `mailing.json`. Never throws. */
export function readMapping(text: string): Mapping {
  const nothing = { templates: [], connections: {}, assets: [] };
  const wrong = (message: string): Mapping => ({ ...nothing, problems: [{ message, start: 0, end: text.length, isSyntax: true }] });
  if (tooDeepAt(text) !== undefined) return wrong('This is nested too deeply.');
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: false, allowTrailingComma: true });
  const problems: MappingProblem[] = errors.map(({ error, offset, length }) => ({
    message: `Not valid JSON: ${printParseErrorCode(error)}.`, start: offset, end: offset + Math.max(1, length), isSyntax: true,
  }));
  if (root?.type !== 'object') return problems.length > 0 ? { ...nothing, problems } : wrong('mailing.json is one JSON object.');

  const checked = <S extends v.GenericSchema>(schema: S, node: Node): v.InferOutput<S> | undefined => {
    const result = v.safeParse(schema, getNodeValue(node));
    if (result.success) return result.output;
    for (const { path: at = [], message } of result.issues) {
      const keys = at.map(({ key }) => key as string | number);
      const named = findNodeAtLocation(node, keys);
      const what = keys.length === 0 ? 'This' : `"${keys.join('.')}"`;
      problems.push({ message: `${what} ${named === undefined ? 'is missing.' : message}`, ...placeOf(named ?? node) });
    }
    return undefined;
  };
  const templates = (childOf(root, 'templates', 'array')?.children ?? []).flatMap((node): MappedTemplate[] => {
    const template = checked(templateSchema, node);
    if (template === undefined) return [];
    const left = clashes.filter(({ isWrong }) => isWrong(template)).flatMap(({ keys, message }) => {
      const wrongKeys = keys.filter((key) => template[key] !== undefined);
      const [first = 'source'] = wrongKeys;
      problems.push({ message: `"${first}" ${message}`, ...placeOf(findNodeAtLocation(node, [first]) ?? node) });
      return wrongKeys.map((key) => [key, undefined]);
    });
    return [withoutUndefined({ ...template, ...Object.fromEntries(left), place: placeOf(node) })];
  });
  const connections = entriesOf(childOf(root, 'connections', 'object')).flatMap(([name, node]) => {
    const connection = checked(connectionSchema, node);
    return connection === undefined ? [] : [[name, connection] as const];
  });
  const assets = entriesOf(childOf(root, 'assets', 'object')).flatMap(([folder, node]) => {
    const address = checked(addressSchema, node);
    const inside = v.safeParse(path, folder);
    if (!inside.success) problems.push({ message: `"${folder}" ${inside.issues[0].message}`, ...placeOf(node.parent ?? node) });
    return address === undefined || !inside.success ? [] : [[inside.output, address.replace(/\/+$/u, '')] as const];
  });
  // The longest folder first: it is the nearest one to a file in it.
  assets.sort(([one], [other]) => other.length - one.length);
  return { templates: once(templates, problems), connections: Object.fromEntries(connections), assets, problems };
}

/** Whether a path of the mapping leads below the folder that it is in. Backslashes and drives are of one system only. */
export function isInside(text: string): boolean {
  if (text === '' || /[\\:\p{Cc}]/u.test(text) || posix.isAbsolute(text)) return false;
  const normal = posix.normalize(text);
  return normal !== '.' && normal !== './' && normal !== '..' && !normal.startsWith('../') && !normal.split('/').includes('.git');
}

/** What is mapped twice is mapped the first time. */
function once(templates: readonly MappedTemplate[], problems: MappingProblem[]): readonly MappedTemplate[] {
  const seen = new Map<string, string>();
  return templates.filter((template) => {
    const { folder, body, output = body, ids, place } = template;
    const claims = [
      // Some file systems don't tell upper from lower case.
      { key: `path ${folder.toLowerCase()}`, what: `The folder "${folder}"` },
      ...(output === undefined ? [] : [{ key: `path ${output.toLowerCase()}`, what: `The file "${output}"` }]),
      ...Object.entries(ids).map(([connection, number]) => ({
        key: `id ${connection} ${number}`, what: `Template ${number} of "${connection}"`,
      })),
    ];
    const twice = claims.find(({ key }) => seen.has(key));
    if (twice === undefined) for (const { key } of claims) seen.set(key, folder);
    else problems.push({ message: `${twice.what} is mapped twice, also by "${seen.get(twice.key)}".`, ...place });
    return twice === undefined;
  });
}

function childOf(root: Node, name: string, type: Node['type']): Node | undefined {
  const node = findNodeAtLocation(root, [name]);
  return node?.type === type ? node : undefined;
}

function entriesOf(node: Node | undefined): [name: string, value: Node][] {
  return (node?.children ?? []).flatMap(({ children: [key, value] = [] }): [string, Node][] => {
    return key && value ? [[String(key.value), value]] : [];
  });
}

function placeOf({ offset, length }: Node): Place {
  return { start: offset, end: offset + length };
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
}
