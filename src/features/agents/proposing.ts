import * as vscode from 'vscode';
import type { Documents } from '../../platform/documents/documents.ts';
import { writeJson } from '../../platform/documents/json.ts';
import { isSameText } from '../../platform/documents/differences.ts';
import { normalizeText } from '../../sync/fields.ts';
import { InvalidDocumentError } from '../../platform/documents/model.ts';
import { isUnsaved, findRecordDocuments } from '../../platform/documents/unsaved.ts';
import { templateDocuments } from '../templates/documents.ts';
import { templateSuffixes } from '../templates/model.ts';
import { confirm } from '../../platform/ui/messages.ts';
import { escapeMessage } from '../../platform/ui/text.ts';
import type { Inputs } from './schemas.ts';
import { createNotDone, REFUSED_RESULT, throwIfCanceled, type ToolResult, type Call, type Tools } from './tool.ts';

type ProposalPart = keyof typeof templateSuffixes;
type Proposal = Inputs['mailing_proposeTemplate'];

interface ProposedText {
  readonly document: vscode.TextDocument;
  readonly text: string;
  /** Version of the document that the text is based on. */
  readonly version: number;
}

/** The proposal can't be applied. The message contains no data of a service. */
class ProposalError extends Error {}

/** Creates the tool that proposes texts as unsaved edits. It replaces its own last proposal without asking. */
export function proposingTools(): Pick<Tools, 'mailing_proposeTemplate'> {
  const last = new WeakMap<vscode.TextDocument, string>();
  return {
    mailing_proposeTemplate: { progressMessage: 'Proposing a text of a template', run: (call) => propose(call, last) },
  };
}

async function propose(
  { services: { documents }, input, connection, signal }: Call<'mailing_proposeTemplate'>,
  last: WeakMap<vscode.TextDocument, string>,
): Promise<ToolResult> {
  const ref = { connection: connection.id, id: input.id };
  const opened = findRecordDocuments(templateDocuments.collection, ref).find(
    ({ uri }) => documents.find(uri) !== undefined,
  );
  const first = opened?.uri ?? (await documents.resolveUri(templateDocuments.collection, ref, templateSuffixes.body));
  if ((await documents.getReadOnlyReason(first)) !== undefined)
    return createNotDone(
      'This template was created with the drag-and-drop editor and is read-only. The user can duplicate it and edit the copy.',
    );
  try {
    const proposed = await createProposals(documents, first, input);
    signal.throwIfAborted();
    if (proposed.length === 0)
      return createNotDone('The proposal contains no changes. Provide a text, details or replacements.');
    const lines = listWarnings(proposed, last, connection.name);
    if (lines.length > 0) {
      const action = 'Show the Proposal';
      const confirmationLines = [...lines, 'A language model proposes another text. Undo restores the current text.'];
      if (!(await confirm(`Put a proposal into the editor of "${getFileName(first)}"?`, confirmationLines, action)))
        return REFUSED_RESULT;
      throwIfCanceled(signal);
    }
    await applyProposals(proposed, last);
    for (const { document } of proposed) await showProposal(documents, document);
  } catch (error) {
    if (error instanceof ProposalError) return createNotDone(error.message);
    throw error;
  }
  return {
    outcome: 'done',
    message:
      'The proposal is open in the editor beside the stored text, and is not saved. The user can save it with Ctrl+S or undo it.',
  };
}

/** Returns the new texts of the documents that the proposal changes. */
async function createProposals(
  documents: Documents,
  first: vscode.Uri,
  proposal: Proposal,
): Promise<readonly ProposedText[]> {
  const { details, replacements = [] } = proposal;
  const changes: Readonly<Record<ProposalPart, ((text: string) => string | Promise<string>) | undefined>> = {
    body: createTextChange(proposal, 'body'),
    stylesheet: createTextChange(proposal, 'stylesheet'),
    details: details && Object.keys(details).length > 0 ? (text) => withDetails(text, details) : undefined,
  };
  if (replacements.some(({ part }) => proposal[part] !== undefined))
    throw new ProposalError('Provide either a whole text or replacements, not both.');
  const proposed = await Promise.all(
    Object.entries(changes).map(async ([part, change]): Promise<readonly ProposedText[]> => {
      if (change === undefined) return [];
      const document = await vscode.workspace.openTextDocument(
        documents.getSiblingUri(first, templateSuffixes[part as ProposalPart]),
      );
      const { version } = document;
      const now = normalizeText(document.getText());
      const text = await change(now);
      return isSameText(now, text) ? [] : [{ document, text, version }];
    }),
  );
  return proposed.flat();
}

