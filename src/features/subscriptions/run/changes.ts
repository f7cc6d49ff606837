import * as vscode from 'vscode';
import type { Connection } from '../../../platform/connections/model.ts';
import { TargetPicker } from '../../../platform/documents/recordCommands.ts';
import { collection, getListName } from '../../lists/model.ts';
import type { ExtensionServices } from '../../../platform/services.ts';
import { formatAmount, formatCount } from '../../../platform/ui/format.ts';
import { showError, showInfo, showWarning } from '../../../platform/ui/messages.ts';
import { withProgress } from '../../../platform/ui/progress.ts';
import {
  confirmChange,
  parseChangeArgument,
  pickEmailOptions,
  pickLists,
  readLists,
  type ChangeArgument,
} from './prompts.ts';
import { RunJournal } from './journal.ts';
import { RunResumer, type ResumedRun } from './resumer.ts';
import {
  startRun,
  createSteps,
  tallyAddresses,
  executeRun,
  sendStep,
  type ChangeKind,
  type RunEnding,
  type Run,
} from './run.ts';
import { pickSource, readSource, reviewAddresses, showLines, validateAddresses, type SourceText } from './addresses.ts';
import { changeTexts, formatEndReason, formatReport, formatSummary } from './texts.ts';
import type { CommandArgument } from '../../../platform/ui/commands.ts';

/** The result of a change, in numbers of addresses. */
interface ChangeResult {
  readonly connection: string;
  readonly listIds: readonly number[];
  readonly done: number;
  readonly notFound: readonly string[];
  readonly unknown: number;
  readonly left: number;
  /** Id of the run, if it can be continued. */
  readonly run?: string;
}

const ADDRESSES_PER_REQUEST = 200;
const CONTINUE_COMMAND = 'mailing.list.continueSubscriptions';

/** Subscribes and unsubscribes addresses. No request is sent twice. */
export class SubscriptionChanges {
  readonly services: ExtensionServices;
  readonly targets: TargetPicker;
  readonly #journal: RunJournal;
  readonly #resumer: RunResumer;
  /** Ids of connections with a running change in this window. */
  readonly #running = new Set<string>();
  /** The last source whose addresses were not sent, to offer it again. */
  #lastSource: SourceText | undefined;

  constructor(services: ExtensionServices) {
    this.services = services;
    this.targets = new TargetPicker(services.connections);
    this.#journal = new RunJournal(vscode.Uri.joinPath(services.context.globalStorageUri, 'subscriptions').fsPath);
    this.#resumer = new RunResumer(services, this.#journal);
  }

  /**
   * Changes subscriptions after a modal confirmation. Returns undefined if the user cancels.
   *
   * Throws before anything is sent if the change can't start.
   */
  async change(changeKind: ChangeKind, argument: CommandArgument): Promise<ChangeResult | undefined> {
    const kind = changeTexts[changeKind];
    const options = parseChangeArgument(argument, kind);
    const connection = await this.targets.pickConnection(options, kind.title);
    if (connection === undefined) return undefined;
    this.#assertNotRunning(connection);
    const interrupted = await this.#resumer.askAboutInterrupted(connection, changeKind);
    if (interrupted === 'cancel') return undefined;
    if (interrupted !== 'continue') return this.resume({ run: interrupted.plan.id });

    const emails = await this.#readAddresses(options, kind.title);
    if (emails === undefined) return undefined;
    const lists = await pickLists(await readLists(this.services.connections, connection.id), options, kind);
    if (lists === undefined) return undefined;
    const emailOptions = await pickEmailOptions(lists, options, kind);
    if (emailOptions === undefined) return undefined;
    const steps = createSteps(
      emails,
      lists.map(({ id }) => id),
      ADDRESSES_PER_REQUEST,
    );
    if (
      !(await confirmChange(
        {
          addresses: emails,
          lists: lists.map(getListName),
          service: connection.name,
          requests: steps.length,
          ...emailOptions,
        },
        kind,
      ))
    )
      return undefined;

    const plan = {
      id: this.#journal.newId(),
      kind: changeKind,
      connection: connection.id,
      lists: lists.map((list) => ({ id: list.id, name: getListName(list) })),
      ...emailOptions,
      startedAt: new Date().toISOString(),
      steps,
    };
    this.#assertNotRunning(connection);
    await this.#journal.start(plan);
    this.#lastSource = undefined;
    return this.#run(startRun(plan));
  }

