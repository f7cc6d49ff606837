import assert from 'node:assert/strict';
import { listProposedParts, proposeText, type Proposal } from '../../../../src/sync/tools/proposal.ts';
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

describe('listProposedParts', () => {
  const replace = (part: 'body' | 'stylesheet') => ({ part, find: 'a', replace: 'b' });
  const list = (proposal: Omit<Proposal, 'connection' | 'id'>) => listProposedParts(proposal as Proposal);
  for (const [title, proposal, parts] of [
    ['nothing', {}, []],
    ['empty details and no replacements', { details: {}, replacements: [] }, []],
    ['details', { details: { subject: 'New' } }, ['details']],
    ['an empty body', { body: '' }, ['body']],
    ['a whole stylesheet', { stylesheet: 'a {}' }, ['stylesheet']],
    ['a replacement in the body', { replacements: [replace('body')] }, ['body']],
    [
      'every part',
      { body: 'x', details: { name: 'N' }, replacements: [replace('stylesheet')] },
      ['body', 'stylesheet', 'details'],
    ],
  ] as const)
    it(`finds ${title}`, () => assert.deepEqual(list(proposal as unknown as Proposal), parts));

  it('rejects a part that is both given and replaced in', () => {
    for (const part of ['body', 'stylesheet'] as const)
      assert.throws(() => list({ [part]: 'x', replacements: [replace(part)] }), NotDoneError);
  });
});
