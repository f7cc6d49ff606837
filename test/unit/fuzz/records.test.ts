import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Dispatcher } from 'undici';
import { MailingClient, type ProfileName } from '../../../src/service/client/index.ts';
import { campaignDocuments, copyCampaign } from '../../../src/features/campaigns/documents.ts';
import { isSameValue } from '../../../src/platform/documents/differences.ts';
import type { DocumentKind, Fields } from '../../../src/platform/documents/model.ts';
import { createFollowUpDocuments } from '../../../src/features/followUps/documents.ts';
import { SentMailStore } from '../../../src/features/followUps/sentMailStore.ts';
import { templateDocuments } from '../../../src/features/templates/documents.ts';
import { RespondingDispatcher, anyText, anyValue, TIMEOUT_MS, createRunOptions } from './setup.ts';
import type { Json, Row } from '../../../src/service/client/shapes.ts';

const id = 5;
const context = { connection: 'c', baseUrl: 'https://mail.example.com' };
const profiles: readonly ProfileName[] = ['documented', 'acymailing'];

/** Responds to reads with one record and stores all writes. */
class RecordingDispatcher extends Dispatcher {
  readonly written: Row[] = [];
  readonly #row: Row;

  constructor(row: Row) {
    super();
    this.#row = row;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
    const isRead = options.method === 'GET';
    if (!isRead) this.written.push(JSON.parse(String(options.body)) as Row);
    const answer = isRead ? [this.#row] : { campaignId: id, templateId: id, followUpId: id };
    return new RespondingDispatcher({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(answer)),
    }).dispatch(options, handler);
  }
}

/** Opens a document of a record, edits it, and saves it like the file system. Returns the written requests. */
async function saveDocument<R extends { readonly id: number }>(
  kind: DocumentKind<R>,
  profile: ProfileName,
  row: Row,
  suffix: string,
  edit: (text: string) => string,
) {
  const dispatcher = new RecordingDispatcher(row);
  const client = new MailingClient({ baseUrl: 'https://mail.example.com', apiKey: 'k', profile, dispatcher });
  const record = await kind.read(client, id, context);
  const part = kind.parts.find((each) => each.suffix === suffix);
  assert.ok(part);
  assert.equal(kind.getReadOnlyReason(record), undefined, 'editable');
  const fields: Fields = await part.parse(edit(part.render(record)));
  const changed = Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !isSameValue(value, kind.getField(record, name))),
  );
  await kind.update(client, record, changed, context);
  return dispatcher.written;
}

const CHANGED_BODY = '<p>changed by this test</p>';
const changeSubject = (text: string) =>
  `${JSON.stringify({ ...(JSON.parse(text) as Row), subject: 'Changed by this test' })}\n`;

/** A value that a service may omit or return as `null`. */
const optional = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: fc.constantFrom(null, undefined) });
const address = fc.constantFrom('', 'ann@example.com', 'bob@example.com');
const padTwo = (value: number) => String(value).padStart(2, '0');
const day = fc
  .tuple(fc.integer({ min: 2020, max: 2099 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
  .map(([year, month, date]) => `${year}-${padTwo(month)}-${padTwo(date)}`);
const time = fc.oneof(
  fc.constant('00:00:00'),
  fc.tuple(fc.nat(23), fc.nat(59), fc.nat(59)).map((parts) => parts.map(padTwo).join(':')),
);
const date = fc.oneof(
  day,
  fc.tuple(day, time).map((parts) => parts.join(' ')),
);
/** Midnight in time zones with half-hour offsets, and any second. */
const seconds = fc.oneof(
  fc
    .tuple(fc.integer({ min: 18_000, max: 40_000 }), fc.integer({ min: -24, max: 28 }))
    .map(([days, halves]) => days * 86_400 - halves * 1800),
  fc.integer({ min: 86_400, max: 4_000_000_000 }),
);
const createStartDate = (profile: ProfileName) =>
  profile === 'documented' ? date : fc.oneof(seconds, seconds.map(String));
const unitNames: Readonly<Record<number, string>> = {
  3600: 'hour',
  86_400: 'day',
  604_800: 'week',
  2_628_000: 'month',
};
const every = fc.record({
  type: fc.constantFrom(...Object.keys(unitNames).map(Number)),
  number: fc.oneof(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 99 }).map(String)),
});

const createPlan = (profile: ProfileName): fc.Arbitrary<Row> => {
  const common = {
    need_confirm_to_send: fc.constantFrom(0, 1, '0', '1'),
    start_date: optional(createStartDate(profile)),
  };
  return fc.oneof(
    fc.record({
      sending_type: fc.constant('now'),
      sending_params: fc.constantFrom([], {}, null, undefined),
      sending_date: optional(date),
    }),
    fc.record({
      sending_type: fc.constant('scheduled'),
      sending_params: fc.constantFrom([], null),
      sending_date: date,
    }),
    fc.record({
      sending_type: fc.constant('auto'),
      sending_date: fc.constant(null),
      sending_params: fc.record({ trigger_type: fc.constant('every'), every, ...common }),
    }),
    fc.record({
      sending_type: fc.constant('auto'),
      sending_date: fc.constant(null),
      sending_params: fc.record({ trigger_type: fc.constantFrom('asap', 'cron'), ...common }),
    }),
  );
};

/** A campaign that can be written back, as a service returns it. */
const createCampaign = (profile: ProfileName): fc.Arbitrary<Row> => {
  const texts = {
    name: anyText.map((text) => `N${text}`),
    subject: anyText.map((text) => `S${text}`),
    body: optional(anyText),
    from_name: optional(anyText),
    from_email: optional(address),
    reply_to_name: optional(anyText),
    reply_to_email: optional(address),
    bounce_email: optional(address),
    bcc: optional(address),
  };
  const others = {
    draft: fc.constantFrom(0, 1, '1'),
    active: fc.constantFrom(0, 1),
    sent: fc.constantFrom(0, '0'),
    visible: fc.constant(1),
    tracking: fc.constant('1'),
    translation: anyValue,
    links_language: anyText,
  };
  const lists = { listIds: optional(fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 4 })) };
  return fc
    .tuple(fc.record({ ...texts, ...others, ...lists }), createPlan(profile))
    .map(([head, plan]) => ({ id, ...head, ...plan }));
};

