import * as vscode from 'vscode';
import { isTruncated } from '../../../service/client/allLists.ts';
import type { MailingClient } from '../../../service/client/index.ts';
import { MAX_PAGE_SIZE, paginate } from '../../../service/client/paginate.ts';
import type { Connection } from '../../../platform/connections/model.ts';
import type { Connections } from '../../../platform/connections/connections.ts';
import { formatRequestTime, isSameService, type Journal } from '../../../sync/requests/journal.ts';
import { getListName } from '../../lists/model.ts';
import { type CommandArgument, getFields } from '../../../ui/commands.ts';
import { joinParts } from '../../../service/format.ts';
import { showInfo, withProgress } from '../../../ui/messages.ts';
import { escapeMessage } from '../../../service/text.ts';
import { errorText, isCanceled, MAX_SENTENCE_CHARS } from '../../../ui/errors.ts';
import { normalizeAddress } from './parseAddresses.ts';
import { formatNumber, plural, t } from '../../../l10n.ts';
import { assertSameLists, confirmChange, readLists } from './prompts.ts';
import {
  tallyAddresses,
  findUnconfirmedSteps,
  resolveStep,
  type ChangeKind,
  type Run,
  type RunEvent,
  type Step,
} from './run.ts';
import { changeTexts, formatRunLists, formatSummary } from './texts.ts';

/** The undone part of an unconfirmed request, whether to leave it out or send it again, and a note for the confirmation. */
interface UnconfirmedStep {
  readonly undone: readonly Step[];
  readonly leaveOut: boolean;
  readonly note: string;
}

/** What a read of the lists shows of an unconfirmed request. */
interface CheckedStep {
  readonly undone: readonly Step[];
  /** Number of addresses in `undone`. */
  readonly count: number;
  /** Sentences for the notes of the confirmation. */
  readonly found: readonly string[];
  /** Says why the outcome is open. */
  readonly status: string;
}

/**
 * Finds interrupted runs and prepares them to continue. Never changes a stored run that another window may be working on, and a prepared
 * run has no unconfirmed request.
 */
export class InterruptedRuns {
  readonly #connections: Connections;
  readonly #journal: Journal<Run, RunEvent>;

  constructor(connections: Connections, journal: Journal<Run, RunEvent>) {
    this.#connections = connections;
    this.#journal = journal;
  }

