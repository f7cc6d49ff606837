import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { createPositionFinder, type Range } from '../../email/html/text.ts';
import { plural } from '../../l10n.ts';
import { partName } from '../../sync/parts/values.ts';
import { findPartName, readFile, readPartTexts } from '../language/mailDocuments.ts';
import { toEditorRange } from '../language/tags/tagProviders.ts';
import type { CommandHandlers } from '../../ui/commands.ts';
import { getFolder } from '../preview/source.ts';
import type { ExtensionServices } from '../services.ts';
import { getPartUri, getRoot, LinkedParts, readMarks, readMarksOnce, readUsesOnce } from './linkedParts.ts';
import { LinkedRegions } from './linkedRegions.ts';
import { extractPart } from './extraction.ts';
import { getUpdateTitle, PartUpdates } from './partUpdates.ts';

const MAX_MARK_CHARS = 1000;
/** A mark up to a name that the user types: of a part, a slot, or an attribute of a part. */
const startedMark =
  /<!--\s*(part|slot)\s*:\s*(?:([a-z0-9-]+)(?:\s+[a-z0-9-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"']+))*\s+)?[a-z0-9-]*$/u;
const attributeValue = /(?<=\[\[\s*)[a-z0-9-]+(?=\s*\]\])/gu;

/** The name of a part or a slot. */
interface PartName {
  readonly part: string;
  readonly slot?: string | undefined;
}

/** Returns the names in marks. The file of a part has the part's name at its start. */
function findNames(
  text: string,
  ownName: string | undefined,
  marks = readMarks(text, ownName),
): readonly (PartName & Range)[] {
  const names = marks.flatMap(({ kind, name, start: from, owner }) => {
    const part = kind === 'part' ? name : owner?.name || ownName;
    const start = text.indexOf(name, text.indexOf(':', from));
    const slot = kind === 'part' ? undefined : name;
    return part === undefined || kind === 'orphan' ? [] : { part, slot, start, end: start + name.length };
  });
  return ownName === undefined ? names : [{ part: ownName, start: 0, end: 0 }, ...names];
}

function getNameAt(document: vscode.TextDocument, position: vscode.Position) {
  const offset = document.offsetAt(position);
  const names = findNames(document.getText(), findPartName(document.uri), readMarksOnce(document));
  return names.find(({ start, end }) => start <= offset && offset <= end);
}

/** Returns the places of a name in files. */
async function findPlaces({ part, slot }: PartName, uris: readonly vscode.Uri[]) {
  const found: vscode.Location[] = [];
  for (const uri of uris) {
    const text = await readFile(uri);
    if (text === undefined) continue;
    const names = findNames(text, findPartName(uri)).filter((name) => name.part === part && name.slot === slot);
    const findPosition = createPositionFinder(text);
    for (const { start, end } of names)
      found.push(new vscode.Location(uri, new vscode.Range(...findPosition(start), ...findPosition(end))));
  }
  return found;
}

/** Lenses and navigation of linked parts. */
class PartProviders
  implements vscode.CodeLensProvider, vscode.DefinitionProvider, vscode.ReferenceProvider, vscode.RenameProvider
{
  readonly #parts: LinkedParts;
  readonly onDidChangeCodeLenses: vscode.Event<void>;

  constructor(parts: LinkedParts) {
    this.#parts = parts;
    this.onDidChangeCodeLenses = parts.onDidChange;
  }

  provideCodeLenses(document: vscode.TextDocument) {
    const { uri } = document;
    const [root, ownName, checked] = [getRoot(uri), findPartName(uri), this.#parts.getUses(uri)];
    const create = (start: number, title: string, command: string, ...args: readonly unknown[]) =>
      new vscode.CodeLens(toEditorRange(document, { start, end: start }), { title, command, arguments: [...args] });
    const lenses = readUsesOnce(document).map(({ start, name, slots: { length } }, index) => {
      const use = checked[index];
      const status = use?.name === name && use.isOutdated ? ` · ${t('out of date')}` : '';
      const title = plural(length, t('linked · {0} slot'), t('linked · {0} slots')) + status;
      return create(start, title, 'vscode.open', getPartUri(root, name));
    });
    if (ownName === undefined) return lenses;
    const emails = this.#parts.findEmails(root, ownName);
    const isOutdated = emails.filter(({ uses }) => uses.some((use) => use.name === ownName && use.isOutdated));
    const status = isOutdated.length > 0 ? `, ${t('{0} out of date', isOutdated.length)}` : '';
    const title = plural(emails.length, t('in {0} template'), t('in {0} templates')) + status;
    const update = create(0, getUpdateTitle(isOutdated.length), 'mailing.parts.update');
    return [
      create(0, title, 'editor.action.findReferences', uri, new vscode.Position(0, 0)),
      ...(isOutdated.length > 0 ? [update] : []),
      ...lenses,
    ];
  }

  provideDefinition(document: vscode.TextDocument, position: vscode.Position) {
    const name = getNameAt(document, position);
    return name && findPlaces(name, [getPartUri(getRoot(document.uri), name.part)]);
  }

  provideReferences(document: vscode.TextDocument, position: vscode.Position) {
    const name = getNameAt(document, position);
    return name && this.#findAll(getRoot(document.uri), name);
  }

  prepareRename(document: vscode.TextDocument, position: vscode.Position) {
    const name = getNameAt(document, position);
    if (!name) throw new Error(t('Only names of parts and slots can be renamed.'));
    return { range: toEditorRange(document, name), placeholder: name.slot ?? name.part };
  }

  async provideRenameEdits(document: vscode.TextDocument, position: vscode.Position, text: string) {
    const name = getNameAt(document, position);
    if (!name) return undefined;
    if (!partName.test(text)) throw new Error(t('Use at most 60 of a-z, 0-9 and hyphens.'));
    const root = getRoot(document.uri);
    const { part, slot } = name;
    const existing = await this.#findAll(root, slot === undefined ? { part: text } : { part, slot: text });
    if (existing.length > 0) throw new Error(t`"${text}" already exists.`);
    const edit = new vscode.WorkspaceEdit();
    for (const { uri, range } of await this.#findAll(root, name)) if (!range.isEmpty) edit.replace(uri, range, text);
    if (slot === undefined) edit.renameFile(getPartUri(root, part), getPartUri(root, text));
    return edit;
  }

  async #findAll(root: vscode.Uri, name: PartName) {
    await this.#parts.update();
    const files = Object.keys(await readPartTexts(root)).map((part) => getPartUri(root, part));
    return findPlaces(name, [...files, ...this.#parts.findEmails(root, name.part).map(({ uri }) => uri)]);
  }
}

/** Suggests parts, their attributes, and the slots that a use doesn't have yet. */
async function completeName(document: vscode.TextDocument, position: vscode.Position) {
  const { line, character } = position;
  const before = document.getText(new vscode.Range(line, Math.max(0, character - MAX_MARK_CHARS), line, character));
  const [mark, kind, part] = startedMark.exec(before) ?? [];
  if (mark === undefined) return [];
  const texts = await readPartTexts(getRoot(document.uri));
  const createItems = (names: Iterable<string>, end = '') =>
    Array.from(new Set(names), (name) =>
      Object.assign(new vscode.CompletionItem(name), { insertText: new vscode.SnippetString(name + end) }),
    );
  if (kind === 'part' && part === undefined) return createItems(Object.keys(texts));
  if (kind === 'part') return createItems((texts[part ?? ''] ?? '').match(attributeValue) ?? [], '="$1"');
  const offset = document.offsetAt(position);
  const use = readUsesOnce(document).findLast(({ inner }) => inner.start <= offset && offset <= inner.end);
  const slots = findNames(texts[use?.name ?? ''] ?? '', use?.name).filter((each) => each.part === use?.name);
  const names = slots.flatMap(({ slot }) => slot ?? []);
  return createItems(names.filter((slot) => use?.slots.every(({ name }) => name !== slot)));
}

function findFoldingRanges(document: vscode.TextDocument) {
  const ranges = readMarksOnce(document).map((mark) => toEditorRange(document, mark));
  return ranges
    .map(({ start, end }) => new vscode.FoldingRange(start.line, end.line - 1))
    .filter(({ start, end }) => end > start);
}

const createOutline = (document: vscode.TextDocument) =>
  readMarksOnce(document).map((mark) => {
    const start = toEditorRange(document, { ...mark, end: mark.inner.start });
    const { name, kind = '' } = mark;
    return new vscode.DocumentSymbol(name, kind, vscode.SymbolKind.Module, toEditorRange(document, mark), start);
  });

/** Returns a preview of a part's file inside the first email that uses the part, by path. Returns undefined if there is none. */
async function findPartPreview({ previews, worker }: ExtensionServices, parts: LinkedParts, uri: vscode.Uri) {
  const root = getRoot(uri);
  const name = findPartName(uri) ?? '';
  await parts.update();
  const [first] = parts.findEmails(root, name).toSorted((one, other) => (one.uri.path < other.uri.path ? -1 : 1));
  const email = first && (await previews.resolve(first.uri));
  if (!email) return undefined;
  const embed = async (body: string) => {
    const texts = { ...(await readPartTexts(root)), [name]: body };
    const { text } = await (await worker()).run('applyParts', [(await readFile(first.uri)) ?? '', texts]);
    const use = readMarks(text, undefined).find((mark) => mark.kind === 'part' && mark.name === name);
    return use && { text, ...use.inner };
  };
  return { ...email, title: t`${name}.html in ${email.title}`, body: uri, folder: getFolder(email.body), embed };
}

/** Creates the editor's features of linked parts. */
export function createPartFeatures(services: ExtensionServices) {
  const { languages } = vscode;
  const parts = new LinkedParts(services);
  const providers = new PartProviders(parts);
  const updates = new PartUpdates(services, parts);
  const handlers = {
    'mailing.parts.extract': (argument) => extractPart(services, argument),
    'mailing.parts.update': () => updates.review(),
    'mailing.parts.applyUpdate': () => updates.apply(),
    'mailing.parts.compareUpdate': () => updates.compare(),
  } satisfies CommandHandlers;
  const all = vscode.Disposable.from(
    parts,
    updates,
    new LinkedRegions(parts),
    languages.registerCodeLensProvider('html', providers),
    languages.registerDefinitionProvider('html', providers),
    languages.registerReferenceProvider('html', providers),
    languages.registerRenameProvider('html', providers),
    languages.registerCompletionItemProvider('html', { provideCompletionItems: completeName }, ':', ' '),
    languages.registerFoldingRangeProvider('html', { provideFoldingRanges: findFoldingRanges }),
    languages.registerDocumentSymbolProvider(
      'html',
      { provideDocumentSymbols: createOutline },
      { label: 'Mailing Studio' },
    ),
  );
  const findPreview = (uri: vscode.Uri) => findPartPreview(services, parts, uri);
  return { handlers, findPreview, dispose: () => all.dispose() };
}