const asNumber = (value: unknown) => (value === undefined || value === null ? undefined : Number(value));

/** Returns the request that stores a campaign unchanged, without its body. */
function expectedRequest(profile: ProfileName, row: Row): Row {
  const plan = (row['sending_params'] ?? {}) as Row;
  const rhythm = plan['every'] as { readonly type: number; readonly number: Json } | undefined;
  const start = profile === 'acymailing' ? asNumber(plan['start_date']) : (plan['start_date'] ?? undefined);
  const texts = [
    'name',
    'subject',
    'from_name',
    'from_email',
    'reply_to_name',
    'reply_to_email',
    'bounce_email',
    'bcc',
  ].map((name) => [name, row[name] === null ? '' : row[name]]);
  const auto = {
    frequency: rhythm ? 'every' : 'cron',
    frequency_options: rhythm && { unit: unitNames[rhythm.type], value: Number(rhythm.number) },
    need_confirm: Number(plan['need_confirm_to_send']),
    start_date: start,
  };
  const ofType: Readonly<Record<string, Row>> = { now: {}, scheduled: { sending_date: row['sending_date'] }, auto };
  const type = String(row['sending_type']);
  const request = {
    campaignId: id,
    ...Object.fromEntries(texts),
    listIds: normalizeIds(row['listIds']),
    sending_type: type,
    ...ofType[type],
  };
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
}

/** Normalizes a list of ids to sorted unique numbers. */
function normalizeIds(value: unknown) {
  return Array.isArray(value) ? [...new Set(value.map(Number))].sort((one, other) => one - other) : undefined;
}

/** Settings of the site, which updates of AcyMailing take. */
const siteSetting = fc.constantFrom('segment', 'abtest', 'resendTarget', 'toString', 'utm_source');
const addSetting =
  (setting: string) =>
  (row: Row): Row => ({
    ...row,
    sending_params: { ...(row['sending_params'] as Row | null), [setting]: { id: 3 } },
  });

/** Settings outside of the API document, added to a record that could be written back. */
const unsupportedChange: fc.Arbitrary<(row: Row) => Row> = fc.oneof(
  fc
    .constantFrom('birthday', 'NOW', 'constructor', 'auto ')
    .map((type) => (row: Row): Row => ({ ...row, sending_type: type })),
  fc.constantFrom('day', 'weeks_on', 'on_day_month', 'Every', 'toString').map((trigger) => (row: Row): Row => ({
    ...row,
    sending_type: 'auto',
    sending_params: { trigger_type: trigger, [trigger]: { hour: '08' } },
  })),
  fc
    .constantFrom<Row>(
      { type: 86_401, number: 2 },
      { type: 86_400, number: 1.5 },
      { type: 86_400, number: 2, hour: '08' },
      { type: 86_400 },
    )
    .map((rhythm) => (row: Row): Row => ({
      ...row,
      sending_type: 'auto',
      sending_params: { trigger_type: 'every', every: rhythm },
    })),
  fc.constant((row: Row): Row => ({
    ...row,
    sending_type: 'auto',
    sending_params: { trigger_type: 'asap', need_confirm_to_send: 2 },
  })),
  fc.constant((row: Row): Row => ({
    ...row,
    sending_type: 'auto',
    sending_params: { trigger_type: 'asap', start_date: 1.5 },
  })),
  fc.constant((row: Row): Row => ({ ...row, sending_params: '{"trigger_type":"day"}' })),
  fc.constant((row: Row): Row => ({ ...row, sending_type: null, sending_date: '2027-03-01 14:30:00' })),
);

