import * as vscode from 'vscode';
import { inMessage } from '../ui/text.ts';
import type { Finder, Finding, Fix } from './finding.ts';

/** Milliseconds without a change before a document is looked at: typing goes first. */
const REST = 250;
const source = 'Mailing Studio';

const severities: Readonly<Record<Finding['severity'], vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

/** A diagnostic that knows how what it tells of is mended. */
interface Found {
  readonly diagnostic: vscode.Diagnostic;
  readonly fixes: readonly Fix[];
}

/** Shows what finders find in open documents as diagnostics with quick fixes. */
export class Findings implements vscode.Disposable, vscode.CodeActionProvider {
  readonly #finders: readonly Finder<vscode.TextDocument>[];
  readonly #selector: vscode.DocumentSelector;
  readonly #collection = vscode.languages.createDiagnosticCollection('mailing');
  readonly #found = new Map<string, { readonly version: number; readonly all: readonly Found[] }>();
  readonly #waiting = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #subscriptions: readonly vscode.Disposable[];

  constructor(selector: vscode.DocumentSelector, finders: readonly Finder<vscode.TextDocument>[]) {
    this.#selector = selector;
    this.#finders = finders;
    this.#subscriptions = [
      this.#collection,
      vscode.workspace.onDidOpenTextDocument((document) => this.#look(document)),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => contentChanges.length > 0 && this.#lookLater(document)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)),
      vscode.languages.registerCodeActionsProvider(selector, this, { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] }),
    ];
    this.refresh();
  }

  /** Looks at every open document again: what finders know has changed. */
  refresh(): void {
    for (const document of vscode.workspace.textDocuments) this.#look(document);
  }

  provideCodeActions(document: vscode.TextDocument, _range: vscode.Range, { diagnostics }: vscode.CodeActionContext): vscode.CodeAction[] {
    const found = this.#found.get(document.uri.toString());
    if (found?.version !== document.version) return [];
    return found.all
      .filter(({ diagnostic }) => diagnostics.some((asked) => isSame(asked, diagnostic)))
      .flatMap(({ diagnostic, fixes }) => fixes.map((fix, index) => actionOf(document, diagnostic, fix, index === 0)));
  }

  dispose(): void {
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #lookLater(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    clearTimeout(this.#waiting.get(key));
    this.#waiting.set(key, setTimeout(() => this.#look(document), REST));
  }

  #look(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    clearTimeout(this.#waiting.get(key));
    this.#waiting.delete(key);
    if (document.isClosed || vscode.languages.match(this.#selector, document) === 0) return;
    const all = this.#finders.flatMap((finder) => finder.find(document)).map((finding): Found => foundOf(document, finding));
    this.#found.set(key, { version: document.version, all });
    this.#collection.set(document.uri, all.map(({ diagnostic }) => diagnostic));
  }

  #forget(uri: vscode.Uri): void {
    const key = uri.toString();
    clearTimeout(this.#waiting.get(key));
    this.#waiting.delete(key);
    this.#found.delete(key);
    this.#collection.delete(uri);
  }
}

const rangeOf = (document: vscode.TextDocument, { start, end }: { readonly start: number; readonly end: number }): vscode.Range =>
  new vscode.Range(document.positionAt(start), document.positionAt(end));

function foundOf(document: vscode.TextDocument, finding: Finding): Found {
  const diagnostic = new vscode.Diagnostic(rangeOf(document, finding), inMessage(finding.message, 400), severities[finding.severity]);
  diagnostic.source = source;
  diagnostic.code = finding.url === undefined ? finding.rule : { value: finding.rule, target: vscode.Uri.parse(finding.url, true) };
  return { diagnostic, fixes: finding.fixes };
}

function actionOf(document: vscode.TextDocument, diagnostic: vscode.Diagnostic, fix: Fix, isPreferred: boolean): vscode.CodeAction {
  const action = new vscode.CodeAction(inMessage(fix.title), vscode.CodeActionKind.QuickFix);
  action.diagnostics = [diagnostic];
  action.isPreferred = isPreferred;
  action.edit = new vscode.WorkspaceEdit();
  for (const edit of fix.edits) action.edit.replace(document.uri, rangeOf(document, edit), edit.text);
  return action;
}

/** VS Code gives diagnostics back as copies. */
function isSame(one: vscode.Diagnostic, other: vscode.Diagnostic): boolean {
  return one.source === other.source && one.message === other.message && one.range.isEqual(other.range);
}
