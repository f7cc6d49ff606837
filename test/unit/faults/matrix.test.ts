import assert from 'node:assert/strict';
import { routes } from '../../../src/service/client/routes.ts';
import { selectCases } from '../../support/faultCases.ts';
import { getExpected, faults, isFailure } from '../../support/faults.ts';
import type { Expected, Failure, Fault } from '../../support/faults.ts';
import { operationCases } from '../../support/operations.ts';
import type { OperationCase } from '../../support/operations.ts';
import { both, makeAssets } from '../service/sandbox/support.ts';
import { FaultStage, containsKey } from './faultStage.ts';
import type { Evidence, CallResult } from './faultStage.ts';

/** The soak asks for everything. */
const run = process.env['MAILING_STUDIO_FAULTS'] === 'all' ? 'soak' : 'tests';

const formatName = ({ operation, variant }: OperationCase): string =>
  variant === undefined ? operation : `${operation} (${variant})`;
const unwrapResult = (told: CallResult): unknown =>
  'error' in told ? assert.fail(`failed: ${told.error.message}`) : told.result;

function assertFailure(
  { result: told, requests, attempts }: Evidence,
  expected: Failure,
  { operation, isWrite: write }: OperationCase,
  fault: Fault,
): void {
  if (!('error' in told)) return assert.fail(`did not fail: ${JSON.stringify(told.result)}`);
  const { error } = told;
  assert.deepEqual(
    [error.kind, error.operation, error.outcome],
    [expected.kind, operation, write ? expected.outcome : 'refused'],
  );
  const { activity: doing, recordLabel: noun } = routes[operation];
  const cause = expected.cause.replace('{noun}', noun);
  assert.ok(error.message.startsWith(`${doing} failed: `), error.message);
  assert.ok(error.message.includes(cause), `no “${cause}” in: ${error.message}`);
  assert.ok(
    error.message.endsWith('.') && error.message.slice(error.message.lastIndexOf('; ')).includes(expected.next),
    `no “${expected.next}” in: ${error.message}`,
  );
  // Besides what the service said, it is one sentence on one line.
  assert.doesNotMatch(error.message.replace(/“.*”/su, ''), /[.!?] [A-Z]|[\r\n]/u);
  assert.equal(typeof fault.rule === 'string' ? attempts : requests, expected.requests);
  if (typeof fault.rule === 'string') assert.equal(requests, 0);
}

function assertSuccess(
  { result: told, requests }: Evidence,
  expected: Exclude<Expected, Failure>,
  usual: Evidence,
  { isWrite: write }: OperationCase,
): void {
  const result = unwrapResult(told);
  assert.equal(requests, expected.requests);
  if (expected.result === 'response') assert.deepEqual(result, unwrapResult(usual.result));
  if (expected.result === 'reported') {
    assert.ok(JSON.stringify(result).includes('Disk is full'), JSON.stringify(result));
    for (const [field, value] of Object.entries(Object(unwrapResult(usual.result))))
      if (typeof value === 'number') assert.equal(Object(result)[field], value);
  }
  if (expected.result === 'empty' && !write) assert.deepEqual(result, []);
}

for (const [index, profile] of both.entries()) {
  describe(`each operation under each fault (${profile})`, function () {
    // What a test looks at may have to wait for a turn on a busy machine.
    this.timeout(60_000);
    let assets: Awaited<ReturnType<typeof makeAssets>>;
    let stage: FaultStage;
    let began: string;
    /** Each case without a fault, once it was played. */
    const usual = new Map<OperationCase, Evidence>();

    const usually = async (one: OperationCase): Promise<Evidence> => {
      const evidence = usual.get(one) ?? (await stage.play(one));
      usual.set(one, evidence);
      return evidence;
    };

    before(async () => {
      assets = await makeAssets();
      stage = await FaultStage.open(profile, assets.folder);
      began = await stage.resetAndHash();
    });

    after(async () => {
      await stage.close();
      await assets.remove();
    });

    describe('without a fault', () => {
      for (const one of operationCases) {
        it(`${formatName(one)} ${one.isWrite ? 'changes' : 'reads'} something, with one request`, async () => {
          const { result: told, requests, stateHash: state } = await usually(one);
          assert.equal(requests, 1);
          assert.equal(state !== began, one.isWrite);
          if (!one.isWrite) assert.notDeepEqual(unwrapResult(told), []);
        });
      }
    });

    for (const fault of faults) {
      describe(fault.name, () => {
        for (const one of selectCases(fault, index, run)) {
          const expected = getExpected(fault, one);
          it(`${formatName(one)} ${isFailure(expected) ? `fails: ${expected.kind}${one.isWrite ? `, ${expected.outcome}` : ''}` : `succeeds: ${expected.result}`}`, async () => {
            const without = await usually(one);
            const seen = await stage.play(one, fault);
            if (isFailure(expected)) assertFailure(seen, expected, one, fault);
            else assertSuccess(seen, expected, without, one);
            if ('error' in seen.result) assert.ok(!containsKey(seen.result.error), 'the key is in the error');
            // Done once or not at all, and only where the service is known to have done it; what is refused was never done.
            const isDone = one.isWrite && fault.isDone;
            assert.equal(seen.stateHash, isDone ? without.stateHash : began);
            if (isFailure(expected) && expected.outcome === 'refused') assert.equal(seen.stateHash, began);
            // The same client, the same call: it works, and does what it should.
            const again = unwrapResult(seen.retryResult);
            if (isDone) assert.notEqual(seen.stateAfterRetry, one.responseKind === 'updated' ? began : seen.stateHash);
            else assert.deepEqual([again, seen.stateAfterRetry], [unwrapResult(without.result), without.stateHash]);
          });
        }
      });
    }
  });
}
