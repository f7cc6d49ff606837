import * as vscode from 'vscode';
import { readAllLists, isTruncated } from '../../../service/client/allLists.ts';
import type { Connection } from '../../../platform/connections/model.ts';
import type { ExtensionServices } from '../../../platform/services.ts';
import { type CommandArgument, getFields } from '../../../platform/ui/commands.ts';
import { formatAmount, formatTimestamp, joinParts } from '../../../platform/ui/format.ts';
import { showInfo } from '../../../platform/ui/messages.ts';
import { withProgress } from '../../../platform/ui/progress.ts';
import { escapeMessage } from '../../../platform/ui/text.ts';
import { errorText, isCancelled, MAX_SENTENCE_CHARS } from '../../../platform/ui/errors.ts';
import { findUndone } from './findUndone.ts';
import { confirmChange } from './prompts.ts';
import type { RunJournal, StoredRun } from './journal.ts';
import { formatSummary } from './report.ts';
import {
  applyEvent,
  tallyAddresses,
  findUnconfirmedSteps,
  type ChangeKind,
  type Run,
  type RunEvent,
  type Step,
} from './run.ts';
import { changeTexts } from './changeTexts.ts';

/** A run that goes on: what was found out about it, which is to be kept first, and its lists that are gone. */
interface ResumedRun {
  readonly run: Run;
  readonly events: readonly RunEvent[];
  readonly deletedListIds: ReadonlySet<number>;
}

/** What is open of a request whose answer was lost, whether that is left out or sent again, and what the user is told of it. */
interface UnconfirmedStep {
  readonly undone: readonly Step[];
  readonly leaveOut: boolean;
  readonly note: string;
}

/** A run of another window that has rested this long is taken for left behind, in ms: longer than a request lasts. */
const ABANDONED_AFTER_MS = 120_000;
const interruptedDetail =
  'Another change with the same addresses would repeat what was done. ' +
  "What is forgotten can't be continued: there is no other record of what was done.";
const [continueButton, forgetButton, startAnotherButton] = ['Continue', 'Forget It', 'Start Another'];
const [checkAgainButton, leaveOutButton, sendAgainButton] = ['Look Again', 'Leave Them Out', 'Send Them Again'];

/** Finds runs that have stopped half-way, and what is to be done of them. */
export class RunResumer {
  readonly #connections: ExtensionServices['connections'];
  readonly #journal: RunJournal;

  constructor({ connections }: Pick<ExtensionServices, 'connections'>, journal: RunJournal) {
    this.#connections = connections;
    this.#journal = journal;
  }

  /** Where a change of this kind has stopped half-way on the connection, asks what becomes of it before another begins. */
  async askAboutInterrupted(connection: Connection, kind: ChangeKind): Promise<Run | 'goOn' | 'cancel'> {
    for (const { run } of await this.#listInterrupted()) {
      const { plan } = run;
      if (plan.connection !== connection.id || plan.kind !== kind) continue;
      const { action, preposition } = changeTexts[kind];
      const choice = await vscode.window.showWarningMessage(
        escapeMessage(
          `${action} ${preposition} ${quoteLists(run)} on ${connection.name} has stopped half-way. Continue it?`,
          MAX_SENTENCE_CHARS,
        ),
        { modal: true, detail: `${formatSummary(run)}\n${interruptedDetail}` },
        continueButton,
        forgetButton,
        startAnotherButton,
      );
      if (choice === continueButton) return run;
      if (choice === undefined) return 'cancel';
      if (choice === forgetButton) await this.#journal.remove(plan.id);
    }
    return 'goOn';
  }

