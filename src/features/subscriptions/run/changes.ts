import * as vscode from 'vscode';
import { readAllLists } from '../../../service/client/allLists.ts';
import type { Connection } from '../../../platform/connections/model.ts';
import { TargetPicker } from '../../../platform/documents/recordCommands.ts';
import { collection, nameOf } from '../../lists/model.ts';
import type { ExtensionServices } from '../../../platform/services.ts';
import { formatAmount, formatCount } from '../../../platform/ui/format.ts';
import { showError, showInfo, showWarning } from '../../../platform/ui/messages.ts';
import { withProgress } from '../../../platform/ui/progress.ts';
import { sendStep } from './sendStep.ts';
import { parseChangeArgument, type ChangeArgument } from './parseArgument.ts';
import { confirmChange, pickLists, pickEmailOptions } from './prompts.ts';
import { RunJournal } from './journal.ts';
import { validateAddresses, reviewAddresses, showLines } from './reviewAddresses.ts';
import { formatEndReason, formatReport, formatSummary } from './report.ts';
import { RunResumer } from './resumer.ts';
import {
  startRun,
  findNextStep,
  createSteps,
  tallyAddresses,
  executeRun,
  type ChangeKind,
  type RunEnding,
  type Run,
} from './run.ts';
import { pickSource, readSource, type SourceText } from './sources.ts';
import { changeTexts } from './changeTexts.ts';
import type { CommandArgument } from '../../../platform/ui/commands.ts';

/** What became of a change of subscriptions: numbers of addresses. */
interface ChangeResult {
  readonly connection: string;
  readonly listIds: readonly number[];
  readonly done: number;
  readonly notFound: readonly string[];
  readonly unknown: number;
  readonly left: number;
  /** Id of the run, where it can be continued. */
  readonly run?: string;
}

/** Addresses in one request. */
const ADDRESSES_PER_REQUEST = 200;
const CONTINUE_COMMAND = 'mailing.list.continueSubscriptions';

/** Subscribes and unsubscribes addresses, in requests of which none is sent twice. */
export class SubscriptionChanges {
  readonly services: ExtensionServices;
  readonly targets: TargetPicker;
  readonly #journal: RunJournal;
  readonly #resumer: RunResumer;
  /** Connections on which a change is under way in this window. */
  readonly #running = new Set<string>();
  /** What was read last and has not been sent: nobody has to type it again. */
  #lastSource: SourceText | undefined;

  constructor(services: ExtensionServices) {
    this.services = services;
    this.targets = new TargetPicker(services.connections);
    this.#journal = new RunJournal(vscode.Uri.joinPath(services.context.globalStorageUri, 'subscriptions').fsPath);
    this.#resumer = new RunResumer(services, this.#journal);
  }

  /**
   * Changes subscriptions after a modal question; undefined where the user cancels. Throws with the reason where it is refused: nothing was
   * sent then.
   */
  async change(changeKind: ChangeKind, argument: CommandArgument): Promise<ChangeResult | undefined> {
    const kind = changeTexts[changeKind];
    const named = parseChangeArgument(argument, kind);
    const connection = await this.targets.pickConnection(named, kind.title);
    if (connection === undefined) return undefined;
    this.#assertNotRunning(connection);
    const stopped = await this.#resumer.askAboutInterrupted(connection, changeKind);
    if (stopped === 'cancel') return undefined;
    if (stopped !== 'goOn') return this.resume({ run: stopped.plan.id });

    const emails = await this.#readAddresses(named, kind.title);
    if (emails === undefined) return undefined;
    const all = await withProgress('Reading the lists', (signal) =>
      this.services.connections.run(connection.id, (client) => readAllLists(client, signal)),
    );
    const lists = await pickLists(all, named, kind);
    if (lists === undefined) return undefined;
    const switches = await pickEmailOptions(lists, named, kind);
    if (switches === undefined) return undefined;
    const steps = createSteps(
      emails,
      lists.map(({ id }) => id),
      ADDRESSES_PER_REQUEST,
    );
    if (
      !(await confirmChange(
        { addresses: emails, lists: lists.map(nameOf), service: connection.name, requests: steps.length, ...switches },
        kind,
      ))
    )
      return undefined;

    const plan = {
      id: this.#journal.newId(),
      kind: changeKind,
      connection: connection.id,
      lists: lists.map((list) => ({ id: list.id, name: nameOf(list) })),
      ...switches,
      startedAt: new Date().toISOString(),
      steps,
    };
    this.#assertNotRunning(connection);
    await this.#journal.start(plan);
    this.#lastSource = undefined;
    return this.#run(startRun(plan), new Set());
  }

  /** Goes on with a change that has stopped half-way, after a modal question. */
  async resume(argument: CommandArgument): Promise<ChangeResult | undefined> {
    const run = await this.#resumer.pickRun(argument);
    if (run === undefined) return undefined;
    const connection = this.#resumer.getConnection(run);
    this.#assertNotRunning(connection);
    const resumed = await this.#resumer.prepare(run, connection);
    if (resumed === undefined) return undefined;
    this.#assertNotRunning(connection);
    for (const event of resumed.events) await this.#journal.add(run.plan.id, event);
    return this.#run(resumed.run, resumed.deletedListIds);
  }

