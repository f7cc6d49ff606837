import type { Rewrites } from '../front.ts';
import { allTexts } from './index.ts';

/** Records in an answer, whether wrapped in a second array or not. */
function rows(answer: unknown): Record<string, unknown>[] {
  const list = Array.isArray(answer) ? answer : [];
  return (Array.isArray(list[0]) ? list.flat() : list).filter(
    (row): row is Record<string, unknown> => typeof row === 'object' && row !== null,
  );
}

const textAt = (index: number): string => allTexts[index % allTexts.length]?.text ?? '';

/** A record with a hostile text in every field that holds text, another one in each. */
function withTexts(row: Record<string, unknown>, at: number, fields: readonly string[]): Record<string, unknown> {
  return { ...row, ...Object.fromEntries(fields.map((field, index) => [field, textAt(at + index * 17)])) };
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

const page = (all: readonly unknown[], query: URLSearchParams): unknown[] => {
  const offset = Number(query.get('offset') ?? 0);
  return all.slice(offset, offset + Number(query.get('limit') ?? 100));
};

/** Lists whose names, colours and all other texts are hostile: one for each text, from id 1001 on. */
export const hostileLists: readonly Record<string, unknown>[] = allTexts.map((_, at) => ({
  ...withTexts({}, at, ['name', 'description', 'color', 'creation_date', 'type', 'access', 'unknown_field']),
  id: String(1001 + at),
  display_name: null,
  active: '1',
  visible: '1',
}));

function people(_answer: unknown, query: URLSearchParams): unknown {
  const all = allTexts.map((_, at) => ({
    ...withTexts({}, at, ['name', 'email', 'subscription_date', 'source', '<b>field</b>', '__proto__x', 'constructor']),
    id: String(at + 1),
    confirmed: '1',
    status: '1',
  }));
  return [page(all, query)];
}

const figures =
  (fields: readonly string[]) =>
  (_answer: unknown, query: URLSearchParams): unknown =>
    page(
      allTexts.map((_, at) =>
        withTexts(
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

/** A service all of whose texts are hostile. Bodies and stylesheets are those that it has. */
export const hostileService: Rewrites = {
  getTemplates: (answer) => rows(answer).map((row) => withTexts(row, Number(row['id']) - 1, mailFields)),
  getOneTemplate: (answer) => rows(answer).map((row) => withTexts(row, Number(row['id']) - 1, mailFields)),
  getCampaigns: (answer) =>
    rows(answer).map((row) => withTexts(row, Number(row['id']) * 3, ['name', 'subject', 'sending_date'])),
  getCampaignById: (answer) =>
    rows(answer).map((row) =>
      withTexts(row, Number(row['id']) * 3, ['name', 'subject', 'from_name', 'from_email', 'bcc']),
    ),
  getFollowUps: (answer) => rows(answer).map((row, at) => withTexts(row, at * 5, ['name', 'display_name', 'trigger'])),
  getLists: (_answer, query) => {
    const id = query.get('filters[id]');
    return [page(id === null ? hostileLists : hostileLists.filter((list) => list['id'] === id), query)];
  },
  getSubscribersFromLists: people,
  getUnsubscribedUsersFromLists: people,
  getCampaignStatistics: (answer) =>
    rows(answer).map((row, at) => withTexts(row, at, ['send_date', 'bounce_details', 'currency'])),
  getCampaignStatisticsDetailed: figures(['email', 'device', 'opened_with', 'bounce_rule', 'send_date', 'open_date']),
  getCampaignStatisticsClicks: figures(['email', 'url', 'date_click']),
  getCampaignStatisticsLinks: figures(['name', 'mail_subject', 'mail_name']),
};
