import assert from 'node:assert/strict';
import { routes } from '../../../src/service/client/routes.ts';
import { casesUnder } from '../../support/faultCases.ts';
import { expectedOf, faults, isFailure } from '../../support/faults.ts';
import type { Expected, Failure, Fault } from '../../support/faults.ts';
import { operationCases } from '../../support/operations.ts';
import type { OperationCase } from '../../support/operations.ts';
import { both, makeAssets } from '../service/sandbox/support.ts';
import { Stage, tellsKey } from './stage.ts';
import type { Evidence, Told } from './stage.ts';

/** The soak asks for everything. */
const run = process.env['MAILING_STUDIO_FAULTS'] === 'all' ? 'soak' : 'tests';

const nameOf = ({ operation, variant }: OperationCase): string =>
  variant === undefined ? operation : `${operation} (${variant})`;
const resultOf = (told: Told): unknown =>
  'error' in told ? assert.fail(`failed: ${told.error.message}`) : told.result;

function assertFailure(
  { told, requests, attempts }: Evidence,
  expected: Failure,
  { operation, write }: OperationCase,
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
  { told, requests }: Evidence,
  expected: Exclude<Expected, Failure>,
  usual: Evidence,
  { write }: OperationCase,
): void {
  const result = resultOf(told);
  assert.equal(requests, expected.requests);
  if (expected.gives === 'answer') assert.deepEqual(result, resultOf(usual.told));
  if (expected.gives === 'told') {
    assert.ok(JSON.stringify(result).includes('Disk is full'), JSON.stringify(result));
    for (const [field, value] of Object.entries(Object(resultOf(usual.told))))
      if (typeof value === 'number') assert.equal(Object(result)[field], value);
  }
  if (expected.gives === 'nothing' && !write) assert.deepEqual(result, []);
}

for (const [index, profile] of both.entries()) {
  describe(`each operation under each fault (${profile})`, function () {
    // What a test looks at may have to wait for a turn on a busy machine.
    this.timeout(60_000);
    let assets: Awaited<ReturnType<typeof makeAssets>>;
    let stage: Stage;
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
      stage = await Stage.open(profile, assets.folder);
      began = await stage.began();
    });

    after(async () => {
      await stage.close();
      await assets.remove();
    });

    describe('without a fault', () => {
      for (const one of operationCases) {
        it(`${nameOf(one)} ${one.write ? 'changes' : 'reads'} something, with one request`, async () => {
          const { told, requests, state } = await usually(one);
          assert.equal(requests, 1);
          assert.equal(state !== began, one.write);
          if (!one.write) assert.notDeepEqual(resultOf(told), []);
        });
      }
    });

    for (const fault of faults) {
      describe(fault.name, () => {
        for (const one of casesUnder(fault, index, run)) {
          const expected = expectedOf(fault, one);
          it(`${nameOf(one)} ${isFailure(expected) ? `fails: ${expected.kind}${one.write ? `, ${expected.outcome}` : ''}` : `succeeds: ${expected.gives}`}`, async () => {
            const without = await usually(one);
            const seen = await stage.play(one, fault);
            if (isFailure(expected)) assertFailure(seen, expected, one, fault);
            else assertSuccess(seen, expected, without, one);
            if ('error' in seen.told) assert.ok(!tellsKey(seen.told.error), 'the key is in the error');
            // Done once or not at all, and only where the service is known to have done it; what is refused was never done.
            const isDone = one.write && fault.done;
            assert.equal(seen.state, isDone ? without.state : began);
            if (isFailure(expected) && expected.outcome === 'refused') assert.equal(seen.state, began);
            // The same client, the same call: it works, and does what it should.
            const again = resultOf(seen.again);
            if (isDone) assert.notEqual(seen.stateAgain, one.answer === 'updated' ? began : seen.state);
            else assert.deepEqual([again, seen.stateAgain], [resultOf(without.told), without.state]);
          });
        }
      });
    }
  });
}
