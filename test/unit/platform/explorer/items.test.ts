import assert from 'node:assert/strict';
import { ApiError, type ApiErrorKind } from '../../../../src/service/client/errors.ts';
import type { Connection, ConnectionState } from '../../../../src/platform/connections/model.ts';
import {
  getConnectionTooltip,
  describeConnection,
  getStateItem,
} from '../../../../src/platform/explorer/connectionItem.ts';
import { createSwatch, formatTooltip } from '../../../../src/platform/explorer/drawing.ts';
import { cleanFilter, describeFilter, isFiltered } from '../../../../src/platform/explorer/filters.ts';
import type { FilterField } from '../../../../src/platform/explorer/model.ts';

const production: Connection = {
  id: 'production',
  name: 'Production',
  baseUrl: 'https://mail.example.com:8443/site',
  profile: 'documented',
};

function failed(kind: ApiErrorKind, message = 'It did not work.'): ConnectionState {
  return { kind: 'failed', error: new ApiError({ kind, operation: 'getLists', outcome: 'refused', message }) };
}

describe('a connection in the tree', () => {
  it('says its host and its state, what is wrong first', () => {
    assert.equal(describeConnection(production, { kind: 'unknown' }), 'mail.example.com:8443');
    assert.equal(describeConnection(production, { kind: 'connected' }), 'mail.example.com:8443 · connected');
    assert.equal(describeConnection(production, { kind: 'keyMissing' }), 'key missing · mail.example.com:8443');
    assert.equal(describeConnection(production, failed('network')), 'unreachable · mail.example.com:8443');
    assert.equal(describeConnection({ ...production, sandbox: true }, { kind: 'connected' }), 'sandbox · connected');
  });

  it('tells apart what has to be mended', () => {
    const contexts = (
      ['network', 'timeout', 'server', 'unauthorized', 'tls', 'notJson', 'redirect', 'forbidden'] as const
    ).map((kind) => getStateItem(failed(kind), false).context);
    assert.deepEqual(contexts, ['failed', 'failed', 'failed', 'keyRefused', 'failed', 'failed', 'failed', 'failed']);
    const words = (['timeout', 'unauthorized', 'tls', 'notJson'] as const).map(
      (kind) => getStateItem(failed(kind), false).label,
    );
    assert.equal(new Set(words).size, 4);
  });

  it('gives the cause in the tooltip', () => {
    const rows = new Map(getConnectionTooltip(production, failed('network', 'The connection was refused.')));
    assert.equal(rows.get('Cause'), 'The connection was refused.');
    assert.equal(rows.get('Address'), production.baseUrl);
  });

  it('shows in the tooltip how it composes emails if its profile says something else', () => {
    const rows = (connection: Connection) => new Map(getConnectionTooltip(connection, { kind: 'connected' }));
    assert.equal(rows({ ...production, composing: 'acymailing' }).get('Sends emails'), 'as AcyMailing does');
    assert.equal(rows(production).get('Sends emails'), '');
  });
});

describe('swatch', () => {
  it('draws a colour', () => {
    const image = createSwatch('#1a2B3c') ?? '';
    const [, data = ''] = image.split('data:image/svg+xml;base64,');
    assert.match(atob(data), /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg".*fill="#1a2B3c"/);
  });

  it('draws nothing else', () => {
    for (const text of ['', 'red', '#fff', '#12345g', '#123456"/><script>', '"#123456', '#1234567'])
      assert.equal(createSwatch(text), undefined, text);
  });
});

describe('tooltipMarkdown', () => {
  it('shows rows as lines, without those that have no value', () => {
    assert.equal(
      formatTooltip([
        ['Name', 'Sale'],
        ['Subject', ' '],
        ['ID', '7'],
      ]),
      '**Name:** Sale  \n**ID:** 7',
    );
  });

  it('gives values no way out of their row', () => {
    const markdown = formatTooltip([['Name', '**\n\n# x <b> [a](command:b) https://e.example']]);
    assert.doesNotMatch(markdown.replace('**Name:** ', '').replace(/&#\d+;/g, ''), /[^\w ]/);
  });
});

describe('filters', () => {
  const fields: FilterField[] = [
    { key: 'search', label: 'Name or subject' },
    { key: 'templateType', label: 'Type', choices: [{ label: 'Drag and drop', value: 'drag' }] },
  ];

  it('are described in words, in the order of the fields', () => {
    assert.equal(
      describeFilter(fields, { templateType: 'drag', search: 'sale' }),
      'name or subject ~ “sale”, type = drag and drop',
    );
    assert.equal(describeFilter(fields, {}), '');
  });

  it('hold no empty values, and none that the collection does not know', () => {
    assert.deepEqual(cleanFilter(fields, { search: ' sale ', templateType: '', other: 'x' }), { search: 'sale' });
    assert.equal(isFiltered(cleanFilter(fields, { search: '  ' })), false);
  });
});
