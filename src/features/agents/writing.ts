import { readAllLists } from '../../service/client/allLists.ts';
import { Campaigns } from '../campaigns/campaigns.ts';
import type { CampaignDraft } from '../campaigns/model.ts';
import { readCurrentMessage } from '../../platform/sending/testSend/testMessage.ts';
import type { TestRequest, TestRecipients } from '../../platform/sending/testSend/model.ts';
import { getTestListId, getTestRecipients } from '../../platform/sending/testSend/settings.ts';
import { collection as templates, templateSuffixes as templateParts } from '../templates/model.ts';
import { formatAmount } from '../../platform/ui/format.ts';
import { confirm } from '../../platform/ui/messages.ts';
import { mailKinds } from './mail.ts';
import { createNotDone, REFUSED_RESULT, throwIfCanceled, type ToolResult, type Call, type Tools } from './tool.ts';

/** Included in every confirmation. */
const REQUESTER_NOTICE = 'A language model asks for this.';

/** The tools that write to a service or send email. Each shows a modal, regardless of the editor's own confirmation. */
export const writingTools: Pick<Tools, 'mailing_createDraftCampaign' | 'mailing_sendTest'> = {
  mailing_createDraftCampaign: {
    progressMessage: 'Making a draft of a campaign',
    confirmation: {
      title: 'Make a draft of a campaign',
      details: ({ name, subject }) => [`Name: ${name}`, `Subject: ${subject}`],
    },
    run: createCampaignDraft,
  },
  mailing_sendTest: {
    progressMessage: 'Sending a test',
    confirmation: {
      title: 'Send a test email',
      details: ({ to }) => [to === 'testList' ? 'To the test list.' : 'To the addresses that the last test went to.'],
    },
    run: sendTest,
  },
};

async function createCampaignDraft({
  services,
  input,
  connection,
  signal,
}: Call<'mailing_createDraftCampaign'>): Promise<ToolResult> {
  const { name, subject, templateId, body } = input;
  const draft: CampaignDraft = {
    name,
    subject,
    body: body ?? '',
    ...(templateId === undefined ? {} : await createFromTemplate(templateId)),
  };
  const isOwn = templateId === undefined || body !== undefined;
  const origin = isOwn ? 'written by the model' : `that of template ${templateId}, as its editor has it`;
  const agreed = await confirm(
    `Make a draft campaign "${name}" on ${connection.name}?`,
    [
      `Subject: ${subject}`,
      `Text: ${origin}, ${formatAmount(draft.body?.length ?? 0, 'character')}.`,
      'The draft has no lists. It reaches no recipients until you choose lists and send it.',
      REQUESTER_NOTICE,
    ],
    'Make Draft',
  );
  if (!agreed) return REFUSED_RESULT;
  throwIfCanceled(signal);
  const created = await new Campaigns(services).create(connection.id, draft);
  return created === undefined
    ? createNotDone(
        'The draft may have been created: the response was lost. The user was notified. Do not create it again unless asked.',
      )
    : {
        outcome: 'done',
        message: `The draft is campaign ${created.id}, and is open. Its lists, and to send it, are up to the user.`,
      };

  async function createFromTemplate(id: number): Promise<Partial<CampaignDraft>> {
    const message = await readCurrentMessage(services.documents, templates, templateParts, {
      connection: connection.id,
      id,
    });
    const { subject: _, preheader: __, ...sender } = message.envelope;
    return { ...sender, body: body ?? message.body };
  }
}

async function sendTest({ services, input, connection, signal }: Call<'mailing_sendTest'>): Promise<ToolResult> {
  const { kind = 'template', id } = input;
  const mails = services.records.find(({ collection }) => collection === mailKinds[kind].collection);
  const to = await recipients();
  if (mails === undefined || to === undefined) return createNotDone(NOT_SET_MESSAGES[input.to]);
  const mail = await (await mails.load()).openTestable?.({ connection: connection.id, id }, {});
  if (mail === undefined) return REFUSED_RESULT;
  const assertStillWanted = (): void => throwIfCanceled(signal);
  const order: TestRequest = {
    connection,
    what: `tests/${mail.what}`,
    message: mail.message,
    to,
    remark: REQUESTER_NOTICE,
    assertStillWanted,
  };
  const result = await services.sendTest(order);
  if (result === undefined) return REFUSED_RESULT;
  const { outcome, recipients: count, refused: rejected } = result;
  const outcomeText =
    outcome === 'sent' ? 'The test was sent' : 'The response was lost, but the test may have been sent';
  const others =
    rejected.length === 0 ? '' : ` ${rejected.length} of them got no email, and the user was notified of the reason.`;
  return {
    outcome: 'done',
    message: `${outcomeText} to the ${formatAmount(count, 'recipient')} that the user confirmed.${others}`,
  };

  async function recipients(): Promise<TestRecipients | undefined> {
    const addresses = getTestRecipients(connection);
    if (input.to === 'lastRecipients') return addresses.length === 0 ? undefined : { kind: 'addresses', addresses };
    const listId = getTestListId(connection);
    if (listId === undefined) return undefined;
    const lists = await services.connections.run(connection.id, (client) => readAllLists(client, signal));
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
