import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { plural } from '../../l10n.ts';
import type { Documents } from '../../platform/documents/documents.ts';
import { isSameText } from '../../platform/documents/differences.ts';
import { findRecordDocuments, isUnsaved } from '../../platform/documents/unsaved.ts';
import type { TestRecipients } from '../sending/testSend/recipients.ts';
import { getTestListId, getTestRecipients } from '../sending/testSend/recipientPick.ts';
import { composeMessage } from '../sending/testSend/testMessage.ts';
import { confirm } from '../../ui/messages.ts';
import { getFileName } from '../../ui/export/htmlFile.ts';
import { escapeMessage } from '../../service/text.ts';
import { readAllLists } from '../../service/client/allLists.ts';
import { normalizeText } from '../../sync/fields/fields.ts';
import {
  createNoChangesError,
  listProposedParts,
  proposeDetails,
  proposeText,
  type Proposal,
} from '../../sync/tools/proposal.ts';
import type { Inputs, ToolName } from '../../sync/tools/schemas.ts';
import { createDone, createNotDone, formatEnglishCount, NotDoneError, type ToolResult } from '../../sync/tools/tool.ts';
import { Campaigns } from '../campaigns/campaigns.ts';
import type { CampaignDraft } from '../campaigns/model.ts';
import { templateSuffixes } from '../templates/model.ts';
import { mailKinds } from './reading.ts';
import { toServiceRef } from '../../platform/connections/model.ts';
import { REFUSED_RESULT, throwIfCanceled, type Confirmation, type EditorToolContext } from './tool.ts';

/** Returns the line that every confirmation of a write includes. */
const getRequesterNotice = () => t('A language model requested this.');

/**
 * The tools that propose texts as unsaved edits, write to a service or send email. The latter show a modal, regardless of the editor's own
 * confirmation.
 */
export const writingTools = {
  mailing_proposeTemplate: propose,
  mailing_createDraftCampaign: createCampaignDraft,
  mailing_sendTest: sendTest,
};

/** The editor's own confirmations. */
export const confirmations: { readonly [Name in ToolName]?: Confirmation<Name> } = {
  mailing_createDraftCampaign: (connection, { name, subject }) => [
    t`Create a draft campaign on ${connection}?`,
    t`Name: ${name}`,
    t`Subject: ${subject}`,
  ],
  mailing_sendTest: (connection, { to }) => [
    t`Send a test email through ${connection}?`,
    to === 'testList' ? t('The test goes to the test list.') : t('The test goes to the addresses of the last test.'),
  ],
};

interface ProposedText {
  readonly document: vscode.TextDocument;
  readonly text: string;
  /** Version of the document that the text is based on. */
  readonly version: number;
}

/** The last proposals, which the next ones replace without asking. */
const lastProposals = new WeakMap<vscode.TextDocument, string>();

const { collection } = mailKinds.template;

async function propose(
  { services: { documents }, connection, signal }: EditorToolContext,
  input: Proposal,
): Promise<ToolResult> {
  const ref = { ...toServiceRef(connection), id: input.id };
  const opened = findRecordDocuments(collection, ref).find(({ uri }) => documents.find(uri) !== undefined);
  const first = opened?.uri ?? (await documents.resolveUri(collection, ref, templateSuffixes.body));
  if ((await documents.getReadOnlyReason(first)) !== undefined)
    return createNotDone(
      'This template was created with the drag-and-drop editor and is read-only. The user can duplicate it and edit the copy.',
    );
  const proposed = await createProposals(documents, first, input);
  signal.throwIfAborted();
  if (proposed.length === 0) throw createNoChangesError();
  const warnings = listWarnings(proposed, connection.name);
  if (warnings.length > 0) {
    const question = t`Show a proposal in the editor of "${formatFileName(first)}"?`;
    const lines = [...warnings, t('A language model proposes another text. Undo restores the current text.')];
    if (!(await confirm(question, lines, t('Show Proposal')))) return REFUSED_RESULT;
    throwIfCanceled(signal);
  }
  await applyProposals(proposed);
  for (const { document } of proposed) await showProposal(documents, document);
  const outcome = 'The proposal is open in the editor beside the stored text, and is not saved.';
  return createDone([outcome, 'The user can save it with Ctrl+S or undo it.']);
}

/** Returns the new texts of the documents that the proposal changes. */
async function createProposals(
  documents: Documents,
  first: vscode.Uri,
  proposal: Proposal,
): Promise<readonly ProposedText[]> {
  const proposed: ProposedText[] = [];
  for (const part of listProposedParts(proposal)) {
    const document = await vscode.workspace.openTextDocument(documents.getSiblingUri(first, templateSuffixes[part]));
    const { version } = document;
    const now = normalizeText(document.getText());
    const text =
      part === 'details'
        ? await proposeDetails(
            proposal,
            now,
            async (json) => (await documents.find(document.uri)?.part.parse(json)) ?? {},
          )
        : proposeText(proposal, part, now);
    if (!isSameText(now, text)) proposed.push({ document, text, version });
  }
  return proposed;
}

