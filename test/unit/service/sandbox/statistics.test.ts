import assert from 'node:assert/strict';
import { assertColumns, both, checkErrors, getRecords, useService } from './support.ts';
import type { JsonObject } from '../../../../src/service/client/shapes.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
const total = (rows: JsonObject[], field: string): number => rows.reduce((sum, row) => sum + Number(row[field]), 0);

describe('sandbox: statistics', () => {
  for (const profile of both) {
    describe(profile, () => {
      const service = useService({ profile });
      const { call, rows, record } = service;
      const all = async (id: number) => ({
        overview: await record('getCampaignStatistics', `campaignId=${id}`),
        versions: await rows('getCampaignStatistics', `campaignId=${id}`),
        detailed: await rows('getCampaignStatisticsDetailed', `campaignId=${id}&limit=500`),
        clicks: await rows('getCampaignStatisticsClicks', `campaignId=${id}`),
        links: await rows('getCampaignStatisticsLinks', `campaignId=${id}`),
      });

      for (const id of [1, 2, 3, 4, 5, 6]) {
        it(`returns consistent totals for campaign ${id}`, async () => {
          const { versions, detailed, clicks, links } = await all(id);
          const count = (field: string): number => total(versions, field);
          assert.equal(detailed.length, count('total_subscribers'));
          assert.ok(detailed.length > 0);
          assert.equal(detailed.filter(({ open }) => Number(open) > 0).length, count('open_unique'));
          assert.equal(total(detailed, 'open'), count('open_total'));
          assert.equal(total(detailed, 'bounce'), count('bounce_unique'));
          assert.equal(total(detailed, 'unsubscribe'), count('unsubscribe_total'));
          assert.equal(total(clicks, 'click'), count('click_total'));
          assert.equal(new Set(clicks.map(({ user_id }) => user_id)).size, count('click_unique'));
          assert.equal(total(links, 'total_click'), count('click_total'));
          assert.equal(total(links, 'unique_click'), clicks.length);
          assert.ok(
            count('click_unique') <= count('open_unique') &&
              count('open_unique') <= count('open_total') &&
              count('open_unique') > 0,
          );
          const details: JsonObject[] = versions.map(({ bounce_details }) =>
            typeof bounce_details === 'string' ? JSON.parse(bounce_details) : {},
          );
          assert.equal(
            details
              .flatMap((rules) => Object.values(Object(rules)))
              .reduce((sum: number, number) => sum + Number(number), 0),
            count('bounce_unique'),
          );
          assert.equal(total(detailed, 'tracking_sale').toFixed(2), count('tracking_sale').toFixed(2));
          const openers = new Set(detailed.filter(({ open }) => Number(open) > 0).map(({ user_id }) => user_id));
          assert.ok(
            clicks.every(({ user_id }) => openers.has(user_id)),
            'who clicked has opened',
          );
          assert.ok(
            detailed.every(
              ({ open, device, opened_with, open_date }) =>
                Number(open) > 0 === (device !== null && opened_with !== null && open_date !== null),
            ),
          );
          assert.ok(
            detailed.every(
              ({ bounce, bounce_rule, open }) =>
                (bounce === '1') === (bounce_rule !== null) && (bounce === '0' || open === '0'),
            ),
          );
        });
      }
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
      it('adds sales over time for campaigns with shop links', async () => {
        const { sandbox } = service;
        const { campaignId } = await record('createOrUpdateCampaign', {
          name: 'Offers',
          subject: 'S',
          sending_type: 'now',
          listIds: [1],
          body: '<a href="https://shop.example.com/sale/lamp">Lamp</a> <a href="https://shop.example.com/about">About</a>',
        });
        await call('sendCampaign', `campaignId=${String(campaignId)}`);
        const sales: number[] = [];
        for (const pause of [0, 5 * 60 * MINUTE, 20 * DAY]) {
          sandbox.clock.advance(pause);
          const { overview, detailed, clicks } = await all(Number(campaignId));
          sales.push(Number(overview['tracking_sale']));
          const buyers = detailed.filter(({ tracking_sale }) => tracking_sale !== null);
          assert.equal(total(buyers, 'tracking_sale').toFixed(2), Number(overview['tracking_sale']).toFixed(2));
          assert.ok(
            buyers.every(
              ({ user_id, currency }) =>
                currency === 'EUR' &&
                clicks.some((click) => click['user_id'] === user_id && String(click['url']).endsWith('/lamp')),
            ),
          );
        }
        assert.equal(sales[0], 0);
        assert.ok((sales[1] ?? 0) <= (sales[2] ?? 0) && (sales[2] ?? 0) > 0, String(sales));
        assert.deepEqual((await all(1)).overview['tracking_sale'], null);
      });
      it('nests detailed rows by version and pages them', async () => {
        const { json } = await call('getCampaignStatisticsDetailed', 'campaignId=1&offset=3&limit=2');
        assert.ok(Array.isArray(json) && json.length === 1 && json[0].length === 2);
        assert.deepEqual(json[0], (await all(1)).detailed.slice(3, 5));
        assert.equal((await rows('getCampaignStatisticsDetailed', 'campaignId=1')).length, 100);
      });
      it('only adds opens and clicks over time', async () => {
        const { sandbox } = service;
        await call('sendCampaign', 'campaignId=7');
        const counts: number[][] = [];
        const lengths: number[][] = [];
        for (const pause of [0, 20 * MINUTE, 5 * 60 * MINUTE, 2 * DAY, 20 * DAY]) {
          sandbox.clock.advance(pause);
          const { overview, detailed, clicks, links } = await all(7);
          lengths.push([
            detailed.filter(({ open }) => open !== '0').length,
            clicks.length,
            total(links, 'total_click'),
          ]);
          counts.push(
            ['open_unique', 'open_total', 'click_unique', 'click_total', 'bounce_unique', 'unsubscribe_total'].map(
              (field) => Number(overview[field]),
            ),
          );
        }
        assert.deepEqual(counts[0], [0, 0, 0, 0, 0, 0]);
        for (const [at, after] of counts.entries())
          assert.ok((counts[at - 1] ?? after).every((number, field) => number <= (after[field] ?? 0)));
        assert.deepEqual(lengths[0], [0, 0, 0]);
        for (const [at, after] of lengths.entries())
          assert.ok((lengths[at - 1] ?? after).every((number, route) => number <= (after[route] ?? 0)));
        assert.ok(lengths.at(-1)?.every((number) => number > 0));
        const opens = counts.map(([open = 0]) => open);
        assert.ok((opens[1] ?? 0) > 0 && (opens[2] ?? 0) > (opens[1] ?? 0) && (opens[3] ?? 0) > (opens[2] ?? 0));
      });
      it('returns no statistics before a campaign is sent', async () => {
        assert.deepEqual((await call('getCampaignStatistics', 'campaignId=7')).json, [null]);
        assert.deepEqual(await rows('getCampaignStatisticsDetailed', 'campaignId=7'), []);
        assert.deepEqual(await rows('getCampaignStatisticsClicks', 'campaignId=7'), []);
      });
      const operations = [
        'getCampaignStatistics',
        'getCampaignStatisticsDetailed',
        'getCampaignStatisticsClicks',
        'getCampaignStatisticsLinks',
      ];
      checkErrors(
        service,
        operations.flatMap((operation) => [
          [operation, '', 404, 'Campaign not found'],
          [operation, 'campaignId=99', 404, 'Campaign not found'],
        ]),
      );
    });
  }

  describe('of many recipients', () => {
    const service = useService({ subscribers: 5000 });
    const { call, rows } = service;
    it('contain few opens at night', async () => {
      const { json } = await call('getCampaignStatisticsDetailed', 'campaignId=1&limit=5000');
      const hours = getRecords(json).flatMap(({ open_date }) =>
        open_date === null ? [] : [Number(String(open_date).slice(11, 13))],
      );
      const between = (from: number, to: number): number => hours.filter((hour) => hour >= from && hour < to).length;
      assert.ok(hours.length > 1000);
      assert.ok(between(0, 6) * 8 < between(9, 15), `${between(0, 6)} at night, ${between(9, 15)} by day`);
    });
    it('differ between campaigns', async () => {
      const opens = async (id: number) =>
        new Set(
          (await rows('getCampaignStatisticsDetailed', `campaignId=${id}&limit=5000`))
            .filter(({ open }) => open !== '0')
            .map(({ user_id }) => user_id),
        );
      const [first, second] = [await opens(1), await opens(3)];
      const common = [...first].filter((user) => second.has(user)).length;
      assert.ok(common > 0 && common < first.size);
    });
  });

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
