import * as vscode from 'vscode';
import type { Range } from '../../../email/html/ranges.ts';
import { completeTags, explainTag, getExampleOutput, renderTags, sampleRendering } from '../../../email/tags/index.ts';
import type { Rendering, TagCompletion, TagLanguage } from '../../../email/tags/index.ts';
import type { Connections } from '../../connections/connections.ts';
import { escapeMessage, toSingleLine } from '../../ui/text.ts';
import { getCustomFields, getTagLanguage } from '../checks/checkOptions.ts';
import { formatCompletion, formatExplanation } from './hoverMarkdown.ts';
import {
  createNameValidator,
  findPairAt,
  findTagTextAt,
  getPairRanges,
  getTagTexts,
  toDocumentRange,
  type TagPair,
  type TagText,
} from './tagTexts.ts';

const completionKinds: Readonly<Record<TagCompletion['kind'], vscode.CompletionItemKind>> = {
  family: vscode.CompletionItemKind.Module,
  field: vscode.CompletionItemKind.Field,
  pair: vscode.CompletionItemKind.Snippet,
  condition: vscode.CompletionItemKind.Snippet,
  parameter: vscode.CompletionItemKind.Property,
  value: vscode.CompletionItemKind.Value,
  close: vscode.CompletionItemKind.Keyword,
};

const triggerSuggest: vscode.Command = { command: 'editor.action.triggerSuggest', title: 'Suggest' };

const toEditorRange = (document: vscode.TextDocument, { start, end }: Range): vscode.Range =>
  new vscode.Range(document.positionAt(start), document.positionAt(end));

/** The texts of one version of a document. */
interface ParsedDocument {
  readonly version: number;
  readonly language: TagLanguage;
  readonly texts: readonly TagText[];
}

