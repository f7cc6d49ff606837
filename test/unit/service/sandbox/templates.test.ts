import assert from 'node:assert/strict';
import { DRAG, both, checkErrors, getFirstRecord, getRecords, useService } from './support.ts';

describe('sandbox: templates', () => {
  for (const profile of both) {
    const id = profile === 'documented' ? 'templateId' : 'id';
    describe(profile, () => {
      const service = useService({ profile });
      const read = async (templateId: number) =>
        getFirstRecord((await service().call('getOneTemplate', `templateId=${templateId}`)).json);

      it('reads a page of templates', async () => {
        const { status, json } = await service().call('getTemplates', 'limit=2&offset=1');
        assert.equal(status, 200);
        assert.deepEqual(
          getRecords(json).map((template) => template['id']),
          ['2', '3'],
        );
      });
      it('returns 20 templates per page by default', async () => {
        for (let at = 0; at < 20; at += 1) await service().call('createTemplate', { name: `T${at}` });
        assert.equal(getRecords((await service().call('getTemplates')).json).length, 20);
        assert.equal(getRecords((await service().call('getTemplates', 'limit=0')).json).length, 20);
        assert.equal(getRecords((await service().call('getTemplates', 'limit=100')).json).length, 25);
      });
      it('filters by name, subject and editor', async () => {
        const names = async (query: string) =>
          getRecords((await service().call('getTemplates', query)).json).map(({ name }) => name);
        assert.deepEqual(await names('filters[search]=blocks'), ['Dragged together']);
        assert.deepEqual(await names('filters[search]=NEWSL'), ['Newsletter']);
        assert.deepEqual(await names('filters[templateType]=drag'), ['Dragged together']);
        assert.deepEqual(await names('templateType=standard'), ['Newsletter', 'Welcome', 'Sale', 'The long digest']);
        assert.deepEqual(await names('filters[search]=e&templateType=standard&offset=1&limit=2'), ['Welcome', 'Sale']);
      });
      it('reads a template with every documented field', async () => {
        const template = await read(1);
        assert.deepEqual(Object.keys(template), [
          'id',
          'name',
          'creation_date',
          'drag_editor',
          'body',
          'subject',
          'from_name',
          'from_email',
          'reply_to_name',
          'reply_to_email',
          'settings',
          'stylesheet',
          'headers',
          'preheader',
        ]);
        assert.equal(template['stylesheet'], 'h1 { color: #123456; }');
        assert.match(String(template['creation_date']), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      });
      it('contains a template of 100 KB', async () => {
        assert.ok(Buffer.byteLength(String((await read(5))['body'])) >= 100 * 1024);
      });
      it('creates, changes and deletes a template', async () => {
        const created = await service().call('createTemplate', {
          name: 'Mine',
          subject: 'S',
          body: '<p>1</p>',
          headers: 'X-A: b',
        });
        assert.equal(created.status, 201);
        const { templateId } = Object(created.json);
        assert.equal(typeof templateId, 'number');
        const updated = await service().call('updateTemplate', { [id]: templateId, body: '<p>2</p>' });
        assert.deepEqual([updated.status, updated.json], [200, { templateId }]);
        const { name, subject, body, headers, drag_editor } = await read(templateId);
        assert.deepEqual([name, subject, body, headers, drag_editor], ['Mine', 'S', '<p>2</p>', 'X-A: b', '0']);
        const deleted = await service().call('deleteTemplate', `templateId=${templateId}`);
        assert.deepEqual([deleted.status, deleted.json], [200, { message: 'Template deleted.' }]);
        assert.equal((await service().call('getOneTemplate', `templateId=${templateId}`)).status, 404);
      });

      checkErrors(
        service,
        [
          { operation: 'getOneTemplate', status: 422, message: 'Template ID not provided in the request.' },
          { operation: 'getOneTemplate', input: 'templateId=9999', status: 404, message: 'Template not found.' },
          { operation: 'createTemplate', input: { subject: 'x' }, status: 422, message: 'Missing template name.' },
          {
            operation: 'createTemplate',
            input: { name: 'x', body: 5 },
            status: 500,
            message: 'Error creating template.',
          },
          {
            operation: 'updateTemplate',
            input: { body: 'x' },
            status: 422,
            message: 'Missing or incorrect template ID.',
          },
          {
            operation: 'updateTemplate',
            input: { [id]: 'x' },
            status: 422,
            message: 'Missing or incorrect template ID.',
          },
          {
            operation: 'updateTemplate',
            input: { [id]: 9999 },
            status: 404,
            message: 'Missing or incorrect template ID.',
          },
          {
            operation: 'updateTemplate',
            input: { [id]: DRAG, body: 'x' },
            status: 403,
            message: "You can't edit this template.",
          },
          {
            operation: 'updateTemplate',
            input: { [id]: 1, body: ['x'] },
            status: 500,
            message: 'Error modifying template.',
          },
          { operation: 'deleteTemplate', status: 422, message: 'Template ID not provided in the request.' },
          { operation: 'deleteTemplate', input: 'templateId=9999', status: 404, message: 'Template not found.' },
        ],
        assert.deepEqual,
      );
    });
  }

  describe('documented', () => {
    const service = useService();
    it('changes the stylesheet and clears fields', async () => {
      await service().call('updateTemplate', { templateId: 1, stylesheet: 'p{}', preheader: '' });
      const { stylesheet, preheader, subject } = getFirstRecord(
        (await service().call('getOneTemplate', 'templateId=1')).json,
      );
      assert.deepEqual([stylesheet, preheader, subject], ['p{}', '', 'Hello, {subscriber:name}']);
    });
    it('returns an empty string if there is no stylesheet', async () => {
      assert.equal(getFirstRecord((await service().call('getOneTemplate', 'templateId=2')).json)['stylesheet'], '');
    });
  });

  describe('acymailing', () => {
    const service = useService({ profile: 'acymailing' });
    it('ignores the stylesheet and empty strings', async () => {
      const reply = await service().call('updateTemplate', { id: 1, stylesheet: 'p{}', preheader: '', subject: 'New' });
      assert.equal(reply.status, 200);
      const { stylesheet, preheader, subject } = getFirstRecord(
        (await service().call('getOneTemplate', 'templateId=1')).json,
      );
      assert.deepEqual([stylesheet, preheader, subject], ['h1 { color: #123456; }', 'Three stories', 'New']);
    });
    it('ignores the stylesheet on create', async () => {
      const { json } = await service().call('createTemplate', { name: 'x', stylesheet: 'p{}' });
      assert.equal(
        getFirstRecord((await service().call('getOneTemplate', `templateId=${Object(json).templateId}`)).json)[
          'stylesheet'
        ],
        null,
      );
    });
    it('requires the id as a JSON integer', async () => {
      for (const body of [{ id: '1' }, { templateId: 1 }])
        assert.equal((await service().call('updateTemplate', { ...body, subject: 'x' })).status, 422);
    });
  });
});
