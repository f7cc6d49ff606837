import type { Arguments } from './operations.ts';
import type { Profile } from './profiles.ts';
import type { QueryParameter, Route } from './routes.ts';
import { isObject } from './shapes.ts';
import { ArgumentError, outgoing } from './translate.ts';

/** A request but for its key. */
export interface Prepared {
  readonly method: Route<unknown>['method'];
  /** Query, with its `?`. */
  readonly query: string;
  readonly contentType?: string;
  readonly body?: string;
}

type Pair = readonly [name: string, value: string];

function pair(name: string, value: unknown): Pair[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'boolean') return [[name, value ? '1' : '0']];
  if (typeof value === 'string') return [[name, value]];
  if (typeof value === 'number' && Number.isFinite(value)) return [[name, String(value)]];
  throw new ArgumentError(`${name} is neither a number nor a text`);
}

/** How the value of a query parameter is written: `%20` for a space and `%5B` for a bracket, which every server decodes. */
const writers: Readonly<
  Record<QueryParameter['as'], (name: string, value: unknown, parameter: QueryParameter, profile: Profile) => Pair[]>
> = {
  value: pair,
  list: (name, value) => (Array.isArray(value) ? value : [value]).flatMap((item: unknown) => pair(`${name}[]`, item)),
  map: (name, value, { rules }, profile) => {
    if (value === undefined || value === null) return [];
    if (!isObject(value)) throw new ArgumentError(`${name} is not an object`);
    return Object.entries(outgoing(profile, value, rules)).flatMap(([key, item]) => pair(`${name}[${key}]`, item));
  },
};

function encode(pairs: readonly Pair[]): string {
  return new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString().replaceAll('+', '%20');
}

const contentTypes: Readonly<Record<NonNullable<Route<unknown>['contentType']>, (profile: Profile) => string>> = {
  json: () => 'application/json',
  send: (profile) => profile.sendCampaignContentType,
};

/**
 * What goes over the wire for an operation, as the API document and the profile say: constants, `ctrl`, `task`, then the arguments. Only
 * what was given is sent. Throws `ArgumentError`.
 */
export function prepare(profile: Profile, operation: string, route: Route<unknown>, args: Arguments): Prepared {
  const styleB = route.family === 'followUps' && profile.followUpRouting === 'ctrl';
  const pairs: Pair[] = [
    ['page', profile.query.page],
    ['option', profile.query.option],
    ...(styleB ? [['ctrl', operation] as const] : [['ctrl', 'api'] as const, ['task', operation] as const]),
  ];
  for (const parameter of route.query ?? []) {
    const name = parameter.name === 'followUpFilters' ? profile.followUpFilters : parameter.name ?? parameter.argument;
    pairs.push(...writers[parameter.as](name, args[parameter.argument], parameter, profile));
  }
  const body = route.body === undefined ? {} : { body: JSON.stringify(outgoing(profile, args, route.body)) };
  const contentType = route.contentType === undefined ? {} : { contentType: contentTypes[route.contentType](profile) };
  return { method: route.method, query: `?${encode(pairs)}`, ...contentType, ...body };
}
