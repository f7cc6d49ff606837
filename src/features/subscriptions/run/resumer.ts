import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { isTruncated } from '../../../service/client/allLists.ts';
import type { MailingClient } from '../../../service/client/index.ts';
import { MAX_PAGE_SIZE, paginate } from '../../../service/client/paginate.ts';
import type { Connection } from '../../../platform/connections/model.ts';
import { getRequestTimeoutMs } from '../../../platform/connections/open.ts';
import { isSameService } from '../../../sync/requests/journal.ts';
import { getListName } from '../../lists/model.ts';
import type { ExtensionServices } from '../../services.ts';
import { type CommandArgument, getFields } from '../../../ui/commands.ts';
import { formatTimestamp, joinParts } from '../../../service/format.ts';
import { showInfo } from '../../../ui/messages.ts';
import { withProgress } from '../../../ui/progress.ts';
import { escapeMessage } from '../../../service/text.ts';
import { errorText, isCanceled, MAX_SENTENCE_CHARS } from '../../../ui/errors.ts';
import { normalizeAddress } from './parseAddresses.ts';
import { formatNumber, plural } from '../../../l10n.ts';
import { confirmChange, readLists } from './prompts.ts';
import type { RunJournal, StoredRun } from './journal.ts';
import {
  applyEvent,
  tallyAddresses,
  findUnconfirmedSteps,
  type ChangeKind,
  type Run,
  type RunEvent,
  type Step,
} from './run.ts';
import { changeTexts, formatRunLists, formatSummary } from './texts.ts';

/** A run to continue. `events` must be stored first. */
export interface ResumedRun {
  readonly run: Run;
  readonly events: readonly RunEvent[];
  readonly deletedListIds: ReadonlySet<number>;
}

/** The undone part of an unconfirmed request, whether to leave it out or send it again, and a note for the confirmation. */
interface UnconfirmedStep {
  readonly undone: readonly Step[];
  readonly leaveOut: boolean;
  readonly note: string;
}

/** A run of another window without events for this time is abandoned. Must exceed the duration of a request. */
const ABANDONED_AFTER_MS = 120_000;