  /** Returns the run of the argument (`{ run }`), the only interrupted one (of `{ connection }`), or asks for one. */
  async pick(argument: CommandArgument): Promise<Run | undefined> {
    const { run: what, connection } = getFields(argument);
    if (typeof what === 'string') return this.#find(what);
    const [first, ...others] = (await this.#list()).filter(
      (run) => typeof connection !== 'string' || run.connection === connection,
    );
    if (!first) {
      void showInfo(t('There is no interrupted change of subscriptions to continue.'));
      return undefined;
    }
    if (others.length === 0) return first;
    const items = [first, ...others].map((run) => ({
      label: escapeMessage(changeTexts()[run.kind].describe(formatRunLists(run))),
      description: joinParts([
        escapeMessage(this.#connections.get(run.connection)?.name ?? run.connection),
        formatRequestTime(run),
      ]),
      detail: formatSummary(run),
      run,
    }));
    const options = {
      title: t('Resume Subscription Changes'),
      placeHolder: t('Select the change to continue'),
    };
    return (await vscode.window.showQuickPick(items, options))?.run;
  }

  /** Asks about interrupted changes of the same kind on the connection. Returns the run to continue, or whether to start another one. */
  async ask(connection: Connection, kind: ChangeKind): Promise<Run | 'continue' | 'cancel'> {
    const goOn = t('Continue');
    const forget = t('Discard Change');
    for (const run of await this.#list()) {
      if (!isSameService(run, connection) || run.kind !== kind) continue;
      const text = changeTexts()[kind].formatInterrupted(formatRunLists(run), connection.name);
      const advice = t(
        "If you start another change with the same addresses, it repeats the completed part. A forgotten change can't be continued.",
      );
      const choice = await vscode.window.showWarningMessage(
        escapeMessage(text, MAX_SENTENCE_CHARS),
        { modal: true, detail: `${formatSummary(run)}\n${advice}` },
        goOn,
        forget,
        t('Start Another Change'),
      );
      if (choice === goOn) return run;
      if (choice === undefined) return 'cancel';
      if (choice === forget) await this.#journal.release(await this.#find(run.what));
    }
    return 'continue';
  }

  /**
   * Checks unconfirmed requests and asks before the remaining ones are sent. Returns the run to send, without lists that were deleted;
   * undefined if the user cancels. Nothing is stored.
   */
  async prepare(interrupted: Run, connection: Connection): Promise<Run | undefined> {
    const lists = await readLists(this.#connections, interrupted);
    // If not all lists were read, a missing list isn't necessarily deleted.
    const isDeleted = (id: number) => !isTruncated(lists) && !lists.some((list) => list.id === id);
    const deleted = interrupted.lists.filter(({ id }) => isDeleted(id));
    const notes = [t`So far: ${formatSummary(interrupted)}`];
    const exclude = <S extends Step>(step: S): S => ({ ...step, listIds: step.listIds.filter((id) => !isDeleted(id)) });
    let run = interrupted;
    for (const index of findUnconfirmedSteps(interrupted)) {
      const step = interrupted.steps[index];
      const found = step && (await this.#resolve(run, exclude(step)));
      if (!found) return undefined;
      notes.push(found.note);
      run = resolveStep(run, index, found.undone, found.leaveOut ? 'leftOut' : 'left');
    }
    const steps = run.steps.map((step) => {
      if (step.state !== 'left') return step;
      const remaining = exclude(step);
      return remaining.listIds.length > 0 ? remaining : { ...step, state: 'leftOut' as const };
    });
    const missingNames = deleted.map(({ name }) => name).join(', ');
    if (deleted.length > 0) notes.push(t`Lists left out, because they were deleted on the service: ${missingNames}.`);
    const current = lists.filter(({ id }) => run.lists.some((list) => list.id === id));
    const currentNames = new Map(current.map((list) => [list.id, getListName(list)]));
    const prepared = { ...run, steps };
    const { left } = tallyAddresses(prepared);
    if (left.length === 0) return prepared;
    const summary = {
      ...prepared,
      addresses: left,
      lists: run.lists.filter(({ id }) => !isDeleted(id)).map(({ id, name }) => currentNames.get(id) ?? name),
      service: connection.name,
      requests: steps.filter(({ state }) => state === 'left').length,
      notes,
    };
    if (!(await confirmChange(summary, changeTexts()[run.kind]))) return undefined;
    await assertSameLists(this.#connections, run, current);
    return prepared;
  }

  /** Returns the stored runs that no other window is working on. */
  async #list(): Promise<readonly Run[]> {
    return (await this.#journal.all()).filter((run) => !this.#isRunningElsewhere(run));
  }

  async #find(what: string): Promise<Run> {
    const run = (await this.#journal.all()).find((each) => each.what === what);
    if (!run) throw new Error(t("This change can't be continued. It is complete or was forgotten."));
    if (this.#isRunningElsewhere(run))
      throw new Error(t('Another window is working on this change. Wait until it is done.'));
    return run;
  }

  #isRunningElsewhere(run: Run) {
    return run.session !== vscode.env.sessionId && this.#journal.isInFlight(run);
  }

  /**
   * Compares an unconfirmed request with the current subscribers. The service may still be processing the undone part, so it is only sent
   * again if the user says so. If the lists can't be read, everything counts as undone. Returns undefined if the user cancels.
   */
  async #resolve(run: Run, step: Step): Promise<UnconfirmedStep | undefined> {
    const checkAgain = t('Check Again');
    const leaveOutButton = t('Leave Out');
    for (;;) {
      const checked = await this.#check(run, step);
      if (!checked) return undefined;
      const { undone, count, found, status } = checked;
      const again = t`To be sent again: ${formatNumber(count)}.`;
      if (count === 0) return { undone, leaveOut: false, note: [...found, again].join(' ') };
      const choice = await vscode.window.showWarningMessage(
        escapeMessage(plural(count, ...changeTexts()[run.kind].unconfirmed), MAX_SENTENCE_CHARS),
        {
          modal: true,
          detail: `${status}\n${t('If you send them again, recipients may get the same emails a second time.')}`,
        },
        checkAgain,
        leaveOutButton,
        t('Send Again'),
      );
      if (choice === undefined) return undefined;
      if (choice === checkAgain) continue;
      const leaveOut = choice === leaveOutButton;
      const rest = leaveOut ? t`Left out: ${formatNumber(count)}.` : again;
      return { undone, leaveOut, note: [...found, rest].join(' ') };
    }
  }

  /** Reads the lists of an unconfirmed request. Returns undefined if the user cancels. */
  async #check(run: Run, step: Step): Promise<CheckedStep | undefined> {
    const lost = plural(
      step.emails.length,
      t('The response for {0} address was lost.'),
      t('The response for {0} addresses was lost.'),
    );
    try {
      const undone = await withProgress(t('Checking the subscriptions'), (signal) =>
        this.#connections.run(run, (client) => findUndone(client, run.kind, step, signal)),
      );
      const count = new Set(undone.flatMap(({ emails }) => emails)).size;
      const changed = changeTexts()[run.kind].formatChanged(formatNumber(step.emails.length - count));
      const found = [lost, changed];
      const status = [...found, t('The service may still be processing the others.')].join(' ');
      return { undone, count, found, status };
    } catch (error) {
      if (isCanceled(error)) return undefined;
      const status = t`The check failed: ${errorText(error)}`;
      return { undone: [step], count: new Set(step.emails).size, found: [lost], status };
    }
  }
}

/**
 * Returns the part of an unconfirmed request that the lists don't reflect yet. The service may still be processing it. Addresses without a
 * user are always part of the result.
 *
 * Throws `ApiError` if the lists can't be read.
 */
async function findUndone(
  client: MailingClient,
  kind: ChangeKind,
  { emails, listIds }: Step,
  signal: AbortSignal,
): Promise<Step[]> {
  const lists = new Map<string, number[]>(emails.map((email) => [email, []]));
  for (const listId of listIds) {
    const subscribed = await findSubscribed(client, listId, emails, signal);
    for (const [email, undoneListIds] of lists)
      if (subscribed.has(normalizeAddress(email)) === (kind === 'unsubscribe')) undoneListIds.push(listId);
  }
  const undone = [...lists].filter(([, undoneListIds]) => undoneListIds.length > 0);
  const groups = Map.groupBy(undone, ([, undoneListIds]) => undoneListIds.join());
  return Array.from(groups.values(), (group) => ({
    emails: group.map(([email]) => email),
    listIds: group[0]?.[1] ?? [],
  }));
}

/** Returns the normalized addresses that are subscribed to a list. */
async function findSubscribed(
  client: MailingClient,
  listId: number,
  emails: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const wantedAddresses = new Set(emails.map(normalizeAddress));
  const foundAddresses = new Set<string>();
  for await (const { email } of paginate((page, options) => client.getSubscribersFromLists([listId], page, options), {
    pageSize: MAX_PAGE_SIZE,
    signal,
  })) {
    const key = normalizeAddress(email ?? '');
    if (wantedAddresses.has(key)) foundAddresses.add(key);
    if (foundAddresses.size === wantedAddresses.size) break;
  }
  return foundAddresses;
}
