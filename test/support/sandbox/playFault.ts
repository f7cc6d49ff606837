import type { ServerResponse } from 'node:http';
import { Readable, pipeline } from 'node:stream';
import type { Exchange, Reply } from '../../../src/service/sandbox/index.ts';
import { htmlReply, jsonReply, sendReply, writeHead } from '../../../src/service/sandbox/server.ts';
import type { FaultKind } from './faultKinds.ts';
import { isObject, type Json } from '../../../src/service/client/shapes.ts';

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

const getFailure = (operation: string | null, detail: string) =>
  (failures[operation ?? ''] ?? 'Error.').replace('<detail>', detail);

/** Applies a fault to a request. `hold` delays the operation until `land` is called. */
export async function playFault(fault: FaultKind, exchange: Exchange, hold: (run: () => void) => void): Promise<void> {
  const { request, response, operation, escaped, run } = exchange;
  const send = (reply: Reply) => sendReply(response, reply);
  const sendJson = (status: number, body: object) => send(jsonReply({ status, body }, escaped));
  const reset = (): void => void response.socket?.resetAndDestroy();
  if (fault.kind !== 'resetBeforeRead') await exchange.read();
  switch (fault.kind) {
    // The operation is not performed.
    case 'status':
      return sendJson(fault.status, { message: fault.message ?? `Status ${fault.status}` });
    case 'operationError':
      return sendJson(500, { message: getFailure(operation, fault.detail ?? 'Lost connection to the database') });
    case 'html':
      return send(htmlReply(fault.status ?? 200, 'Maintenance'));
    case 'empty':
      return send({ status: fault.status ?? 200, type: 'application/json', payload: Buffer.alloc(0) });
    case 'rateLimited':
      return send({
        ...jsonReply({ status: 429, body: { message: 'Too many requests.' } }, escaped),
        headers: { 'Retry-After': String(fault.retryAfter ?? 1) },
      });
    case 'redirect': {
      const target = `${fault.to === 'same' ? '' : 'https://elsewhere.invalid'}${request.url}&moved=1`;
      return send(htmlReply(fault.status ?? 302, 'Moved', { Location: fault.location ?? target }));
    }
    case 'resetBeforeRead':
    case 'resetAfterRead':
      return reset();
    case 'hang':
      if (fault.after !== 'headers') return;
      writeHead(response, jsonReply({ status: 200, body: 'x'.repeat(CHUNK_BYTES) }, escaped));
      return response.flushHeaders();
    case 'oversized':
      return streamOversized(response, fault.bytes ?? OVERSIZED_BYTES);
    // The operation is performed.
    case 'late':
      hold(run);
      if (fault.answer !== 'none') send(htmlReply(504, 'Gateway timeout'));
      return;
    case 'lostAnswer':
      run();
      return reset();
    case 'brokenJson': {
      const reply = run();
      return send({ ...reply, payload: halve(reply) });
    }
    case 'cut': {
      const reply = run();
      writeHead(response, reply);
      response.write(halve(reply), () => response.socket?.end());
      return;
    }
    case 'slow':
      return sendSlowly(response, run(), fault.bytes ?? 16, fault.intervalMs ?? 50);
    case 'errors': {
      const body: Json = JSON.parse(run().payload.toString('utf8'));
      const { message, errors } = fault;
      sendJson(200, { ...(isObject(body) && body), ...(message !== undefined && { message }), errors });
    }
  }
}

const halve = ({ payload }: Reply) => payload.subarray(0, Math.floor(payload.length / 2));

function sendSlowly(response: ServerResponse, reply: Reply, bytes: number, intervalMs: number) {
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

function streamOversized(response: ServerResponse, bytes: number) {
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