/** Returns warnings for the confirmation: the user's edits are replaced, or Auto Save stores the proposal. */
function listWarnings(proposed: readonly ProposedText[], service: string): readonly string[] {
  const isTyped = ({ document }: ProposedText) => {
    const last = lastProposals.get(document);
    return isUnsaved(document) && (last === undefined || !isSameText(last, document.getText()));
  };
  const isAutoSaved = proposed.some(({ document }) => {
    const autoSave = vscode.workspace.getConfiguration('files', document).get<string>('autoSave');
    return autoSave !== undefined && autoSave !== 'off';
  });
  const warnings = proposed
    .filter(isTyped)
    .map(({ document: { uri } }) => t`The proposal replaces your unsaved edits in ${formatFileName(uri)}.`);
  if (isAutoSaved) warnings.push(t`Auto Save is on: the editor will save the proposal on ${service} automatically.`);
  return warnings;
}

/** Applies all texts in one edit, or none. */
async function applyProposals(proposed: readonly ProposedText[]) {
  if (proposed.some(({ document, version }) => document.isClosed || document.version !== version))
    throw new NotDoneError('The user has typed meanwhile. Nothing was changed: read the template again.');
  const edit = new vscode.WorkspaceEdit();
  for (const { document, text } of proposed) {
    const all = document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
    edit.replace(document.uri, all, text);
  }
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new NotDoneError('The editor did not take the text. Nothing was changed.');
  for (const { document, text } of proposed) lastProposals.set(document, text);
}

async function showProposal(documents: Documents, { uri }: vscode.TextDocument) {
  const stored = documents.snapshots.add(uri.path, (await documents.getLastReadText(uri)) ?? '');
  const title = t`${formatFileName(uri)} (stored ↔ proposed)`;
  await vscode.commands.executeCommand('vscode.diff', stored, uri, title, { preview: false });
}

function formatFileName(uri: vscode.Uri) {
  return escapeMessage(getFileName(uri));
}

async function createCampaignDraft(
  context: EditorToolContext,
  { name, subject, templateId, body }: Inputs['mailing_createDraftCampaign'],
): Promise<ToolResult> {
  const { services, connection, signal } = context;
  const origin = templateId === undefined ? { body: body ?? '' } : await readTemplateDraft(context, templateId);
  const draft: CampaignDraft = { ...origin, name, subject, body: body ?? origin.body };
  const isOwn = templateId === undefined || body !== undefined;
  const length = plural(draft.body?.length ?? 0, t('{0} character'), t('{0} characters'));
  const agreed = await confirm(
    t`Create the draft campaign "${name}" on ${connection.name}?`,
    [
      t`Subject: ${subject}`,
      isOwn
        ? t`Text: written by the language model (${length})`
        : t`Text: from template ${templateId}, including any unsaved edits (${length})`,
      t('The draft has no lists. It reaches no recipients until you select lists and send it.'),
      getRequesterNotice(),
    ],
    t('Create Draft'),
  );
  if (!agreed) return REFUSED_RESULT;
  throwIfCanceled(signal);
  const created = await new Campaigns(services).create(toServiceRef(connection), draft);
  if (created === undefined)
    return createNotDone(
      'The draft may have been created: the response was lost. The user was notified. Do not create it again unless asked.',
    );
  return createDone([
    `The draft is campaign ${created.id}, and is open.`,
    'Its lists, and to send it, are up to the user.',
  ]);
}

/** Returns the sender and the body of a template, as its editor has it. */
async function readTemplateDraft(context: EditorToolContext, id: number) {
  const { envelope, body } = composeMessage(await context.readMail(id, 'template'));
  const { subject: _, preheader: __, ...sender } = envelope;
  return { ...sender, body };
}

async function sendTest(
  { services, connection, signal, run }: EditorToolContext,
  { kind = 'template', id, to: target }: Inputs['mailing_sendTest'],
): Promise<ToolResult> {
  const mails = services.records.find((records) => records.collection === mailKinds[kind].collection);
  const to = await findRecipients();
  if (mails === undefined || to === undefined) return createNotDone(NOT_SET_MESSAGES[target]);
  const mail = await (await mails.load()).openTestable?.({ ...toServiceRef(connection), id }, {});
  if (mail === undefined) return REFUSED_RESULT;
  const result = await services.sendTest({
    connection,
    what: `tests/${mail.what}`,
    message: mail.message,
    to,
    remark: getRequesterNotice(),
    assertStillWanted: () => throwIfCanceled(signal),
  });
  if (result === undefined) return REFUSED_RESULT;
  const { outcome, recipients, refused } = result;
  const sent = outcome === 'sent' ? 'The test was sent' : 'The response was lost, but the test may have been sent';
  return createDone([
    `${sent} to the ${formatEnglishCount(recipients, 'recipient')} that the user confirmed.`,
    refused.length > 0 && `${refused.length} of them got no email, and the user was notified of the reason.`,
  ]);

  async function findRecipients(): Promise<TestRecipients | undefined> {
    const addresses = getTestRecipients(connection);
    if (target === 'lastRecipients') return addresses.length === 0 ? undefined : { kind: 'addresses', addresses };
    const listId = getTestListId(connection);
    if (listId === undefined) return undefined;
    const lists = await run((client) => readAllLists(client, signal));
    const list = lists.find((each) => each.id === listId);
    return list && { kind: 'list', list: { id: listId, name: list.name ?? '' } };
  }
}

const NOT_SET_MESSAGES = {
  testList:
    'This connection has no test list, or the list was deleted. The user can set one with "Mailing: Send Test Email…".',
  lastRecipients:
    'No test of this connection went to addresses so far. The user types them in "Mailing: Send Test Email…".',
} as const;
