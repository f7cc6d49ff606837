import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeScratch } from '../../scripts/lib/scratch.mjs';

/** Titles of its commands and tabs: the letter alone, and inserted into the email that is being edited. */
export const ECHO = 'Echo the Letter';
export const ECHO_IN_EMAIL = 'Echo the Letter in the Email';

const titles = [ECHO, ECHO_IN_EMAIL];

const manifest = {
  name: 'echo',
  publisher: 'bench',
  version: '1.0.0',
  engines: { vscode: '^1.100.0' },
  main: './main.js',
  contributes: { commands: titles.map((title) => ({ command: title, title })) },
};

const main = `
const { commands, ViewColumn, window, workspace } = require('vscode');
const script = \`<script>
  const text = (document.querySelectorAll('td')[11] ?? document.body).firstChild;
  text.parentElement.scrollIntoView();
  addEventListener('message', ({ data }) => text.insertData(0, data));
</script>\`;
const open = (title, shown) => {
  const column = { viewColumn: ViewColumn.Beside, preserveFocus: true };
  const { webview } = window.createWebviewPanel(title, title, column, { enableScripts: true });
  webview.html = '<!DOCTYPE html><title>' + title + '</title><body>' + shown + script;
  workspace.onDidChangeTextDocument(({ contentChanges }) => webview.postMessage(contentChanges[0]?.text));
};
exports.activate = () => {
  commands.registerCommand('${ECHO}', () => open('${ECHO}', '-'));
  commands.registerCommand('${ECHO_IN_EMAIL}', () => open('${ECHO_IN_EMAIL}', window.activeTextEditor.document.getText()));
};
`;

/**
 * Installs the least extension that shows a typed letter in a webview. Returns a function that removes it.
 * @param {string} extensionsDir
 */
export function installEcho(extensionsDir) {
  const list = join(extensionsDir, 'extensions.json');
  const installed = readFileSync(list, 'utf8');
  const folder = join(extensionsDir, 'bench.echo-1.0.0');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'main.js'), main);
  const entry = {
    identifier: { id: 'bench.echo' },
    version: manifest.version,
    location: { $mid: 1, path: folder, scheme: 'file' },
    relativeLocation: 'bench.echo-1.0.0',
  };
  writeFileSync(list, JSON.stringify([...JSON.parse(installed), entry]));
  return () => {
    writeFileSync(list, installed);
    removeScratch(folder);
  };
}
