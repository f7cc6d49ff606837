import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { withProgress } from '../../ui/messages.ts';
import { createPositionFinder, type Range } from '../../email/html/text.ts';
import type { Connections } from '../../platform/connections/connections.ts';
import { Debouncer } from '../../ui/async.ts';
import { errorText } from '../../ui/errors.ts';
import { lockName, mappingName } from '../../sync/paths.ts';
import { isMapped, mappableRoots } from './model.ts';
import { FolderProject, type FolderDependencies, type ProjectTarget, type ProjectTemplate } from './project.ts';
import { ServiceVersions, SourceControls } from './sourceControls.ts';

/** Texts of a service older than this are read again when the window gains focus. */
const FRESH_MS = 5 * 60 * 1000;
const FILE_CHANGE_DEBOUNCE_MS = 300;
/** VS Code shows at most this number of problems per file. */
const MAX_PROBLEMS = 1000;

interface OpenProject {
  readonly project: FolderProject;
  readonly disposable: vscode.Disposable;
  /** Resolves after the first read of `mailing.json`. */
  readonly reading: Promise<void>;
}

/** The workspace folders that have a `mailing.json`, with their views and diagnostics. Each is open once. */
export class Folders implements vscode.Disposable {
  readonly #dependencies: FolderDependencies;
  readonly #open = new Map<string, OpenProject>();
  readonly #problems = vscode.languages.createDiagnosticCollection('mailing-folders');
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when a mapping or the status of a template changes. */
  readonly onDidChange = this.#changed.event;
  readonly #versions: ServiceVersions;
  readonly #subscriptions: vscode.Disposable;

