import { release } from 'node:os';
import * as vscode from 'vscode';
import { t } from '../../l10n.ts';
import type { JsonObject } from '../../service/client/shapes.ts';
import { showInfo } from '../../ui/messages.ts';
import type { Connections } from './connections.ts';

const MAX_LOG_LINES = 100;

/** Copies what a bug report needs, in English: versions, connections without names and addresses, settings, and the end of the log. */
export async function copyDiagnostics(
  { extension, logUri }: vscode.ExtensionContext,
  connections: Connections,
): Promise<string> {
  const { version } = extension.packageJSON as { readonly version: string };
  const {
    connections: _,
    testLists: __,
    testRecipients: ___,
    ...settings
  } = {
    ...vscode.workspace.getConfiguration().get<JsonObject>('mailing'),
  };
  const states = connections.all.map(({ id, profile, sandbox }) => {
    const state = connections.state(id);
    const error = state.kind === 'failed' ? ` (${state.error.operation}, ${state.error.reason})` : '';
    return `- ${sandbox ? 'sandbox, ' : ''}${profile}, ${state.kind}${error}`;
  });
  const { appHost, language, remoteName = 'local' } = vscode.env;
  const text = [
    `Mailing Studio ${version}, VS Code ${vscode.version} (${appHost}, ${remoteName}, ${language})`,
    `${process.platform} ${release()} ${process.arch}, Node ${process.version}`,
    `Connections: ${connections.all.length}`,
    ...states,
    `Settings: ${JSON.stringify(settings, null, 2)}`,
    'Log:',
    ...(await readLogEnd(logUri)),
  ].join('\n');
  const safe = await connections.withoutKeys(text);
  await vscode.env.clipboard.writeText(safe);
  void showInfo(t('Diagnostics copied, without API keys. Check the log lines before you share them.'));
  return safe;
}

async function readLogEnd(folder: vscode.Uri) {
  const { fs } = vscode.workspace;
  try {
    const [name = ''] = (await fs.readDirectory(folder)).map(([each]) => each).filter((each) => each.endsWith('.log'));
    const log = new TextDecoder().decode(await fs.readFile(vscode.Uri.joinPath(folder, name)));
    return log.trimEnd().split('\n').slice(-MAX_LOG_LINES);
  } catch {
    return ['(not available)'];
  }
}
