import type { ApiError } from '../../service/client/errors.ts';

export type ProfileName = 'documented' | 'acymailing';

/** The language of merge tags that a service speaks; or families of tags that somebody described: see `tags/languages.ts`. */
export type TagsSetting = 'acymailing' | 'none' | { readonly families: Readonly<Record<string, unknown>> };

/** One mailing service, as the setting `mailing.connections` names it. The key is not part of it: see `keys.ts`. */
export interface Connection {
  /** Authority of the connection's URIs: `^[a-z0-9][a-z0-9-]*$`. */
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly profile: ProfileName;
  /** How it composes emails, if not as its profile says. */
  readonly composing?: ProfileName;
  /** Default: those of AcyMailing. */
  readonly tags?: TagsSetting;
  /** False: the tools for language models don't find it. */
  readonly agents?: boolean;
  /** The list that receives tests where the settings name none. */
  readonly testListId?: number;
  /** True for the embedded service of this window. */
  readonly sandbox?: boolean;
}

/** How a connection composes what it sends of an email: as its document says (that is, as it is written), or as AcyMailing does. */
export const getComposingProfile = (connection: Pick<Connection, 'composing' | 'profile'> | undefined): ProfileName =>
  connection?.composing ?? connection?.profile ?? 'documented';

/** What is known of a connection: the outcome of the last operation on it. */
export type ConnectionState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'connected' }
  | { readonly kind: 'keyMissing' }
  | { readonly kind: 'failed'; readonly error: ApiError };

/** An entry of `mailing.connections` that can't be used, in words for its owner. */
export interface SettingsProblem {
  /** What names the entry: its id or name, or its place ("entry 3"). */
  readonly entry: string;
  readonly message: string;
}