  constructor(dependencies: FolderDependencies) {
    const { connections } = dependencies;
    this.#dependencies = dependencies;
    this.#versions = new ServiceVersions(connections, () => this.projects);
    this.#subscriptions = vscode.Disposable.from(
      this.#problems,
      this.#versions,
      this.#changed,
      vscode.workspace.onDidChangeWorkspaceFolders(() => void this.updateProjects()),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused)
          for (const project of this.projects) if (Date.now() - project.readAt > FRESH_MS) void refreshAll(project);
      }),
      connections.onDidChange(({ id }) => {
        if (id === undefined) for (const project of this.projects) void refreshAll(project);
      }),
    );
  }

  get projects(): readonly FolderProject[] {
    return [...this.#open.values()].map(({ project }) => project);
  }

  /** The mapped templates, independent of a connection. */
  get templates(): readonly ProjectTemplate[] {
    return this.projects.flatMap((project) => project.mapping.templates.map((template) => ({ project, template })));
  }

  /** The mapped templates on all their connections. */
  get targets(): readonly ProjectTarget[] {
    return this.projects.flatMap(({ targets }) => targets);
  }

  /** Returns the mapped templates that a file belongs to, as a file with fields or as a source. */
  findTemplates(uri: vscode.Uri): readonly ProjectTemplate[] {
    return this.templates.filter(({ project, template }) => {
      const path = project.files.relativePath(uri);
      return path !== undefined && project.folder.has(template, path);
    });
  }

  /** Returns the templates that are edited in a file: a source of their output, or their body if it isn't built. */
  findTemplatesWrittenIn(uri: vscode.Uri): readonly ProjectTemplate[] {
    return this.templates.filter(({ project: { files, folder }, template }) => {
      const path = files.relativePath(uri) ?? '';
      return template.output === undefined ? folder.bodyPath(template) === path : folder.isSource(template, path);
    });
  }

  /** Opens the folders that have a mapping and closes the others. */
  async updateProjects(): Promise<void> {
    const roots = new Map(mappableRoots().map((uri) => [uri.toString(), uri]));
    for (const root of this.#open.keys()) if (!roots.has(root)) this.#close(root);
    await Promise.all(Array.from(roots.values(), (root) => this.openProject(root)));
  }

  /** Opens a workspace folder and compares its templates the first time. Returns undefined if it has no mapping. */
  async openProject(root: vscode.Uri): Promise<FolderProject | undefined> {
    const project = await this.openMapped(root);
    if (project?.readAt === 0) await project.refresh();
    return project;
  }

  /** Opens a workspace folder and reads its mapping. Returns undefined if it has none. */
  async openMapped(root: vscode.Uri): Promise<FolderProject | undefined> {
    const key = root.toString();
    const hasMapping = await isMapped(root);
    if (!hasMapping) this.#close(key);
    else if (!this.#open.has(key)) {
      const project = new FolderProject(root, this.#dependencies);
      const disposable = vscode.Disposable.from(
        project,
        project.onDidChange(() => this.#updateViews(project)),
        watch(project),
        new SourceControls(project, this.#dependencies.connections),
      );
      this.#open.set(key, { project, disposable, reading: project.readMapping() });
    }
    const open = this.#open.get(key);
    await open?.reading;
    return open?.project;
  }

  /** Returns whether the mapping of any workspace folder protects a connection. */
  async isProtected(connection: string): Promise<boolean> {
    await Promise.all(mappableRoots().map((root) => this.openMapped(root)));
    return this.projects.some((project) => project.isProtected(connection));
  }

  dispose(): void {
    for (const root of this.#open.keys()) this.#close(root);
    this.#subscriptions.dispose();
  }

  #updateViews(project: FolderProject) {
    this.#versions.refresh();
    this.#problems.set(project.files.uri(mappingName), createDiagnostics(project, this.#dependencies.connections));
    this.#changed.fire();
  }

  #close(root: string) {
    const open = this.#open.get(root);
    if (open === undefined) return;
    this.#open.delete(root);
    this.#problems.delete(open.project.files.uri(mappingName));
    open.disposable.dispose();
    this.#versions.refresh();
    this.#changed.fire();
  }
}

/** Watches files, because builds and Git change them without a save in the editor. */
function watch(project: FolderProject) {
  const updates = new Debouncer(FILE_CHANGE_DEBOUNCE_MS);
  let isMappingChanged = false;
  const update = async () => {
    const isMapping = isMappingChanged;
    isMappingChanged = false;
    if (isMapping && (await project.updateMapping())) return project.refresh();
    await project.compare();
    // A command that has read the new mapping before may not have read all its templates.
    if (isMapping) await project.refresh(project.targets.filter((target) => !project.sync.getStatus(target)));
  };
  const handleChange = (uri: vscode.Uri) => {
    const path = project.files.relativePath(uri) ?? '';
    if (path !== mappingName && path !== lockName && !project.paths.has(path)) return;
    isMappingChanged ||= path === mappingName;
    updates.run(update);
  };
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(project.files.root, '**/*'));
  return vscode.Disposable.from(
    watcher,
    watcher.onDidChange(handleChange),
    watcher.onDidCreate(handleChange),
    watcher.onDidDelete(handleChange),
    updates,
  );
}

/** Reads the mappings and templates of projects, with progress. */
export function refreshProjects(projects: readonly FolderProject[]): Promise<void> {
  return withProgress(t('Reading mapped templates'), async (signal) => {
    for (const project of projects) await refreshAll(project, signal);
  });
}

/** Reads the mapping and both sides of all its templates. */
async function refreshAll(project: FolderProject, signal?: AbortSignal) {
  await project.readMapping();
  await project.refresh(project.targets, signal);
}

/** Creates the diagnostics of a `mailing.json`. */
function createDiagnostics(project: FolderProject, connections: Connections) {
  const { mapping, mappingText } = project;
  if (mappingText === undefined) return [];
  const findRange = createRangeFinder(mappingText);
  const diagnostics: vscode.Diagnostic[] = [];
  const add = (range: Range, message: string, severity: vscode.DiagnosticSeverity) => {
    const diagnostic = new vscode.Diagnostic(findRange(range), message, severity);
    diagnostic.source = 'Mailing Studio';
    diagnostics.push(diagnostic);
  };
  const { Error, Information, Warning } = vscode.DiagnosticSeverity;
  for (const problem of mapping.problems.slice(0, MAX_PROBLEMS)) {
    const { message, blocksPush } = problem;
    add(problem, blocksPush ? `${message} ${t('Nothing is pushed until you correct this.')}` : message, Error);
  }
  const isMissing = (connection: string) => connections.get(connection) === undefined;
  for (const { ids, range } of mapping.templates)
    for (const connection of Object.keys(ids).filter(isMissing))
      add(range, t`There is no connection "${connection}" here. Add one with this ID to push and pull.`, Information);
  for (const [connection, { range }] of Object.entries(mapping.connections))
    if (isMissing(connection))
      add(range, t`There is no connection "${connection}" here, so this protects nothing. Check the ID.`, Information);
  for (const target of project.targets) {
    const status = project.sync.getStatus(target);
    const name = connections.get(target.connection)?.name ?? target.connection;
    const { range } = target.template;
    if (status?.kind === 'deleted') add(range, t`There is no template ${target.id} on ${name}.`, Warning);
    if (status?.kind === 'failed') add(range, errorText(status.error), Warning);
  }
  return diagnostics;
}

/** Converts offsets to ranges without an open document. */
function createRangeFinder(text: string): (range: Range) => vscode.Range {
  const find = createPositionFinder(text);
  return ({ start, end }) => new vscode.Range(...find(start), ...find(end));
}
