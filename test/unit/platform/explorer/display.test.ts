import assert from 'node:assert/strict';
import { unreadableSymbol } from '../../../../src/service/client/shapes.ts';
import { ApiError, type ApiErrorKind } from '../../../../src/service/client/errors.ts';
import type { Connection, ConnectionState } from '../../../../src/platform/connections/model.ts';
import {
  addUnreadableNote,
  cleanFilter,
  createSwatch,
  describeConnection,
  describeFilter,
  formatTooltip,
  getConnectionTooltip,
  getStateItem,
  isFiltered,
} from '../../../../src/platform/explorer/display.ts';
import type { FilterField, RecordItem } from '../../../../src/platform/explorer/model.ts';

const production: Connection = {
  id: 'production',
  name: 'Production',
  baseUrl: 'https://mail.example.com:8443/site',
  profile: 'documented',
};

function failed(kind: ApiErrorKind, message = 'It did not work.'): ConnectionState {
  return { kind: 'failed', error: new ApiError({ kind, operation: 'getLists', outcome: 'refused', message }) };
}

describe('a connection item', () => {
  it('shows host and state, problems first', () => {
    assert.equal(describeConnection(production, { kind: 'unknown' }), 'mail.example.com:8443');
    assert.equal(describeConnection(production, { kind: 'connected' }), 'mail.example.com:8443 · connected');
    assert.equal(describeConnection(production, { kind: 'keyMissing' }), 'key missing · mail.example.com:8443');
    assert.equal(describeConnection(production, failed('network')), 'unreachable · mail.example.com:8443');
    assert.equal(describeConnection({ ...production, sandbox: true }, { kind: 'connected' }), 'sandbox · connected');
  });

  it('distinguishes problems by their remedy', () => {
    const describeKind = (kind: ApiErrorKind) => getStateItem(failed(kind), production);
    for (const kind of ['network', 'timeout', 'server', 'tls', 'notJson', 'redirect', 'forbidden'] as const)
      assert.equal(describeKind(kind).context, 'failed');
    assert.equal(describeKind('unauthorized').context, 'keyRefused');
    const labels = (['timeout', 'unauthorized', 'tls', 'notJson'] as const).map((kind) => describeKind(kind).label);
    assert.equal(new Set(labels).size, 4);
  });

  it('shows the cause in the tooltip', () => {
    const rows = new Map(getConnectionTooltip(production, failed('network', 'The connection was refused.')));
    assert.equal(rows.get('Cause'), 'The connection was refused.');
    assert.equal(rows.get('Address'), production.baseUrl);
  });

  it('shows in the tooltip how it composes emails if that differs from its profile', () => {
    const rows = (connection: Connection) => new Map(getConnectionTooltip(connection, { kind: 'connected' }));
    assert.equal(rows({ ...production, composing: 'acymailing' }).get('Sends emails'), 'like AcyMailing');
    assert.equal(rows(production).get('Sends emails'), '');
  });
});

describe('createSwatch', () => {
  it('draws a color', () => {
    const image = createSwatch('#1a2B3c') ?? '';
    const [, data = ''] = image.split('data:image/svg+xml;base64,');
    assert.match(atob(data), /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg".*fill="#1a2B3c"/);
  });

  it('rejects other text', () => {
    for (const text of ['', 'red', '#fff', '#12345g', '#123456"/><script>', '"#123456', '#1234567'])
      assert.equal(createSwatch(text), undefined, text);
  });
});

describe('formatTooltip', () => {
  it('shows one line per row, without empty values', () => {
    const rows = Object.entries({ Name: 'Sale', Subject: ' ', ID: '7' });
    assert.equal(formatTooltip(rows), '**Name**: Sale  \n**ID**: 7');
  });

  it('keeps values within their row', () => {
    const markdown = formatTooltip([['Name', '**\n\n# x <b> [a](command:b) https://e.example']]);
    assert.doesNotMatch(markdown.replace('**Name**: ', '').replace(/&#\d+;/g, ''), /[^\w ]/);
  });
});

describe('filters', () => {
  const fields: FilterField[] = [
    { key: 'search', label: 'Name or subject' },
    { key: 'templateType', label: 'Type', choices: [{ label: 'Drag and drop', value: 'drag' }] },
  ];

  it('are described in field order', () => {
    assert.equal(
      describeFilter(fields, { templateType: 'drag', search: 'sale' }),
      'Name or subject contains "sale", Type is Drag and drop',
    );
    assert.equal(describeFilter(fields, {}), '');
  });

  it('drop empty values and unsupported fields', () => {
    assert.deepEqual(cleanFilter(fields, { search: ' sale ', templateType: '', other: 'x' }), { search: 'sale' });
    assert.equal(isFiltered(cleanFilter(fields, { search: '  ' })), false);
  });
});

describe('addUnreadableNote', () => {
  const item: RecordItem = {
    label: 'Spring',
    description: 'subject',
    icon: { codicon: 'file-code' },
    tooltip: [['Name', 'Spring']],
    contextValue: 'mailing.template.standard',
  };

  it('notes that a record can’t be read completely', () => {
    const annotated = addUnreadableNote(item, { id: 1, [unreadableSymbol]: ['headers', 'subject'] });
    assert.deepEqual(annotated, {
      ...item,
      description: 'subject · partly unreadable',
      tooltip: [...item.tooltip, ["Can't be read", 'Fields in an undocumented format: headers and subject']],
      accessibleName: 'Spring, partly unreadable',
    });
  });

  it('returns the same item for a readable record', () => assert.equal(addUnreadableNote(item, { id: 1 }), item));
});
