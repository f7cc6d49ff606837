import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { operationCases } from '../../support/operations.ts';
import { faults } from '../../support/faults.ts';
import { faultsPage } from '../../support/faultsTable.ts';
import { interfaceActions } from '../../support/interface.ts';
import { routes } from '../../../src/api/routes.ts';

describe('the tables of faults', () => {
  it('are what test/faults.md shows: npm run faults writes it', () => {
    assert.equal(readFileSync(new URL('../../faults.md', import.meta.url), 'utf8'), faultsPage());
  });

  it('name every operation of the client, as a read or a write', () => {
    const seen = new Set(operationCases.map(({ operation }) => operation));
    assert.deepEqual(Object.keys(routes).filter((name) => ![...seen].some((operation) => operation === name)), []);
    for (const { operation, write } of [...operationCases, ...Object.values(interfaceActions)]) assert.equal(write, routes[operation].method !== 'GET', operation);
  });

  it('let no write be sent twice', () => {
    for (const { name, write, except = [] } of faults) {
      for (const { requests } of [write, ...except.map(({ expected }) => expected)]) assert.equal(requests, 1, name);
    }
  });

  it('call nothing refused that the service has done', () => {
    for (const { name, done, write } of faults) if (done && 'kind' in write) assert.equal(write.outcome, 'unknown', name);
  });
});
