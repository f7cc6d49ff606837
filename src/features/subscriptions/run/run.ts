import { isApiError } from '../../../service/client/shapes.ts';
import type { MailingClient, SubscriptionResult } from '../../../service/client/index.ts';

/*
 * A run is a large change of subscriptions that is sent in several requests. Each result is an event, and the state of a run is its plan with
 * all events applied. A run is stored as a plan and an event log, so that it can continue without repeating requests.
 */

/** One request. */
export interface Step {
  readonly emails: readonly string[];
  readonly listIds: readonly number[];
}

export type ChangeKind = 'subscribe' | 'unsubscribe';

/** A confirmed change. */
export interface RunPlan {
  readonly id: string;
  readonly kind: ChangeKind;
  readonly connection: string;
  /** The address of the confirmed service. */
  readonly baseUrl: string;
  readonly lists: readonly { readonly id: number; readonly name: string }[];
  /** Whether the lists' welcome or unsubscribe emails are sent. */
  readonly sendEmail: boolean;
  readonly trigger: boolean;
  /** ISO 8601 */
  readonly startedAt: string;
  readonly steps: readonly Step[];
}

/** `left`: not sent yet. `sent`: unconfirmed. `checked`: the done part was determined by reading the lists. `leftOut`: skipped by the user. */
type StepState = 'left' | 'sent' | 'done' | 'checked' | 'leftOut';

export type RunEvent =
  /** A window starts or ends its work on the run. */
  | { readonly type: 'opened'; readonly session: string }
  | { readonly type: 'closed' }
  /** Stored immediately before the request is sent. */
  | { readonly type: 'sent'; readonly step: number }
  | { readonly type: 'refused'; readonly step: number }
  | { readonly type: 'done'; readonly step: number; readonly notFound: readonly string[] }
  /** An unconfirmed request was checked. `again` is the undone part, which is sent again unless a `leftOut` event follows. */
  | { readonly type: 'checked'; readonly step: number; readonly again: readonly Step[] }
  | { readonly type: 'leftOut'; readonly step: number };

/** A request of a run with its state. */
interface RunStep extends Step {
  readonly state: StepState;
}

export interface Run {
  readonly plan: RunPlan;
  readonly steps: readonly RunStep[];
  readonly notFound: readonly string[];
  /** Session id of the window that is working on the run. */
  readonly session?: string;
}

/** Splits addresses into requests of at most `size` addresses. */
export function createSteps(emails: readonly string[], listIds: readonly number[], size: number): Step[] {
  const steps: Step[] = [];
  for (let at = 0; at < emails.length; at += size) steps.push({ emails: emails.slice(at, at + size), listIds });
  return steps;
}

export function startRun(plan: RunPlan): Run {
  return { plan, steps: plan.steps.map((step) => ({ ...step, state: 'left' })), notFound: [] };
}

/** State changes of a step by event. */
const transitions = {
  sent: { from: ['left'], to: 'sent' },
  refused: { from: ['sent'], to: 'left' },
  done: { from: ['sent'], to: 'done' },
  checked: { from: ['sent'], to: 'checked' },
  leftOut: { from: ['sent', 'left'], to: 'leftOut' },
} as const satisfies Readonly<Record<string, { readonly from: readonly StepState[]; readonly to: StepState }>>;

/** Applies an event to a run. Throws if the event is impossible in the current state. */
export function applyEvent(run: Run, event: RunEvent): Run {
  if (event.type === 'opened') return { ...run, session: event.session };
  if (event.type === 'closed') {
    const { session: _, ...closed } = run;
    return closed;
  }
  const step = run.steps[event.step];
  const { from, to } = transitions[event.type];
  if (step === undefined || !(from as readonly StepState[]).includes(step.state))
    throw new Error(`Request ${event.step + 1} is ${step?.state ?? 'missing'}: it can't be "${event.type}".`);
  const again = event.type === 'checked' ? event.again.map((newStep): RunStep => ({ ...newStep, state: 'left' })) : [];
  // Append repeated steps at the end, so that the step numbers in the log stay valid.
  const steps = [...run.steps.with(event.step, { ...step, state: to }), ...again];
  return { ...run, steps, notFound: event.type === 'done' ? [...run.notFound, ...event.notFound] : run.notFound };
}

/** Restores a run from its plan and log. Throws if the log doesn't match the plan. */
export function replayEvents(plan: RunPlan, events: readonly RunEvent[]): Run {
  return events.reduce(applyEvent, startRun(plan));
}

/** Returns the indexes of the unconfirmed requests. */
export function findUnconfirmedSteps(run: Run): readonly number[] {
  return run.steps.flatMap(({ state }, index) => (state === 'sent' ? [index] : []));
}

