import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { toServiceRef, type Connection, type ServiceRef } from '../../../platform/connections/model.ts';
import { TargetPicker } from '../../../platform/documents/recordCommands.ts';
import { createLostEntryError, Journal } from '../../../sync/requests/journal.ts';
import { StateFiles } from '../../../sync/stateFiles.ts';
import { getRequestTimeoutMs } from '../../../platform/connections/open.ts';
import { collection, getListName } from '../../lists/model.ts';
import type { ExtensionServices } from '../../services.ts';
import { formatNumber, plural, t } from '../../../l10n.ts';
import { showError, showInfo, showWarning, withProgress } from '../../../ui/messages.ts';
import {
  assertSameLists,
  confirmChange,
  describeAddressesOnNoList,
  findAddressesOnNoList,
  parseChangeArgument,
  pickEmailOptions,
  pickLists,
  readLists,
  type ChangeArgument,
} from './prompts.ts';
import { InterruptedRuns } from './interruptedRuns.ts';
import {
  createSteps,
  tallyAddresses,
  executeRun,
  runKind,
  sendStep,
  type AddressTally,
  type ChangeKind,
  type RunEnding,
  type RunEvent,
  type Run,
} from './run.ts';
import { pickSource, readSource, reviewAddresses, showLines, validateAddresses, type SourceText } from './addresses.ts';
import { changeTexts, formatEndReason, formatReport, formatRunLists, formatSummary } from './texts.ts';
import type { CommandArgument } from '../../../ui/commands.ts';

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

/**
 * Subscribes and unsubscribes addresses. No request is sent twice: a run is in the journal from before its first request
 * until all are confirmed, and each connection has at most one running change in this window.
 */
export class SubscriptionChanges {
  readonly services: ExtensionServices;
  readonly targets: TargetPicker;
  readonly #journal: Journal<Run, RunEvent>;
  readonly #interrupted: InterruptedRuns;
  /** Ids of connections with a running change in this window. */
  readonly #running = new Set<string>();
  /** The last source whose addresses were not sent, to offer it again. */
  #lastSource: SourceText | undefined;

  constructor(services: ExtensionServices) {
    const { connections, context } = services;
    this.services = services;
    this.targets = new TargetPicker(connections);
    const { fsPath } = vscode.Uri.joinPath(context.globalStorageUri, 'subscriptions');
    this.#journal = new Journal(new StateFiles(fsPath), runKind, { getTimeoutMs: getRequestTimeoutMs });
    this.#interrupted = new InterruptedRuns(connections, this.#journal);
  }

  /** Continues an interrupted change after a modal confirmation. `service`: if its own connection may have been removed. */
  async resume(argument: CommandArgument, service?: ServiceRef): Promise<ChangeResult | undefined> {
    const picked = await this.#interrupted.pick(argument);
    if (!picked) return undefined;
    const connection = await this.services.connections.resolve(service ?? picked);
    const run = { ...picked, ...toServiceRef(connection) };
    this.#assertNotRunning(connection);
    const prepared = await this.#interrupted.prepare(run, connection);
    if (!prepared) return undefined;
    this.#assertNotRunning(connection);
    return this.#execute({ ...prepared, ...this.#own }, run);
  }

