import * as vscode from 'vscode';
import { type CommandArgument, getFields } from '../../platform/ui/commands.ts';
import { showInfo } from '../../platform/ui/messages.ts';
import { taskNames } from './builds.ts';
import { withEntry, withId, type MappingEntry } from './editMapping.ts';
import type { MappedTemplate } from './mapping.ts';
import { makeUniquePath } from './mapTemplates.ts';
import { mappableRoots, mappingName } from './model.ts';
import { confirmCreate, createFromDraft } from './newTemplates.ts';
import { checkPath, pathError } from './paths.ts';
import { FolderProject } from './project.ts';
import type { ProjectTarget, FolderTools } from './tools.ts';

const MAP_FILE_TITLE = 'Map This File to a Template';
const HTML_FILE = /\.html?$/iu;

/** Command arguments that replace prompts: `{ uri, connection, id | name, output | built, task }`. */
type MapFileArguments = Readonly<Record<string, unknown>>;

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
  const args = getFields(argument);
  const { root, uri } = locateFile(argument instanceof vscode.Uri ? argument : args['uri']);
  const project = (await tools.folders.openProject(root)) ?? new FolderProject(root, tools);
  const path = project.files.relativePath(uri) ?? '';
  const connection = (await tools.targets.pickConnection(args, MAP_FILE_TITLE))?.id;
  if (connection === undefined) return undefined;
  const service = tools.targets.getServiceName(connection);
  const existing = project.mapping.templates.find((template) => project.folder.has(template, path));
  const existingId = existing?.ids[connection];
  if (existingId !== undefined) throw new Error(`${path} is mapped to template ${existingId} of ${service} already.`);

  const entry = existing === undefined ? await askEntry(project, path, args) : toMappingEntry(existing);
  const id = entry && (await askTemplate(tools, connection, args));
  if (entry === undefined || id === undefined) return undefined;
  const template: MappedTemplate = { ...entry, source: [entry.source ?? []].flat(), range: { start: 0, end: 0 } };
  if (id !== 'new') {
    const other = project.mapping.templates.find(({ ids }) => ids[connection] === id);
    if (other !== undefined) throw new Error(`Template ${id} of ${service} is mapped to ${other.folder} already.`);
    const mappedTarget = await writeEntry(tools, project, { ...entry, ids: { [connection]: id } }, { connection, id });
    void reportMapped(path, service, mappedTarget);
    return { folder: entry.folder, connection, id };
  }
  const draft = await confirmCreate(tools, { project, template: existing ?? template }, connection, args['name']);
  if (draft === undefined) return undefined;
  const { project: mapped, target } = await writeEntry(tools, project, { ...entry, ids: {} }, { connection, id: 0 });
  const created = await createFromDraft(tools, { project: mapped, template: target.template }, draft);
  return created && { folder: entry.folder, connection, id: created.target.id };
}

/** Returns the given or active file, and its workspace folder. */
function locateFile(value: unknown): { readonly root: vscode.Uri; readonly uri: vscode.Uri } {
  const uri = value instanceof vscode.Uri ? value : vscode.window.activeTextEditor?.document.uri;
  if (uri === undefined) throw new Error('Open the file that is to be mapped, or choose it in the Explorer.');
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  const root = mappableRoots(vscode.workspace.workspaceFolders).find((one) => one.toString() === folder?.toString());
  if (root === undefined) throw new Error('Only files of a folder that is open in this window can be mapped.');
  return { root, uri };
}

function toMappingEntry({ range: _, source, ...template }: MappedTemplate): MappingEntry {
  return { ...template, ...(source && { source: source[0] }) };
}

/** Prompts for the mapping entry of a file. Resolves with undefined if the user cancels. */
async function askEntry(
  project: FolderProject,
  path: string,
  args: MapFileArguments,
): Promise<MappingEntry | undefined> {
  checkPath(path);
  const usedFolders = new Set(project.mapping.templates.map(({ folder }) => folder.toLowerCase()));
  const stem = path.replace(/(?<=[^/])\.[^/]*$/u, '');
  const folder = /.\/body\.html$/iu.test(path)
    ? path.replace(/\/body\.html$/iu, '')
    : makeUniquePath(stem, usedFolders);
  if (project.folder.bodyPath({ folder, ids: {}, range: { start: 0, end: 0 } }) === path) return { folder, ids: {} };
  if (HTML_FILE.test(path)) {
    const role = await askRole(path, args);
    if (role === undefined) return undefined;
    if (role === 'body') return { folder, ids: {}, body: path };
    if (role === 'output') return withTask({ folder, ids: {}, output: path }, project.files.root, args);
  }
  const output = typeof args['output'] === 'string' ? args['output'] : await askOutput(project, path);
  if (output === undefined) return undefined;
  checkPath(output);
  return withTask({ folder, ids: {}, source: path, output }, project.files.root, args);
}

/** The key of `mailing.json` that names an HTML file. */
type FileRole = 'body' | 'output' | 'source';

