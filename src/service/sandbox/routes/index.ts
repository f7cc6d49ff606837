import { configuration } from '../store.ts';
import type { ProfileRules } from '../profiles.ts';
import { campaignRoutes } from './campaigns.ts';
import { followUpRoutes } from './followUps.ts';
import { listRoutes } from './lists.ts';
import type { RouteHandler, RouteHandlers } from './route.ts';
import { fail, ok, okMessage, readNumber, readText } from './route.ts';
import { statisticsRoutes } from './statistics.ts';
import { subscriptionRoutes } from './subscriptions.ts';
import { templateRoutes } from './templates.ts';

const taskRoutes: RouteHandlers = {
  ...subscriptionRoutes,
  ...listRoutes,
  ...templateRoutes,
  ...campaignRoutes,
  ...statisticsRoutes,
};

/** Tasks of the `acymailing` profile that are not in the API document, with checks in the same order. */
const profileRoutes: RouteHandlers = {
  authenticate: {
    failure: 'Error authenticating.',
    run: () => ok({ message: 'Successfully authenticated', siteName: configuration.siteName }),
  },
  sendEmailToSingleUser: {
    failure: 'Error sending.',
    run({ body, store, mailer }) {
      const email = readText(body['email']);
      if (!email) return fail(422, 'Receiver email address not provided in the request body.');
      const user = store.people.find(email);
      if (user === undefined) return fail(404, "User doesn't exist");
      const id = readNumber(body['emailId']);
      if (id === undefined) return fail(422, 'Email ID not provided in the request body.');
      const mail = store.mail(id);
      if (!mail) return fail(404, "Email doesn't exist");
      if (mail.subject === '' || mail.body === '') return fail(500, 'Error sending.');
      mailer.deliver(id, user);
      return okMessage('Email sent successfully.');
    },
  },
};

/** Returns the HTTP method of an operation. */
export function getMethod(operation: string): 'GET' | 'POST' | 'DELETE' {
  if (/^(?:get|authenticate)/.test(operation)) return 'GET';
  return operation.startsWith('delete') ? 'DELETE' : 'POST';
}

/** Target of a request: an operation, an unknown task, or a page outside the API. */
export type Destination =
  | { readonly kind: 'operation'; readonly operation: string; readonly route: RouteHandler }
  | { readonly kind: 'unknownTask' }
  | { readonly kind: 'elsewhere' };

/** Finds the operation of a query by the routing style of the profile. */
export function findRoute(ctrl: string | undefined, task: string | undefined, profile: ProfileRules): Destination {
  const isByCtrl = ctrl !== 'api';
  if (isByCtrl && !profile.followUpsByCtrl) return { kind: 'elsewhere' };
  const routes = isByCtrl
    ? followUpRoutes
    : {
        ...taskRoutes,
        ...(profile.followUpsByCtrl ? {} : followUpRoutes),
        ...(profile.hasExtraTasks ? profileRoutes : {}),
      };
  const operation = (isByCtrl ? ctrl : task) ?? '';
  const route = Object.hasOwn(routes, operation) ? routes[operation] : undefined;
  if (route) return { kind: 'operation', operation, route };
  return isByCtrl ? { kind: 'elsewhere' } : { kind: 'unknownTask' };
}