/** Groups the addresses by state, each listed once. An address in several requests is done when all of them are. */
export function tallyAddresses(run: Run) {
  const notFound = new Map(run.notFound.map((email) => [email.toLowerCase(), email]));
  const counted = new Set<string>();
  const takeUncounted = (...states: readonly StepState[]): readonly string[] => {
    const emails = run.steps.filter(({ state }) => states.includes(state)).flatMap((step) => step.emails);
    const taken = [...new Set(emails)].filter((email) => !counted.has(email));
    for (const email of taken) counted.add(email);
    return taken;
  };
  // The least certain state of an address counts.
  const unknown = takeUncounted('sent');
  const left = takeUncounted('left');
  const leftOut = takeUncounted('leftOut');
  const done = takeUncounted('done', 'checked').filter((email) => !notFound.has(email.toLowerCase()));
  return { done, notFound: [...notFound.values()], unknown, left, leftOut };
}

export type AddressTally = ReturnType<typeof tallyAddresses>;

/** The service's response to a request. */
export type StepResult =
  | { readonly kind: 'done'; readonly notFound: readonly string[]; readonly problem?: string }
  /** The request had no effect. */
  | { readonly kind: 'refused'; readonly error: unknown }
  /** The request may have taken effect. */
  | { readonly kind: 'unknown'; readonly error: unknown };

/** Why the execution of a run ended. */
export type RunEnding =
  | { readonly kind: 'finished' }
  | { readonly kind: 'canceled' }
  | Exclude<StepResult, { kind: 'done' }>
  /** The service processed the request and reported a problem. */
  | { readonly kind: 'problem'; readonly message: string }
  /** The journal can't be written, so nothing more is sent. */
  | { readonly kind: 'notStored'; readonly error: unknown };

/** Dependencies of `executeRun`. `send` never throws. */
interface RunPorts {
  send(step: Step): Promise<StepResult>;
  /** Stores an event. Throws if it can't be stored. */
  storeEvent(event: RunEvent): Promise<void>;
  isCanceled(): boolean;
  /** Reports the index of the next request. */
  report(step: number): void;
}

/** Sends the remaining requests of a run in sequence, until all are done or one fails. No request is sent twice. */
export async function executeRun(
  start: Run,
  ports: RunPorts,
): Promise<{ readonly run: Run; readonly ending: RunEnding }> {
  let run = start;
  // Apply the event even if it can't be stored: it has happened.
  const record = async (event: RunEvent) => {
    run = applyEvent(run, event);
    await ports.storeEvent(event);
  };
  try {
    const findNextStep = () => run.steps.findIndex(({ state }) => state === 'left');
    for (let step = findNextStep(); step >= 0; step = findNextStep()) {
      ports.report(step);
      if (findUnconfirmedSteps(run).length > 0) throw new Error('A request is still unconfirmed.');
      if (ports.isCanceled()) return { run, ending: { kind: 'canceled' } };
      // Store this before sending: if the window closes now, the request counts as unconfirmed, not as unsent.
      await ports.storeEvent({ type: 'sent', step });
      run = applyEvent(run, { type: 'sent', step });
      const { emails, listIds } = run.steps[step] ?? { emails: [], listIds: [] };
      const answer = await ports.send({ emails, listIds });
      if (answer.kind === 'unknown') return { run, ending: answer };
      if (answer.kind === 'refused') {
        await record({ type: 'refused', step });
        return { run, ending: answer };
      }
      await record({ type: 'done', step, notFound: answer.notFound });
      if (answer.problem !== undefined) return { run, ending: { kind: 'problem', message: answer.problem } };
    }
  } catch (error) {
    return { run, ending: { kind: 'notStored', error } };
  }
  return { run, ending: { kind: 'finished' } };
}

/** Sends one request of a plan. Never throws and never repeats the request. */
export async function sendStep(
  runOn: <T>(operation: (client: MailingClient) => Promise<T>) => Promise<T>,
  { kind, sendEmail, trigger }: Pick<RunPlan, 'kind' | 'sendEmail' | 'trigger'>,
  { emails, listIds }: Step,
): Promise<StepResult> {
  let hasBegun = false;
  const request = (client: MailingClient) => {
    hasBegun = true;
    return kind === 'subscribe'
      ? client.subscribeUsers({ emails, listIds, sendWelcomeEmail: sendEmail, trigger })
      : client.unsubscribeUsers({ emails, listIds, sendUnsubscribeEmail: sendEmail, trigger });
  };
  const answer = await classifyAnswer(() => runOn(request), emails);
  // The connection or client is missing, so nothing was sent.
  return answer.kind === 'unknown' && !hasBegun ? { kind: 'refused', error: answer.error } : answer;
}

/** Classifies the response to a request. A 404 "No users found." means that no address was found, and counts as done. */
export async function classifyAnswer(
  request: () => Promise<SubscriptionResult>,
  emails: readonly string[],
): Promise<StepResult> {
  try {
    const { notFound, message = '' } = await request();
    const problem = /\blists?\b[^.]*\bnot found\b[^.]*/iu.exec(message)?.[0];
    return { kind: 'done', notFound, ...(problem !== undefined && { problem }) };
  } catch (error) {
    // Other errors don't show whether the service processed the request.
    if (!isApiError(error)) return { kind: 'unknown', error };
    if (error.status === 404 && /\bno users?\b|\busers? not found\b/iu.test(error.serverMessage ?? ''))
      return { kind: 'done', notFound: emails };
    return { kind: error.outcome, error };
  }
}
