import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isTruncated } from '../../../service/client/allLists.ts';
import type { MailingClient } from '../../../service/client/index.ts';
import { MAX_PAGE_SIZE, paginate } from '../../../service/client/paginate.ts';
import type { Connection } from '../../../platform/connections/model.ts';
import type { ExtensionServices } from '../../../platform/services.ts';
import { type CommandArgument, getFields } from '../../../platform/ui/commands.ts';
import { formatTimestamp, joinParts } from '../../../platform/ui/format.ts';
import { showInfo } from '../../../platform/ui/messages.ts';
import { withProgress } from '../../../platform/ui/progress.ts';
import { escapeMessage } from '../../../platform/ui/text.ts';
import { errorText, isCanceled, MAX_SENTENCE_CHARS } from '../../../platform/ui/errors.ts';
import { normalizeAddress } from './parseAddresses.ts';
import { formatNumber, localized, plural } from '../../../l10n.ts';
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
const buttons = localized(() => ({
  continue: l10n.t('Continue'),
  forget: l10n.t('Forget Change'),
  startAnother: l10n.t('Start Another Change'),
  checkAgain: l10n.t('Check Again'),
  leaveOut: l10n.t('Leave Out'),
  sendAgain: l10n.t('Send Again'),
}));

/** Finds interrupted runs and prepares them to continue. */
export class RunResumer {
  readonly #connections: ExtensionServices['connections'];
  readonly #journal: RunJournal;

  constructor({ connections }: Pick<ExtensionServices, 'connections'>, journal: RunJournal) {
    this.#connections = connections;
    this.#journal = journal;
  }

  /** Asks about interrupted changes of the same kind on the connection. Returns the run to continue, or whether to start another one. */
  async askAboutInterrupted(connection: Connection, kind: ChangeKind): Promise<Run | 'continue' | 'cancel'> {
    for (const { run } of await this.#listInterrupted()) {
      const { plan } = run;
      if (plan.connection !== connection.id || plan.kind !== kind) continue;
      const text = changeTexts()[kind].formatInterrupted(formatRunLists(run), connection.name);
      const advice = l10n.t(
        "If you start another change with the same addresses, it repeats the completed part. A forgotten change can't be continued.",
      );
      const choice = await vscode.window.showWarningMessage(
        escapeMessage(text, MAX_SENTENCE_CHARS),
        { modal: true, detail: `${formatSummary(run)}\n${advice}` },
        buttons().continue,
        buttons().forget,
        buttons().startAnother,
      );
      if (choice === buttons().continue) return run;
      if (choice === undefined) return 'cancel';
      if (choice === buttons().forget) {
        await this.pickRun({ run: plan.id });
        await this.#journal.remove(plan.id);
      }
    }
    return 'continue';
  }

