import * as vscode from 'vscode';
import { formatHex } from '../../../email/checks/color.ts';
import { findRangeAt } from '../../../email/html/ranges.ts';
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
 * Registers completion, hover, matching tags, outline and colors in conditional comments, which VS Code takes for comments, and
 * colors of attributes.
 */
export function registerOutlookProviders(): vscode.Disposable {
  const { languages, workspace, commands } = vscode;
  const views = new Map<string, string>();
  let viewCount = 0;

  /**
   * Runs a command of VS Code on what Outlook reads, at a position of a conditional comment or on all of these. Undefined elsewhere.
   */
  async function forward<Result>(
    document: vscode.TextDocument,
    command: string,
    position?: vscode.Position,
    trigger?: string,
  ) {
    const { hidden, view, outline } = read(document);
    if (!(position ? findRangeAt(hidden, document.offsetAt(position)) : hidden[0])) return undefined;
    const uri = vscode.Uri.from({ scheme: VIEW_SCHEME, path: `/${(viewCount += 1)}.html` });
    views.set(uri.path, position ? view : outline);
    try {
      return await commands.executeCommand<Result>(`vscode.execute${command}`, uri, position, trigger);
    } finally {
      views.delete(uri.path);
    }
  }
  /** Returns the matching tags at a position. */
  const highlight = (document: vscode.TextDocument, position: vscode.Position) =>
    forward<vscode.DocumentHighlight[]>(document, 'DocumentHighlights', position);

  return vscode.Disposable.from(
    workspace.registerTextDocumentContentProvider(VIEW_SCHEME, {
      provideTextDocumentContent: ({ path }) => views.get(path),
    }),
    languages.registerCompletionItemProvider(
      'html',
      {
        provideCompletionItems(document, position, _token, { triggerCharacter }) {
          const before = document.lineAt(position).text.slice(0, position.character);
          const [, written] = /<!(?:--)?\[([^\][<>]*)$/.exec(before) ?? [];
          if (written === undefined)
            return forward<vscode.CompletionList>(document, 'CompletionItemProvider', position, triggerCharacter);
          const range = new vscode.Range(position.translate(0, -written.length), position);
          return suggestConditions().map(([label, documentation]) =>
            Object.assign(new vscode.CompletionItem(label, vscode.CompletionItemKind.Property), {
              documentation,
              range,
            }),
          );
        },
      },
      ...'<"=/:[',
    ),
    languages.registerCompletionItemProvider(['html', 'css'], { provideCompletionItems: completeProperties }),
    languages.registerHoverProvider('html', {
      async provideHover(document, position) {
        const offset = document.offsetAt(position);
        const block = read(document).conditions.find((each) => findRangeAt([each.opener, each.closer], offset));
        if (block) return new vscode.Hover(describeCondition(block));
        return (await forward<vscode.Hover[]>(document, 'HoverProvider', position))?.[0];
      },
    }),
    languages.registerDocumentHighlightProvider('html', { provideDocumentHighlights: highlight }),
    languages.registerLinkedEditingRangeProvider('html', {
      async provideLinkedEditingRanges(document, position) {
        const before = document.lineAt(position).text.slice(0, position.character);
        const names = /<\/?[\w:.-]*$/.test(before) ? await highlight(document, position) : undefined;
        if (names?.length !== 2) return undefined;
        return new vscode.LinkedEditingRanges(
          names.map(({ range }) => range),
          /[a-z][\w:.-]*/i,
        );
      },
    }),
    languages.registerDocumentSymbolProvider(
      'html',
      {
        async provideDocumentSymbols(document) {
          const symbols = await forward<vscode.DocumentSymbol[]>(document, 'DocumentSymbolProvider');
          return symbols?.map(({ name, kind, range, selectionRange, children }) => {
            const label = name.replace(/^if#(.*)/, '[if $1]');
            return Object.assign(new vscode.DocumentSymbol(label, '', kind, range, selectionRange), { children });
          });
        },
      },
      { label: 'Outlook' },
    ),
    languages.registerColorProvider('html', {
      // VS Code finds the colors in other styles itself.
      provideDocumentColors: (document) =>
        findColors(read(document)).map(({ color: [red, green, blue], ...range }) => {
          const color = new vscode.Color(red / 255, green / 255, blue / 255, 1);
          return new vscode.ColorInformation(toEditorRange(document, range), color);
        }),
      // Outlook supports neither opacity nor other notations.
      provideColorPresentations({ red, green, blue }) {
        return [new vscode.ColorPresentation(formatHex([red * 255, green * 255, blue * 255]))];
      },
    }),
  );
}

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
    Object.assign(new vscode.CompletionItem(name, vscode.CompletionItemKind.Property), {
      insertText: `${name}: `,
      range: document.getWordRangeAtPosition(position, /[\w-]+/),
    }),
  );
}

export const outlookHandlers = {
  /** Folds what Outlook reads. Returns the number of folded comments. */
  async foldOutlookBranches() {
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
