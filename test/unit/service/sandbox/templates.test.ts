import assert from 'node:assert/strict';
import { assertColumns, DRAG, both, checkErrors, useService, pick } from './support.ts';

describe('sandbox: templates', () => {
  for (const profile of both) {
    const id = profile === 'documented' ? 'templateId' : 'id';
    describe(profile, () => {
      const service = useService({ profile });
      const { call, reply, rows, record } = service;
      const read = (templateId: number) => record('getOneTemplate', `templateId=${templateId}`);

      it('returns 20 templates per page by default', async () => {
        const ids = async (query: string) => (await rows('getTemplates', query)).map((template) => template['id']);
        for (let at = 0; at < 20; at += 1) await call('createTemplate', { name: `T${at}` });
        const lengths = [await ids(''), await ids('limit=0'), await ids('limit=100')].map(({ length }) => length);
        assert.deepEqual(lengths, [20, 20, 25]);
        assert.deepEqual(await ids('limit=2&offset=1'), ['2', '3']);
      });
      it('filters by name, subject and editor', async () => {
        const names = async (query: string) => (await rows('getTemplates', query)).map(({ name }) => name);
        assert.deepEqual(await names('filters[search]=blocks'), ['Dragged together']);
        assert.deepEqual(await names('filters[search]=NEWSL'), ['Newsletter']);
        assert.deepEqual(await names('filters[templateType]=drag'), ['Dragged together']);
        assert.deepEqual(await names('templateType=standard'), ['Newsletter', 'Welcome', 'Sale', 'The long digest']);
        assert.deepEqual(await names('filters[search]=e&templateType=standard&offset=1&limit=2'), ['Welcome', 'Sale']);
      });
      it('reads a template with every documented field', async () => {
        const template = await read(1);
        assertColumns(
          template,
          'id name creation_date drag_editor body subject from_name from_email reply_to_name reply_to_email settings stylesheet headers preheader',
        );
        assert.equal(template['stylesheet'], 'h1 { color: #123456; }');
        assert.match(String(template['creation_date']), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      });
      it('contains a template of 100 KB', async () => {
        assert.ok(Buffer.byteLength(String((await read(5))['body'])) >= 100 * 1024);
      });
      it('creates, changes and deletes a template', async () => {
        const fields = { name: 'Mine', subject: 'S', body: '<p>1</p>', headers: 'X-A: b' };
        const [status, created] = await reply('createTemplate', fields);
        const { templateId } = Object(created);
        assert.deepEqual([status, typeof templateId], [201, 'number']);
        const update = { [id]: templateId, body: '<p>2</p>' };
        assert.deepEqual(await reply('updateTemplate', update), [200, { templateId }]);
        assert.deepEqual(pick(await read(templateId), 'name subject body headers drag_editor'), [
          'Mine',
          'S',
          '<p>2</p>',
          'X-A: b',
          '0',
        ]);
        const query = `templateId=${templateId}`;
        assert.deepEqual(await reply('deleteTemplate', query), [200, { message: 'Template deleted.' }]);
        assert.equal((await call('getOneTemplate', query)).status, 404);
      });

      checkErrors(service, [
        ['getOneTemplate', '', 422, 'Template ID not provided in the request.'],
        ['getOneTemplate', 'templateId=9999', 404, 'Template not found.'],
        ['createTemplate', { subject: 'x' }, 422, 'Missing template name.'],
        ['createTemplate', { name: 'x', body: 5 }, 500, 'Error creating template.'],
        ['updateTemplate', { body: 'x' }, 422, 'Missing or incorrect template ID.'],
        ['updateTemplate', { [id]: 'x' }, 422, 'Missing or incorrect template ID.'],
        ['updateTemplate', { [id]: 9999 }, 404, 'Missing or incorrect template ID.'],
        ['updateTemplate', { [id]: DRAG, body: 'x' }, 403, "You can't edit this template."],
        ['updateTemplate', { [id]: 1, body: ['x'] }, 500, 'Error modifying template.'],
        ['deleteTemplate', '', 422, 'Template ID not provided in the request.'],
        ['deleteTemplate', 'templateId=9999', 404, 'Template not found.'],
      ]);
    });
  }

  describe('documented', () => {
    const { call, record } = useService();
    it('changes the stylesheet and clears fields', async () => {
      await call('updateTemplate', { templateId: 1, stylesheet: 'p{}', preheader: '' });
      assert.deepEqual(pick(await record('getOneTemplate', 'templateId=1'), 'stylesheet preheader subject'), [
        'p{}',
        '',
        'Hello, {subscriber:name}',
      ]);
      assert.equal((await record('getOneTemplate', 'templateId=2'))['stylesheet'], '');
    });
  });

  describe('acymailing', () => {
    const { call, record } = useService({ profile: 'acymailing' });
    it('ignores the stylesheet and empty strings', async () => {
      await call('updateTemplate', { id: 1, stylesheet: 'p{}', preheader: '', subject: 'New' });
      assert.deepEqual(pick(await record('getOneTemplate', 'templateId=1'), 'stylesheet preheader subject'), [
        'h1 { color: #123456; }',
        'Three stories',
        'New',
      ]);
      const { templateId } = await record('createTemplate', { name: 'x', stylesheet: 'p{}' });
      assert.equal((await record('getOneTemplate', `templateId=${String(templateId)}`))['stylesheet'], null);
    });
    it('requires the id as a JSON integer', async () => {
      for (const body of [{ id: '1' }, { templateId: 1 }])
        assert.equal((await call('updateTemplate', { ...body, subject: 'x' })).status, 422);
    });
  });
});
