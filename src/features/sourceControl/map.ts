import * as v from 'valibot';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatList } from '../../l10n.ts';
import { getFields, type CommandArgument } from '../../ui/commands.ts';
import { showInfo, withProgress } from '../../ui/messages.ts';
import { escapeMessage } from '../../service/text.ts';
import { pathKey, withEntry, withId, type MappedTemplate, type MappingEntry } from '../../sync/mapping/mapping.ts';
import { checkPath, mappingName, pathProblem } from '../../sync/paths.ts';
import { isInFolder, taskNames } from './builds.ts';
import { mappableRoots } from './model.ts';
import { confirmCreate, createFromDraft } from './newTemplates.ts';
import { FolderProject, type ProjectTarget } from './project.ts';
import type { FolderTools } from './selection.ts';
import { pull } from './transfers.ts';
import { WorkspaceFiles } from '../../platform/documents/workspaceFiles.ts';

const getMapTitle = () => t('Map Templates to a Folder');
const getMapFileTitle = () => t('Map This File to a Template');

/** Maps templates of a connection to folders and pulls them. Resolves with the folders' paths; undefined if the user cancels. */
export async function mapTemplates(
  tools: FolderTools,
  argument: CommandArgument,
): Promise<readonly string[] | undefined> {
  const root = await pickWorkspaceFolder();
  if (root === undefined) return undefined;
  const { connections, folders, mapped, targets } = tools;
  const options = { ...mapped.picking, title: getMapTitle(), placeholder: t('Select templates') };
  const refs = await targets.pickRecords(argument, options);
  if (refs === undefined) return undefined;
  const { connection } = refs;
  const { folder: given } = getFields(argument);
  const parent = typeof given === 'string' ? given : await askFolder();
  if (parent === undefined) return undefined;
  checkPath(parent);

  const existing = (await folders.openProject(root))?.mapping.templates ?? [];
  const usedPaths = collectFolders(existing);
  const added = refs.ids.filter((id) => !existing.some(({ ids }) => ids[connection] === id));
  if (added.length === 0) throw new Error(t('These templates are already mapped.'));
  const service = connections.getService(connection);
  const named = await withProgress(t('Reading templates'), (signal) =>
    Promise.all(
      added.map(async (id) => {
        const read = connections.run(service, (client) => mapped.kind.read(client, id, { ...service, signal }));
        return { id, name: mapped.kind.name(await read) };
      }),
    ),
  );
  const entries = named.map(({ id, name }) => {
    const path = `${parent.replace(/\/$/u, '')}/${slug(name) || `template-${id}`}`;
    return { folder: makeUniquePath(path, usedPaths), ids: { [connection]: id } };
  });
  const files = new WorkspaceFiles(root);
  const before = await files.read(mappingName);
  await files.write(mappingName, entries.reduce(withEntry, before) ?? '', { text: before });
  const project = await folders.openProject(root);
  await project?.readMapping();
  const paths = entries.map(({ folder }) => folder);
  const isAdded = (one: ProjectTarget) => one.connection === connection && paths.includes(one.template.folder);
  await pull(tools, project?.targets.filter(isAdded) ?? []);
  void reportCreated(paths);
  return paths;
}

/** Reports the folders and offers the view that shows their changes from now on. */
async function reportCreated(paths: readonly string[]) {
  const open = getOpenSourceControlLabel();
  if ((await showInfo(t`Created ${formatList(paths)} and mailing.json.`, open)) === open) await openSourceControl();
}

const getOpenSourceControlLabel = () => t('Open Source Control');
const openSourceControl = (): Thenable<void> => vscode.commands.executeCommand('workbench.view.scm');

async function pickWorkspaceFolder() {
  const all = mappableRoots();
  if (all.length === 0)
    throw new Error(t('No folder is open in this window. Open the folder of your repository and try again.'));
  if (all.length === 1) return all[0];
  const picked = await vscode.window.showWorkspaceFolderPick({ placeHolder: t('Select a workspace folder') });
  return all.find((uri) => uri.toString() === picked?.uri.toString());
}

function askFolder() {
  return vscode.window.showInputBox({
    title: getMapTitle(),
    prompt: t('Each template gets its own folder in this one.'),
    value: 'emails',
    validateInput: (value) => pathProblem(value),
    ignoreFocusOut: true,
  });
}

/** Returns a name as a path segment: lower-case letters and digits with hyphens between them. */
function slug(name: string) {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/gu, '')
    .slice(0, 60);
}

/** Returns the keys of the folders of templates. */
function collectFolders(templates: readonly MappedTemplate[]) {
  return new Set(templates.map(({ folder }) => pathKey(folder)));
}

function makeUniquePath(path: string, usedPaths: Set<string>) {
  let free = path;
  for (let number = 2; usedPaths.has(pathKey(free)); number += 1) free = `${path}-${number}`;
  usedPaths.add(pathKey(free));
  return free;
}

