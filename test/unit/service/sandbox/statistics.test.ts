import assert from 'node:assert/strict';
import { assertColumns, checkErrors, useService } from './support.ts';
import type { JsonObject } from '../../../../src/service/client/shapes.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
const total = (rows: JsonObject[], field: string) => rows.reduce((sum, row) => sum + Number(row[field]), 0);

describe('sandbox: statistics', () => {
  const service = useService();
  const { call, rows, record } = service;
  const all = async (id: number) => {
    const versions = await rows('getCampaignStatistics', `campaignId=${id}`);
    return {
      versions,
      overview: versions[0] ?? {},
      detailed: await rows('getCampaignStatisticsDetailed', `campaignId=${id}&limit=500`),
      clicks: await rows('getCampaignStatisticsClicks', `campaignId=${id}`),
      links: await rows('getCampaignStatisticsLinks', `campaignId=${id}`),
    };
  };

  it('returns consistent totals', async () => {
    for (const id of [1, 2, 3, 4, 5, 6]) {
      const { versions, detailed, clicks, links } = await all(id);
      const openers = detailed.filter(({ open }) => Number(open) > 0);
      const openerIds = new Set(openers.map(({ user_id }) => user_id));
      const rules: number[] = versions.flatMap(({ bounce_details }) =>
        typeof bounce_details === 'string' ? Object.values(Object(JSON.parse(bounce_details))) : [],
      );
      for (const [field, expected] of Object.entries({
        total_subscribers: detailed.length,
        open_unique: openers.length,
        open_total: total(detailed, 'open'),
        bounce_unique: total(detailed, 'bounce'),
        unsubscribe_total: total(detailed, 'unsubscribe'),
        click_total: total(clicks, 'click'),
        click_unique: new Set(clicks.map(({ user_id }) => user_id)).size,
      }))
        assert.equal(total(versions, field), expected, field);
      assert.equal(total(links, 'total_click'), total(clicks, 'click'));
      assert.equal(total(links, 'unique_click'), clicks.length);
      assert.equal(
        rules.reduce((sum, count) => sum + count, 0),
        total(detailed, 'bounce'),
      );
      assert.equal(total(detailed, 'tracking_sale').toFixed(2), total(versions, 'tracking_sale').toFixed(2));
      assert.ok(openers.length > 0 && clicks.every(({ user_id }) => openerIds.has(user_id)));
      for (const { open, device, opened_with, open_date, bounce, bounce_rule } of detailed) {
        for (const value of [device, opened_with, open_date]) assert.equal(value !== null, open !== '0');
        assert.equal(bounce_rule !== null, bounce === '1');
        assert.ok(bounce === '0' || open === '0');
      }
    }
  });
  it('counts clicks on the web links of the body', async () => {
    const { links, clicks } = await all(1);
    const bodyLinks = new Set([
      'https://shop.example.com/',
      'https://shop.example.com/a?x=1&y=2',
      'https://blog.example.com/post',
    ]);
    assert.ok(links.length > 0 && links.every(({ name }) => bodyLinks.has(String(name))));
    for (const { id, name, total_click } of links)
      assert.equal(
        total(
          clicks.filter(({ url_id, url }) => url_id === id && url === name),
          'click',
        ),
        Number(total_click),
      );
  });
  it('spreads opens over days, most of them early', async () => {
    const { overview, detailed } = await all(1);
    const sent = Date.parse(`${String(overview['send_date'])}Z`);
    const ages = detailed.flatMap(({ open_date }) =>
      open_date === null ? [] : [Date.parse(`${String(open_date)}Z`) - sent],
    );
    assert.ok(ages.every((age) => age >= 0));
    assert.ok(ages.filter((age) => age < DAY).length > ages.length / 2);
    assert.ok(ages.some((age) => age > 2 * DAY));
  });
  it('returns rows with string values', async () => {
    const { overview, detailed, clicks, links } = await all(2);
    assertColumns(
      overview,
      'mail_id total_subscribers sent send_date fail open_unique open_total click_unique click_total bounce_unique bounce_details unsubscribe_total tracking_sale currency',
    );
    assertColumns(
      detailed[0],
      'user_id mail_id send_date fail sent open open_date bounce bounce_rule tracking_sale currency unsubscribe device opened_with email',
    );
    assertColumns(clicks[0], 'url_id user_id click date_click email url');
    assertColumns(links[0], 'id name total_click unique_click mail_subject mail_name');
    for (const value of [overview, detailed[0], clicks[0], links[0]].flatMap((row) => Object.values(row ?? {})))
      assert.ok(value === null || typeof value === 'string');
  });
  it('splits the recipients of a campaign with two versions', async () => {
    const { versions, detailed, clicks, links } = await all(3);
    assert.equal(versions.length, 2);
    const users = new Set(detailed.map(({ user_id }) => user_id));
    assert.equal(users.size, detailed.length, 'each recipient gets one version');
    for (const { mail_id, total_subscribers, open_unique } of versions) {
      const own = detailed.filter((row) => row['mail_id'] === mail_id);
      assert.deepEqual(
        [String(own.length), String(own.filter(({ open }) => open !== '0').length)],
        [total_subscribers, open_unique],
      );
      assert.ok(own.length > detailed.length / 4);
    }
    assert.deepEqual([...new Set(links.map(({ mail_name }) => mail_name))].length, 2);
    for (const { url, url_id } of clicks) assert.ok(links.some(({ id, name }) => id === url_id && name === url));
    const { json } = await call('getCampaignStatisticsDetailed', 'campaignId=3&limit=500');
    assert.ok(Array.isArray(json) && json.length === 2);
    const paged = [];
    for (let offset = 0; offset < detailed.length; offset += 40)
      paged.push(...(await rows('getCampaignStatisticsDetailed', `campaignId=3&limit=40&offset=${offset}`)));
    assert.deepEqual(paged, detailed);
  });
  it('nests detailed rows by version and pages them', async () => {
    const { json } = await call('getCampaignStatisticsDetailed', 'campaignId=1&offset=3&limit=2');
    assert.ok(Array.isArray(json) && json.length === 1 && json[0].length === 2);
    assert.deepEqual(json[0], (await all(1)).detailed.slice(3, 5));
    assert.equal((await rows('getCampaignStatisticsDetailed', 'campaignId=1')).length, 100);
  });
  it('only adds opens, clicks and sales over time', async () => {
    const { campaignId } = await record('createOrUpdateCampaign', {
      name: 'Offers',
      subject: 'S',
      listIds: [1],
      body: '<a href="https://shop.example.com/sale/lamp">Lamp</a> <a href="https://shop.example.com/about">About</a>',
    });
    await call('sendCampaign', `campaignId=${String(campaignId)}`);
    const fields = 'open_unique open_total click_unique click_total bounce_unique unsubscribe_total tracking_sale';
    let before: number[] = Array(10).fill(0);
    for (const pause of [0, 20 * MINUTE, 5 * 60 * MINUTE, 2 * DAY, 20 * DAY]) {
      service.sandbox.clock.advance(pause);
      const { overview, detailed, clicks, links } = await all(Number(campaignId));
      const counts = [
        ...fields.split(' ').map((field) => Number(overview[field])),
        detailed.filter(({ open }) => open !== '0').length,
        clicks.length,
        total(links, 'total_click'),
      ];
      if (pause === 0) assert.deepEqual(counts, before);
      for (const [at, count] of counts.entries()) assert.ok(count >= (before[at] ?? 0), `${count} at ${at}`);
      if (pause > 0) assert.ok((counts[0] ?? 0) > (before[0] ?? 0));
      before = counts;
      for (const { user_id, currency, tracking_sale } of detailed) {
        assert.equal(currency, tracking_sale === null ? null : 'EUR');
        const bought = clicks.some((click) => click['user_id'] === user_id && String(click['url']).endsWith('/lamp'));
        assert.ok(tracking_sale === null || bought);
      }
    }
    assert.ok(
      before.every((count) => count > 0),
      String(before),
    );
    assert.deepEqual((await all(1)).overview['tracking_sale'], null);
  });
  it('returns no statistics before a campaign is sent', async () => {
    assert.deepEqual((await call('getCampaignStatistics', 'campaignId=7')).json, [null]);
    assert.deepEqual(await rows('getCampaignStatisticsDetailed', 'campaignId=7'), []);
    assert.deepEqual(await rows('getCampaignStatisticsClicks', 'campaignId=7'), []);
  });
  checkErrors(
    service,
    ['', 'Detailed', 'Clicks', 'Links'].flatMap((kind) => [
      [`getCampaignStatistics${kind}`, '', 404, 'Campaign not found'],
      [`getCampaignStatistics${kind}`, 'campaignId=99', 404, 'Campaign not found'],
    ]),
  );

  describe('acymailing', () => {
    const service = useService({ profile: 'acymailing' });
    const { rows } = service;
    checkErrors(service, [['getCampaignStatisticsLinks', 'campaignId=7', 404, 'No variations found']]);
    it('pages the links', async () => {
      const links = await rows('getCampaignStatisticsLinks', 'campaignId=1');
      assert.deepEqual(await rows('getCampaignStatisticsLinks', 'campaignId=1&offset=1&limit=1'), links.slice(1, 2));
    });
  });
});
