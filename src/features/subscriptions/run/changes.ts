import * as vscode from 'vscode';
import { readAllLists } from '../../../service/client/allLists.ts';
import type { Connection } from '../../../platform/connections/model.ts';
import { TargetPicker } from '../../../platform/documents/recordCommands.ts';
import { collection, nameOf } from '../../lists/model.ts';
import type { ExtensionServices } from '../../../platform/services.ts';
import { formatAmount, formatCount } from '../../../platform/ui/format.ts';
import { showError, showInfo, showWarning } from '../../../platform/ui/messages.ts';
import { withProgress } from '../../../platform/ui/progress.ts';
import { send } from './answers.ts';
import { parseChange, type ChangeArgument } from './argument.ts';
import { ask, chooseLists, chooseSwitches } from './choices.ts';
import { Journal } from './journal.ts';
import { checkAddresses, readAddresses, showText } from './reading.ts';
import { reasonOf, reportOf, summaryOf } from './report.ts';
import { Resuming } from './resuming.ts';
import { startRun, nextStep, stepsOf, tally, work, type ChangeKind, type Ending, type Run } from './run.ts';
import { askForSource, sourceOf, type SourceText } from './sources.ts';
import { kinds } from './words.ts';
import type { CommandArgument } from '../../../platform/ui/commands.ts';

/** What became of a change of subscriptions: numbers of addresses. */
interface Changed {
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
const chunkSize = 200;
const continueCommand = 'mailing.list.continueSubscriptions';

/** Subscribes and unsubscribes addresses, in requests of which none is sent twice. */
export class Changes {
  readonly services: ExtensionServices;
  readonly targets: TargetPicker;
  readonly #journal: Journal;
  readonly #resuming: Resuming;
  /** Connections on which a change is under way in this window. */
  readonly #running = new Set<string>();
  /** What was read last and has not been sent: nobody has to type it again. */
  #last: SourceText | undefined;

  constructor(services: ExtensionServices) {
    this.services = services;
    this.targets = new TargetPicker(services.connections);
    this.#journal = new Journal(vscode.Uri.joinPath(services.context.globalStorageUri, 'subscriptions').fsPath);
    this.#resuming = new Resuming(services, this.#journal);
  }

