import type { SentOptions } from '../../email/sent/model.ts';
import { t } from '../../l10n.ts';
import type { Json } from '../../service/client/shapes.ts';
import type { ApiError } from '../../service/client/errors.ts';
import type { ProfileName } from '../../service/client/profiles.ts';

export type { ProfileName } from '../../service/client/profiles.ts';

export const profileLabels: Readonly<Record<ProfileName, string>> = {
  get documented() {
    return t({
      message: "other service with AcyMailing's REST API",
      comment: "Profile of a service, after the label 'Profile'",
    });
  },
  acymailing: 'AcyMailing',
};

/** The merge tag language of a service, or user-defined tag families: see `tags/languages.ts`. */
export type TagsSetting =
  'acymailing' | 'none' | { readonly base?: 'acymailing'; readonly families: { readonly [family: string]: Json } };

/** A mailing service, as defined by the setting `mailing.connections`. The key is stored separately: see `keys.ts`. */
export interface Connection {
  /** Authority of the connection's URIs: `^[a-z0-9][a-z0-9-]*$`. */
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly profile: ProfileName;
  /** How it composes emails, if it differs from the profile. */
  readonly composing?: ProfileName;
  /** The content management system of the site, if known. */
  readonly cms?: SentOptions['cms'];
  /** Default: AcyMailing. */
  readonly tags?: TagsSetting;
  /** False hides it from tools for language models. */
  readonly agents?: boolean;
  /** The default test list. */
  readonly testListId?: number;
  /** True for the embedded service of this window. */
  readonly sandbox?: boolean;
}

/** Returns how a connection composes emails: as documented (unchanged), or like AcyMailing. */
export const getComposingProfile = (connection: Pick<Connection, 'composing' | 'profile'> | undefined): ProfileName =>
  connection?.composing ?? connection?.profile ?? 'documented';

/** The result of the last operation on a connection. */
export type ConnectionState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'connected' }
  | { readonly kind: 'keyMissing' }
  | { readonly kind: 'failed'; readonly error: ApiError };

/** An invalid entry of `mailing.connections`. */
export interface SettingsProblem {
  /** Id or name of the entry, or its position ("entry 3"). */
  readonly entry: string;
  readonly message: string;
}

/**
 * A service as a command found it, or as the user confirmed it. Its requests go to this address or nowhere: a connection
 * that is edited meanwhile is another service.
 */
export interface ServiceRef {
  /** The id of the connection, for URIs, messages and the key. */
  readonly connection: string;
  /** Normalized, as in connections. */
  readonly baseUrl: string;
}

/** Thrown before a request if a connection doesn't have the address that the user confirmed. Nothing was sent. */
export function createMovedError(name: string, baseUrl: string): Error {
  return new Error(
    t`"${name}" has another URL now: ${baseUrl}. Nothing was sent there. Open the record again to use it.`,
  );
}

/** A record of a service. */
export interface RecordRef extends ServiceRef {
  /** The id of the record on the service. */
  readonly id: number;
}

/** Names a record in URIs and in the first argument of commands, which resolve it to a `RecordRef` once. */
export type RecordKey = Omit<RecordRef, 'baseUrl'>;

export function toServiceRef({ id, baseUrl }: Pick<Connection, 'id' | 'baseUrl'>): ServiceRef {
  return { connection: id, baseUrl };
}
