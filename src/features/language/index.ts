import * as vscode from 'vscode';
import { mappingName } from '../../sync/paths.ts';
import { registerCommands } from '../../ui/commands.ts';
import { once } from '../../ui/async.ts';
import type { ExtensionServices } from '../services.ts';

/** Registers the language features, loaded with the first open email or HTML file, and their commands. */
export function register(services: ExtensionServices): void {
  const { subscriptions } = services.context;
  const load = once(async () => {
    const editor = (await import('./languageFeatures.ts')).createLanguageFeatures(services);
    subscriptions.push(editor);
    return editor;
  });
  const opened = ({ uri, languageId }: vscode.TextDocument) => {
    if (uri.scheme === 'mailing' || languageId === 'html') void load();
  };
  subscriptions.push(
    vscode.workspace.onDidOpenTextDocument(opened),
    vscode.tasks.registerTaskProvider('mailing', {
      provideTasks: async () => (await load()).createTasks(),
      resolveTask: () => undefined,
    }),
    ...registerFormatting(services),
    ...registerCommands(
      services,
      [
        'mailing.checkEmail',
        'mailing.checkWorkspace',
        'mailing.checks.useAudienceClients',
        'mailing.checks.links',
        'mailing.createReviewReport',
        'mailing.foldOutlookBranches',
        'mailing.accessibilityHelp',
      ],
      async () => (await load()).handlers,
    ),
  );
  vscode.workspace.textDocuments.forEach(opened);
}

const FORMATTER_ID = 'mailing-studio.mailing-studio';

/** Registers the formatter and the blocks for documents of services, mapped folders, and HTML files if the user chose the formatter for them. */
function registerFormatting(services: ExtensionServices) {
  const { languages, workspace } = vscode;
  const load = once(() => import('./format.ts'));
  const provider: vscode.DocumentFormattingEditProvider & vscode.DocumentRangeFormattingEditProvider = {
    provideDocumentFormattingEdits: async (document, options) =>
      (await load()).formatDocument(services, document, options),
    provideDocumentRangeFormattingEdits: async (document, range, options) =>
      (await load()).formatDocument(services, document, options, range),
  };
  const registerFor = (selector: vscode.DocumentFilter) =>
    vscode.Disposable.from(
      languages.registerDocumentFormattingEditProvider(selector, provider),
      languages.registerDocumentRangeFormattingEditProvider(selector, provider),
      languages.registerCompletionItemProvider(
        selector,
        { provideCompletionItems: async (document, position) => (await load()).completeBlocks(document, position) },
        '!',
      ),
    );
  const service = registerFor({ language: 'html', scheme: 'mailing' });
  let local: readonly vscode.Disposable[] = [];
  let lastUpdate = 0;
  const update = async () => {
    const own = (lastUpdate += 1);
    const chosen = workspace.getConfiguration('editor', { languageId: 'html' }).get('defaultFormatter');
    const mappings = chosen === FORMATTER_ID ? [] : await workspace.findFiles(mappingName);
    // A later update may end first.
    if (own !== lastUpdate) return;
    local.forEach((each) => each.dispose());
    const patterns = mappings.map((uri) => new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), '**'));
    local = (chosen === FORMATTER_ID ? ['**'] : patterns).map((pattern) =>
      registerFor({ language: 'html', scheme: 'file', pattern }),
    );
  };
  const mappingFiles = workspace.createFileSystemWatcher(`**/${mappingName}`, false, true, false);
  // Activation doesn't wait for the search.
  setImmediate(() => void update());
  return [
    service,
    mappingFiles,
    mappingFiles.onDidCreate(() => void update()),
    mappingFiles.onDidDelete(() => void update()),
    { dispose: () => local.forEach((each) => each.dispose()) },
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('editor.defaultFormatter')) void update();
    }),
    workspace.onDidChangeWorkspaceFolders(() => void update()),
    workspace.onWillSaveTextDocument((event) => {
      const { document, reason } = event;
      if (document.uri.scheme !== 'mailing' || document.languageId !== 'html') return;
      if (reason === vscode.TextDocumentSaveReason.AfterDelay) return;
      if (workspace.getConfiguration('mailing.format', document).get('onSave') !== true) return;
      event.waitUntil(load().then(({ formatDocument }) => formatDocument(services, document)));
    }),
    workspace.registerTextDocumentContentProvider('mailing-blocks', {
      provideTextDocumentContent: async () => (await load()).provideBlockPage(),
    }),
    ...registerCommands(
      services,
      ['mailing.format', 'mailing.shrink', 'mailing.useFormatter', 'mailing.insertBlock', 'mailing.wrapWithBlock'],
      async () => (await load()).createHandlers(services, FORMATTER_ID),
    ),
  ];
}
