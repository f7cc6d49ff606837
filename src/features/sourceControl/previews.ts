import * as vscode from 'vscode';
import { getLocalSource, type PreviewSource } from '../../platform/preview/host/source.ts';
import type { Folders } from './folders.ts';
import { exists, type MappedKind } from './model.ts';
import type { ProjectTemplate } from './project.ts';
import type { FolderTools } from './selection.ts';

/** Makes the preview of a source file show the output that is built from it. */
export function registerSourcePreviews({ folders, previews }: FolderTools): vscode.Disposable {
  return previews.registerResolver(async (document) => {
    const one = folders.findTemplatesWrittenIn(document).find(({ template }) => template.output !== undefined);
    if (one === undefined) return undefined;
    const path = one.project.folder.bodyPath(one.template);
    const output = one.project.files.uri(path);
    if (!(await exists(output))) return `${path} does not exist. Build the template first.`;
    // An output may be a source itself. Don't resolve it again, to avoid an endless loop.
    return folders.findTemplatesWrittenIn(output).length > 0 ? getLocalSource(output) : previews.resolve(output);
  });
}

/**
 * Returns the preview of a mapped file, with the stylesheet and details of its folder and images from the whole workspace folder. Returns
 * undefined if the file isn't mapped or there is no body yet.
 */
export async function findMappedSource(
  folders: Folders,
  { layout }: MappedKind,
  uri: vscode.Uri,
): Promise<PreviewSource | undefined> {
  const project = await folders.findProject(uri);
  const path = project?.files.relativePath(uri);
  if (project === undefined || path === undefined) return undefined;
  const { files, folder } = project;
  const template = project.mapping.templates.find((one) => folder.fieldsIn(one, path).length > 0);
  if (template === undefined) return undefined;
  // Ignore files that a link takes out of the workspace folder.
  const existing = async (field: string | undefined): Promise<vscode.Uri | undefined> => {
    const file = folder.path(template, field ?? '');
    return (await files.read(file).catch(() => undefined)) === undefined ? undefined : files.uri(file);
  };
  const style = layout.texts.find(({ format }) => format === 'css');
  const [body, stylesheet, details] = await Promise.all(
    [layout.builtField, style?.field, layout.details.fields[0]].map(existing),
  );
  return (
    body && {
      title: template.folder.slice(template.folder.lastIndexOf('/') + 1),
      body,
      root: files.root,
      stylesheet,
      details,
    }
  );
}

/** Provides lenses in mapped sources and in bodies that aren't built. */
export function registerMappingLenses(folders: Folders): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    vscode.languages.registerCodeLensProvider(
      { pattern: '**/*' },
      { onDidChangeCodeLenses: changed.event, provideCodeLenses: ({ uri }) => createLenses(folders, uri) },
    ),
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    folders.onDidChange(() => changed.fire()),
  );
}

function createLenses(folders: Folders, uri: vscode.Uri): vscode.CodeLens[] {
  const templates = folders.findTemplatesWrittenIn(uri);
  if (templates.length === 0) return [];
  const { isTrusted } = vscode.workspace;
  const isOnService = ({ project, template }: ProjectTemplate): boolean =>
    project.targets.some((target) => target.template === template);
  const lenses: readonly (readonly [title: string, command: string, isShown: boolean])[] = [
    ['Build', 'mailing.folders.build', isTrusted && templates.some(({ template }) => template.task !== undefined)],
    ['Preview', 'mailing.preview', true],
    ['Compare with the Service', 'mailing.folders.compare', templates.some(isOnService)],
    ['Push', 'mailing.folders.push', isTrusted],
  ];
  const range = new vscode.Range(0, 0, 0, 0);
  return lenses
    .filter(([, , isShown]) => isShown)
    .map(([title, command]) => new vscode.CodeLens(range, { title, command, arguments: [uri] }));
}