  /** Returns the run of the argument (`{ run }`), the only interrupted one (of `{ connection }`), or asks for one. */
  async pickRun(argument: CommandArgument): Promise<Run | undefined> {
    const { run: id, connection } = getFields(argument);
    if (typeof id === 'string') {
      const interrupted = await this.#journal.read(id).catch(() => undefined);
      if (interrupted === undefined)
        throw new Error(l10n.t("This change can't be continued. It is complete or was forgotten."));
      if (isRunningElsewhere(interrupted))
        throw new Error(l10n.t('Another window is working on this change. Wait until it is done.'));
      return interrupted.run;
    }
    const [first, ...others] = (await this.#listInterrupted()).filter(
      ({ run }) => typeof connection !== 'string' || run.plan.connection === connection,
    );
    if (first === undefined) {
      void showInfo(l10n.t('There is no interrupted change of subscriptions to continue.'));
      return undefined;
    }
    if (others.length === 0) return first.run;
    const items = [first, ...others].map(({ run, updatedAt }) => {
      const { connection: service } = run.plan;
      return {
        label: escapeMessage(changeTexts()[run.plan.kind].describe(formatRunLists(run))),
        description: joinParts([
          escapeMessage(this.#connections.get(service)?.name ?? service),
          formatTimestamp(updatedAt / 1000),
        ]),
        detail: formatSummary(run),
        run,
      };
    });
    const options = {
      title: l10n.t('Continue Changing Subscriptions'),
      placeHolder: l10n.t('Select the change to continue'),
    };
    return (await vscode.window.showQuickPick(items, options))?.run;
  }

  /** Returns the run's connection. Throws if it was removed. */
  getConnection({ plan }: Run): Connection {
    const connection = this.#connections.get(plan.connection);
    if (connection === undefined)
      throw new Error(l10n.t`The connection "${plan.connection}" of this change no longer exists.`);
    return connection;
  }

  /**
   * Checks unconfirmed requests and asks before the remaining ones are sent. Returns undefined if the user cancels; nothing has changed
   * then.
   */
  async prepare(interrupted: Run, connection: Connection): Promise<ResumedRun | undefined> {
    const { plan } = interrupted;
    const lists = await readLists(this.#connections, connection.id);
    // If not all lists were read, a missing list isn't necessarily deleted.
    const deletedListIds = new Set(
      isTruncated(lists) ? [] : plan.lists.map(({ id }) => id).filter((id) => !lists.some((list) => list.id === id)),
    );
    const events: RunEvent[] = [];
    const notes: string[] = [];
    let run = interrupted;
    const record = (event: RunEvent): void => {
      events.push(event);
      run = applyEvent(run, event);
    };
    for (const index of findUnconfirmedSteps(interrupted)) {
      const step = interrupted.steps[index];
      if (step === undefined) continue;
      const found = await this.#resolveUnconfirmed(interrupted, {
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
    const missingNames = plan.lists.filter(({ id }) => deletedListIds.has(id)).map(({ name }) => name);
    if (missingNames.length > 0)
      notes.push(l10n.t`Lists left out, because they were deleted on the service: ${missingNames.join(', ')}.`);
    const { left } = tallyAddresses(run);
    if (left.length === 0) return { run, events, deletedListIds };
    const agreed = await confirmChange(
      {
        ...plan,
        addresses: left,
        lists: plan.lists.filter(({ id }) => !deletedListIds.has(id)).map(({ name }) => name),
        service: connection.name,
        requests: run.steps.filter(({ state }) => state === 'left').length,
        notes: [l10n.t`So far: ${formatSummary(interrupted)}`, ...notes],
      },
      changeTexts()[plan.kind],
    );
    return agreed ? { run, events, deletedListIds } : undefined;
  }

  /**
   * Compares an unconfirmed request with the current subscribers. The service may still be processing the undone part, so it is only sent
   * again if the user says so. If the lists can't be read, everything counts as undone. Returns undefined if the user cancels.
   */
  async #resolveUnconfirmed({ plan }: Run, step: Step): Promise<UnconfirmedStep | undefined> {
    const texts = changeTexts()[plan.kind];
    const find = (signal: AbortSignal): Promise<Step[]> =>
      this.#connections.run(plan.connection, (client) => findUndone(client, plan.kind, step, signal));
    for (;;) {
      const undone = await withProgress(l10n.t('Checking the subscriptions'), find).catch((error: unknown) => ({
        error,
      }));
      if ('error' in undone && isCanceled(undone.error)) return undefined;
      const steps = 'error' in undone ? [step] : undone;
      const count = new Set(steps.flatMap(({ emails }) => emails)).size;
      const lost = plural(
        step.emails.length,
        l10n.t('The response for {0} address was lost.'),
        l10n.t('The response for {0} addresses was lost.'),
      );
      const changed = texts.formatChanged(formatNumber(step.emails.length - count));
      const formatAgain = (repeated: number): string => l10n.t`To be sent again: ${formatNumber(repeated)}.`;
      if (count === 0) return { undone: steps, leaveOut: false, note: [lost, changed, formatAgain(0)].join(' ') };
      const status =
        'error' in undone
          ? l10n.t`The check failed: ${errorText(undone.error)}`
          : [lost, changed, l10n.t('The service may still be processing the others.')].join(' ');
      const { checkAgain, leaveOut: leaveOutButton, sendAgain } = buttons();
      const choice = await vscode.window.showWarningMessage(
        escapeMessage(texts.formatUnconfirmed(count), MAX_SENTENCE_CHARS),
        {
          modal: true,
          detail: `${status}\n${l10n.t('If you send them again, recipients may get the same emails a second time.')}`,
        },
        checkAgain,
        leaveOutButton,
        sendAgain,
      );
      if (choice === undefined) return undefined;
      if (choice === checkAgain) continue;
      const leaveOut = choice === leaveOutButton;
      const rest = leaveOut ? l10n.t`Left out: ${formatNumber(count)}.` : formatAgain(count);
      return { undone: steps, leaveOut, note: ('error' in undone ? [lost, rest] : [lost, changed, rest]).join(' ') };
    }
  }

  /** Returns the stored runs that no other window is working on. */
  async #listInterrupted(): Promise<readonly StoredRun[]> {
    return (await this.#journal.readAll()).filter((interrupted) => !isRunningElsewhere(interrupted));
  }
}

function isRunningElsewhere({ run, updatedAt }: StoredRun): boolean {
  const requestTimeoutS = vscode.workspace.getConfiguration('mailing').get<number>('request.timeout', 30);
  return (
    run.session !== undefined &&
    run.session !== vscode.env.sessionId &&
    Date.now() - updatedAt < Math.max(ABANDONED_AFTER_MS, 2000 * requestTimeoutS)
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
  const groups = new Map<string, { readonly emails: string[]; readonly listIds: readonly number[] }>();
  for (const [email, undoneListIds] of lists) {
    if (undoneListIds.length === 0) continue;
    const group = groups.get(undoneListIds.join()) ?? { emails: [], listIds: undoneListIds };
    group.emails.push(email);
    groups.set(undoneListIds.join(), group);
  }
  return [...groups.values()];
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
