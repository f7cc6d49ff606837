/*
 * A run is a large change of subscriptions, made request by request. What becomes of each is an event; what is known of a run is its plan
 * with its events applied. So a run can be kept as a plan and a log, and goes on from there without repeating what was done.
 */

/** One request. */
export interface Step {
  readonly emails: readonly string[];
  readonly listIds: readonly number[];
}

export type ChangeKind = 'subscribe' | 'unsubscribe';

/** What was agreed to. */
export interface RunPlan {
  readonly id: string;
  readonly kind: ChangeKind;
  readonly connection: string;
  readonly lists: readonly { readonly id: number; readonly name: string }[];
  /** Whether the lists' welcome or unsubscribe mail goes out. */
  readonly sendEmail: boolean;
  readonly trigger: boolean;
  /** ISO 8601 */
  readonly startedAt: string;
  readonly steps: readonly Step[];
}

/** `sent`: the answer is not known. `checked`: what the service had done of it was found out by reading. `leftOut`: the user gave it up. */
type StepState = 'left' | 'sent' | 'done' | 'checked' | 'leftOut';

export type RunEvent =
  /** A window begins to work on the run, or ends. */
  | { readonly type: 'opened'; readonly session: string }
  | { readonly type: 'closed' }
  /** The request goes out with the next breath. */
  | { readonly type: 'sent'; readonly step: number }
  | { readonly type: 'refused'; readonly step: number }
  | { readonly type: 'done'; readonly step: number; readonly notFound: readonly string[] }
  /** Of a request without an answer, `again` is what is not seen to be done: the user agreed to its being sent again, or leaves it out. */
  | { readonly type: 'checked'; readonly step: number; readonly again: readonly Step[] }
  | { readonly type: 'leftOut'; readonly step: number };

/** A request of a run, and what became of it. */
interface RunStep extends Step {
  readonly state: StepState;
}

export interface Run {
  readonly plan: RunPlan;
  readonly steps: readonly RunStep[];
  readonly notFound: readonly string[];
  /** The window that works on it. */
  readonly session?: string;
}

/** Addresses of a run, each once. */
export interface AddressTally {
  readonly done: readonly string[];
  readonly notFound: readonly string[];
  readonly unknown: readonly string[];
  readonly left: readonly string[];
  readonly leftOut: readonly string[];
}

/** Cuts addresses into requests of at most `size`. */
export function createSteps(emails: readonly string[], listIds: readonly number[], size: number): Step[] {
  const steps: Step[] = [];
  for (let at = 0; at < emails.length; at += size) steps.push({ emails: emails.slice(at, at + size), listIds });
  return steps;
}

export function startRun(plan: RunPlan): Run {
  return { plan, steps: plan.steps.map((step) => ({ ...step, state: 'left' })), notFound: [] };
}

/** From which state an event takes a step, and to which. */
const transitions = {
  sent: { from: ['left'], to: 'sent' },
  refused: { from: ['sent'], to: 'left' },
  done: { from: ['sent'], to: 'done' },
  checked: { from: ['sent'], to: 'checked' },
  leftOut: { from: ['sent', 'left'], to: 'leftOut' },
} as const satisfies Readonly<Record<string, { readonly from: readonly StepState[]; readonly to: StepState }>>;

/** A run after an event. Throws where the event can't follow on what was before: nothing is guessed then. */
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
  const again = event.type === 'checked' ? event.again.map((each): RunStep => ({ ...each, state: 'left' })) : [];
  // What is to be sent again goes to the end: the numbers of the others stay what the log says.
  const steps = [...run.steps.with(event.step, { ...step, state: to }), ...again];
  return { ...run, steps, notFound: event.type === 'done' ? [...run.notFound, ...event.notFound] : run.notFound };
}

/** The run that a plan and its log tell of. Throws where the log does not fit. */
export function replayEvents(plan: RunPlan, events: readonly RunEvent[]): Run {
  return events.reduce(applyEvent, startRun(plan));
}

