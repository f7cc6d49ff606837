import assert from 'node:assert/strict';
import { proposeText, type Proposal } from '../../../../src/sync/tools/proposal.ts';
import { NotDoneError } from '../../../../src/sync/tools/tool.ts';

const placeholder = '<tr data-dynamic="{post:1}" class="a">\r\n<td>OLD<i></i></td></tr>';
const body = `<table><tr><td>text</td></tr>${placeholder}</table>`;
const propose = (proposal: Omit<Proposal, 'connection' | 'id'>) => proposeText(proposal as Proposal, 'body', body);

describe('A proposal for an email with a placeholder of the visual editor', () => {
  it('may change the text around it', () => {
    assert.match(propose({ replacements: [{ part: 'body', find: 'text', replace: 'new' }] }), /<td>new<\/td>/);
    for (const text of [body, body.replaceAll('\r\n', '\n')]) assert.equal(propose({ body: text }), text);
  });

  it('must not change a byte of it', () => {
    for (const proposal of [
      { replacements: [{ part: 'body' as const, find: 'OLD', replace: 'NEW' }] },
      { body: body.replace('{post:1}', '{post:2}') },
      { body: '<p>x</p>' },
    ])
      assert.throws(() => propose(proposal), NotDoneError);
  });
});
