import assert from 'node:assert/strict';
import { assertColumns, DRAG, both, checkErrors, getRecords, useService, pick } from './support.ts';

describe('sandbox: templates', () => {
  for (const profile of both) {
    const id = profile === 'documented' ? 'templateId' : 'id';
    describe(profile, () => {
      const service = useService({ profile });
      const { call, rows, record } = service;
      const read = (templateId: number) => record('getOneTemplate', `templateId=${templateId}`);

      it('reads a page of templates', async () => {
        const { status, json } = await call('getTemplates', 'limit=2&offset=1');
        assert.equal(status, 200);
        assert.deepEqual(
          getRecords(json).map((template) => template['id']),
          ['2', '3'],
        );
      });
      it('returns 20 templates per page by default', async () => {
        for (let at = 0; at < 20; at += 1) await call('createTemplate', { name: `T${at}` });
        assert.equal((await rows('getTemplates')).length, 20);
        assert.equal((await rows('getTemplates', 'limit=0')).length, 20);
        assert.equal((await rows('getTemplates', 'limit=100')).length, 25);
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
        const created = await call('createTemplate', {
          name: 'Mine',
          subject: 'S',
          body: '<p>1</p>',
          headers: 'X-A: b',
        });
        assert.equal(created.status, 201);
        const { templateId } = Object(created.json);
        assert.equal(typeof templateId, 'number');
        const updated = await call('updateTemplate', { [id]: templateId, body: '<p>2</p>' });
        assert.deepEqual([updated.status, updated.json], [200, { templateId }]);
        assert.deepEqual(pick(await read(templateId), 'name subject body headers drag_editor'), [
          'Mine',
          'S',
          '<p>2</p>',
          'X-A: b',
          '0',
        ]);
        const deleted = await call('deleteTemplate', `templateId=${templateId}`);
        assert.deepEqual([deleted.status, deleted.json], [200, { message: 'Template deleted.' }]);
        assert.equal((await call('getOneTemplate', `templateId=${templateId}`)).status, 404);
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
    const service = useService();
    const { call, record } = service;
    it('changes the stylesheet and clears fields', async () => {
      await call('updateTemplate', { templateId: 1, stylesheet: 'p{}', preheader: '' });
      assert.deepEqual(pick(await record('getOneTemplate', 'templateId=1'), 'stylesheet preheader subject'), [
        'p{}',
        '',
        'Hello, {subscriber:name}',
      ]);
    });
    it('returns an empty string if there is no stylesheet', async () => {
      assert.equal((await record('getOneTemplate', 'templateId=2'))['stylesheet'], '');
    });
  });

  describe('acymailing', () => {
    const service = useService({ profile: 'acymailing' });
    const { call, record } = service;
    it('ignores the stylesheet and empty strings', async () => {
      const reply = await call('updateTemplate', { id: 1, stylesheet: 'p{}', preheader: '', subject: 'New' });
      assert.equal(reply.status, 200);
      assert.deepEqual(pick(await record('getOneTemplate', 'templateId=1'), 'stylesheet preheader subject'), [
        'h1 { color: #123456; }',
        'Three stories',
        'New',
      ]);
    });
    it('ignores the stylesheet on create', async () => {
      const { json } = await call('createTemplate', { name: 'x', stylesheet: 'p{}' });
      assert.equal((await record('getOneTemplate', `templateId=${Object(json).templateId}`))['stylesheet'], null);
    });
    it('requires the id as a JSON integer', async () => {
      for (const body of [{ id: '1' }, { templateId: 1 }])
        assert.equal((await call('updateTemplate', { ...body, subject: 'x' })).status, 422);
    });
  });
});
