import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { findPlaceholderAt, findPlaceholders } from '../../../email/compose/placeholders.ts';
import type { Range } from '../../../email/html/ranges.ts';
import {
  completeTags,
  explainTag,
  getExampleOutput,
  sampleRendering,
  tagLanguage,
  type TagCompletion,
} from '../../../email/tags/index.ts';
import { getComposingProfile } from '../../../platform/connections/model.ts';
import type { ExtensionServices } from '../../services.ts';
import { escapeMessage, toSingleLine } from '../../../service/text.ts';
import { getCustomFields, getTagLanguage } from '../checks/checkOptions.ts';
import { createHoverContent } from '../docs.ts';
import { formatCompletion, formatExplanation } from './hoverMarkdown.ts';
import { PlaceholderPrompt } from './placeholderPrompt.ts';
import {
  findNameProblem,
  findPairAt,
  findTagTextAt,
  getPairRanges,
  getTagTexts,
  toDocumentRange,
  type TagText,
} from './tagTexts.ts';

/** Documents with tags: bodies, and details with subject and preheader. */
const taggedDocuments: vscode.DocumentSelector = ['html', 'json'].map((language) => ({ scheme: 'mailing', language }));

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

export const toEditorRange = (document: vscode.TextDocument, { start, end }: Range): vscode.Range =>
  new vscode.Range(document.positionAt(start), document.positionAt(end));

/** Returns a function that parses a document once per version, or again with another setting. */
export function oncePerVersion<Setting, Parsed>(
  getSetting: (document: vscode.TextDocument) => Setting,
  parse: (document: vscode.TextDocument, setting: Setting) => Parsed,
): (document: vscode.TextDocument) => Parsed {
  const last = new WeakMap<vscode.TextDocument, { version: number; setting: Setting; parsed: Parsed }>();
  return (document) => {
    const [{ version }, setting, stored] = [document, getSetting(document), last.get(document)];
    if (stored?.version === version && stored.setting === setting) return stored.parsed;
    const parsed = parse(document, setting);
    last.set(document, { version, setting, parsed });
    return parsed;
  };
}

