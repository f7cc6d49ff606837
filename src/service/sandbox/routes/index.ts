import { configuration } from '../store.ts';
import type { ProfileRules } from '../profiles.ts';
import { campaignRoutes } from './campaigns.ts';
import { emailRoutes } from './emails.ts';
import { followUpRoutes } from './followUps.ts';
import { listRoutes } from './lists.ts';
import type { RouteHandler, RouteHandlers } from './route.ts';
import { ok } from './route.ts';
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

const authenticateRoutes: RouteHandlers = {
  authenticate: {
    method: 'GET',
    failure: 'Error authenticating.',
    run: () => ok({ message: 'Successfully authenticated', siteName: configuration.siteName }),
  },
};

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
        ...(profile.hasAuthenticate ? authenticateRoutes : {}),
        ...(profile.hasSingleSends ? emailRoutes : {}),
      };
  const operation = (isByCtrl ? ctrl : task) ?? '';
  const route = Object.hasOwn(routes, operation) ? routes[operation] : undefined;
  if (route) return { kind: 'operation', operation, route };
  return isByCtrl ? { kind: 'elsewhere' } : { kind: 'unknownTask' };
}