const optional = <S extends v.GenericSchema>(schema: S) => v.fallback(v.optional(schema), undefined);

/** Command arguments that replace prompts. Others are ignored. */
const mapFileArguments = v.object({
  uri: optional(v.custom<vscode.Uri>((value) => value instanceof vscode.Uri)),
  id: optional(v.number()),
  name: optional(v.string()),
  output: optional(v.string()),
  built: optional(v.boolean()),
  task: optional(v.string()),
});
type MapFileArguments = v.InferOutput<typeof mapFileArguments>;

/** The result of mapping a file: its template's folder, and the id on the connection. */
export interface MappedFile {
  readonly folder: string;
  readonly connection: string;
  readonly id: number;
}

/**
 * Maps a file to an existing or a new template, without a push or pull. Resolves with undefined if the user cancels or if the creation of
 * the new template is unconfirmed.
 */
export async function mapFile(tools: FolderTools, argument: CommandArgument): Promise<MappedFile | undefined> {
  const args = v.parse(mapFileArguments, getFields(argument));
  const { root, uri } = locateFile(argument instanceof vscode.Uri ? argument : args.uri);
  const project = (await tools.folders.openProject(root)) ?? new FolderProject(root, tools);
  const path = project.files.relativePath(uri) ?? '';
  const connection = (await tools.targets.pickConnection(getFields(argument), getMapFileTitle()))?.id;
  if (connection === undefined) return undefined;
  const service = tools.targets.getServiceName(connection);
  const { templates } = project.mapping;
  const existing = templates.find((template) => project.folder.has(template, path));
  const existingId = existing?.ids[connection];
  if (existingId !== undefined) throw new Error(t`${path} is already mapped to template ${existingId} on ${service}.`);

  const entry = existing ? { ...existing, range: undefined } : await askEntry(project, path, args);
  const id = entry && (await askTemplate(tools, connection, templates, args));
  if (entry === undefined || id === undefined) return undefined;
  const { folder } = entry;
  if (id !== 'new') {
    const other = templates.find(({ ids }) => ids[connection] === id);
    if (other !== undefined) throw new Error(t`Template ${id} on ${service} is already mapped to ${other.folder}.`);
    const template = await writeEntry(tools, project, { ...entry, ids: { [connection]: id } }, connection);
    const target = { ...template, connection, id };
    await target.project.refresh([target]);
    void reportMapped(path, service, target);
    return { folder, connection, id };
  }
  const range = { start: 0, end: 0 };
  const template = existing ?? { ...entry, source: [entry.source ?? []].flat(), range };
  const draft = await confirmCreate(tools, { project, template }, connection, args.name);
  if (draft === undefined) return undefined;
  const mapped = existing ? undefined : await writeEntry(tools, project, entry, connection);
  const created = await createFromDraft(tools, { ...draft, ...mapped });
  return created && { folder, connection, id: created.id };
}

/** Returns the given or active file, and its workspace folder. */
function locateFile(given: vscode.Uri | undefined) {
  const uri = given ?? vscode.window.activeTextEditor?.document.uri;
  if (uri === undefined) throw new Error(t('No file is open. Open the file to map, or select it in the Explorer.'));
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  const root = mappableRoots().find((one) => one.toString() === folder?.toString());
  if (root === undefined)
    throw new Error(t('This file is outside the workspace. You can map only files in a workspace folder.'));
  return { root, uri };
}

/** Prompts for the mapping entry of a file. Resolves with undefined if the user cancels. */
async function askEntry(
  project: FolderProject,
  path: string,
  args: MapFileArguments,
): Promise<MappingEntry | undefined> {
  checkPath(path);
  const used = collectFolders(project.mapping.templates);
  const own = path.replace(/(?<=.)\/body\.html$/iu, '');
  const folder =
    own === path || used.has(pathKey(own)) ? makeUniquePath(path.replace(/(?<=[^/])\.[^/]*$/u, ''), used) : own;
  const entry = { folder, ids: {} };
  if (project.folder.bodyPath(entry) === path) return entry;
  if (/\.html?$/iu.test(path)) {
    const role = await askRole(path, args);
    if (role === undefined) return undefined;
    if (role === 'body') return { ...entry, body: path };
    if (role === 'output') return withTask({ ...entry, output: path }, project.files.root, args);
  }
  const output = args.output ?? (await askOutput(project, path));
  if (output === undefined) return undefined;
  checkPath(output);
  return withTask({ ...entry, source: path, output }, project.files.root, args);
}

/** Prompts for the key of `mailing.json` that names an HTML file. */
async function askRole(path: string, { built, output }: MapFileArguments) {
  if (output !== undefined) return 'source';
  if (built !== undefined) return built ? 'output' : 'body';
  const items = [
    { label: t('Written by hand'), description: t('Pushed, and updated by a pull'), role: 'body' },
    { label: t('Built by a tool'), description: t('Pushed, but never changed by a pull'), role: 'output' },
    {
      label: t('Source file of a tool'),
      description: t('The HTML built from it is pushed, as with Maizzle'),
      role: 'source',
    },
  ] as const;
  const options = { title: getMapFileTitle(), placeHolder: t`Select how ${path} is created` };
  return (await vscode.window.showQuickPick(items, options))?.role;
}