  /** The run of the argument (`{ run }`), the only one that waits (of `{ connection }`), or the one picked. */
  async pickRun(argument: CommandArgument): Promise<Run | undefined> {
    const { run: id, connection } = getFields(argument);
    if (typeof id === 'string') {
      const kept = await this.#journal.read(id).catch(() => undefined);
      if (kept === undefined) throw new Error('It can’t be continued: it has come to its end, or was forgotten.');
      if (this.#isRunningElsewhere(kept))
        throw new Error('Another window is working on it. Wait until that has ended.');
      return kept.run;
    }
    const waiting = (await this.#listInterrupted()).filter(
      ({ run }) => typeof connection !== 'string' || run.plan.connection === connection,
    );
    if (waiting.length === 0) {
      void showInfo('No change of subscriptions has stopped half-way: there is nothing to continue.');
      return undefined;
    }
    if (waiting.length === 1) return waiting[0]?.run;
    const serviceOf = ({ plan }: Run): string =>
      escapeMessage(this.#connections.get(plan.connection)?.name ?? plan.connection);
    const items = waiting.map(({ run, updatedAt: touchedAt }) => ({
      label: escapeMessage(
        `${changeTexts[run.plan.kind].action} ${changeTexts[run.plan.kind].preposition} ${quoteLists(run)}`,
      ),
      description: joinParts([serviceOf(run), formatTimestamp(touchedAt / 1000)]),
      detail: formatSummary(run),
      run,
    }));
    return (
      await vscode.window.showQuickPick(items, { title: 'Continue Changing Subscriptions', placeHolder: 'Which one?' })
    )?.run;
  }

  /** Throws where it is gone. */
  getConnection({ plan }: Run): Connection {
    const connection = this.#connections.get(plan.connection);
    if (connection === undefined)
      throw new Error(`Its service, the connection "${plan.connection}", is not there any more.`);
    return connection;
  }

  /**
   * Finds out what became of the requests whose answer was lost, and asks before the rest goes out. Undefined where the user cancels;
   * nothing has changed then.
   */
  async prepare(kept: Run, connection: Connection): Promise<ResumedRun | undefined> {
    const { plan } = kept;
    const lists = await withProgress('Reading the lists', (signal) =>
      this.#connections.run(connection.id, (client) => readAllLists(client, signal)),
    );
    // Of lists that were not read, none is taken for gone.
    const gone = new Set(
      isTruncated(lists) ? [] : plan.lists.map(({ id }) => id).filter((id) => !lists.some((list) => list.id === id)),
    );
    const events: RunEvent[] = [];
    const notes: string[] = [];
    let run = kept;
    const happen = (event: RunEvent): void => {
      events.push(event);
      run = applyEvent(run, event);
    };
    for (const index of findUnconfirmedSteps(kept)) {
      const step = kept.steps[index];
      if (step === undefined) continue;
      const found = await this.#resolveUnconfirmed(kept, {
        emails: step.emails,
        listIds: step.listIds.filter((id) => !gone.has(id)),
      });
      if (found === undefined) return undefined;
      notes.push(found.note);
      const end = run.steps.length;
      happen({ type: 'checked', step: index, again: found.undone });
      if (found.leaveOut) found.undone.forEach((_, at) => happen({ type: 'leftOut', step: end + at }));
    }
    run.steps.forEach((step, index) => {
      if (step.state === 'left' && step.listIds.every((id) => gone.has(id))) happen({ type: 'leftOut', step: index });
    });
    const missing = plan.lists.filter(({ id }) => gone.has(id)).map(({ name }) => name);
    if (missing.length > 0)
      notes.push(
        `Left out, because the service has ${missing.length === 1 ? 'it' : 'them'} no more: ${missing.join(', ')}.`,
      );
    const { left } = tallyAddresses(run);
    if (left.length === 0) return { run, events, deletedListIds: gone };
    const agreed = await confirmChange(
      {
        ...plan,
        addresses: left,
        lists: plan.lists.filter(({ id }) => !gone.has(id)).map(({ name }) => name),
        service: connection.name,
        requests: run.steps.filter(({ state }) => state === 'left').length,
        notes: [`Until now: ${formatSummary(kept)}.`, ...notes],
      },
      changeTexts[plan.kind],
    );
    return agreed ? { run, events, deletedListIds: gone } : undefined;
  }

  /**
   * What is open of a request without an answer, by what its lists hold now. What they don't hold may still come, so nothing of it is sent
   * again but by the user's word. Undefined where they cancel.
   */
  async #resolveUnconfirmed({ plan }: Run, step: Step): Promise<UnconfirmedStep | undefined> {
    const all = step.emails.length;
    const { participle: done, finalState: settled } = changeTexts[plan.kind];
    for (;;) {
      const { open, problem } = await this.#findUndone(plan, step);
      if (open === undefined) return undefined;
      const count = new Set(open.flatMap(({ emails }) => emails)).size;
      const seen = `Of ${formatAmount(all, 'address', 'addresses')} without an answer, ${all - count} are ${settled} now, and`;
      if (count === 0) return { undone: open, leaveOut: false, note: `${seen} 0 will be sent again.` };
      const known = problem ?? `${seen} the service may still be at work on the others.`;
      const choice = await vscode.window.showWarningMessage(
        escapeMessage(
          `It is not known whether ${formatAmount(count, 'address was', 'addresses were')} ${done}.`,
          MAX_SENTENCE_CHARS,
        ),
        { modal: true, detail: `${known}\nSent again, they may get the same emails a second time.` },
        checkAgainButton,
        leaveOutButton,
        sendAgainButton,
      );
      if (choice === undefined) return undefined;
      if (choice === checkAgainButton) continue;
      const leaveOut = choice === leaveOutButton;
      const rest = `${count} ${leaveOut ? 'are left out' : 'will be sent again'}.`;
      return { undone: open, leaveOut, note: `${problem === undefined ? seen : 'Without an answer,'} ${rest}` };
    }
  }

  /** What the lists do not hold yet of a request, all of it where they can't be read. `open` is undefined where the user cancels. */
  async #findUndone(
    plan: Run['plan'],
    step: Step,
  ): Promise<{ readonly open?: readonly Step[]; readonly problem?: string }> {
    const connections = this.#connections;
    try {
      const look = (signal: AbortSignal) =>
        connections.run(plan.connection, (client) => findUndone(client, plan.kind, step, signal));
      return { open: await withProgress('Finding out what was done', look) };
    } catch (error) {
      return isCancelled(error) ? {} : { open: [step], problem: `It can't be found out: ${errorText(error)}` };
    }
  }

  /** Runs that nobody works on. */
  async #listInterrupted(): Promise<readonly StoredRun[]> {
    return (await this.#journal.readAll()).filter((kept) => !this.#isRunningElsewhere(kept));
  }

  #isRunningElsewhere({ run, updatedAt: touchedAt }: StoredRun): boolean {
    return (
      run.session !== undefined &&
      run.session !== vscode.env.sessionId &&
      Date.now() - touchedAt <
        Math.max(
          ABANDONED_AFTER_MS,
          2000 * vscode.workspace.getConfiguration('mailing').get<number>('request.timeout', 30),
        )
    );
  }
}

function quoteLists({ plan }: Run): string {
  return plan.lists.map(({ name }) => `"${name}"`).join(', ');
}