  /**
   * Changes subscriptions after a modal question; undefined where the user cancels. Throws with the reason where it is refused: nothing was
   * sent then.
   */
  async change(changeKind: ChangeKind, argument: CommandArgument): Promise<Changed | undefined> {
    const kind = kinds[changeKind];
    const named = parseChange(argument, kind);
    const connection = await this.targets.pickConnection(named, kind.title);
    if (connection === undefined) return undefined;
    this.#refuseSecond(connection);
    const stopped = await this.#resuming.askBefore(connection, changeKind);
    if (stopped === 'cancel') return undefined;
    if (stopped !== 'goOn') return this.resume({ run: stopped.plan.id });

    const emails = await this.#addresses(named, kind.title);
    if (emails === undefined) return undefined;
    const all = await withProgress('Reading the lists', (signal) =>
      this.services.connections.run(connection.id, (client) => readAllLists(client, signal)),
    );
    const lists = await chooseLists(all, named, kind);
    if (lists === undefined) return undefined;
    const switches = await chooseSwitches(lists, named, kind);
    if (switches === undefined) return undefined;
    const steps = stepsOf(
      emails,
      lists.map(({ id }) => id),
      chunkSize,
    );
    if (
      !(await ask(
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
    this.#refuseSecond(connection);
    await this.#journal.start(plan);
    this.#last = undefined;
    return this.#run(startRun(plan), new Set());
  }

  /** Goes on with a change that has stopped half-way, after a modal question. */
  async resume(argument: CommandArgument): Promise<Changed | undefined> {
    const run = await this.#resuming.choose(argument);
    if (run === undefined) return undefined;
    const connection = this.#resuming.connectionOf(run);
    this.#refuseSecond(connection);
    const resumed = await this.#resuming.prepare(run, connection);
    if (resumed === undefined) return undefined;
    this.#refuseSecond(connection);
    for (const event of resumed.events) await this.#journal.add(run.plan.id, event);
    return this.#run(resumed.run, resumed.gone);
  }

  async #addresses({ emails, text, uri }: ChangeArgument, title: string): Promise<readonly string[] | undefined> {
    const { services } = this;
    if (emails !== undefined) return checkAddresses(services, emails);
    const source =
      text !== undefined
        ? { text, name: 'the given text' }
        : uri !== undefined
          ? await sourceOf(uri)
          : await askForSource(title, this.#last);
    if (source === undefined) return undefined;
    this.#last = source;
    return readAddresses(services, source, title);
  }

  #refuseSecond({ id, name }: Connection): void {
    if (this.#running.has(id))
      throw new Error(`Subscriptions are being changed on ${name} already. Wait until that has ended.`);
  }

  async #run(start: Run, gone: ReadonlySet<number>): Promise<Changed> {
    const { plan } = start;
    const { connection } = plan;
    const total = start.steps.length;
    this.#running.add(connection);
    try {
      await this.#journal.add(plan.id, { type: 'opened', session: vscode.env.sessionId });
      const { run, ending } = await withProgress(`${kinds[plan.kind].doing} addresses`, (signal, report) => {
        let shown = 0;
        return work(start, {
          // The answer to a request that is under way is waited for: cancelling takes effect between requests.
          send: (step) =>
            send((operation) => this.services.connections.run(connection, operation), plan, {
              ...step,
              listIds: step.listIds.filter((id) => !gone.has(id)),
            }),
          keep: (event) => this.#journal.add(plan.id, event),
          isCancelled: () => signal.aborted,
          report: (now) => {
            const done = nextStep(now) ?? total;
            report(`request ${formatCount(done + 1)} of ${formatCount(total)}`, ((done - shown) / total) * 100);
            shown = done;
          },
        });
      });
      await this.#close(run, ending);
      void this.#tell(run, ending);
      const { done, notFound, unknown, left } = tally(run);
      return {
        connection,
        listIds: plan.lists.map(({ id }) => id),
        done: done.length,
        notFound,
        unknown: unknown.length,
        left: left.length,
        ...(!isOver(run) && { run: plan.id }),
      };
    } finally {
      this.#running.delete(connection);
      this.services.explorer.refresh({ connection, collection });
    }
  }

  /** Whatever fails here loses nothing: the run is then kept, and known to be done. */
  async #close(run: Run, ending: Ending): Promise<void> {
    const { id } = run.plan;
    try {
      if (isOver(run)) await this.#journal.remove(id);
      else if (ending.kind !== 'notKept') await this.#journal.add(id, { type: 'closed' });
    } catch (error) {
      this.services.log.error(error instanceof Error ? error : String(error));
    }
  }

  async #tell(run: Run, ending: Ending): Promise<void> {
    const { plan } = run;
    const { done: word, preposition, action } = kinds[plan.kind];
    const service = this.targets.getServiceName(plan.connection);
    const { done, notFound, leftOut } = tally(run);
    try {
      if (notFound.length > 0) await showText(this.services, 'Not found.txt', notFound);
      if (!isOver(run)) {
        const [goOn, report] = ['Continue…', 'Show Report'];
        const choice = await showWarning(
          `${action} ${preposition} ${namesOf(plan)} stopped: ${summaryOf(run)}. ${reasonOf(ending)}`,
          goOn,
          report,
        );
        if (choice === goOn) await vscode.commands.executeCommand(continueCommand, { run: plan.id });
        if (choice === report) await showText(this.services, 'Report.txt', reportOf(run, service));
        return;
      }
      const news = `${formatAmount(done.length, 'address was', 'addresses were')} ${word} ${preposition} ${namesOf(plan)} on ${service}.`;
      const rest = [
        ...(notFound.length > 0
          ? [
              `${formatAmount(notFound.length, 'address was', 'addresses were')} not found: the service knows no such users.`,
            ]
          : []),
        ...(leftOut.length > 0 ? [`${formatAmount(leftOut.length, 'address was', 'addresses were')} left out.`] : []),
        ...(ending.kind === 'finished' ? [] : [reasonOf(ending)]),
      ];
      if (rest.length === 0) await showInfo(news);
      else await showWarning([news, ...rest].join(' '));
    } catch (error) {
      void showError(error, { title: kinds[plan.kind].title, connection: plan.connection, log: this.services.log });
    }
  }
}

/** Whether nothing is left to be done, and all is known. */
function isOver(run: Run): boolean {
  return run.steps.every(({ state }) => state !== 'left' && state !== 'sent');
}

function namesOf({ lists }: Run['plan']): string {
  const [first, ...others] = lists.map(({ name }) => name);
  return others.length === 0 ? `"${first ?? ''}"` : formatAmount(lists.length, 'list');
}
