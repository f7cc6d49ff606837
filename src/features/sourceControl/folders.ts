import * as vscode from 'vscode';
import { ChangedPaths } from './changedPaths.ts';
import { Decorations } from './decorations.ts';
import type { MappedTemplate } from './mapping.ts';
import { isMapped, lockName, mappableRoots, mappingName } from './model.ts';
import { createDiagnostics, mappingUri } from './problems.ts';
import { FolderProject, type FolderDependencies, type ProjectTemplate } from './project.ts';
import { OriginalContentProvider, SourceControls } from './sourceControls.ts';
import type { Target } from './sync.ts';

/** How long what was read of a service serves, in ms: sooner, nothing is read again without being asked for. */
const FRESH_MS = 5 * 60 * 1000;
/** How long after a change of a file the folder is looked at, in ms. */
const FILE_CHANGE_DEBOUNCE_MS = 300;

interface OpenProject {
  readonly project: FolderProject;
  readonly disposables: readonly vscode.Disposable[];
  /** Ends when `mailing.json` was read for the first time. */
  readonly reading: Promise<void>;
  /** When the services were read last, in ms since the epoch. */
  readAt: number;
}

/** The workspace folders that have a `mailing.json`, and what is shown of them. */
export class Folders implements vscode.Disposable {
  readonly #dependencies: FolderDependencies;
  readonly #openProjects = new Map<string, OpenProject>();
  readonly #problems = vscode.languages.createDiagnosticCollection('mailing-folders');
  readonly #originals = new OriginalContentProvider(() => this.projects);
  readonly #decorations: Decorations;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Something is mapped, or known of it, anew. */
  readonly onDidChange = this.#changed.event;
  readonly #subscriptions: readonly vscode.Disposable[];

