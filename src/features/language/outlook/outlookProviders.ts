import * as vscode from 'vscode';
import { formatHex } from '../../../email/checks/color.ts';
import { findRangeAt } from '../../../email/html/text.ts';
import { findColors, readOutlookCode } from '../../../email/checks/outlookCode.ts';
import { getActiveHtmlDocument } from '../../../ui/export/htmlFile.ts';
import { oncePerVersion, toEditorRange } from '../tags/tagProviders.ts';
import { describeCondition, suggestConditions } from './conditionTexts.ts';

/** Longer documents get none of these features, which run while the user types. It is three times what Gmail shows. */
const MAX_CHARS = 300_000;
/** Documents in which VS Code's own HTML features read what Outlook reads. Each exists during one request. */
const VIEW_SCHEME = 'mailing-outlook';

/** Reads the code for Outlook. It is empty if the document is too long. */
const read = oncePerVersion(
  () => undefined,
  (document) => {
    const isLong = document.offsetAt(new vscode.Position(document.lineCount, 0)) > MAX_CHARS;
    return readOutlookCode(isLong || document.uri.scheme === VIEW_SCHEME ? '' : document.getText());
  },
);

/**
 * Completion, hover, matching tags, outline and colors in conditional comments, which VS Code takes for comments, and colors of attributes.
 * A view always exists for exactly one command.
 */