  async #readAddresses({ emails, text, uri }: ChangeArgument, title: string): Promise<readonly string[] | undefined> {
    const { services } = this;
    if (emails !== undefined) return validateAddresses(services, emails);
    const source =
      text !== undefined
        ? { text, name: 'the given text' }
        : uri !== undefined
          ? await readSource(uri)
          : await pickSource(title, this.#lastSource);
    if (source === undefined) return undefined;
    this.#lastSource = source;
    return reviewAddresses(services, source, title);
  }

  #assertNotRunning({ id, name }: Connection): void {
    if (this.#running.has(id))
      throw new Error(`Subscriptions are being changed on ${name} already. Wait until that has ended.`);
  }

  async #run(start: Run, gone: ReadonlySet<number>): Promise<ChangeResult> {
    const { plan } = start;
    const { connection } = plan;
    const total = start.steps.length;
    this.#running.add(connection);
    try {
      await this.#journal.add(plan.id, { type: 'opened', session: vscode.env.sessionId });
      const { run, ending } = await withProgress(`${changeTexts[plan.kind].gerund} addresses`, (signal, report) => {
        let shown = 0;
        return executeRun(start, {
          // The answer to a request that is under way is waited for: cancelling takes effect between requests.
          send: (step) =>
            sendStep((operation) => this.services.connections.run(connection, operation), plan, {
              ...step,
              listIds: step.listIds.filter((id) => !gone.has(id)),
            }),
          storeEvent: (event) => this.#journal.add(plan.id, event),
          isCancelled: () => signal.aborted,
          report: (now) => {
            const done = findNextStep(now) ?? total;
            report(`request ${formatCount(done + 1)} of ${formatCount(total)}`, ((done - shown) / total) * 100);
            shown = done;
          },
        });
      });
      await this.#finishJournal(run, ending);
      void this.#showResult(run, ending);
      const { done, notFound, unknown, left } = tallyAddresses(run);
      return {
        connection,
        listIds: plan.lists.map(({ id }) => id),
        done: done.length,
        notFound,
        unknown: unknown.length,
        left: left.length,
        ...(!isComplete(run) && { run: plan.id }),
      };
    } finally {
      this.#running.delete(connection);
      this.services.explorer.refresh({ connection, collection });
    }
  }

  /** Whatever fails here loses nothing: the run is then kept, and known to be done. */
  async #finishJournal(run: Run, ending: RunEnding): Promise<void> {
    const { id } = run.plan;
    try {
      if (isComplete(run)) await this.#journal.remove(id);
      else if (ending.kind !== 'notKept') await this.#journal.add(id, { type: 'closed' });
    } catch (error) {
      this.services.log.error(error instanceof Error ? error : String(error));
    }
  }

  async #showResult(run: Run, ending: RunEnding): Promise<void> {
    const { plan } = run;
    const { participle: word, preposition, action } = changeTexts[plan.kind];
    const service = this.targets.getServiceName(plan.connection);
    const { done, notFound, leftOut } = tallyAddresses(run);
    try {
      if (notFound.length > 0) await showLines(this.services, 'Not found.txt', notFound);
      if (!isComplete(run)) {
        const [goOn, report] = ['Continue…', 'Show Report'];
        const choice = await showWarning(
          `${action} ${preposition} ${formatLists(plan)} stopped: ${formatSummary(run)}. ${formatEndReason(ending)}`,
          goOn,
          report,
        );
        if (choice === goOn) await vscode.commands.executeCommand(CONTINUE_COMMAND, { run: plan.id });
        if (choice === report) await showLines(this.services, 'Report.txt', formatReport(run, service));
        return;
      }
      const news = `${formatAmount(done.length, 'address was', 'addresses were')} ${word} ${preposition} ${formatLists(plan)} on ${service}.`;
      const rest = [
        ...(notFound.length > 0
          ? [
              `${formatAmount(notFound.length, 'address was', 'addresses were')} not found: the service knows no such users.`,
            ]
          : []),
        ...(leftOut.length > 0 ? [`${formatAmount(leftOut.length, 'address was', 'addresses were')} left out.`] : []),
        ...(ending.kind === 'finished' ? [] : [formatEndReason(ending)]),
      ];
      if (rest.length === 0) await showInfo(news);
      else await showWarning([news, ...rest].join(' '));
    } catch (error) {
      void showError(error, {
        title: changeTexts[plan.kind].title,
        connection: plan.connection,
        log: this.services.log,
      });
    }
  }
}

/** Whether nothing is left to be done, and all is known. */
function isComplete(run: Run): boolean {
  return run.steps.every(({ state }) => state !== 'left' && state !== 'sent');
}

function formatLists({ lists }: Run['plan']): string {
  const [first, ...others] = lists.map(({ name }) => name);
  return others.length === 0 ? `"${first ?? ''}"` : formatAmount(lists.length, 'list');
}