  constructor(parts: FolderDependencies) {
    this.#dependencies = parts;
    this.#decorations = new Decorations(parts.connections);
    this.#subscriptions = [
      this.#problems,
      this.#decorations,
      this.#originals,
      this.#changed,
      vscode.workspace.onDidChangeWorkspaceFolders(() => void this.updateProjects()),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused)
          for (const open of this.#openProjects.values())
            if (Date.now() - open.readAt > FRESH_MS) void this.#refresh(open);
      }),
      parts.connections.onDidChange(({ id }) => {
        if (id === undefined) for (const open of this.#openProjects.values()) void this.#refresh(open);
      }),
    ];
  }

  get projects(): readonly FolderProject[] {
    return [...this.#openProjects.values()].map(({ project }) => project);
  }

  /** The templates that are written in a file: one that their output is built from, or their body itself where nothing is built. */
  findTemplatesWrittenIn(uri: vscode.Uri): readonly ProjectTemplate[] {
    return this.projects.flatMap((project) => {
      const path = project.files.relativePath(uri);
      if (path === undefined) return [];
      const isWritten = (template: MappedTemplate): boolean =>
        template.output === undefined
          ? project.folder.bodyPath(template) === path
          : project.folder.isSource(template, path);
      return project.mapping.templates.filter(isWritten).map((template) => ({ project, template }));
    });
  }

  dispose(): void {
    for (const root of this.#openProjects.keys()) this.#close(root);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** Opens the folders that have a mapping, and closes those that have none any more. */
  async updateProjects(): Promise<void> {
    const roots = new Map(mappableRoots(vscode.workspace.workspaceFolders).map((uri) => [uri.toString(), uri]));
    for (const root of this.#openProjects.keys()) if (!roots.has(root)) this.#close(root);
    await Promise.all([...roots.values()].map((root) => this.openProject(root)));
  }

  /** The project of a workspace folder; undefined where it has no mapping. */
  async openProject(root: vscode.Uri): Promise<FolderProject | undefined> {
    const open = await this.#openMapped(root);
    if (open?.readAt === 0) await this.refresh(open.project);
    return open?.project;
  }

  /** Opens a workspace folder and reads its mapping. Returns undefined if it has none. */
  async #openMapped(root: vscode.Uri): Promise<OpenProject | undefined> {
    const key = root.toString();
    const hasMapping = await isMapped(root);
    if (!hasMapping) this.#close(key);
    const known = this.#openProjects.get(key);
    await known?.reading;
    if (known !== undefined || !hasMapping) return known;
    const project = new FolderProject(root, this.#dependencies);
    const open: OpenProject = {
      project,
      disposables: [
        project,
        project.onDidChange(() => this.#changed.fire()),
        ...this.#watch(project),
        new SourceControls(project, this.#dependencies.connections),
        this.#decorations.follow(project),
      ],
      reading: project.readMapping(),
      readAt: 0,
    };
    this.#openProjects.set(key, open);
    await open.reading;
    return open;
  }

  /** The project that a file is in, with its mapping read; undefined where it is in none. */
  async findProject(uri: vscode.Uri): Promise<FolderProject | undefined> {
    const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
    if (root === undefined || !(await isMapped(root))) return undefined;
    const open = this.#openProjects.get(root.toString());
    await open?.reading;
    return open?.project;
  }

  /** Whether the mapping of a workspace folder protects a connection. */
  async isProtected(connection: string): Promise<boolean> {
    await Promise.all(mappableRoots(vscode.workspace.workspaceFolders).map((root) => this.#openMapped(root)));
    return this.projects.some((project) => project.isProtected(connection));
  }

  /** Reads both sides of some templates, or of all of a folder, now. */
  async refresh(project: FolderProject, targets = project.targets, signal?: AbortSignal): Promise<void> {
    const open = [...this.#openProjects.values()].find((one) => one.project === project);
    if (open !== undefined && targets.length === project.targets.length) open.readAt = Date.now();
    await project.refresh(targets, signal);
    this.#updateViews(project);
  }

  /** Compares the files of some templates with what was read of the services last. What was not read is read. */
  async compare(project: FolderProject, targets: readonly Target[]): Promise<void> {
    const unread = targets.filter((target) => !project.hasRemote(target));
    await project.compareAgain(targets);
    if (unread.length > 0) await project.refresh(unread);
    this.#updateViews(project);
  }

  async #refresh(open: OpenProject): Promise<void> {
    open.readAt = Date.now();
    await open.project.readMapping();
    await this.refresh(open.project);
  }

  /** Files change with each save, each build, and each merge of git. */
  #watch(project: FolderProject): readonly vscode.Disposable[] {
    const changes = new ChangedPaths(
      (paths) => void this.#handleFileChanges(project, paths.has(mappingName)),
      (task) => {
        const timer = setTimeout(task, FILE_CHANGE_DEBOUNCE_MS);
        return () => clearTimeout(timer);
      },
    );
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(project.files.root, '**/*'));
    const changed = (uri: vscode.Uri): void => {
      const path = project.files.relativePath(uri);
      if (path === undefined) return;
      if (path === mappingName || path === lockName || project.hasFields(path)) changes.add(path);
    };
    return [watcher, watcher.onDidChange(changed), watcher.onDidCreate(changed), watcher.onDidDelete(changed), changes];
  }

  /** The service is not asked for a change of files: it is compared with what was read of it. */
  async #handleFileChanges(project: FolderProject, isMapping: boolean): Promise<void> {
    const open = this.#openProjects.get(project.files.root.toString());
    if (open === undefined) return;
    if (isMapping) await this.#refresh(open);
    else {
      await project.compareAgain();
      this.#updateViews(project);
    }
  }

  #updateViews(project: FolderProject): void {
    this.#originals.refresh();
    const text = project.mappingText;
    this.#problems.set(
      mappingUri(project),
      text === undefined ? [] : createDiagnostics(project, text, this.#dependencies.connections),
    );
  }

  #close(root: string): void {
    const open = this.#openProjects.get(root);
    if (open === undefined) return;
    this.#openProjects.delete(root);
    this.#problems.delete(mappingUri(open.project));
    for (const disposable of open.disposables) disposable.dispose();
    this.#changed.fire();
  }
}