async function askRole(path: string, { built, output }: MapFileArguments): Promise<FileRole | undefined> {
  if (typeof output === 'string') return 'source';
  if (typeof built === 'boolean') return built ? 'output' : 'body';
  const items: readonly (vscode.QuickPickItem & { readonly role: FileRole })[] = [
    { label: 'Written by hand', description: 'Pull writes into it what is new on the service', role: 'body' },
    { label: 'Built by a tool', description: 'It is pushed, and never written', role: 'output' },
    {
      label: 'Source of a tool',
      description: 'What is built from it is pushed: the templates of Maizzle, say',
      role: 'source',
    },
  ];
  return (
    await vscode.window.showQuickPick(items, { title: MAP_FILE_TITLE, placeHolder: `Where does ${path} come from?` })
  )?.role;
}

/** Prompts for the HTML file that is built from a source. Suggests an HTML file of the same name. */
async function askOutput(project: FolderProject, path: string): Promise<string | undefined> {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/u, '');
  const pattern = new vscode.RelativePattern(project.files.root, `**/${name.replace(/[[\]{}*?]/gu, '?')}.html`);
  const [found] = (await vscode.workspace.findFiles(pattern, '**/node_modules/**', 2)).filter(
    (uri) => project.files.relativePath(uri) !== path,
  );
  return vscode.window.showInputBox({
    title: MAP_FILE_TITLE,
    prompt: `The HTML file that is built from ${path}`,
    value: (found && project.files.relativePath(found)) ?? path.replace(/\.[^./]*$/u, '.html'),
    validateInput: (value) => (value === path ? 'The output must be another file than its source.' : pathError(value)),
  });
}

/** Adds the build task to an entry: the given one or the one that the user picks. */
async function withTask(
  entry: MappingEntry,
  root: vscode.Uri,
  { task, output }: MapFileArguments,
): Promise<MappingEntry | undefined> {
  if (typeof task === 'string') return { ...entry, task };
  // An argument with an output but no task means that there is no task.
  if (output !== undefined || !vscode.workspace.isTrusted) return entry;
  const tasks = await vscode.tasks.fetchTasks();
  const own = tasks.filter(({ scope }) => typeof scope !== 'object' || scope.uri.toString() === root.toString());
  if (own.length === 0) return entry;
  const labels = own.map((task) => (task.source === 'Workspace' ? task.name : (taskNames(task).at(-1) ?? task.name)));
  const none = 'No Task';
  const picked = await vscode.window.showQuickPick([none, ...new Set(labels)], {
    title: MAP_FILE_TITLE,
    placeHolder: 'Which task builds it?',
  });
  if (picked === undefined) return undefined;
  return picked === none ? entry : { ...entry, task: picked };
}

/** Prompts for an existing or a new template. Resolves with undefined if the user cancels. */
async function askTemplate(
  { mapped, targets }: FolderTools,
  connection: string,
  { id, name }: MapFileArguments,
): Promise<number | 'new' | undefined> {
  if (typeof id === 'number') return id;
  if (typeof name === 'string') return 'new';
  const { picking } = mapped;
  const newTemplate = { id: 0, label: '$(add) New Template…', alwaysShow: true };
  const picked = await targets.pick(connection, {
    ...picking,
    title: MAP_FILE_TITLE,
    search: async (client, text, signal) => [newTemplate, ...(await picking.search(client, text, signal))],
  });
  return picked?.id === newTemplate.id ? 'new' : picked?.id;
}

/** Adds a template, or another id of a mapped one, to `mailing.json` and compares it with the service. */
async function writeEntry(
  tools: FolderTools,
  { files, mapping }: FolderProject,
  entry: MappingEntry,
  { connection, id }: { readonly connection: string; readonly id: number },
): Promise<ProjectTarget> {
  const text = await files.read(mappingName);
  const isMapped = mapping.templates.some(({ folder }) => folder === entry.folder);
  if (text === undefined || !isMapped) await files.write(mappingName, withEntry(text, entry), { text });
  else if (id !== 0) await files.write(mappingName, withId(text, entry.folder, connection, id), { text });
  const project = await tools.folders.openProject(files.root);
  await project?.readMapping();
  const template = project?.mapping.templates.find(({ folder }) => folder === entry.folder);
  if (project === undefined || template === undefined)
    throw new Error(`${mappingName} does not map ${entry.folder}: see what is told in it.`);
  const target = { template, connection, id };
  if (id !== 0) await tools.folders.refresh(project, [target]);
  return { project, target };
}

/** Reports the mapping and offers to compare the file with the service. */
async function reportMapped(path: string, service: string, { project, target }: ProjectTarget): Promise<void> {
  const compare = 'Compare';
  const message = `${path} is mapped to template ${target.id} of ${service}. Nothing was pushed or pulled.`;
  if ((await showInfo(message, compare)) !== compare) return;
  const uri = project.files.uri(project.folder.bodyPath(target.template));
  await vscode.commands.executeCommand('mailing.folders.compare', uri);
}