  /**
   * Changes subscriptions after a modal confirmation. Returns undefined if the user cancels.
   *
   * Throws before anything is sent if the change can't start.
   */
  async change(changeKind: ChangeKind, argument: CommandArgument): Promise<ChangeResult | undefined> {
    const { title } = changeTexts()[changeKind];
    const options = parseChangeArgument(argument, changeKind);
    const connection = await this.targets.pickConnection(options, title);
    if (!connection) return undefined;
    this.#assertNotRunning(connection);
    const interrupted = await this.#interrupted.ask(connection, changeKind);
    if (interrupted === 'cancel') return undefined;
    if (interrupted !== 'continue') return this.resume({ run: interrupted.what }, toServiceRef(connection));
    const emails = await this.#readAddresses(options, title);
    const run = emails && (await this.#plan(changeKind, connection, emails, options));
    if (!run) return undefined;
    this.#assertNotRunning(connection);
    return this.#execute(run);
  }

  /** The part of a run that says that this window is working on it. */
  get #own() {
    return { ...this.#journal.start(), session: vscode.env.sessionId };
  }

  async #readAddresses({ emails, text, uri }: ChangeArgument, title: string) {
    if (emails) return validateAddresses(this.services, emails);
    const source =
      text !== undefined
        ? { text, name: t({ message: 'Text', comment: 'Name of a text that contains addresses' }) }
        : await (uri ? readSource(uri) : pickSource(title, this.#lastSource));
    if (!source) return undefined;
    this.#lastSource = source;
    return reviewAddresses(this.services, source, title);
  }

  /** Asks for the missing values and a confirmation. Returns undefined if the user cancels. */
  async #plan(
    changeKind: ChangeKind,
    connection: Connection,
    emails: readonly string[],
    options: ChangeArgument,
  ): Promise<Run | undefined> {
    const { connections } = this.services;
    const kind = changeTexts()[changeKind];
    const service = toServiceRef(connection);
    const allLists = await readLists(connections, service);
    const lists = await pickLists(allLists, options, kind);
    const emailOptions = lists && (await pickEmailOptions(lists, options, kind));
    if (!lists || !emailOptions) return undefined;
    const absent =
      changeKind === 'subscribe' ? await findAddressesOnNoList(connections, service, allLists, emails) : undefined;
    const listIds = lists.map(({ id }) => id);
    const steps = createSteps(emails, listIds, ADDRESSES_PER_REQUEST);
    const summary = {
      addresses: emails,
      lists: lists.map(getListName),
      service: connection.name,
      requests: steps.length,
      notes: describeAddressesOnNoList(absent ?? []),
      ...emailOptions,
    };
    if (!(await confirmChange(summary, kind))) return undefined;
    await assertSameLists(connections, service, lists);
    return {
      ...service,
      what: `subscriptions/${randomUUID()}`,
      ...this.#own,
      kind: changeKind,
      lists: lists.map((list) => ({ id: list.id, name: getListName(list) })),
      ...emailOptions,
      startedAt: this.#journal.now(),
      steps,
      notFound: [],
    };
  }

  #assertNotRunning({ id, name }: Connection) {
    if (this.#running.has(id))
      throw new Error(t`Subscriptions on ${name} are being changed already. Wait until that is done.`);
  }

  /** Sends a new run, or one that replaces an interrupted one. */
  async #execute(start: Run, interrupted?: Run): Promise<ChangeResult> {
    const { connection } = start;
    this.#running.add(connection);
    try {
      if (!(await this.#journal.acquire(start, interrupted))) throw createLostEntryError();
      if (!interrupted) this.#lastSource = undefined;
      const { run, ending } = await this.#send(start);
      const tally = tallyAddresses(run);
      const { done, notFound, unknown, left } = tally;
      const isComplete = unknown.length + left.length === 0;
      try {
        if (isComplete) await this.#journal.release(start);
        else if (ending.kind !== 'notStored') await this.#journal.settle(start);
      } catch (error) {
        // Harmless: the stored run still has all results.
        this.services.log.error(error instanceof Error ? error : String(error));
      }
      void this.#showResult(run, ending, tally, isComplete);
      return {
        connection,
        listIds: run.lists.map((list) => list.id),
        done: done.length,
        notFound,
        unknown: unknown.length,
        left: left.length,
        ...(!isComplete && { run: run.what }),
      };
    } finally {
      this.#running.delete(connection);
      this.services.explorer.refresh({ connection, collection });
    }
  }

  /** Sends the remaining requests of an acquired run, with progress. */
  #send(start: Run) {
    const total = start.steps.length;
    return withProgress(changeTexts()[start.kind].progress, (signal, report) => {
      let reportedSteps = 0;
      return executeRun(start, {
        // A running request is never aborted: canceling takes effect between requests.
        send: (step) => sendStep((operation) => this.services.connections.run(start, operation), start, step),
        storeEvent: (event) => this.#journal.renew(start, event),
        isCanceled: () => signal.aborted,
        report: (step) => {
          const position = t`request ${formatNumber(step + 1)} of ${formatNumber(total)}`;
          report(position, ((step - reportedSteps) / total) * 100);
          reportedSteps = step;
        },
      });
    });
  }

  async #showResult(run: Run, ending: RunEnding, tally: AddressTally, isComplete: boolean): Promise<void> {
    const { services } = this;
    const texts = changeTexts()[run.kind];
    const service = this.targets.getServiceName(run.connection);
    const lists = formatRunLists(run);
    const { done, notFound } = tally;
    try {
      if (notFound.length > 0)
        await showLines(services, t({ message: 'Not found.txt', comment: 'File name. Keep the extension.' }), notFound);
      if (isComplete) {
        const remarks = formatRemarks(ending, tally);
        const text = [plural(done.length, ...texts.done, lists, service), ...remarks].join(' ');
        await (remarks.length === 0 ? showInfo(text) : showWarning(text));
        return;
      }
      const [goOn, report] = [t('Continue…'), t('Show Report')];
      const text = `${texts.formatStopped(lists)} ${formatSummary(run)}. ${formatEndReason(ending)}`;
      const choice = await showWarning(text, goOn, report);
      if (choice === goOn) await vscode.commands.executeCommand(CONTINUE_COMMAND, { run: run.what });
      if (choice === report)
        await showLines(
          services,
          t({ message: 'Report.txt', comment: 'File name. Keep the extension.' }),
          formatReport(run, service),
        );
    } catch (error) {
      void showError(error, { title: texts.title, log: services.log });
    }
  }
}

/** Returns sentences about a complete run whose result isn't what the user expects. */
function formatRemarks(ending: RunEnding, { notFound, leftOut }: AddressTally): readonly string[] {
  return [
    notFound.length > 0 &&
      plural(
        notFound.length,
        t('{0} address was not found on the service.'),
        t('{0} addresses were not found on the service.'),
      ),
    leftOut.length > 0 && plural(leftOut.length, t('{0} address was left out.'), t('{0} addresses were left out.')),
    formatEndReason(ending),
  ].filter((remark): remark is string => Boolean(remark));
}
