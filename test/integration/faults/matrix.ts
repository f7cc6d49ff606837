import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { describeCause, getExpected, isFailure, type Expected, type Fault } from '../../support/faults.ts';
import {
  interfaceActions,
  saveCauses,
  messageOverrides,
  type ActionName,
  type InterfaceAction,
} from '../../support/interface.ts';
import { eventually } from '../../support/eventually.ts';
import { answering, type Shown } from '../answers.ts';
import { closeEditors, connectService, revertAll, type TestService } from '../service.ts';
import { actions, type Attempt, type Stage } from './actions.ts';
import { Relay } from './relay.ts';
import { recordWindow, type RecordedWindow } from './window.ts';

/** Buttons that confirm the action. */
const confirmations = ['Delete', 'Send', 'Send Test', 'Send Again', 'Subscribe', 'Unsubscribe', 'Continue'];
/** Request timeout while a request hangs, in seconds. */
const SHORT_TIMEOUT_S = 2;

/** Expected result of an action after a fault. */
interface ExpectedOutcome {
  readonly done: boolean;
  /** Required texts, each with alternatives. Empty if the action succeeds. */
  readonly messages: readonly (readonly (string | RegExp)[])[];
}

/** Actions are buttons of a message, or choices. */
const errorAction = /^(?:Retry|Set API Key|Edit Connection|Continue…)$|\$\(refresh\) Try again|\$\(edit\) Correct/mu;

function getExpectedOutcome(action: InterfaceAction, fault: Fault) {
  const expected = getExpected(fault, action);
  if (!isFailure(expected)) return afterSuccess(action, expected);
  if (expected.kind === 'notFound' && action.notFoundIsEmpty === true) return succeeded;
  if (expected.outcome === 'unknown' && action.checks !== undefined) {
    if (fault.isDone) return succeeded;
    const cause = action.surface === 'save' ? [[saveCauses[expected.kind] ?? expected.cause]] : [];
    return { done: false, messages: [[action.checks.notDone], ...cause] };
  }
  const cause = describeCause(expected, action.operation);
  const override = messageOverrides[action.surface]?.[expected.kind];
  if (override !== undefined) return { done: false, messages: [[override.words]] };
  return {
    done: false,
    messages: [[cause], expected.outcome === 'unknown' ? [expected.next] : [expected.next, errorAction]],
  };
}

const succeeded: ExpectedOutcome = { done: true, messages: [] };

/** Expectation for a successful response, which may contain nothing to show or may not have stored anything. */
function afterSuccess(action: InterfaceAction, { result }: Exclude<Expected, { readonly kind: string }>) {
  if (result !== 'empty') return succeeded;
  if (action.isWrite)
    return action.notStored === undefined ? succeeded : { done: false, messages: [[action.notStored]] };
  const { done, messages } = action.noRecords ?? { done: false, messages: [] };
  return { done, messages: messages.map((words) => [words]) };
}

/** Defines one test per case: a user action fails under a fault, the user is notified, and the action works afterwards. */
export function describeFaults(title: string, cases: ReadonlyMap<Fault, readonly ActionName[]>): void {
  describe(title, function () {
    for (const [fault, names] of cases) {
      describe(fault.name, () => {
        let service: TestService;
        let relay: Relay;
        const settings = () => vscode.workspace.getConfiguration('mailing');
        const update = (name: string, value: number | object | undefined) =>
          settings().update(name, value, vscode.ConfigurationTarget.Global);

        before(async () => {
          service = await connectService({ subscribers: 120 }, async ({ baseUrl }) => {
            relay = await Relay.start(Number(new URL(baseUrl).port));
            return `http://127.0.0.1:${relay.port}`;
          });
          await update('testLists', { [service.connection]: 8 });
        });

        afterEach(async () => {
          service.sandbox.faults.clear();
          // Writing settings is slower than most of these tests.
          if (settings().inspect('request.timeout')?.globalValue !== undefined)
            await update('request.timeout', undefined);
          await revertAll();
          await closeEditors();
        });

        after(async () => {
          await update('testLists', undefined);
          await service.end();
          await relay.refuse();
        });

        for (const name of names) {
          const action: InterfaceAction = interfaceActions[name];
          it(action.name, () =>
            recordWindow(async (window) => {
              const stage = { service, baseUrl: `http://127.0.0.1:${relay.port}`, window };
              await play(stage, relay, name, fault);
            }),
          );
        }
      });
    }
  });

  async function play(stage: Stage, relay: Relay, name: ActionName, fault: Fault) {
    const action: InterfaceAction = interfaceActions[name];
    const { done, messages } = getExpectedOutcome(action, fault);
    const { sandbox } = stage.service;
    const { result: attempt } = await answering(confirmations, () => actions[name](stage));
    try {
      const end = await startFault(fault, relay, stage, action);
      const mark = sandbox.requests.at(-1)?.number ?? 0;
      const requests = () =>
        sandbox.requests.filter(({ number, operation }) => number > mark && operation === action.operation).length;
      await answering(confirmations, async (shown) => {
        assert.equal(await attempt.act(), done, collectTexts(shown, stage.window).join('\n'));
        if (action.isWrite) assert.ok(requests() <= 1, `${requests()} requests`);
        if (!done) {
          attempt.assertInputKept?.();
          const ownMessages = (await attempt.readMessages?.()) ?? [];
          await eventually(() => assertReported([...ownMessages, ...collectTexts(shown, stage.window)], messages));
          attempt.assertInputKept?.();
        }
      });
      await end();
      const isOver = done || (action.isWrite && fault.isDone && action.canResume !== true);
      await again(stage, name, attempt, isOver);
      if (action.canResume === true && fault.isDone && !done)
        assert.equal(requests(), 1, 'A completed write was sent again.');
    } finally {
      await attempt.end?.();
    }
  }

  /** Repeats the action without the fault, on a new record if this one is finished. */
  async function again(stage: Stage, name: ActionName, attempt: Attempt, isOver: boolean) {
    const next = isOver ? (await answering(confirmations, () => actions[name](stage))).result : attempt;
    try {
      const { result, shown } = await answering(confirmations, () => next.act());
      assert.equal(
        result,
        true,
        `The action still fails after the fault: ${collectTexts(shown, stage.window).join('\n')}`,
      );
    } finally {
      if (next !== attempt) await next.end?.();
    }
  }
}

/** Starts a fault. Returns a function that ends it. */
async function startFault(fault: Fault, relay: Relay, { service }: Stage, { operation }: InterfaceAction) {
  if (typeof fault.rule === 'string') {
    await relay.refuse();
    return () => relay.accept();
  }
  if (fault.hangsIn !== undefined)
    await vscode.workspace
      .getConfiguration('mailing')
      .update('request.timeout', SHORT_TIMEOUT_S, vscode.ConfigurationTarget.Global);
  const added = service.sandbox.faults.add({ ...fault.rule, operation });
  return () => Promise.resolve(added.remove());
}

/** Returns all texts that the window has shown. */
function collectTexts(shown: readonly Shown[], { picks }: RecordedWindow) {
  return [...shown.filter(({ modal }) => !modal).map(({ text, buttons }) => [text, ...buttons].join('\n')), ...picks];
}

function assertReported(shown: readonly string[], messages: ExpectedOutcome['messages']) {
  const all = shown.join('\n');
  const isShown = (words: string | RegExp) => (typeof words === 'string' ? all.includes(words) : words.test(all));
  for (const alternatives of messages)
    assert.ok(alternatives.some(isShown), `no “${alternatives.map(String).join('” or “')}” in:\n${all}`);
}