describe('Saving one document of a record leaves the rest unchanged', function () {
  this.timeout(TIMEOUT_MS);

  for (const profile of profiles) {
    it(`for the body of a campaign, ${profile}`, () =>
      fc.assert(
        fc.asyncProperty(createCampaign(profile), async (row) => {
          const [request, ...more] = await saveDocument(campaignDocuments, profile, row, '.html', () => CHANGED_BODY);
          assert.deepEqual(more, []);
          assert.deepEqual(request, { ...expectedRequest(profile, row), body: CHANGED_BODY });
        }),
        createRunOptions(400),
      ));

    it(`for a changed field in the details of a campaign, ${profile}`, () =>
      fc.assert(
        fc.asyncProperty(createCampaign(profile), async (row) => {
          const [request, ...more] = await saveDocument(
            campaignDocuments,
            profile,
            row,
            '.campaign.json',
            changeSubject,
          );
          assert.deepEqual(more, []);
          const { body } = row;
          assert.deepEqual(request, {
            ...expectedRequest(profile, row),
            subject: 'Changed by this test',
            ...(body === undefined ? {} : { body: body ?? '' }),
          });
        }),
        createRunOptions(400),
      ));

    it(`for a campaign, ${profile}: unsupported settings make it read-only, and its copy is only sent by hand`, () =>
      fc.assert(
        fc.asyncProperty(
          createCampaign(profile),
          profile === 'documented' ? fc.oneof(unsupportedChange, siteSetting.map(addSetting)) : unsupportedChange,
          async (campaign, change) => {
            const dispatcher = new RecordingDispatcher(change(campaign));
            const client = new MailingClient({ baseUrl: 'https://mail.example.com', apiKey: 'k', profile, dispatcher });
            const record = await campaignDocuments.read(client, id, context);
            assert.match(campaignDocuments.getReadOnlyReason(record) ?? '', /^Saving would lose a setting \(.+\)/u);
            await assert.rejects(
              campaignDocuments.update(client, record, { body: CHANGED_BODY }, context),
              /Nothing was saved\.$/u,
            );
            assert.deepEqual(dispatcher.written, []);
            const { draft, warning } = copyCampaign(record);
            assert.deepEqual(
              [draft.sending_type, draft.sending_date, draft.frequency, draft.start_date],
              ['now', undefined, undefined, undefined],
            );
            assert.match(warning ?? '', /has no schedule, because .+ can't be copied/u);
          },
        ),
        createRunOptions(200),
      ));

    it(`for the body of a template, ${profile}`, () =>
      fc.assert(
        fc.asyncProperty(
          fc.record({
            name: anyText,
            subject: optional(anyText),
            headers: optional(anyText),
            body: anyText,
            other: anyValue,
          }),
          async (row) => {
            const [request, ...more] = await saveDocument(
              templateDocuments,
              profile,
              { id, drag_editor: 0, ...row },
              '.html',
              () => CHANGED_BODY,
            );
            assert.deepEqual(
              [request, more],
              [{ [profile === 'acymailing' ? 'id' : 'templateId']: id, body: CHANGED_BODY }, []],
            );
          },
        ),
        createRunOptions(100),
      ));

    const triggers = fc.constantFrom(
      'user_subscribe',
      'birthday',
      'full_moon',
      'constructor',
      ...(profile === 'acymailing'
        ? ['woocommerce_purchase', 'hikashop_purchase']
        : ['ecommerce_a_purchase', 'woocommerce_purchase']),
    );
    const statuses = fc.constantFrom('is', 'is_not', 'is_any');
    const condition = fc.record({
      lists_status: statuses,
      lists: fc.constantFrom([1, 2], []),
      segments_status: statuses,
      segments: fc.constantFrom([3], []),
      moon: fc.constantFrom('full', { phase: 1 }),
    });
    const followUp = fc.record({
      name: anyText,
      display_name: anyText.map((text) => `D${text}`),
      trigger: triggers,
      condition,
      active: fc.constantFrom(0, 1, '1'),
      send_once: fc.constantFrom(0, 1),
      loop: fc.constantFrom(0, 1),
      mails: fc.constant([]),
    });
    const sentMails = new SentMailStore(join(tmpdir(), 'mailing-no-mails'));
    const kind = createFollowUpDocuments(sentMails, () => ({ profile }));

    it(`for a changed field in the details of a follow-up, ${profile}`, () =>
      fc.assert(
        fc.asyncProperty(followUp, async (row) => {
          const rename = (text: string) => JSON.stringify({ ...(JSON.parse(text) as Row), name: CHANGED_BODY });
          const [request, ...more] = await saveDocument(kind, profile, { id, ...row }, '.follow-up.json', rename);
          assert.deepEqual(
            [request, more],
            [{ followUpId: id, name: CHANGED_BODY, display_name: row.display_name, trigger: row.trigger }, []],
          );
        }),
        createRunOptions(200),
      ));

    it(`for the lists in the condition of a follow-up, ${profile}`, () =>
      fc.assert(
        fc.asyncProperty(followUp, async (row) => {
          const choose = (text: string) => {
            const details = JSON.parse(text) as { readonly condition: Row };
            return JSON.stringify({
              ...details,
              name: `N${row.name}`,
              condition: { ...details.condition, lists: [9] },
            });
          };
          const [request] = await saveDocument(kind, profile, { id, ...row }, '.follow-up.json', choose);
          assert.deepEqual(request?.['condition'], { ...row.condition, lists: [9] });
        }),
        createRunOptions(100),
      ));
  }
});
