import { configuration } from '../store.ts';
import type { ProfileRules } from '../profiles.ts';
import { campaignRoutes } from './campaigns.ts';
import { followUpRoutes } from './followUps.ts';
import { listRoutes } from './lists.ts';
import { fail, ok, okMessage, readGroup, readNumber, readPageRange, readText, type Routes } from './route.ts';
import { getFollowupStatistics, statisticsRoutes } from './statistics.ts';
import { templateRoutes } from './templates.ts';

/** Types of emails that belong to no template, campaign or follow-up. */
const emailTypes = new Set(['welcome', 'unsubscribe', 'automation', 'notification']);

/** Tasks of installations that are not in the API document, with checks in the same order. */
const extraRoutes: Routes = {
  authenticate: () => ok({ message: 'Successfully authenticated', siteName: configuration.siteName }),
  getUsers(call) {
    const { people } = call.store;
    const [offset, limit] = readPageRange(call);
    const chosen = readGroup(call.query, 'filters')['id'];
    const ids = chosen ? [Number(chosen)] : Array.from({ length: limit }, (_, at) => offset + at + 1);
    const users = ids.map((id) => ({ ...people.get(id), id: String(id), 'Home town': 'Leeds' }));
    return ok(users.filter(({ id, email }) => people.find(email) === Number(id)));
  },
  getEmails(call) {
    const { lists, mails } = call.store;
    const type = readText(readGroup(call.query, 'filters')['type']) ?? '';
    if (!emailTypes.has(type)) fail(422, 'Invalid type.');
    const ids = new Set(lists.all().map((list) => (type === 'welcome' ? list.welcome_id : list.unsubscribe_id)));
    // The samples have no emails of the other types.
    const found = mails.all().filter(({ id }) => /^(?:welcome|unsubscribe)$/.test(type) && ids.has(id));
    const [offset, limit] = readPageRange(call);
    const rows = found
      .toReversed()
      .map(({ id, name, subject }) => ({ id: String(id), name, creation_date: null, subject }));
    return ok(rows.slice(offset, offset + limit));
  },
  getFollowupStatistics,
  sendEmailToSingleUser({ body, store, mailer }) {
    const email = readText(body['email']) || fail(422, 'Receiver email address not provided in the request body.');
    const user =
      store.people.find(email) ?? (store.hasExtras ? store.people.add(email) : fail(404, "User doesn't exist"));
    const id = readNumber(body['emailId']) ?? fail(422, 'Email ID not provided in the request body.');
    const mail = store.mail(id) ?? fail(404, "Email doesn't exist");
    if (mail.subject === '' || mail.body === '') fail(500, 'Error sending.');
    mailer.deliver(id, user);
    return okMessage('Email sent successfully.');
  },
};

const taskRoutes: Routes = { ...listRoutes, ...templateRoutes, ...campaignRoutes, ...statisticsRoutes };

/** Returns the operations that are named by `ctrl`, and those that are named by `task`. */
export function getRoutes(
  { isInstallation }: ProfileRules,
  hasExtras: boolean,
): { readonly byCtrl: Routes; readonly byTask: Routes } {
  return isInstallation
    ? { byCtrl: {}, byTask: { ...taskRoutes, ...followUpRoutes, ...extraRoutes } }
    : { byCtrl: followUpRoutes, byTask: hasExtras ? { ...taskRoutes, ...extraRoutes } : taskRoutes };
}

/** Returns the HTTP method of an operation. */
export function getMethod(operation: string): 'GET' | 'POST' | 'DELETE' {
  if (/^(?:get|authenticate)/.test(operation)) return 'GET';
  return operation.startsWith('delete') ? 'DELETE' : 'POST';
}
