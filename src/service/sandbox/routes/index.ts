import { configuration } from '../store.ts';
import type { ProfileRules } from '../profiles.ts';
import { campaignRoutes } from './campaigns.ts';
import { followUpRoutes } from './followUps.ts';
import { listRoutes } from './lists.ts';
import type { Routes } from './route.ts';
import { fail, ok, okMessage, readNumber, readText } from './route.ts';
import { statisticsRoutes } from './statistics.ts';
import { templateRoutes } from './templates.ts';

/** Tasks of the `acymailing` profile that are not in the API document, with checks in the same order. */
const profileRoutes: Routes = {
  authenticate: () => ok({ message: 'Successfully authenticated', siteName: configuration.siteName }),
  sendEmailToSingleUser({ body, store, mailer }) {
    const email = readText(body['email']) || fail(422, 'Receiver email address not provided in the request body.');
    const user = store.people.find(email) ?? fail(404, "User doesn't exist");
    const id = readNumber(body['emailId']) ?? fail(422, 'Email ID not provided in the request body.');
    const mail = store.mail(id) ?? fail(404, "Email doesn't exist");
    if (mail.subject === '' || mail.body === '') fail(500, 'Error sending.');
    mailer.deliver(id, user);
    return okMessage('Email sent successfully.');
  },
};

const taskRoutes: Routes = { ...listRoutes, ...templateRoutes, ...campaignRoutes, ...statisticsRoutes };

/** Returns the operations of a routing style: those named by `ctrl`, or by `task`. */
export function getRoutes(profile: ProfileRules, isByCtrl: boolean): Routes {
  if (isByCtrl) return profile.followUpsByCtrl ? followUpRoutes : {};
  return {
    ...taskRoutes,
    ...(profile.followUpsByCtrl ? {} : followUpRoutes),
    ...(profile.hasExtraTasks ? profileRoutes : {}),
  };
}

/** Returns the HTTP method of an operation. */
export function getMethod(operation: string): 'GET' | 'POST' | 'DELETE' {
  if (/^(?:get|authenticate)/.test(operation)) return 'GET';
  return operation.startsWith('delete') ? 'DELETE' : 'POST';
}
