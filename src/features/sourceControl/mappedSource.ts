import type * as vscode from 'vscode';
import { readEnvelope, readHeaders } from '../../email/compose/envelope.ts';
import type { PreviewSource } from '../../platform/preview/host/source.ts';
import type { Folders } from './folders.ts';
import type { MappedKind } from './model.ts';

/**
 * Returns the preview of a mapped file, with the stylesheet and details of its folder and images from the whole workspace folder. Returns
 * undefined if the file isn't mapped or there is no body yet.
 */
export async function mappedSource(
  folders: Folders,
  { layout }: MappedKind,
  uri: vscode.Uri,
): Promise<PreviewSource | undefined> {
  const project = await folders.findProject(uri);
  const path = project?.files.relativePath(uri);
  if (project === undefined || path === undefined || !project.hasFields(path)) return undefined;
  const { files, folder } = project;
  const template = project.mapping.templates.find((one) => folder.paths(one).includes(path));
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
      ...(stylesheet && { stylesheet }),
      ...(details && { details: { uri: details, readEnvelope: readEnvelope, readHeaders: readHeaders } }),
    }
  );
}
