import * as vscode from 'vscode';
import type { Documents } from '../../platform/documents/documents.ts';
import { writeJson } from '../../platform/documents/json.ts';
import { InvalidDocumentError, normalizeText, isSameText } from '../../platform/documents/model.ts';
import { isUnsaved, findRecordDocuments } from '../../platform/documents/unsaved.ts';
import { templateDocuments } from '../templates/documents.ts';
import { suffixes } from '../templates/model.ts';
import { confirm } from '../../platform/ui/messages.ts';
import { escapeMessage } from '../../platform/ui/text.ts';
import type { Inputs } from './schemas.ts';
import { notDone, refused, stillWanted, type Answer, type Call, type Tools } from './tool.ts';

type Part = keyof typeof suffixes;
type Proposal = Inputs['mailing_proposeTemplate'];

/** A document that another text is proposed for. */
interface Proposed {
  readonly document: vscode.TextDocument;
  readonly text: string;
  /** Of the document, when the text was made. */
  readonly version: number;
}

/** A proposal can't be made; the message says why, in our own words. */
class Unsuitable extends Error {}

/** The tool that proposes texts: as edits that are not saved. What was proposed last is no typing of the user's. */
export function proposingTools(): Pick<Tools, 'mailing_proposeTemplate'> {
  const last = new WeakMap<vscode.TextDocument, string>();
  return { mailing_proposeTemplate: { doing: 'Proposing a text of a template', run: (call) => propose(call, last) } };
}

async function propose(
  { services: { documents }, input, connection, signal }: Call<'mailing_proposeTemplate'>,
  last: WeakMap<vscode.TextDocument, string>,
): Promise<Answer> {
  const ref = { connection: connection.id, id: input.id };
  const opened = findRecordDocuments(templateDocuments.collection, ref).find(
    ({ uri }) => documents.find(uri) !== undefined,
  );
  const first = opened?.uri ?? (await documents.resolveUri(templateDocuments.collection, ref, suffixes.body));
  if ((await documents.getReadOnlyReason(first)) !== undefined)
    return notDone(
      'It was made with the drag-and-drop editor, and can only be read here. The user may duplicate it, and edit the copy.',
    );
  try {
    const proposed = await proposalsOf(documents, first, input);
    signal.throwIfAborted();
    if (proposed.length === 0)
      return notDone('Nothing differs from what is there: give a text, details or replacements.');
    const lines = questionLines(proposed, last, connection.name);
    if (lines.length > 0) {
      const action = 'Show the Proposal';
      const asked = [...lines, 'A language model proposes another text. Undo brings back what is there now.'];
      if (!(await confirm(`Put a proposal into the editor of "${nameOf(first)}"?`, asked, action))) return refused;
      stillWanted(signal);
    }
    await put(proposed, last);
    for (const { document } of proposed) await showDifferences(documents, document);
  } catch (error) {
    if (error instanceof Unsuitable) return notDone(error.message);
    throw error;
  }
  return {
    ended: 'done',
    words:
      'The proposal is in the editor, beside what is stored, and is not saved. The user saves it with Ctrl+S, or takes it back by Undo.',
  };
}

/** The documents whose text the proposal makes another one of. */
async function proposalsOf(documents: Documents, first: vscode.Uri, proposal: Proposal): Promise<readonly Proposed[]> {
  const { details, replacements = [] } = proposal;
  const wanted: Readonly<Record<Part, ((text: string) => string | Promise<string>) | undefined>> = {
    body: textOf(proposal, 'body'),
    stylesheet: textOf(proposal, 'stylesheet'),
    details: details && Object.keys(details).length > 0 ? (text) => withDetails(text, details) : undefined,
  };
  if (replacements.some(({ part }) => proposal[part] !== undefined))
    throw new Unsuitable('Give either a whole text or replacements of it, not both.');
  const proposed = await Promise.all(
    Object.entries(wanted).map(async ([part, change]): Promise<readonly Proposed[]> => {
      if (change === undefined) return [];
      const document = await vscode.workspace.openTextDocument(documents.getSiblingUri(first, suffixes[part as Part]));
      const { version } = document;
      const now = normalizeText(document.getText());
      const text = await change(now);
      return isSameText(now, text) ? [] : [{ document, text, version }];
    }),
  );
  return proposed.flat();
}