/** Registers completion, hover, highlights, linked editing, rename and folding for tags. */
export function registerTagProviders({
  connections,
  previews,
}: Pick<ExtensionServices, 'connections' | 'previews'>): vscode.Disposable {
  const { languages, workspace } = vscode;

  const read = oncePerVersion(
    ({ uri }) => getTagLanguage(connections, uri),
    (document, language) => ({ language, texts: getTagTexts(document.languageId, document.getText(), language) }),
  );
  const isComposed = ({ uri, languageId }: vscode.TextDocument) =>
    languageId === 'html' && getComposingProfile(connections.get(uri.authority)) === 'acymailing';
  const readPlaceholders = oncePerVersion(isComposed, (document, hasPlaceholders) =>
    hasPlaceholders ? findPlaceholders(document.getText()) : [],
  );
  const prompt = new PlaceholderPrompt();
  /** Returns the person used in examples: the one that the document's preview shows, or else a typical one. */
  const getRendering = (uri: vscode.Uri) => previews.getRendering(uri) ?? sampleRendering();
  /** Returns the text at a position, and how to complete and explain its tags. */
  const getContext = (document: vscode.TextDocument, position: vscode.Position) => {
    const { language, texts } = read(document);
    const offset = document.offsetAt(position);
    const text = findTagTextAt(texts, offset);
    const context = { fields: getCustomFields(connections, document.uri), rendering: getRendering(document.uri) };
    return text && { text, offset: text.fromDocument(offset), language, context };
  };
  const findPair = (document: vscode.TextDocument, position: vscode.Position) =>
    findPairAt(read(document).texts, document.offsetAt(position));
  /** Returns the pair if the position is in one of its names. */
  const findPairByName = (document: vscode.TextDocument, position: vscode.Position) => {
    const pair = findPair(document, position);
    return pair && toEditorRange(document, pair[0].nameRange).contains(position) ? pair : undefined;
  };
  const getPairToRename = (document: vscode.TextDocument, position: vscode.Position) => {
    const pair = findPairByName(document, position);
    if (!pair) throw new Error(t('Only paired tags can be renamed.'));
    return pair;
  };

  const completions: vscode.CompletionItemProvider = {
    provideCompletionItems(document, position) {
      const found = getContext(document, position);
      if (!found) return [];
      const { text, offset, language, context } = found;
      return completeTags(text.text, offset, language, { ...context, where: text.where }).map((completion, index) => {
        const item = createCompletionItem(text, completion);
        const range = toEditorRange(document, toDocumentRange(completion, text));
        item.range =
          completion.kind === 'close' ? range : { inserting: range.with({ end: position }), replacing: range };
        item.sortText = String(index).padStart(4, '0');
        return item;
      });
    },
  };
  const hover: vscode.HoverProvider = {
    provideHover(document, position) {
      const found = getContext(document, position);
      if (!found) return undefined;
      const { text, offset, language, context } = found;
      const rendering = { ...context.rendering, where: text.where };
      const explain = (at: number) => explainTag(text.text, at, language, { ...context, rendering });
      const typed = explain(offset);
      const placeholder = typed ? undefined : findPlaceholderAt(readPlaceholders(document), offset);
      const tag = placeholder ? explain(placeholder.tag.start) : typed;
      if (!tag) return undefined;
      const range = toEditorRange(document, placeholder ?? toDocumentRange(tag, text));
      const isDocumented = language === tagLanguage('acymailing');
      return new vscode.Hover(createHoverContent(formatExplanation(tag, rendering, isDocumented)), range);
    },
  };
  const rename: vscode.RenameProvider = {
    prepareRename(document, position) {
      const [{ name, nameRange }] = getPairToRename(document, position);
      return { range: toEditorRange(document, nameRange), placeholder: name };
    },
    provideRenameEdits(document, position, name) {
      const pair = getPairToRename(document, position);
      const problem = findNameProblem(read(document).language, pair[0].name, name);
      if (problem !== undefined)
        throw new Error(escapeMessage(`${t`Can't rename to "${toSingleLine(name, 40)}".`} ${problem}`, 400));
      const edit = new vscode.WorkspaceEdit();
      for (const { nameRange } of pair) edit.replace(document.uri, toEditorRange(document, nameRange), name);
      return edit;
    },
  };
  for (const document of workspace.textDocuments) prompt.watch(document);
  return vscode.Disposable.from(
    workspace.onDidOpenTextDocument((document) => prompt.watch(document)),
    workspace.onDidChangeTextDocument((event) => {
      if (event.document.uri.scheme === 'mailing' && isComposed(event.document)) void prompt.handleChange(event);
    }),
    languages.registerCompletionItemProvider(taggedDocuments, completions, '{', ':', '|', '/'),
    languages.registerHoverProvider(taggedDocuments, hover),
    languages.registerDocumentHighlightProvider(taggedDocuments, {
      provideDocumentHighlights: (document, position) =>
        findPair(document, position)?.map((tag) => new vscode.DocumentHighlight(toEditorRange(document, tag))),
    }),
    languages.registerLinkedEditingRangeProvider(taggedDocuments, {
      provideLinkedEditingRanges(document, position) {
        const ranges = findPairByName(document, position)?.map((tag) => toEditorRange(document, tag.nameRange));
        return ranges && new Set(ranges.map((range) => document.getText(range))).size === 1
          ? new vscode.LinkedEditingRanges(ranges, /[a-z_]+/i)
          : undefined;
      },
    }),
    languages.registerRenameProvider(taggedDocuments, rename),
    languages.registerFoldingRangeProvider(taggedDocuments, {
      provideFoldingRanges: (document) =>
        [...getPairRanges(read(document).texts), ...readPlaceholders(document)]
          .map((pair) => toEditorRange(document, pair))
          .map(({ start, end }) => new vscode.FoldingRange(start.line, end.line - 1))
          .filter(({ start, end }) => end > start),
    }),
  );
}

function createCompletionItem(text: TagText, completion: TagCompletion) {
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