/** Prompts for the HTML file that is built from a source. Suggests an HTML file of the same name. */
async function askOutput({ files }: FolderProject, path: string) {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/u, '');
  const pattern = new vscode.RelativePattern(files.root, `**/${name.replace(/[[\]{}*?]/gu, '?')}.html`);
  const found = await vscode.workspace.findFiles(pattern, '**/node_modules/**', 2);
  const other = found.map((uri) => files.relativePath(uri)).find((one) => one !== path);
  return vscode.window.showInputBox({
    title: getMapFileTitle(),
    prompt: t`The HTML file that is built from ${path}`,
    value: other ?? path.replace(/\.[^./]*$/u, '.html'),
    validateInput: (value) =>
      value === path ? t('The output must be a different file than its source.') : pathProblem(value),
    ignoreFocusOut: true,
  });
}

/** Adds the build task to an entry: the given one or the one that the user picks. */
async function withTask(entry: MappingEntry, root: vscode.Uri, { task, output }: MapFileArguments) {
  if (task !== undefined) return { ...entry, task };
  // An argument with an output but no task means that there is no task.
  if (output !== undefined || !vscode.workspace.isTrusted) return entry;
  const own = (await vscode.tasks.fetchTasks()).filter((one) => isInFolder(one, root));
  if (own.length === 0) return entry;
  const labels = own.map((one) => (one.source === 'Workspace' ? one.name : (taskNames(one).at(-1) ?? one.name)));
  const none = t('No Task');
  const options = { title: getMapFileTitle(), placeHolder: t('Select the task that builds it') };
  const picked = await vscode.window.showQuickPick([none, ...new Set(labels)], options);
  if (picked === undefined) return undefined;
  return picked === none ? entry : { ...entry, task: picked };
}

/** Prompts for an existing or a new template. Resolves with undefined if the user cancels. */
async function askTemplate(
  { connections, mapped, targets }: FolderTools,
  connection: string,
  mappedTemplates: readonly MappedTemplate[],
  { id, name }: MapFileArguments,
) {
  if (id !== undefined) return id;
  if (name !== undefined) return 'new';
  const { picking } = mapped;
  const newTemplate = { id: 0, label: `$(add) ${t('New Template…')}`, alwaysShow: true };
  const picked = await targets.pick(connections.getService(connection), {
    ...picking,
    title: getMapFileTitle(),
    search: async (client, text, signal) => {
      const folders = new Map(mappedTemplates.map(({ ids, folder }) => [ids[connection], folder]));
      const found = await picking.search(client, text, signal);
      // A Quick Pick can't disable items, so the mapped ones come last, without recent picks among them.
      const taken = found.flatMap((choice) => {
        const key = folders.get(choice.id);
        return key === undefined ? [] : { ...choice, key, description: escapeMessage(key), group: t('already mapped') };
      });
      return [newTemplate, ...found.filter(({ id }) => !folders.has(id)), ...taken];
    },
  });
  return picked?.id === newTemplate.id ? 'new' : picked?.id;
}

/** Adds a template, or another id of a mapped one, to `mailing.json`. */
async function writeEntry(
  tools: FolderTools,
  { files, mapping }: FolderProject,
  entry: MappingEntry,
  connection: string,
): Promise<Pick<ProjectTarget, 'project' | 'template'>> {
  const { folder, ids } = entry;
  const text = await files.read(mappingName);
  const isMapped = text !== undefined && mapping.templates.some((template) => template.folder === folder);
  const changed = isMapped ? withId(text, folder, connection, ids[connection] ?? 0) : withEntry(text, entry);
  await files.write(mappingName, changed, { text });
  const project = await tools.folders.openProject(files.root);
  await project?.readMapping();
  const template = project?.mapping.templates.find((one) => one.folder === folder);
  if (project === undefined || template === undefined)
    throw new Error(t`mailing.json doesn't map ${folder}. Correct the problems in it and try again.`);
  return { project, template };
}

/** Reports the mapping and offers to compare the file with the service. */
async function reportMapped(path: string, service: string, { project, template, id }: ProjectTarget) {
  const [compare, open] = [t('Compare'), getOpenSourceControlLabel()];
  const message = t`${path} is mapped to template ${id} on ${service}. Nothing was pushed or pulled.`;
  const choice = await showInfo(message, compare, open);
  if (choice === open) await openSourceControl();
  if (choice !== compare) return;
  await vscode.commands.executeCommand('mailing.folders.compare', project.files.uri(project.folder.bodyPath(template)));
}
