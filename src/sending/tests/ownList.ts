import { isApiError } from '../../api/recognized.ts';
import type { MailingClient } from '../../api/index.ts';
import { errorText } from '../../ui/words.ts';
import type { Sends } from '../sends.ts';
import { readAddresses } from './listRecipients.ts';
import { sendToList } from './listWay.ts';
import { people, testSubject, without, type TestList, type TestOrder, type Way, type WayParts } from './model.ts';

/** The list by which tests reach addresses, of services that can't send to one. Nobody sees it on a form. */
export const ownListName = 'Tests of Mailing Studio';

/** With more subscribers than this it is somebody else's list of that name: theirs are not taken off it. */
const mostMembers = 100;

/** What is to be asked besides. */
export interface OwnListQuestions {
  /** Whether the list may be made. */
  mayMake(): Promise<boolean>;
}

/**
 * A test that goes to addresses by a list that has them alone. Undefined where the user wants no such list.
 *
 * Throws `ApiError`.
 */
export async function ownListWay(
  order: TestOrder,
  addresses: readonly string[],
  sends: Sends,
  parts: WayParts,
  { mayMake }: OwnListQuestions,
  signal: AbortSignal,
): Promise<Way | undefined> {
  const { run } = parts;
  const list = (await run((client) => findOwnList(client, signal))) ?? ((await mayMake()) ? await makeOwnList(run, signal) : undefined);
  if (list === undefined) return undefined;
  const [only] = addresses;
  const these = addresses.length === 1 ? 'this address' : 'these addresses';
  return {
    subject: testSubject(order.message),
    to: addresses.length === 1 && only !== undefined ? only : people(addresses.length),
    addresses,
    how: [
      'What is in the editor now is sent, saved or not.',
      `It goes by the list "${ownListName}", which then has ${these} on it and no other.`,
    ],
    send: async (stop, report) => {
      report('setting the list');
      await run((client) => setMembers(client, list, addresses, stop));
      return sendToList(order, { list, agreed: addresses }, sends, parts, stop, report);
    },
  };
}

/** The list, as it is now. Of several with its name the first is it. Throws `ApiError`. */
export async function findOwnList(client: MailingClient, signal: AbortSignal): Promise<TestList | undefined> {
  const found = await client.getLists({ limit: 100, filters: { name: ownListName } }, { signal });
  const [list] = found.filter(({ name }) => name === ownListName).toSorted((one, other) => one.id - other.id);
  return list && { id: list.id, name: ownListName };
}

/** Makes the list. Where the answer is lost it is looked for. Throws where it is not there. */
async function makeOwnList(run: WayParts['run'], signal: AbortSignal): Promise<TestList> {
  try {
    // For the document, 2 is no.
    await run((client) => client.createList({ name: ownListName, active: 1, visible: 2 }));
  } catch (error) {
    if (!isApiError(error) || error.outcome !== 'unknown') throw error;
  }
  const made = await run((client) => findOwnList(client, signal));
  if (made === undefined) throw new Error(`The list "${ownListName}" is not seen on the service. Nothing was sent.`);
  return made;
}

/** Sets who is on the list, without mails and triggers. Throws with the reason where these and no others are not on it then. */
async function setMembers(client: MailingClient, list: TestList, addresses: readonly string[], signal: AbortSignal): Promise<void> {
  const now = await readAddresses(client, list.id, mostMembers, { signal });
  if (now.length > mostMembers)
    throw new Error(`The list "${list.name}" has more than ${people(mostMembers)}: it is not one of Mailing Studio's. Nothing was sent.`);
  const others = without(now, addresses);
  const missing = without(addresses, now);
  const listIds = [list.id];
  if (others.length > 0)
    await changing(() => client.unsubscribeUsers({ emails: others, listIds, sendUnsubscribeEmail: false, trigger: false }, { signal }));
  if (missing.length > 0)
    await changing(() => client.subscribeUsers({ emails: missing, listIds, sendWelcomeEmail: false, trigger: false }, { signal }));
  const held = await readAddresses(client, list.id, mostMembers, { signal });
  const absent = without(addresses, held);
  if (absent.length > 0) throw new Error(noUsers(absent));
  const [stranger] = without(held, addresses);
  if (stranger !== undefined)
    throw new Error(`The service did not take ${stranger} off the list "${list.name}". Nothing was sent.`);
}

/** Whatever the service says to a change, who is on the list is read after it; but one that it refuses for another reason is told. */
async function changing(change: () => Promise<unknown>): Promise<void> {
  try {
    await change();
  } catch (error) {
    // None of the addresses is a user's, or the answer was lost.
    if (isApiError(error) && (error.kind === 'notFound' || error.outcome === 'unknown')) return;
    throw new Error(`The list "${ownListName}" can't be set: ${errorText(error)} Nothing was sent.`, { cause: error });
  }
}

/** Says that nobody has these addresses. */
export function noUsers(addresses: readonly string[]): string {
  const [only, ...others] = addresses;
  const [who, them] = others.length === 0 ? [`${only} is no user`, 'it'] : [`${addresses.join(', ')} are no users`, 'them'];
  return `${who} of the service. Nothing was sent: services send to their users alone, so subscribe ${them} first.`;
}
