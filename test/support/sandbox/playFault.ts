import type { ServerResponse } from 'node:http';
import { Readable, pipeline } from 'node:stream';
import type { Exchange, Reply } from '../../../src/service/sandbox/index.ts';
import { htmlReply, jsonReply, sendReply, writeHead } from '../../../src/service/sandbox/server.ts';
import type { FaultKind } from './faultKinds.ts';
import type { Json } from '../../../src/service/client/shapes.ts';

const CHUNK_BYTES = 64 * 1024;
const OVERSIZED_BYTES = 70 * 1024 * 1024;

/** Messages of the documented status 500; `<detail>` is a placeholder for the cause. */
const failures: Readonly<Record<string, string>> = {
  getCampaigns: 'Error getting the collection of campaigns: <detail>',
  getCampaignById: 'Error getting the campaign: <detail>',
  createOrUpdateCampaign: 'Error saving the campaign: <detail>',
  sendCampaign: 'Could not send campaign: <detail>',
  deleteCampaign: 'Error deleting the campaign: <detail>',
  getFollowUps: 'Error getting the follow-ups: <detail>',
  getFollowUpById: 'Error getting the follow-up: <detail>',
  createOrUpdateFollowUp: 'Error creating follow-up.',
  attachEmailToFollowUp: 'Error attaching email to follow-up.',
  deleteEmailFromFollowUp: 'Error deleting email from follow-up.',
  deleteFollowUp: 'Error deleting follow-up.',
  authenticate: 'Error authenticating.',
  sendEmailToSingleUser: 'Error sending.',
  getLists: 'Error getting the lists: <detail>',
  createList: 'Error creating list.',
  deleteList: 'Error deleting list.',
  getCampaignStatistics: 'Error getting the statistics: <detail>',
  getCampaignStatisticsDetailed: 'Error getting the statistics: <detail>',
  getCampaignStatisticsClicks: 'Error getting the statistics: <detail>',
  getCampaignStatisticsLinks: 'Error getting the statistics: <detail>',
  getUserSubscriptionById: 'Error getting the subscriptions: <detail>',
  getSubscribersFromLists: 'Error getting the subscribers: <detail>',
  getUnsubscribedUsersFromLists: 'Error getting the unsubscribed users: <detail>',
  subscribeUsers: 'Error subscribing the users: <detail>',
  unsubscribeUsers: 'Error unsubscribing the users: <detail>',
  getOneTemplate: 'Error getting the template: <detail>',
  getTemplates: 'Error getting the collection of templates: <detail>',
  createTemplate: 'Error creating template.',
  updateTemplate: 'Error modifying template.',
  deleteTemplate: 'Failed deleting template.',
};

const getFailure = (operation: string | null, detail: string): string =>
  (failures[operation ?? ''] ?? 'Error.').replace('<detail>', detail);

/**
 * Applies a fault to a request. `hold` delays the operation until `land` is called. Resolves to the response status, or null if there was
 * none.
 */
export async function playFault(
  fault: FaultKind,
  operation: string | null,
  exchange: Exchange,
  hold: (run: () => void) => void,
): Promise<number | null> {
  const { response } = exchange;
  if (fault.kind === 'resetBeforeRead') {
    reset(response);
    return null;
  }
  await exchange.read();
  if (fault.kind === 'late') hold(() => void exchange.run());
  const played = replaceOperation(fault, operation, exchange);
  return played === undefined ? sendDamagedReply(fault, exchange.run(), exchange) : played;
}

function reset(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}

/**
 * Applies a fault that replaces the operation. Returns the response status (null if none), or undefined if the operation must be performed.
 */
