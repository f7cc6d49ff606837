import assert from 'node:assert/strict';
import { routes } from '../../../src/service/client/routes.ts';
import { selectCases } from '../../support/faultCases.ts';
import {
  describeCause,
  getExpected,
  faults,
  isFailure,
  type Expected,
  type Failure,
  type Fault,
} from '../../support/faults.ts';
import { operationCases, type OperationCase } from '../../support/operations.ts';
import { both, makeAssets } from '../service/sandbox/support.ts';
import { FaultStage, containsKey, type Evidence, type CallResult } from './faultStage.ts';

/** The soak runs all combinations. */
const run = process.env['MAILING_STUDIO_FAULTS'] === 'all' ? 'soak' : 'tests';

const formatName = ({ operation, variant }: OperationCase) =>
  variant === undefined ? operation : `${operation} (${variant})`;
const unwrapResult = (callResult: CallResult) =>
  'error' in callResult ? assert.fail(`failed: ${callResult.error.message}`) : callResult.result;

function assertFailure(
  { result: callResult, requests, attempts }: Evidence,
  expected: Failure,
  { operation, isWrite }: OperationCase,
  fault: Fault,
): void {
  if (!('error' in callResult)) return assert.fail(`did not fail: ${JSON.stringify(callResult.result)}`);
  const { error } = callResult;
  assert.deepEqual(
    [error.kind, error.operation, error.outcome],
    [expected.kind, operation, isWrite ? expected.outcome : 'refused'],
  );
  const cause = describeCause(expected, operation);
  assert.ok(error.message.startsWith(`${routes[operation].describeFailure()} `), error.message);
  assert.ok(error.message.includes(cause), `no “${cause}” in: ${error.message}`);
  assert.ok(error.message.endsWith(expected.next), `no “${expected.next}” at the end of: ${error.message}`);
  // Apart from the quoted message of the service, it is on one line.
  assert.doesNotMatch(error.message.replace(/".*"/su, ''), /[\r\n]/u);
  assert.equal(typeof fault.rule === 'string' ? attempts : requests, expected.requests);
  if (typeof fault.rule === 'string') assert.equal(requests, 0);
}

function assertSuccess(
  { result: callResult, requests }: Evidence,
  expected: Exclude<Expected, Failure>,
  usual: Evidence,
  { isWrite }: OperationCase,
) {
  const result = unwrapResult(callResult);
  assert.equal(requests, expected.requests);
  if (expected.result === 'response') assert.deepEqual(result, unwrapResult(usual.result));
  if (expected.result === 'reported') {
    assert.ok(JSON.stringify(result).includes('Disk is full'), JSON.stringify(result));
    for (const [field, value] of Object.entries(Object(unwrapResult(usual.result))))
      if (typeof value === 'number') assert.equal(Object(result)[field], value);
  }
  if (expected.result === 'empty' && !isWrite) assert.deepEqual(result, []);
}

for (const [index, profile] of both.entries()) {
  describe(`operations under faults (${profile})`, function () {
    // Tests may have to wait on a busy machine.
    let assets: Awaited<ReturnType<typeof makeAssets>>;
    let stage: FaultStage;
    let initialHash: string;
    /** Results of the cases without a fault. */
    const usual = new Map<OperationCase, Evidence>();

    const playWithoutFault = async (one: OperationCase) => {
      const evidence = usual.get(one) ?? (await stage.play(one));
      usual.set(one, evidence);
      return evidence;
    };

    before(async () => {
      assets = await makeAssets();
      stage = await FaultStage.open(profile, assets.folder);
      initialHash = await stage.resetAndHash();
    });

    after(async () => {
      await stage.close();
      await assets.remove();
    });

    describe('without a fault', () => {
      for (const one of operationCases) {
        it(`${formatName(one)} ${one.isWrite ? 'changes' : 'reads'} data with one request`, async () => {
          const { result: callResult, requests, stateHash } = await playWithoutFault(one);
          assert.equal(requests, 1);
          assert.equal(stateHash !== initialHash, one.isWrite);
          if (!one.isWrite) assert.notDeepEqual(unwrapResult(callResult), []);
        });
      }
    });

    for (const fault of faults) {
      describe(fault.name, () => {
        for (const one of selectCases(fault, index, run)) {
          const expected = getExpected(fault, one);
          it(`${formatName(one)} ${isFailure(expected) ? `fails: ${expected.kind}${one.isWrite ? `, ${expected.outcome}` : ''}` : `succeeds: ${expected.result}`}`, async () => {
            const normal = await playWithoutFault(one);
            const evidence = await stage.play(one, fault);
            if (isFailure(expected)) assertFailure(evidence, expected, one, fault);
            else assertSuccess(evidence, expected, normal, one);
            if ('error' in evidence.result) assert.ok(!containsKey(evidence.result.error), 'the key is in the error');
            // Performed at most once, and only if the fault allows it. Refused calls are never performed.
            const isDone = one.isWrite && fault.isDone;
            assert.equal(evidence.stateHash, isDone ? normal.stateHash : initialHash);
            if (isFailure(expected) && expected.outcome === 'refused') assert.equal(evidence.stateHash, initialHash);
            // The same call works with the same client afterwards.
            const again = unwrapResult(evidence.retryResult);
            if (isDone)
              assert.notEqual(
                evidence.stateAfterRetry,
                one.responseKind === 'updated' ? initialHash : evidence.stateHash,
              );
            else assert.deepEqual([again, evidence.stateAfterRetry], [unwrapResult(normal.result), normal.stateHash]);
          });
        }
      });
    }
  });
}