/** Finds interrupted runs and prepares them to continue. */
export function createResumer({ connections }: Pick<ExtensionServices, 'connections'>, journal: RunJournal) {
  /** Returns the stored runs that no other window is working on. */
  async function listInterrupted(): Promise<readonly StoredRun[]> {
    return (await journal.readAll()).filter((interrupted) => !isRunningElsewhere(interrupted));
  }

  /** Returns the run of the argument (`{ run }`), the only interrupted one (of `{ connection }`), or asks for one. */
  async function pickRun(argument: CommandArgument) {
    const { run: id, connection } = getFields(argument);
    if (typeof id === 'string') {
      const interrupted = await journal.read(id).catch(() => undefined);
      if (interrupted === undefined)
        throw new Error(t("This change can't be continued. It is complete or was forgotten."));
      if (isRunningElsewhere(interrupted))
        throw new Error(t('Another window is working on this change. Wait until it is done.'));
      return interrupted.run;
    }
    const [first, ...others] = (await listInterrupted()).filter(
      ({ run }) => typeof connection !== 'string' || run.plan.connection === connection,
    );
    if (first === undefined) {
      void showInfo(t('There is no interrupted change of subscriptions to continue.'));
      return undefined;
    }
    if (others.length === 0) return first.run;
    const items = [first, ...others].map(({ run, updatedAt }) => {
      const { kind, connection: service } = run.plan;
      return {
        label: escapeMessage(changeTexts()[kind].describe(formatRunLists(run))),
        description: joinParts([
          escapeMessage(connections.get(service)?.name ?? service),
          formatTimestamp(updatedAt / 1000),
        ]),
        detail: formatSummary(run),
        run,
      };
    });
    const options = {
      title: t('Continue Changing Subscriptions'),
      placeHolder: t('Select the change to continue'),
    };
    return (await vscode.window.showQuickPick(items, options))?.run;
  }

  /**
   * Compares an unconfirmed request with the current subscribers. The service may still be processing the undone part, so it is only sent
   * again if the user says so. If the lists can't be read, everything counts as undone. Returns undefined if the user cancels.
   */
  async function resolveUnconfirmed({ plan }: Run, step: Step): Promise<UnconfirmedStep | undefined> {
    const texts = changeTexts()[plan.kind];
    const checkAgain = t('Check Again');
    const leaveOutButton = t('Leave Out');
    const lost = plural(
      step.emails.length,
      t('The response for {0} address was lost.'),
      t('The response for {0} addresses was lost.'),
    );
    for (;;) {
      const checked = await withProgress(t('Checking the subscriptions'), (signal) =>
        connections.run(plan, (client) => findUndone(client, plan.kind, step, signal)),
      ).catch((error: unknown) => ({ error }));
      const hasFailed = 'error' in checked;
      if (hasFailed && isCanceled(checked.error)) return undefined;
      const undone = hasFailed ? [step] : checked;
      const count = new Set(undone.flatMap(({ emails }) => emails)).size;
      const changed = texts.formatChanged(formatNumber(step.emails.length - count));
      const again = t`To be sent again: ${formatNumber(count)}.`;
      if (count === 0) return { undone, leaveOut: false, note: [lost, changed, again].join(' ') };
      const status = hasFailed
        ? t`The check failed: ${errorText(checked.error)}`
        : [lost, changed, t('The service may still be processing the others.')].join(' ');
      const choice = await vscode.window.showWarningMessage(
        escapeMessage(plural(count, ...texts.unconfirmed), MAX_SENTENCE_CHARS),
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
      return { undone, leaveOut, note: [lost, ...(hasFailed ? [] : [changed]), rest].join(' ') };
    }
  }

  return {
    pickRun,
    /** Asks about interrupted changes of the same kind on the connection. Returns the run to continue, or whether to start another one. */
    askAboutInterrupted: async (connection: Connection, kind: ChangeKind): Promise<Run | 'continue' | 'cancel'> => {
      const goOn = t('Continue');
      const forget = t('Forget Change');
      for (const { run } of await listInterrupted()) {
        const { plan } = run;
        if (!isSameService(plan, connection) || plan.kind !== kind) continue;
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
        if (choice === forget) {
          await pickRun({ run: plan.id });
          await journal.remove(plan.id);
        }
      }
      return 'continue';
    },
    /**
     * Checks unconfirmed requests and asks before the remaining ones are sent. Returns undefined if the user cancels; nothing has changed
     * then.
     */
    prepare: async (interrupted: Run, connection: Connection): Promise<ResumedRun | undefined> => {
      const { plan } = interrupted;
      const lists = await readLists(connections, plan);
      // If not all lists were read, a missing list isn't necessarily deleted.
      const isDeleted = ({ id }: { readonly id: number }) =>
        !isTruncated(lists) && !lists.some((list) => list.id === id);
      const deleted = plan.lists.filter(isDeleted);
      const currentNames = new Map(lists.map((list) => [list.id, getListName(list)]));
      const deletedListIds = new Set(deleted.map(({ id }) => id));
      const events: RunEvent[] = [];
      const notes: string[] = [];
      let run = interrupted;
      const record = (event: RunEvent) => {
        events.push(event);
        run = applyEvent(run, event);
      };
      for (const index of findUnconfirmedSteps(interrupted)) {
        const step = interrupted.steps[index];
        if (step === undefined) continue;
        const found = await resolveUnconfirmed(interrupted, {
          emails: step.emails,
          listIds: step.listIds.filter((id) => !deletedListIds.has(id)),
        });
        if (found === undefined) return undefined;
        notes.push(found.note);
        const end = run.steps.length;
        record({ type: 'checked', step: index, again: found.undone });
        if (found.leaveOut) found.undone.forEach((_, at) => record({ type: 'leftOut', step: end + at }));
      }
      run.steps.forEach((step, index) => {
        if (step.state === 'left' && step.listIds.every((id) => deletedListIds.has(id)))
          record({ type: 'leftOut', step: index });
      });
      const missingNames = deleted.map(({ name }) => name).join(', ');
      if (deleted.length > 0) notes.push(t`Lists left out, because they were deleted on the service: ${missingNames}.`);
      const { left } = tallyAddresses(run);
      const summary = {
        ...plan,
        addresses: left,
        lists: plan.lists.filter((list) => !isDeleted(list)).map(({ id, name }) => currentNames.get(id) ?? name),
        service: connection.name,
        requests: run.steps.filter(({ state }) => state === 'left').length,
        notes: [t`So far: ${formatSummary(interrupted)}`, ...notes],
      };
      const agreed = left.length === 0 || (await confirmChange(summary, changeTexts()[plan.kind]));
      return agreed ? { run, events, deletedListIds } : undefined;
    },
  };
}

function isRunningElsewhere({ run, updatedAt }: StoredRun) {
  return (
    run.session !== undefined &&
    run.session !== vscode.env.sessionId &&
    Date.now() - updatedAt < Math.max(ABANDONED_AFTER_MS, 3 * getRequestTimeoutMs())
  );
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