function replaceOperation(
  fault: FaultKind,
  operation: string | null,
  { response, movedPath: movedTo, escaped }: Exchange,
): number | null | undefined {
  const answer = (reply: Reply): number => sendReply(response, reply);
  switch (fault.kind) {
    case 'status':
      return answer(
        jsonReply({ status: fault.status, body: { message: fault.message ?? `Status ${fault.status}` } }, escaped),
      );
    case 'operationError':
      return answer(
        jsonReply(
          {
            status: 500,
            body: { message: getFailure(operation, fault.detail ?? 'Lost connection to the database') },
          },
          escaped,
        ),
      );
    case 'html':
      return answer(htmlReply(fault.status ?? 200, 'Maintenance'));
    case 'empty':
      return answer({ status: fault.status ?? 200, type: 'application/json', payload: Buffer.alloc(0) });
    case 'rateLimited':
      return answer({
        ...jsonReply({ status: 429, body: { message: 'Too many requests.' } }, escaped),
        headers: { 'Retry-After': String(fault.retryAfter ?? 1) },
      });
    case 'redirect':
      return answer(
        htmlReply(fault.status ?? 302, 'Moved', {
          Location: fault.location ?? (fault.to === 'same' ? movedTo : `https://elsewhere.invalid${movedTo}`),
        }),
      );
    case 'resetBeforeRead':
    case 'resetAfterRead':
      reset(response);
      return null;
    case 'late':
      return fault.answer === 'none' ? null : answer(htmlReply(504, 'Gateway timeout'));
    case 'hang':
      if (fault.after !== 'headers') return null;
      writeHead(response, jsonReply({ status: 200, body: 'x'.repeat(CHUNK_BYTES) }, escaped));
      response.flushHeaders();
      return 200;
    case 'oversized':
      streamOversized(response, fault.bytes ?? OVERSIZED_BYTES);
      return 200;
    default:
      return undefined;
  }
}

/** Sends the reply of a performed operation with the fault applied. Returns the response status, or null if none. */
function sendDamagedReply(
  fault: FaultKind,
  reply: Reply,
  { response, escaped }: Pick<Exchange, 'response' | 'escaped'>,
): number | null {
  switch (fault.kind) {
    case 'lostAnswer':
      reset(response);
      return null;
    case 'brokenJson':
      return sendReply(response, {
        ...reply,
        payload: reply.payload.subarray(0, Math.floor(reply.payload.length / 2)),
      });
    case 'cut':
      writeHead(response, reply);
      response.write(reply.payload.subarray(0, Math.floor(reply.payload.length / 2)), () => response.socket?.end());
      return reply.status;
    case 'slow':
      sendSlowly(response, reply, fault.bytes ?? 16, fault.intervalMs ?? 50);
      return reply.status;
    case 'errors':
      return sendReply(response, withErrors(reply, fault.errors, fault.message, escaped));
    default:
      return sendReply(response, reply);
  }
}

function withErrors(
  reply: Reply,
  errors: string | readonly string[],
  message: string | undefined,
  escaped: boolean,
): Reply {
  const body: Json = JSON.parse(reply.payload.toString('utf8'));
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  return jsonReply(
    { status: 200, body: { ...(isObject ? body : {}), ...(message !== undefined && { message }), errors } },
    escaped,
  );
}

function sendSlowly(response: ServerResponse, reply: Reply, bytes: number, intervalMs: number): void {
  writeHead(response, reply);
  response.flushHeaders();
  let at = 0;
  const timer = setInterval(() => {
    response.write(reply.payload.subarray(at, at + bytes));
    at += bytes;
    if (at < reply.payload.length) return;
    clearInterval(timer);
    response.end();
  }, intervalMs);
  response.on('close', () => clearInterval(timer));
}

function streamOversized(response: ServerResponse, bytes: number): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const line = `"${'x'.repeat(CHUNK_BYTES - 4)}",\n`;
  function* lines(): Generator<string> {
    yield '[\n';
    for (let sent = 0; sent < bytes; sent += CHUNK_BYTES) yield line;
    yield '""]';
  }
  // Clients are expected to disconnect.
  pipeline(Readable.from(lines()), response, () => undefined);
}