/** Returns a function that creates the new text of a part; undefined if the proposal doesn't change the part. */
function createTextChange(proposal: Proposal, part: 'body' | 'stylesheet'): ((text: string) => string) | undefined {
  const whole = proposal[part];
  if (whole !== undefined) return () => whole;
  const replacements = (proposal.replacements ?? []).filter((each) => each.part === part);
  if (replacements.length === 0) return undefined;
  return (now) =>
    replacements.reduce((text, { find, replace }, at) => {
      const [before, after, ...others] = text.split(normalizeText(find));
      const isOnce = before !== undefined && after !== undefined && others.length === 0;
      if (!isOnce) throw new ProposalError(`Replacement ${at + 1} of the ${part} must match exactly once.`);
      return before + replace + after;
    }, now);
}

async function withDetails(text: string, fields: NonNullable<Proposal['details']>): Promise<string> {
  const part = templateDocuments.parts.find(({ suffix }) => suffix === templateSuffixes.details);
  try {
    const proposed = writeJson({ ...(await part?.parse(text)), ...fields });
    await part?.parse(proposed);
    return proposed;
  } catch (error) {
    if (error instanceof InvalidDocumentError)
      throw new ProposalError('The details are no valid JSON now, or would not be valid then.');
    throw error;
  }
}

/** Returns warnings for the confirmation: the user's edits are replaced, or Auto Save stores the proposal. */
function listWarnings(
  proposed: readonly ProposedText[],
  last: WeakMap<vscode.TextDocument, string>,
  service: string,
): readonly string[] {
  const typed = proposed.filter(({ document }) => isUnsaved(document) && !isProposed(document, last));
  const isAutoSaved = proposed.some(({ document }) => {
    const autoSave = vscode.workspace.getConfiguration('files', document).get<string>('autoSave');
    return autoSave !== undefined && autoSave !== 'off';
  });
  return [
    ...typed.map(
      ({ document }) => `You have edits that are not saved in ${getFileName(document.uri)}: they are replaced.`,
    ),
    ...(isAutoSaved ? [`Auto Save is on: the editor will save the proposal on ${service} automatically.`] : []),
  ];
}

function isProposed(document: vscode.TextDocument, last: WeakMap<vscode.TextDocument, string>): boolean {
  const text = last.get(document);
  return text !== undefined && isSameText(text, document.getText());
}

/** Applies all texts in one edit, or none. */
async function applyProposals(
  proposed: readonly ProposedText[],
  last: WeakMap<vscode.TextDocument, string>,
): Promise<void> {
  if (proposed.some(({ document, version }) => document.isClosed || document.version !== version))
    throw new ProposalError('The user has typed meanwhile. Nothing was changed: read the template again.');
  const edit = new vscode.WorkspaceEdit();
  for (const { document, text } of proposed) {
    const all = document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
    edit.replace(document.uri, all, text);
  }
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new ProposalError('The editor did not take the text. Nothing was changed.');
  for (const { document, text } of proposed) last.set(document, text);
}

async function showProposal(documents: Documents, { uri }: vscode.TextDocument): Promise<void> {
  const stored = documents.snapshots.add(uri.path, (await documents.getLastReadText(uri)) ?? '');
  await vscode.commands.executeCommand('vscode.diff', stored, uri, `${getFileName(uri)}: stored ↔ proposed`, {
    preview: false,
  });
}

function getFileName(uri: vscode.Uri): string {
  return escapeMessage(uri.path.slice(uri.path.lastIndexOf('/') + 1));
}
