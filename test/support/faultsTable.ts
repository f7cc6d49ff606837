import { expectedOf, faults, isFailure } from './faults.ts';
import type { Expected } from './faults.ts';
import { interfaceActions, interfaceFaults, isForSoak } from './interface.ts';
import type { InterfaceAction } from './interface.ts';
import { callsUnder, PROFILES } from './faultCases.ts';
import { operationCases } from './operations.ts';
import type { AnswerClass } from './operations.ts';

const answers: Readonly<Record<AnswerClass, string>> = {
  records: 'records',
  record: 'one record',
  done: 'writes that answer with a message',
  stored: 'writes that make a record',
  updated: 'writes that change a record',
  users: 'subscriptions',
};

const gives = {
  answer: 'succeeds',
  nothing: 'succeeds, with nothing to show',
  told: 'succeeds, and tells what the service reports',
} as const;

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** What is expected, in one cell: kind, outcome and message, or how it succeeds. */
function words(expected: Expected, write: boolean): string {
  if (!isFailure(expected)) return gives[expected.gives];
  return `\`${expected.kind}\`${write ? `, ${expected.outcome}` : ''}: …${expected.cause.replace('{noun}', '‹record›')}…; …${expected.next}…`;
}

const row = (...cells: readonly (string | number)[]): string =>
  `| ${cells.map((each) => cell(String(each))).join(' | ')} |`;

function exceptions(): string[] {
  return faults.flatMap((fault) =>
    (fault.except ?? []).map(({ answer, expected, because }) =>
      row(fault.name, answers[answer], words(expected, answer !== 'record' && answer !== 'records'), because),
    ),
  );
}

const afterUnknown: readonly (readonly [fits: (action: InterfaceAction) => boolean, words: string])[] = [
  [({ write }) => !write, 'a read changes nothing'],
  [({ looks }) => looks !== undefined, 'the interface looks by itself, and says what it found'],
  [({ continues }) => continues === true, 'the user is told; continued, it looks, and repeats only what the user says'],
  [() => true, 'the user is told to look'],
];

function actionRow(action: InterfaceAction): string {
  const count = (choose: (expected: Expected) => boolean): number =>
    interfaceFaults.filter((fault) => choose(expectedOf(fault, action))).length;
  const refused = count((expected) => isFailure(expected) && (!action.write || expected.outcome === 'refused'));
  const unknown = count((expected) => isFailure(expected) && action.write && expected.outcome === 'unknown');
  const after = afterUnknown.find(([fits]) => fits(action))?.[1] ?? '';
  return row(
    action.name,
    `\`${action.operation}\``,
    refused,
    unknown,
    interfaceFaults.length - refused - unknown,
    after,
  );
}

/** How many calls of the client, and how many actions of a user, meet a fault. */
export function faultCounts(): {
  readonly calls: number;
  readonly callsInTests: number;
  readonly actions: number;
  readonly actionsInSoak: number;
} {
  const actions: readonly InterfaceAction[] = Object.values(interfaceActions);
  return {
    calls: faults.reduce((sum, fault) => sum + callsUnder(fault, 'soak'), 0),
    callsInTests: faults.reduce((sum, fault) => sum + callsUnder(fault, 'tests'), 0),
    actions: actions.length * interfaceFaults.length,
    actionsInSoak: interfaceFaults.reduce(
      (sum, fault) => sum + actions.filter((action) => isForSoak(fault, action)).length,
      0,
    ),
  };
}

/** The page `test/faults.md`: what is tried, and what is expected of it, made of the tables that the tests are made of. */
export function faultsPage(): string {
  const actions: readonly InterfaceAction[] = Object.values(interfaceActions);
  const { calls, callsInTests, actions: taken, actionsInSoak: soak } = faultCounts();
  return [
    '# What goes wrong, and what comes of it',
    '',
    'Made by `npm run counts` of the tables that the tests are made of (`test/support/faults.ts`, `operations.ts`, `interface.ts`). A test fails where this page is not what they give.',
    '',
    `- The client: ${new Set(operationCases.map(({ operation }) => operation)).size} operations in ${operationCases.length} cases and ${PROFILES} profiles × ${faults.length} faults: **${calls} calls** (unit tests: ${callsInTests}, one of those of which the same is expected, the operations taking turns; soak: all).`,
    `- The interface: ${actions.length} actions × ${interfaceFaults.length} faults: **${taken} actions** (integration tests: ${taken - soak}; soak, with those that wait for pauses and timeouts: ${soak}).`,
    '',
    '## The client',
    '',
    'Of each call it is asserted: kind and outcome of the error; that its message is one sentence on one line that names the cause and the next step; that it does not hold the API key; how many',
    'requests the service received (a write: never more than one); that the service holds what it held before, or what one such call makes of it, and nothing else; and that the same client works right after.',
    '“Done” is what the service did in spite of the fault. What is refused was never done.',
    '',
    row('fault', 'a read', 'requests', 'a write', 'requests', 'done', 'calls'),
    row('---', '---', '---:', '---', '---:', '---', '---:'),
    ...faults.map((fault) =>
      row(
        fault.name,
        words(fault.read, false),
        fault.read.requests,
        words(fault.write, true),
        fault.write.requests,
        fault.done ? 'yes' : 'no',
        callsUnder(fault, 'soak'),
      ),
    ),
    '',
    'Faults of the network reach no service: there, “requests” counts the connections that were tried.',
    '',
    '### Exceptions',
    '',
    row('fault', 'operations', 'what comes of it', 'why'),
    row('---', '---', '---', '---'),
    ...exceptions(),
    '',
    '## The interface',
    '',
    'Of each action it is asserted: what the user reads (notification, tree, document, page or wizard) names the cause and the next step, as text or button; nothing typed is lost, and a document stays dirty',
    'with its text; the service received at most one request to write; and the same action works right after. The numbers are faults: after which it is refused, not known, or done all the same.',
    '',
    row('action', 'operation', 'refused', 'not known', 'done', 'where it is not known'),
    row('---', '---', '---:', '---:', '---:', '---'),
    ...actions.map(actionRow),
    '',
    `Faults: ${interfaceFaults.map(({ name }) => name).join('; ')}.`,
    '',
  ].join('\n');
}