/** What makes the text of a part: the one that is given, or the one that is there with passages replaced. */
function textOf(proposal: Proposal, part: 'body' | 'stylesheet'): ((text: string) => string) | undefined {
  const whole = proposal[part];
  if (whole !== undefined) return () => whole;
  const replacements = (proposal.replacements ?? []).filter((each) => each.part === part);
  if (replacements.length === 0) return undefined;
  return (now) =>
    replacements.reduce((text, { find, replace }, at) => {
      const [before, after, ...others] = text.split(normalizeText(find));
      const isOnce = before !== undefined && after !== undefined && others.length === 0;
      if (!isOnce)
        throw new Unsuitable(`What replacement ${at + 1} of the ${part} is to find stands there not exactly once.`);
      return before + replace + after;
    }, now);
}

async function withDetails(text: string, fields: NonNullable<Proposal['details']>): Promise<string> {
  const part = templateDocuments.parts.find(({ suffix }) => suffix === suffixes.details);
  try {
    const proposed = writeJson({ ...(await part?.parse(text)), ...fields });
    await part?.parse(proposed);
    return proposed;
  } catch (error) {
    if (error instanceof InvalidDocumentError)
      throw new Unsuitable('The details are no valid JSON now, or would not be valid then.');
    throw error;
  }
}

/** What the user is to agree to before: that their own edits are replaced, or that the editor saves by itself. */
function questionLines(
  proposed: readonly Proposed[],
  last: WeakMap<vscode.TextDocument, string>,
  service: string,
): readonly string[] {
  const typed = proposed.filter(({ document }) => isUnsaved(document) && !isProposed(document, last));
  const isSavedAlone = proposed.some(({ document }) => {
    const autoSave = vscode.workspace.getConfiguration('files', document).get<string>('autoSave');
    return autoSave !== undefined && autoSave !== 'off';
  });
  return [
    ...typed.map(({ document }) => `You have edits that are not saved in ${nameOf(document.uri)}: they are replaced.`),
    ...(isSavedAlone ? [`Auto Save is on: the editor then stores the proposal on ${service} by itself.`] : []),
  ];
}

function isProposed(document: vscode.TextDocument, last: WeakMap<vscode.TextDocument, string>): boolean {
  const text = last.get(document);
  return text !== undefined && isSameText(text, document.getText());
}

/** Puts all texts into their editors, or none. */
async function put(proposed: readonly Proposed[], last: WeakMap<vscode.TextDocument, string>): Promise<void> {
  if (proposed.some(({ document, version }) => document.isClosed || document.version !== version))
    throw new Unsuitable('The user has typed meanwhile. Nothing was changed: read the template again.');
  const edit = new vscode.WorkspaceEdit();
  for (const { document, text } of proposed) {
    const all = document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
    edit.replace(document.uri, all, text);
  }
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new Unsuitable('The editor did not take the text. Nothing was changed.');
  for (const { document, text } of proposed) last.set(document, text);
}

async function showDifferences(documents: Documents, { uri }: vscode.TextDocument): Promise<void> {
  const stored = documents.snapshots.add(uri.path, (await documents.getLastReadText(uri)) ?? '');
  await vscode.commands.executeCommand('vscode.diff', stored, uri, `${nameOf(uri)}: stored ↔ proposed`, {
    preview: false,
  });
}

function nameOf(uri: vscode.Uri): string {
  return escapeMessage(uri.path.slice(uri.path.lastIndexOf('/') + 1));
}