/** Completion, hover, highlights, linked editing, rename, folding and inlay hints for tags. */
export class TagProviders
  implements
    vscode.CompletionItemProvider,
    vscode.HoverProvider,
    vscode.DocumentHighlightProvider,
    vscode.LinkedEditingRangeProvider,
    vscode.RenameProvider,
    vscode.FoldingRangeProvider,
    vscode.InlayHintsProvider
{
  readonly #connections: Connections;
  /** Returns the person that the document's preview shows; undefined if it shows raw tags, or there is no preview. */
  readonly #getPerson: (document: vscode.Uri) => Rendering | undefined;
  readonly #documents = new WeakMap<vscode.TextDocument, ParsedDocument>();
  readonly #hintChanges = new vscode.EventEmitter<void>();
  readonly onDidChangeInlayHints = this.#hintChanges.event;

  constructor(connections: Connections, getPerson: (document: vscode.Uri) => Rendering | undefined) {
    this.#connections = connections;
    this.#getPerson = getPerson;
  }

  refreshHints(): void {
    this.#hintChanges.fire();
  }

  dispose(): void {
    this.#hintChanges.dispose();
  }

  provideCompletionItems(document: vscode.TextDocument, position: vscode.Position): vscode.CompletionItem[] {
    const { text, offset, language, context } = this.#getContext(document, position);
    if (!text) return [];
    const completions = completeTags(text.text, text.fromDocument(offset), language, { ...context, where: text.where });
    return completions.map((completion, index) => {
      const item = createCompletionItem(text, completion);
      const range = toEditorRange(document, toDocumentRange(completion, text));
      item.range = { inserting: range.with({ end: position }), replacing: range };
      item.sortText = String(index).padStart(4, '0');
      return item;
    });
  }

  provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
    const { text, offset, language, context } = this.#getContext(document, position);
    if (!text) return undefined;
    const rendering = { ...context.rendering, where: text.where };
    const found = explainTag(text.text, text.fromDocument(offset), language, { ...context, rendering });
    const range = found && toEditorRange(document, toDocumentRange(found, text));
    return found && new vscode.Hover(new vscode.MarkdownString(formatExplanation(found, rendering)), range);
  }

  provideDocumentHighlights(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): vscode.DocumentHighlight[] | undefined {
    return this.#findPair(document, position)?.tagRanges.map(
      (range) => new vscode.DocumentHighlight(toEditorRange(document, range)),
    );
  }

  provideLinkedEditingRanges(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): vscode.LinkedEditingRanges | undefined {
    const ranges = this.#findPairByName(document, position)?.nameRanges.map((name) => toEditorRange(document, name));
    return ranges && new Set(ranges.map((range) => document.getText(range))).size === 1
      ? new vscode.LinkedEditingRanges(ranges, /[a-z_]+/i)
      : undefined;
  }

  prepareRename(document: vscode.TextDocument, position: vscode.Position) {
    const { nameRange, name } = this.#getPairToRename(document, position);
    return { range: toEditorRange(document, nameRange), placeholder: name };
  }

  provideRenameEdits(document: vscode.TextDocument, position: vscode.Position, name: string): vscode.WorkspaceEdit {
    const pair = this.#getPairToRename(document, position);
    const problem = createNameValidator(this.#read(document).language, pair.name)(name);
    if (problem !== undefined)
      throw new Error(escapeMessage(`Can't rename to "${toSingleLine(name, 40)}". ${problem}`, 400));
    const edit = new vscode.WorkspaceEdit();
    for (const range of pair.nameRanges) edit.replace(document.uri, toEditorRange(document, range), name);
    return edit;
  }

  provideFoldingRanges(document: vscode.TextDocument): vscode.FoldingRange[] {
    return getPairRanges(this.#read(document).texts)
      .map((pair) => toEditorRange(document, pair))
      .map(({ start, end }) => new vscode.FoldingRange(start.line, end.line - 1))
      .filter(({ start, end }) => end > start);
  }

  /** Shows the value of each tag. */
  provideInlayHints(document: vscode.TextDocument, range: vscode.Range): vscode.InlayHint[] {
    const { uri } = document;
    if (!vscode.workspace.getConfiguration('mailing', uri).get<boolean>('tags.inlayHints', false)) return [];
    const { language, texts } = this.#read(document);
    const person = this.#getRendering(uri);
    return texts.flatMap((text) =>
      text
        .getTags()
        .filter(({ kind, isClosed }) => kind === 'value' && isClosed)
        .map(({ start, end }) => ({ start, end, position: document.positionAt(text.toDocument(end)) }))
        .filter(({ position }) => range.contains(position))
        .map(({ start, end, position }) => {
          const rendered = renderTags(text.text.slice(start, end), language, { ...person, where: text.where });
          const value = toSingleLine(rendered.text, 40);
          return Object.assign(new vscode.InlayHint(position, value || 'empty'), { paddingLeft: true });
        }),
    );
  }

  /** Parses a document once per version. */
  #read(document: vscode.TextDocument): ParsedDocument {
    const { version, uri, languageId } = document;
    const language = getTagLanguage(this.#connections, uri);
    const stored = this.#documents.get(document);
    if (stored?.version === version && stored.language === language) return stored;
    const parsed = { version, language, texts: getTagTexts(languageId, document.getText(), language) };
    this.#documents.set(document, parsed);
    return parsed;
  }

  /** Returns the person used in examples. */
  #getRendering(uri: vscode.Uri): Rendering {
    return this.#getPerson(uri) ?? sampleRendering();
  }

  #getContext(document: vscode.TextDocument, position: vscode.Position) {
    const { uri } = document;
    const { language, texts } = this.#read(document);
    const offset = document.offsetAt(position);
    const context = { fields: getCustomFields(this.#connections, uri), rendering: this.#getRendering(uri) };
    return { text: findTagTextAt(texts, offset), offset, language, context };
  }

  #findPair(document: vscode.TextDocument, position: vscode.Position): TagPair | undefined {
    return findPairAt(this.#read(document).texts, document.offsetAt(position));
  }

  /** Returns the pair if the position is in one of its names. */
  #findPairByName(document: vscode.TextDocument, position: vscode.Position): TagPair | undefined {
    const pair = this.#findPair(document, position);
    return pair && toEditorRange(document, pair.nameRange).contains(position) ? pair : undefined;
  }

  #getPairToRename(document: vscode.TextDocument, position: vscode.Position): TagPair {
    const pair = this.#findPairByName(document, position);
    if (!pair) throw new Error('Only paired tags can be renamed.');
    return pair;
  }
}

function createCompletionItem(text: TagText, completion: TagCompletion): vscode.CompletionItem {
  const { kind, label, snippet, shouldRetrigger } = completion;
  const description = toSingleLine(getExampleOutput(completion), 50);
  const item = new vscode.CompletionItem(
    description === '' || kind === 'pair' ? label : { label, description },
    completionKinds[kind],
  );
  // Snippets use backslashes of their own, so text that needs JSON escapes is inserted without a snippet.
  const written = text.write(completion.text);
  item.insertText = snippet !== undefined && written === completion.text ? new vscode.SnippetString(snippet) : written;
  item.documentation = new vscode.MarkdownString(formatCompletion(completion));
  if (shouldRetrigger) item.command = triggerSuggest;
  return item;
}