class OutlookProviders
  implements
    vscode.TextDocumentContentProvider,
    vscode.CompletionItemProvider,
    vscode.HoverProvider,
    vscode.DocumentHighlightProvider,
    vscode.LinkedEditingRangeProvider,
    vscode.DocumentSymbolProvider,
    vscode.DocumentColorProvider
{
  readonly #views = new Map<string, string>();
  #viewCount = 0;

  provideTextDocumentContent({ path }: vscode.Uri) {
    return this.#views.get(path);
  }

  provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    _token: vscode.CancellationToken,
    { triggerCharacter }: vscode.CompletionContext,
  ) {
    const before = document.lineAt(position).text.slice(0, position.character);
    const [, written] = /<!(?:--)?\[([^\][<>]*)$/.exec(before) ?? [];
    if (written === undefined)
      return this.#forward<vscode.CompletionList>(document, 'CompletionItemProvider', position, triggerCharacter);
    const range = new vscode.Range(position.translate(0, -written.length), position);
    return suggestConditions().map(([label, documentation]) => createProperty(label, { documentation, range }));
  }

  async provideHover(document: vscode.TextDocument, position: vscode.Position) {
    const offset = document.offsetAt(position);
    const block = read(document).conditions.find((each) => findRangeAt([each.opener, each.closer], offset));
    if (block) return new vscode.Hover(describeCondition(block));
    return (await this.#forward<vscode.Hover[]>(document, 'HoverProvider', position))?.[0];
  }

  provideDocumentHighlights(document: vscode.TextDocument, position: vscode.Position) {
    return this.#forward<vscode.DocumentHighlight[]>(document, 'DocumentHighlights', position);
  }

  async provideLinkedEditingRanges(document: vscode.TextDocument, position: vscode.Position) {
    const before = document.lineAt(position).text.slice(0, position.character);
    const isInName = /<\/?[\w:.-]*$/.test(before);
    const names = isInName ? await this.provideDocumentHighlights(document, position) : undefined;
    if (names?.length !== 2) return undefined;
    return new vscode.LinkedEditingRanges(
      names.map(({ range }) => range),
      /[a-z][\w:.-]*/i,
    );
  }

  async provideDocumentSymbols(document: vscode.TextDocument) {
    const symbols = await this.#forward<vscode.DocumentSymbol[]>(document, 'DocumentSymbolProvider');
    return symbols?.map(({ name, kind, range, selectionRange, children }) => {
      const label = name.replace(/^if#(.*)/, '[if $1]');
      return Object.assign(new vscode.DocumentSymbol(label, '', kind, range, selectionRange), { children });
    });
  }

  /** VS Code finds the colors in other styles itself. */
  provideDocumentColors(document: vscode.TextDocument) {
    return findColors(read(document)).map(({ color: [red, green, blue], ...range }) => {
      const color = new vscode.Color(red / 255, green / 255, blue / 255, 1);
      return new vscode.ColorInformation(toEditorRange(document, range), color);
    });
  }

  /** Outlook supports neither opacity nor other notations. */
  provideColorPresentations({ red, green, blue }: vscode.Color) {
    return [new vscode.ColorPresentation(formatHex([red * 255, green * 255, blue * 255]))];
  }

  /** Runs a command of VS Code on what Outlook reads, at a position of a conditional comment or on all of these. Undefined elsewhere. */
  async #forward<Result>(document: vscode.TextDocument, command: string, position?: vscode.Position, trigger?: string) {
    const { hidden, view, outline } = read(document);
    if (!(position ? findRangeAt(hidden, document.offsetAt(position)) : hidden[0])) return undefined;
    const uri = vscode.Uri.from({ scheme: VIEW_SCHEME, path: `/${(this.#viewCount += 1)}.html` });
    this.#views.set(uri.path, position ? view : outline);
    try {
      return await vscode.commands.executeCommand<Result>(`vscode.execute${command}`, uri, position, trigger);
    } finally {
      this.#views.delete(uri.path);
    }
  }
}

export function registerOutlookProviders(): vscode.Disposable {
  const { languages, workspace } = vscode;
  const providers = new OutlookProviders();
  return vscode.Disposable.from(
    workspace.registerTextDocumentContentProvider(VIEW_SCHEME, providers),
    languages.registerCompletionItemProvider('html', providers, ...'<"=/:['),
    languages.registerCompletionItemProvider(['html', 'css'], { provideCompletionItems: completeProperties }),
    languages.registerHoverProvider('html', providers),
    languages.registerDocumentHighlightProvider('html', providers),
    languages.registerLinkedEditingRangeProvider('html', providers),
    languages.registerDocumentSymbolProvider('html', providers, { label: 'Outlook' }),
    languages.registerColorProvider('html', providers),
  );
}

const createProperty = (name: string, options: Partial<vscode.CompletionItem>) =>
  Object.assign(new vscode.CompletionItem(name, vscode.CompletionItemKind.Property), options);

/** Suggests the CSS properties of Outlook. They are the default of the setting with which VS Code accepts them. */
function completeProperties(document: vscode.TextDocument, position: vscode.Position) {
  const before = document.getText(new vscode.Range(0, 0, position.line, position.character));
  const start =
    document.languageId === 'css'
      ? /[;{]\s*[\w-]*$/
      : /(?:<style\b[^<]*[;{]|\sstyle\s*=\s*(?:"(?:[^"<>]*;)?|'(?:[^'<>]*;)?))\s*[\w-]*$/i;
  if (document.uri.scheme === VIEW_SCHEME || before.length > MAX_CHARS || !start.test(before)) return [];
  const names = vscode.workspace.getConfiguration('css.lint', document).get<readonly string[]>('validProperties', []);
  return names.map((name) =>
    createProperty(name, {
      insertText: `${name}: `,
      range: document.getWordRangeAtPosition(position, /[\w-]+/),
    }),
  );
}

export const outlookHandlers = {
  /** Folds what Outlook reads. Returns the number of folded comments. */
  async 'mailing.foldOutlookBranches'() {
    const document = getActiveHtmlDocument();
    if (!document) return 0;
    const ranges = read(document).hidden.map((range) => toEditorRange(document, range));
    const selectionLines = ranges.flatMap(({ start, isSingleLine }) => (isSingleLine ? [] : start.line));
    // Without lines, VS Code folds everything.
    if (selectionLines.length > 0)
      await vscode.commands.executeCommand('editor.fold', { levels: 1, direction: 'down', selectionLines });
    return selectionLines.length;
  },
};
