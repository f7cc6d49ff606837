import { t } from '@vscode/l10n';
import { toServiceRef, type ServiceRef } from '../../../platform/connections/model.ts';
import { isApiError, isUnconfirmed } from '../../../service/client/shapes.ts';
import type { MailingClient } from '../../../service/client/index.ts';
import { plural } from '../../../l10n.ts';
import { errorText, isCanceled } from '../../../ui/errors.ts';
import { requestOnce } from '../../../sync/requests/requestOnce.ts';
import { createListBusyError, UnconfirmedMembersError, type TestRecords } from './testRecords.ts';
import { getEditorTextNote, sendToList, type TestContext } from './strategies.ts';
import {
  describeNonUsers,
  getTestSubject,
  excludeAddresses,
  type TestList,
  type TestRequest,
  type TestStrategy,
  readAddresses,
} from './recipients.ts';

/**
 * Name of the list for tests to addresses, on services that can't send to single users. It appears in no form. While a
 * test is unconfirmed, others use a list of this name with a number.
 */
export const OWN_LIST_NAME = 'Tests of Mailing Studio';

/** A list of this name with more subscribers isn't ours: its subscribers are not removed. */
const MAX_MEMBERS = 100;

/** Asks whether a list of this name may be created. */
type ConfirmCreate = (name: string) => Promise<boolean>;

/**
 * Creates a strategy that sends a test by a list with only the test addresses on it. Undefined if the user declines
 * the list.
 *
 * Throws `ApiError`.
 */
export async function createOwnListTestStrategy(
  order: TestRequest,
  addresses: readonly string[],
  context: TestContext,
  confirmCreate: ConfirmCreate,
  signal: AbortSignal,
): Promise<TestStrategy | undefined> {
  const { run, records } = context;
  const service = toServiceRef(order.connection);
  const { name } = order.message;
  const lists = await run((client) => findOwnLists(client, signal));
  const list =
    (await findFreeList(service, lists, records)) ?? (await createNextList(run, lists, confirmCreate, signal));
  if (list === undefined) return undefined;
  return {
    subject: getTestSubject(order.message),
    addresses,
    deliveryNotes: [
      getEditorTextNote(),
      t`Uses the list "${list.name}", which will contain only the recipients of this test.`,
    ],
    send: (stop, report) =>
      records.withList(list, { service, name, addresses }, async (recordCampaign) => {
        report(t('Updating the list'));
        await run((client) => setMembers(client, list, addresses, stop));
        return sendToList(order, { list, confirmedAddresses: addresses, recordCampaign }, context, stop, report);
      }),
  };
}

/** Creates a list with an unused name, if the user agrees. */
async function createNextList(
  run: TestContext['run'],
  others: readonly TestList[],
  confirmCreate: ConfirmCreate,
  signal: AbortSignal,
): Promise<TestList | undefined> {
  const names = [OWN_LIST_NAME, ...others.map((_, index) => `${OWN_LIST_NAME} ${index + 2}`)];
  const name = names.find((each) => !others.some((other) => other.name === each)) ?? OWN_LIST_NAME;
  return (await confirmCreate(name)) ? createOwnList(run, name, signal) : undefined;
}

/** Returns Mailing Studio's lists, the one without a number first. Throws `ApiError`. */
async function findOwnLists(client: MailingClient, signal: AbortSignal): Promise<readonly TestList[]> {
  const found = await client.getLists({ limit: 100, filters: { name: OWN_LIST_NAME } }, { signal });
  const own = found.map(({ id, name }) => ({ id, name: name ?? '' })).filter(({ name }) => isOwnListName(name));
  return own.toSorted((one, other) => one.name.length - other.name.length || one.id - other.id);
}

function isOwnListName(name: string) {
  return name.startsWith(OWN_LIST_NAME) && /^( [1-9]\d*)?$/u.test(name.slice(OWN_LIST_NAME.length));
}

/** Returns the first list without an unconfirmed test. Throws if a running test uses one. */
async function findFreeList(service: ServiceRef, lists: readonly TestList[], records: TestRecords) {
  for (const list of lists) {
    const state = await records.getListState(service, list.id);
    if (state === 'busy') throw createListBusyError(list.name);
    if (state === 'free') return list;
  }
  return undefined;
}

/** Creates the list. If the response is lost, searches for it. Throws if it isn't there. */
async function createOwnList(run: TestContext['run'], name: string, signal: AbortSignal): Promise<TestList> {
  // In the API, 2 means no.
  const create = () => run((client) => client.createList({ name, active: 1, visible: 2 }));
  await requestOnce<unknown>(create, () => undefined);
  const made = (await run((client) => findOwnLists(client, signal))).find((list) => list.name === name);
  if (made === undefined) throw new Error(t`Couldn't find the new list "${name}" on the service. Nothing was sent.`);
  return made;
}

/**
 * Sets the members of the list, without emails and triggers. Throws if the service reports different members
 * afterwards: `UnconfirmedMembersError` if it may still change them.
 */
async function setMembers(client: MailingClient, list: TestList, addresses: readonly string[], signal: AbortSignal) {
  const now = await readAddresses(client, list.id, MAX_MEMBERS, { signal });
  if (now.length > MAX_MEMBERS)
    throw new Error(
      plural(
        MAX_MEMBERS,
        t('The list "{1}" has more than {0} recipient, so Mailing Studio didn\'t create it. Nothing was sent.'),
        t('The list "{1}" has more than {0} recipients, so Mailing Studio didn\'t create it. Nothing was sent.'),
        list.name,
      ),
    );
  const others = excludeAddresses(now, addresses);
  const missing = excludeAddresses(addresses, now);
  const quiet = { listIds: [list.id], trigger: false };
  let isLost = false;
  /** Ignores errors after which the members may still be right: they are read afterwards. */
  const apply = async (change: () => Promise<unknown>) => {
    try {
      await change();
    } catch (error) {
      if (isUnconfirmed(error)) isLost = true;
      // None of the addresses belongs to a user.
      else if (!isApiError(error) || error.kind !== 'notFound') throw error;
    }
  };
  try {
    // A running change is not canceled: its response contains the outcome.
    if (others.length > 0)
      await apply(() => client.unsubscribeUsers({ emails: others, sendUnsubscribeEmail: false, ...quiet }));
    signal.throwIfAborted();
    if (missing.length > 0)
      await apply(() => client.subscribeUsers({ emails: missing, sendWelcomeEmail: false, ...quiet }));
    const held = await readAddresses(client, list.id, MAX_MEMBERS, { signal });
    const absent = excludeAddresses(addresses, held);
    if (absent.length > 0) throw new Error(describeNonUsers(absent));
    const [stranger] = excludeAddresses(held, addresses);
    if (stranger !== undefined)
      throw new Error(t`The service didn't remove ${stranger} from the list "${list.name}". Nothing was sent.`);
  } catch (error) {
    if (isLost) throw new UnconfirmedMembersError(errorText(error), { cause: error });
    if (!isApiError(error) || isCanceled(error)) throw error;
    throw new Error(t`Couldn't update the list "${list.name}": ${errorText(error)} Nothing was sent.`, {
      cause: error,
    });
  }
}
