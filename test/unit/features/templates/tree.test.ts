import assert from 'node:assert/strict';
import type { MailingClient, Template } from '../../../../src/service/client/index.ts';
import { templateTree } from '../../../../src/features/templates/tree.ts';

const ref = { connection: 'c', id: 7 };

function template(fields: Partial<Template> = {}): Template {
  return {
    id: 7,
    name: 'Sale',
    creation_date: '2026-01-02 03:04:05',
    drag_editor: 0,
    body: '<p>x</p>',
    subject: 'Half price',
    from_name: 'Ann',
    from_email: 'ann@example.com',
    reply_to_name: null,
    reply_to_email: null,
    settings: null,
    stylesheet: null,
    headers: null,
    preheader: null,
    ...fields,
  };
}

describe('templates in the tree', () => {
  it('show their subject, and open on a click', () => {
    const item = templateTree.item(template(), ref);
    assert.equal(item.label, 'Sale');
    assert.equal(item.description, 'Half price');
    assert.equal(item.contextValue, 'mailing.template.standard');
    assert.deepEqual(item.command, {
      command: 'mailing.record.open',
      title: 'Open',
      arguments: [{ connection: 'c', collection: 'templates', id: 7 }],
    });
    assert.equal(new Map(item.tooltip).get('From'), 'Ann · ann@example.com');
  });

  it('mark drag-and-drop templates with an icon and a label', () => {
    const standard = templateTree.item(template(), ref);
    const drag = templateTree.item(template({ drag_editor: 1 }), ref);
    assert.equal(drag.description, 'drag and drop · Half price');
    assert.equal(drag.contextValue, 'mailing.template.drag');
    assert.notDeepEqual(drag.icon, standard.icon);
    assert.equal(drag.accessibleName, 'Template, Sale, drag and drop, subject Half price');
  });

  it('handle fields that lists leave out', () => {
    const item = templateTree.item(template({ name: null, subject: null, creation_date: null }), ref);
    assert.equal(item.label, 'Template 7');
    assert.equal(item.description, '');
  });

  it('are requested by page and filter', async () => {
    const calls: object[] = [];
    const getTemplates = async (query: object = {}): Promise<Template[]> => {
      calls.push(query);
      return [];
    };
    const client = { getTemplates } as Partial<MailingClient> as MailingClient;
    const page = { offset: 20, limit: 20 };
    await templateTree.fetch(client, page, { search: 'sale', templateType: 'drag' }, {});
    await templateTree.fetch(client, page, { templateType: 'other' }, {});
    assert.deepEqual(calls, [{ ...page, search: 'sale', templateType: 'drag' }, page]);
  });
});