/** Numbers of the requests whose answer is not known. */
export function findUnconfirmedSteps(run: Run): readonly number[] {
  return run.steps.flatMap(({ state }, index) => (state === 'sent' ? [index] : []));
}

/** Number of the request that is to be sent next. */
export function findNextStep(run: Run): number | undefined {
  const index = run.steps.findIndex(({ state }) => state === 'left');
  return index < 0 ? undefined : index;
}

/** What became of the addresses. One that goes to several lists by several requests is done when all of them are. */
export function tallyAddresses(run: Run): AddressTally {
  const of = (...states: readonly StepState[]): readonly string[] =>
    run.steps.filter(({ state }) => states.includes(state)).flatMap(({ emails }) => emails);
  const notFound = new Map(run.notFound.map((email) => [email.toLowerCase(), email]));
  // What is least certain of an address is what counts.
  const seen = new Set<string>();
  const fresh = (emails: readonly string[]): readonly string[] =>
    emails.filter((email) => {
      const isFresh = !seen.has(email);
      seen.add(email);
      return isFresh;
    });
  const [unknown, left, leftOut] = [fresh(of('sent')), fresh(of('left')), fresh(of('leftOut'))];
  const done = fresh(of('done', 'checked')).filter((email) => !notFound.has(email.toLowerCase()));
  return { done, notFound: [...notFound.values()], unknown, left, leftOut };
}

/** What the service answered to a request. */
export type StepResult =
  | { readonly kind: 'done'; readonly notFound: readonly string[]; readonly problem?: string }
  /** It was not done. */
  | { readonly kind: 'refused'; readonly error: unknown }
  /** It may have been done. */
  | { readonly kind: 'unknown'; readonly error: unknown };

/** Why the work on a run ended. */
export type RunEnding =
  | { readonly kind: 'finished' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'refused'; readonly error: unknown }
  | { readonly kind: 'unknown'; readonly error: unknown }
  /** The service did it, and said that something is wrong. */
  | { readonly kind: 'problem'; readonly message: string }
  /** What becomes of the requests can't be kept: so none is sent. */
  | { readonly kind: 'notKept'; readonly error: unknown };

/** What the work on a run needs. `send` never throws. */
interface RunPorts {
  send(step: Step): Promise<StepResult>;
  /** Stores an event. Throws where it can't. */
  storeEvent(event: RunEvent): Promise<void>;
  isCancelled(): boolean;
  report(run: Run): void;
}

/** Sends what is left of a run, request by request, until all is done or something stands in the way. No request is sent twice. */
export async function executeRun(
  start: Run,
  ports: RunPorts,
): Promise<{ readonly run: Run; readonly ending: RunEnding }> {
  let run = start;
  // What happened is true, kept or not.
  const happened = async (event: RunEvent): Promise<void> => {
    run = applyEvent(run, event);
    await ports.storeEvent(event);
  };
  try {
    for (let step = findNextStep(run); step !== undefined; step = findNextStep(run)) {
      ports.report(run);
      if (findUnconfirmedSteps(run).length > 0) throw new Error('What became of a request is not known yet.');
      if (ports.isCancelled()) return { run, ending: { kind: 'cancelled' } };
      // Kept before it goes out: whatever ends this window, the request is never taken for one that was not sent.
      await ports.storeEvent({ type: 'sent', step });
      run = applyEvent(run, { type: 'sent', step });
      const { emails, listIds } = run.steps[step] ?? { emails: [], listIds: [] };
      const answer = await ports.send({ emails, listIds });
      if (answer.kind === 'unknown') return { run, ending: answer };
      if (answer.kind === 'refused') {
        await happened({ type: 'refused', step });
        return { run, ending: answer };
      }
      await happened({ type: 'done', step, notFound: answer.notFound });
      if (answer.problem !== undefined) return { run, ending: { kind: 'problem', message: answer.problem } };
    }
  } catch (error) {
    return { run, ending: { kind: 'notKept', error } };
  }
  return { run, ending: { kind: 'finished' } };
}
