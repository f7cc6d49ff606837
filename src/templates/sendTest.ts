import * as vscode from 'vscode';
import { composeBody } from '../email/compose.ts';
import type { TestResult } from '../workbench/testSends.ts';
import { suffixes, templateDocuments } from './documents.ts';
import { envelopeOf } from './preview.ts';
import type { Templates } from './templates.ts';

/** Sends what is in the editors of a template now, saved or not, to the connection's test list. */
export async function sendTest(templates: Templates, argument: unknown): Promise<TestResult | undefined> {
  const { documents, testSends } = templates.rooms;
  const ref = await templates.choose(argument, 'Send Test E-mail');
  if (ref === undefined) return undefined;
  // The documents that are open may stand under an older name of the template.
  const folder = `/${templateDocuments.collection}/${ref.id}/`;
  const opened = vscode.workspace.textDocuments.find(({ uri }) => uri.authority === ref.connection && uri.path.startsWith(folder) && documents.find(uri) !== undefined);
  const first = opened?.uri ?? (await documents.uri(templateDocuments.collection, ref, suffixes.body));
  const text = async (suffix: string) => (await vscode.workspace.openTextDocument(documents.sibling(first, suffix))).getText();
  const [body, stylesheet, details] = await Promise.all([text(suffixes.body), text(suffixes.stylesheet), text(suffixes.details)]);
  const envelope = envelopeOf(details);
  const name = first.path.split('/').at(-1)?.replace(/\.(template\.json|html|css)$/u, '') ?? '';
  return (await testSends()).send(ref, templateDocuments.collection, {
    name,
    envelope,
    body: composeBody({ body, stylesheet, envelope }),
    isEmpty: body.trim() === '',
  });
}
