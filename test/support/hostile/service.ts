import type { Rewrites } from '../rewritingProxy.ts';
import { allTexts } from './index.ts';
import type { JsonObject } from '../../../src/service/client/shapes.ts';

/** Returns the records in a response, with or without a second array around them. */
function readRows(answer: object) {
  const list = Array.isArray(answer) ? answer : [];
  return (Array.isArray(list[0]) ? list.flat() : list).filter(
    (row): row is JsonObject => typeof row === 'object' && row !== null,
  );
}

const getText = (index: number) => allTexts[index % allTexts.length]?.text ?? '';

/** Replaces each text field of a record with a different hostile text. */
function addHostileTexts(row: JsonObject, at: number, fields: readonly string[]): JsonObject {
  return { ...row, ...Object.fromEntries(fields.map((field, index) => [field, getText(at + index * 17)])) };
}

const mailFields = [
  'name',
  'subject',
  'preheader',
  'from_name',
  'from_email',
  'reply_to_name',
  'reply_to_email',
  'creation_date',
];

const paginateRows = (all: readonly object[], query: URLSearchParams) => {
  const offset = Number(query.get('offset') ?? 0);
  return all.slice(offset, offset + Number(query.get('limit') ?? 100));
};

/** Lists with hostile names, colors and other texts: one per text, with ids from 1001. */
export const hostileLists: readonly JsonObject[] = allTexts.map((_, at) => ({
  ...addHostileTexts({}, at, ['name', 'description', 'color', 'creation_date', 'type', 'access', 'unknown_field']),
  id: String(1001 + at),
  display_name: null,
  active: '1',
  visible: '1',
}));

function createSubscribers(_answer: object, query: URLSearchParams): object {
  const all = allTexts.map((_, at) => ({
    ...addHostileTexts({}, at, [
      'name',
      'email',
      'subscription_date',
      'source',
      '<b>field</b>',
      '__proto__x',
      'constructor',
    ]),
    id: String(at + 1),
    confirmed: '1',
    status: '1',
  }));
  return [paginateRows(all, query)];
}

const createStatistics =
  (fields: readonly string[]) =>
  (_answer: object, query: URLSearchParams): object =>
    paginateRows(
      allTexts.map((_, at) =>
        addHostileTexts(
          {
            mail_id: '1',
            user_id: String(at),
            url_id: String(at),
            id: String(at),
            click: '3',
            total_click: '3',
            unique_click: '1',
            open: '1',
            sent: '1',
          },
          at,
          fields,
        ),
      ),
      query,
    );

/** A service with hostile texts in all fields. Bodies and stylesheets are unchanged. */
export const hostileService: Rewrites = {
  getTemplates: (answer) => readRows(answer).map((row) => addHostileTexts(row, Number(row['id']) - 1, mailFields)),
  getOneTemplate: (answer) => readRows(answer).map((row) => addHostileTexts(row, Number(row['id']) - 1, mailFields)),
  getCampaigns: (answer) =>
    readRows(answer).map((row) => addHostileTexts(row, Number(row['id']) * 3, ['name', 'subject', 'sending_date'])),
  getCampaignById: (answer) =>
    readRows(answer).map((row) =>
      addHostileTexts(row, Number(row['id']) * 3, ['name', 'subject', 'from_name', 'from_email', 'bcc']),
    ),
  getFollowUps: (answer) =>
    readRows(answer).map((row, at) => addHostileTexts(row, at * 5, ['name', 'display_name', 'trigger'])),
  getLists: (_answer, query) => {
    const id = query.get('filters[id]');
    return [paginateRows(id === null ? hostileLists : hostileLists.filter((list) => list['id'] === id), query)];
  },
  getSubscribersFromLists: createSubscribers,
  getUnsubscribedUsersFromLists: createSubscribers,
  getCampaignStatistics: (answer) =>
    readRows(answer).map((row, at) => addHostileTexts(row, at, ['send_date', 'bounce_details', 'currency'])),
  getCampaignStatisticsDetailed: createStatistics([
    'email',
    'device',
    'opened_with',
    'bounce_rule',
    'send_date',
    'open_date',
  ]),
  getCampaignStatisticsClicks: createStatistics(['email', 'url', 'date_click']),
  getCampaignStatisticsLinks: createStatistics(['name', 'mail_subject', 'mail_name']),
};
