import * as v from 'valibot';
import { isApiError } from '../../../service/client/shapes.ts';
import type { MailingClient, SubscriptionResult } from '../../../service/client/index.ts';
import { entryFields, type RequestKind } from '../../../sync/requests/journal.ts';

/*
 * A run is a large change of subscriptions that is sent in several requests. It is stored in the journal, which applies an event for each
 * result, so that it can continue without repeating requests.
 */

const addressesSchema = v.pipe(v.array(v.string()), v.readonly());

/** One request. */
const stepSchema = v.object({
  emails: addressesSchema,
  listIds: v.pipe(v.array(v.number()), v.readonly()),
});
const stepNumber = v.pipe(v.number(), v.integer());

const runSchema = v.object({
  ...entryFields,
  /** ID of the session whose window continues it. */
  session: v.string(),
  kind: v.picklist(['subscribe', 'unsubscribe']),
  lists: v.pipe(v.array(v.object({ id: v.number(), name: v.string() })), v.readonly()),
  /** Whether the lists' welcome or unsubscribe emails are sent. */
  sendEmail: v.boolean(),
  trigger: v.boolean(),
  /** In ms since the epoch. */
  startedAt: v.number(),
  steps: v.pipe(
    v.array(
      v.object({
        ...stepSchema.entries,
        /**
         * `left`: not sent yet. `sent`: unconfirmed. `checked`: the done part was determined by reading the lists.
         * `leftOut`: skipped by the user.
         */
        state: v.picklist(['left', 'sent', 'done', 'checked', 'leftOut']),
      }),
    ),
    v.readonly(),
  ),
  notFound: addressesSchema,
});

const eventSchema = v.variant('type', [
  /** Stored immediately before the request is sent. */
  v.object({ type: v.literal('sent'), step: stepNumber }),
  v.object({ type: v.literal('refused'), step: stepNumber }),
  v.object({ type: v.literal('done'), step: stepNumber, notFound: addressesSchema }),
]);

export type Step = Readonly<v.InferOutput<typeof stepSchema>>;
/** A confirmed change, with the states of its requests. */
export type Run = Readonly<v.InferOutput<typeof runSchema>>;
type RunStep = Run['steps'][number];
export type ChangeKind = Run['kind'];
export type RunEvent = Readonly<v.InferOutput<typeof eventSchema>>;

/** Runs in the journal. */
export const runKind: RequestKind<Run, RunEvent> = { entry: runSchema, change: eventSchema, apply: applyEvent };

/** Splits addresses into requests of at most `size` addresses. */
export function createSteps(emails: readonly string[], listIds: readonly number[], size: number): readonly RunStep[] {
  const steps: RunStep[] = [];
  for (let at = 0; at < emails.length; at += size)
    steps.push({ emails: emails.slice(at, at + size), listIds, state: 'left' });
  return steps;
}

/** Applies an event to a run. Throws if the event is impossible in the current state. */
export function applyEvent(run: Run, event: RunEvent): Run {
  const step = run.steps[event.step];
  if (step?.state !== (event.type === 'sent' ? 'left' : 'sent'))
    throw new Error(`Request ${event.step + 1} is ${step?.state ?? 'missing'}: it can't be "${event.type}".`);
  const steps = run.steps.with(event.step, { ...step, state: event.type === 'refused' ? 'left' : event.type });
  return { ...run, steps, notFound: event.type === 'done' ? [...run.notFound, ...event.notFound] : run.notFound };
}

/** Resolves an unconfirmed request: appends its undone part, which is sent again or left out. */
export function resolveStep(run: Run, index: number, undone: readonly Step[], state: 'left' | 'leftOut'): Run {
  const step = run.steps[index];
  if (step?.state !== 'sent') throw new Error(`Request ${index + 1} isn't unconfirmed.`);
  const added = undone.map((each) => ({ ...each, state }));
  return { ...run, steps: [...run.steps.with(index, { ...step, state: 'checked' }), ...added] };
}

/** Returns the indexes of the unconfirmed requests. */
export function findUnconfirmedSteps(run: Run): readonly number[] {
  return run.steps.flatMap(({ state }, index) => (state === 'sent' ? [index] : []));
}

/** Groups the addresses by state, each listed once. An address in several requests is done when all of them are. */
export function tallyAddresses(run: Run) {
  const notFound = new Map(run.notFound.map((email) => [email.toLowerCase(), email]));
  const counted = new Set<string>();
  const takeUncounted = (...states: readonly RunStep['state'][]): readonly string[] => {
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
  storeEvent(event: RunEvent): Promise<unknown>;
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
  { kind, sendEmail, trigger }: Pick<Run, 'kind' | 'sendEmail' | 'trigger'>,
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
