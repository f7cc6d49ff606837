import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { toServiceRef, type Connection } from '../../../platform/connections/model.ts';
import { TargetPicker } from '../../../platform/documents/recordCommands.ts';
import { collection, getListName } from '../../lists/model.ts';
import type { ExtensionServices } from '../../services.ts';
import { formatNumber, plural } from '../../../l10n.ts';
import { showError, showInfo, showWarning } from '../../../ui/messages.ts';
import { withProgress } from '../../../ui/progress.ts';
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
import { RunJournal } from './journal.ts';
import { createResumer, type ResumedRun } from './resumer.ts';
import {
  startRun,
  createSteps,
  tallyAddresses,
  executeRun,
  sendStep,
  type AddressTally,
  type ChangeKind,
  type RunEnding,
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

export type SubscriptionChanges = ReturnType<typeof createChanges>;

/** Creates the commands that subscribe and unsubscribe addresses. No request is sent twice. */
export function createChanges(services: ExtensionServices) {
  const targets = new TargetPicker(services.connections);
  const journal = new RunJournal(vscode.Uri.joinPath(services.context.globalStorageUri, 'subscriptions').fsPath);
  const resumer = createResumer(services, journal);
  /** Ids of connections with a running change in this window. */
  const running = new Set<string>();
  /** The last source whose addresses were not sent, to offer it again. */
  let lastSource: SourceText | undefined;

  /** Continues an interrupted change after a modal confirmation. */
  async function resume(argument: CommandArgument): Promise<ChangeResult | undefined> {
    const run = await resumer.pickRun(argument);
    if (run === undefined) return undefined;
    const connection = await services.connections.resolve(run.plan);
    assertNotRunning(connection);
    const resumed = await resumer.prepare(run, connection);
    if (resumed === undefined) return undefined;
    assertNotRunning(connection);
    return execute(run, resumed);
  }

  async function readAddresses({ emails, text, uri }: ChangeArgument, title: string) {
    if (emails !== undefined) return validateAddresses(services, emails);
    const source =
      text !== undefined
        ? { text, name: t({ message: 'Text', comment: 'Name of a text that contains addresses' }) }
        : await (uri ? readSource(uri) : pickSource(title, lastSource));
    if (source === undefined) return undefined;
    lastSource = source;
    return reviewAddresses(services, source, title);
  }

  function assertNotRunning({ id, name }: Connection) {
    if (running.has(id))
      throw new Error(t`Subscriptions on ${name} are being changed already. Wait until that is done.`);
  }

  /** Executes a stored run, as new or as prepared to continue. */
  async function execute(stored: Run, { run: start, events, deletedListIds }: ResumedRun): Promise<ChangeResult> {
    const { plan } = start;
    const { id, connection } = plan;
    const { sessionId } = vscode.env;
    const total = start.steps.length;
    running.add(connection);
    try {
      await journal.acquire(stored, sessionId, events);
      const { run, ending } = await withProgress(changeTexts()[plan.kind].progress, (signal, report) => {
        let reportedSteps = 0;
        return executeRun(start, {
          // A running request is never aborted: canceling takes effect between requests.
          send: (step) =>
            sendStep((operation) => services.connections.run(plan, operation), plan, {
              ...step,
              listIds: step.listIds.filter((listId) => !deletedListIds.has(listId)),
            }),
          storeEvent: (event) => journal.add(id, sessionId, event),
          isCanceled: () => signal.aborted,
          report: (step) => {
            const position = t`request ${formatNumber(step + 1)} of ${formatNumber(total)}`;
            report(position, ((step - reportedSteps) / total) * 100);
            reportedSteps = step;
          },
        });
      });
      const tally = tallyAddresses(run);
      const { done, notFound, unknown, left } = tally;
      const isComplete = unknown.length + left.length === 0;
      try {
        if (isComplete) await journal.remove(id);
        else if (ending.kind !== 'notStored') await journal.add(id, sessionId, { type: 'closed' });
      } catch (error) {
        // Harmless: the stored run still has all results.
        services.log.error(error instanceof Error ? error : String(error));
      }
      void showResult(run, ending, tally, isComplete);
      return {
        connection,
        listIds: plan.lists.map((list) => list.id),
        done: done.length,
        notFound,
        unknown: unknown.length,
        left: left.length,
        ...(!isComplete && { run: id }),
      };
    } finally {
      running.delete(connection);
      services.explorer.refresh({ connection, collection });
    }
  }

  async function showResult(
    run: Run,
    ending: RunEnding,
    { done, notFound, leftOut }: AddressTally,
    isComplete: boolean,
  ): Promise<void> {
    const { kind, id, connection } = run.plan;
    const texts = changeTexts()[kind];
    const service = targets.getServiceName(connection);
    const lists = formatRunLists(run);
    const reason = formatEndReason(ending);
    try {
      if (notFound.length > 0)
        await showLines(services, t({ message: 'Not found.txt', comment: 'File name. Keep the extension.' }), notFound);
      if (!isComplete) {
        const [goOn, report] = [t('Continue…'), t('Show Report')];
        const text = `${texts.formatStopped(lists)} ${formatSummary(run)}. ${reason}`;
        const choice = await showWarning(text, goOn, report);
        if (choice === goOn) await vscode.commands.executeCommand(CONTINUE_COMMAND, { run: id });
        if (choice === report)
          await showLines(
            services,
            t({ message: 'Report.txt', comment: 'File name. Keep the extension.' }),
            formatReport(run, service),
          );
        return;
      }
      const remarks = [
        notFound.length > 0 &&
          plural(
            notFound.length,
            t('{0} address was not found on the service.'),
            t('{0} addresses were not found on the service.'),
          ),
        leftOut.length > 0 && plural(leftOut.length, t('{0} address was left out.'), t('{0} addresses were left out.')),
        reason,
      ].filter(Boolean);
      const text = [plural(done.length, ...texts.done, lists, service), ...remarks].join(' ');
      await (remarks.length === 0 ? showInfo(text) : showWarning(text));
    } catch (error) {
      void showError(error, { title: texts.title, log: services.log });
    }
  }

  return {
    services,
    targets,
    resume,
    /**
     * Changes subscriptions after a modal confirmation. Returns undefined if the user cancels.
     *
     * Throws before anything is sent if the change can't start.
     */
    change: async (changeKind: ChangeKind, argument: CommandArgument): Promise<ChangeResult | undefined> => {
      const kind = changeTexts()[changeKind];
      const options = parseChangeArgument(argument, changeKind);
      const connection = await targets.pickConnection(options, kind.title);
      if (connection === undefined) return undefined;
      assertNotRunning(connection);
      const interrupted = await resumer.askAboutInterrupted(connection, changeKind);
      if (interrupted === 'cancel') return undefined;
      if (interrupted !== 'continue') return resume({ run: interrupted.plan.id });

      const emails = await readAddresses(options, kind.title);
      if (emails === undefined) return undefined;
      const { connections } = services;
      const service = toServiceRef(connection);
      const allLists = await readLists(connections, service);
      const lists = await pickLists(allLists, options, kind);
      if (lists === undefined) return undefined;
      const emailOptions = await pickEmailOptions(lists, options, kind);
      if (emailOptions === undefined) return undefined;
      const listIds = lists.map(({ id }) => id);
      const absent =
        changeKind === 'subscribe' ? await findAddressesOnNoList(connections, service, allLists, emails) : undefined;
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
      assertSameLists(lists, await readLists(connections, service));

      const plan = {
        id: journal.newId(),
        kind: changeKind,
        ...service,
        lists: lists.map((list) => ({ id: list.id, name: getListName(list) })),
        ...emailOptions,
        startedAt: new Date().toISOString(),
        steps,
      };
      assertNotRunning(connection);
      await journal.start(plan);
      lastSource = undefined;
      const run = startRun(plan);
      return execute(run, { run, events: [], deletedListIds: new Set() });
    },
  };
}
