import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { getLocalSource, type PreviewSource } from '../preview/source.ts';
import type { Folders } from './folders.ts';
import { exists } from './model.ts';
import type { ProjectTemplate } from './project.ts';

/**
 * Returns the preview of a mapped file, or of the output that is built from a source file. Returns the reason if there is no output yet;
 * undefined if the file isn't mapped.
 */
export async function findPreview(folders: Folders, uri: vscode.Uri): Promise<PreviewSource | string | undefined> {
  const own = await findMappedSource(folders, uri);
  const built = own ? [] : folders.findTemplatesWrittenIn(uri).filter(({ template }) => template.output !== undefined);
  const [one] = built;
  if (one === undefined) return own;
  const path = one.project.folder.bodyPath(one.template);
  const output = one.project.files.uri(path);
  if (!(await exists(output))) return t`${path} doesn't exist. Build the template first.`;
  return (await findMappedSource(folders, output)) ?? getLocalSource(output);
}

/**
 * Returns the preview of a mapped file, with the stylesheet and details of its folder and images from the whole workspace folder. Returns
 * undefined if the file isn't mapped or there is no body yet.
 */
async function findMappedSource(folders: Folders, uri: vscode.Uri): Promise<PreviewSource | undefined> {
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  const project = root && (await folders.openMapped(root));
  const path = project?.files.relativePath(uri);
  if (project === undefined || path === undefined) return undefined;
  const { files, folder } = project;
  const template = project.mapping.templates.find((one) => folder.paths(one).includes(path));
  if (template === undefined) return undefined;
  // Ignore files that a link takes out of the workspace folder.
  const existing = async (file: string) =>
    (await files.read(file).catch(() => undefined)) === undefined ? undefined : files.uri(file);
  const [body, stylesheet, details] = await Promise.all(folder.paths(template).map(existing));
  const title = template.folder.slice(template.folder.lastIndexOf('/') + 1);
  const [connection] = Object.keys(template.ids);
  return body && { title, body, connection, root: files.root, stylesheet, details };
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

function createLenses(folders: Folders, uri: vscode.Uri) {
  const templates = folders.findTemplatesWrittenIn(uri);
  if (templates.length === 0) return [];
  const { isTrusted } = vscode.workspace;
  const isOnService = ({ project, template }: ProjectTemplate) =>
    project.targets.some((target) => target.template === template);
  const lenses: readonly (readonly [title: string, command: string, isShown: boolean])[] = [
    [t('Build'), 'mailing.folders.build', isTrusted && templates.some(({ template }) => template.task !== undefined)],
    [t({ message: 'Preview', comment: 'Verb, an action above the text' }), 'mailing.preview', true],
    [t('Compare with the Service'), 'mailing.folders.compare', templates.some(isOnService)],
    [t('Push'), 'mailing.folders.push', isTrusted],
  ];
  const range = new vscode.Range(0, 0, 0, 0);
  return lenses
    .filter(([, , isShown]) => isShown)
    .map(([title, command]) => new vscode.CodeLens(range, { title, command, arguments: [uri] }));
}
