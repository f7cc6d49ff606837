import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { operationCases } from '../../support/operations.ts';
import { selectCases } from '../../support/faultCases.ts';
import { faults } from '../../support/faults.ts';
import { renderFaultsPage } from '../../support/faultsTable.ts';
import { interfaceActions } from '../../support/interface.ts';
import { routes } from '../../../src/service/client/routes.ts';

describe('fault tables', () => {
  it('match test/faults.md, which npm run counts writes', () => {
    assert.equal(readFileSync(new URL('../../faults.md', import.meta.url), 'utf8'), renderFaultsPage());
  });

  it('contain every operation of the client as a read or a write', () => {
    const covered = new Set(operationCases.map(({ operation }) => operation));
    assert.deepEqual(
      Object.keys(routes).filter((name) => ![...covered].some((operation) => operation === name)),
      [],
    );
    for (const { operation, isWrite } of [...operationCases, ...Object.values(interfaceActions)])
      assert.equal(isWrite, routes[operation].method !== 'GET', operation);
  });

  it('try each fault on a read and a write, and each operation, in both profiles without the soak', () => {
    for (const profile of [0, 1]) {
      const tried = faults.map((fault) => selectCases(fault, profile, 'tests'));
      for (const [index, cases] of tried.entries())
        assert.deepEqual([...new Set(cases.map(({ isWrite }) => isWrite))].sort(), [false, true], faults[index]?.name);
      assert.deepEqual(
        operationCases.filter((one) => !tried.flat().includes(one)),
        [],
      );
      for (const fault of faults) {
        const all = operationCases.filter(({ operation }) => fault.onlyOperations?.includes(operation) ?? true);
        assert.deepEqual(new Set(selectCases(fault, profile, 'soak')), new Set(all), fault.name);
      }
    }
  });

  it('expect every write to be sent once', () => {
    for (const { name, write, exceptions: except = [] } of faults) {
      for (const { requests } of [write, ...except.map(({ expected }) => expected)]) assert.equal(requests, 1, name);
    }
  });

  it('expect no performed write to be refused', () => {
    for (const { name, isDone: done, write } of faults)
      if (done && 'kind' in write) assert.equal(write.outcome, 'unknown', name);
  });
});
