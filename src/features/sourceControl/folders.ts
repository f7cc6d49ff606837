import * as vscode from 'vscode';
import { ChangedPaths } from './changedPaths.ts';
import { Decorations } from './decorations.ts';
import type { MappedTemplate } from './mapping.ts';
import { isMapped, lockName, mappableRoots, mappingName } from './model.ts';
import { createDiagnostics, mappingUri } from './problems.ts';
import { FolderProject, type FolderDependencies, type ProjectTemplate } from './project.ts';
import { OriginalContentProvider, SourceControls } from './sourceControls.ts';
import type { Target } from './sync.ts';

/** Texts of a service older than this are read again when the window gains focus. */
const FRESH_MS = 5 * 60 * 1000;
const FILE_CHANGE_DEBOUNCE_MS = 300;

interface OpenProject {
  readonly project: FolderProject;
  readonly disposables: readonly vscode.Disposable[];
  /** Resolves after the first read of `mailing.json`. */
  readonly reading: Promise<void>;
  /** Time of the last read of the services, in ms since the epoch; 0 before the first. */
  readAt: number;
}

/** The workspace folders that have a `mailing.json`, with their views and diagnostics. */
export class Folders implements vscode.Disposable {
  readonly #dependencies: FolderDependencies;
  readonly #openProjects = new Map<string, OpenProject>();
  readonly #problems = vscode.languages.createDiagnosticCollection('mailing-folders');
  readonly #originals = new OriginalContentProvider(() => this.projects);
  readonly #decorations: Decorations;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when a mapping or the status of a template changes. */
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

  /** Returns the templates that are edited in a file: a source of their output, or their body if it isn't built. */
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

  /** Opens the folders that have a mapping and closes the others. */
  async updateProjects(): Promise<void> {
    const roots = new Map(mappableRoots(vscode.workspace.workspaceFolders).map((uri) => [uri.toString(), uri]));
    for (const root of this.#openProjects.keys()) if (!roots.has(root)) this.#close(root);
    await Promise.all([...roots.values()].map((root) => this.openProject(root)));
  }

  /** Opens a workspace folder and compares its templates the first time. Returns undefined if it has no mapping. */
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
    const existing = this.#openProjects.get(key);
    await existing?.reading;
    if (existing !== undefined || !hasMapping) return existing;
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

  /** Returns the project of a file, with its mapping read; undefined if the file is in none. */
  async findProject(uri: vscode.Uri): Promise<FolderProject | undefined> {
    const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
    if (root === undefined || !(await isMapped(root))) return undefined;
    const open = this.#openProjects.get(root.toString());
    await open?.reading;
    return open?.project;
  }

  /** Returns whether the mapping of any workspace folder protects a connection. */
  async isProtected(connection: string): Promise<boolean> {
    await Promise.all(mappableRoots(vscode.workspace.workspaceFolders).map((root) => this.#openMapped(root)));
    return this.projects.some((project) => project.isProtected(connection));
  }

  /** Reads and compares both sides of a project's templates. */
  async refresh(project: FolderProject, targets = project.targets, signal?: AbortSignal): Promise<void> {
    const open = [...this.#openProjects.values()].find((one) => one.project === project);
    if (open !== undefined && targets.length === project.targets.length) open.readAt = Date.now();
    await project.refresh(targets, signal);
    this.#updateViews(project);
  }

  /** Compares the files with the last texts read from the services. Reads templates that weren't read before. */
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

  /** Watches files, because builds and Git change them without a save in the editor. */
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

  /** Compares the files again, without a request to the service. */
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