  /** Continues an interrupted change after a modal confirmation. */
  async resume(argument: CommandArgument): Promise<ChangeResult | undefined> {
    const run = await this.#resumer.pickRun(argument);
    if (run === undefined) return undefined;
    const connection = this.#resumer.getConnection(run);
    this.#assertNotRunning(connection);
    const resumed = await this.#resumer.prepare(run, connection);
    if (resumed === undefined) return undefined;
    this.#assertNotRunning(connection);
    return this.#run(run, resumed);
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

  /** Executes a stored run. `resumed`: how to continue it, if it was interrupted. */
  async #run(stored: Run, resumed?: ResumedRun): Promise<ChangeResult> {
    const { run: start = stored, events = [], deletedListIds = new Set() } = resumed ?? {};
    const { plan } = start;
    const { sessionId } = vscode.env;
    const { connection } = plan;
    const total = start.steps.length;
    this.#running.add(connection);
    try {
      await this.#journal.acquire(stored, sessionId, events);
      const { run, ending } = await withProgress(`${changeTexts[plan.kind].gerund} addresses`, (signal, report) => {
        let reportedSteps = 0;
        return executeRun(start, {
          // A running request is never aborted: canceling takes effect between requests.
          send: (step) =>
            sendStep((operation) => this.services.connections.run(connection, operation), plan, {
              ...step,
              listIds: step.listIds.filter((id) => !deletedListIds.has(id)),
            }),
          storeEvent: (event) => this.#journal.add(plan.id, sessionId, event),
          isCanceled: () => signal.aborted,
          report: (step) => {
            report(`request ${formatCount(step + 1)} of ${formatCount(total)}`, ((step - reportedSteps) / total) * 100);
            reportedSteps = step;
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

  /** Updates the journal at the end of a run. A failure is harmless: the stored run still has all results. */
  async #finishJournal(run: Run, ending: RunEnding): Promise<void> {
    const { id } = run.plan;
    try {
      if (isComplete(run)) await this.#journal.remove(id);
      else if (ending.kind !== 'notStored') await this.#journal.add(id, vscode.env.sessionId, { type: 'closed' });
    } catch (error) {
      this.services.log.error(error instanceof Error ? error : String(error));
    }
  }

  async #showResult(run: Run, ending: RunEnding): Promise<void> {
    const { plan } = run;
    const { participle, preposition, action } = changeTexts[plan.kind];
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
      const resultText = `${formatAmount(done.length, 'address was', 'addresses were')} ${participle} ${preposition} ${formatLists(plan)} on ${service}.`;
      const remarks = [
        ...(notFound.length > 0
          ? [`${formatAmount(notFound.length, 'address was', 'addresses were')} not found on the service.`]
          : []),
        ...(leftOut.length > 0 ? [`${formatAmount(leftOut.length, 'address was', 'addresses were')} left out.`] : []),
        ...(ending.kind === 'finished' ? [] : [formatEndReason(ending)]),
      ];
      if (remarks.length === 0) await showInfo(resultText);
      else await showWarning([resultText, ...remarks].join(' '));
    } catch (error) {
      void showError(error, {
        title: changeTexts[plan.kind].title,
        connection: plan.connection,
        log: this.services.log,
      });
    }
  }
}

/** Returns whether no step is pending or unconfirmed. */
function isComplete(run: Run): boolean {
  return run.steps.every(({ state }) => state !== 'left' && state !== 'sent');
}

function formatLists({ lists }: Run['plan']): string {
  const [first, ...others] = lists.map(({ name }) => name);
  return others.length === 0 ? `"${first ?? ''}"` : formatAmount(lists.length, 'list');
}
