import { formatPair, localized, t } from '../../l10n.ts';
import clients from './data/clients.json' with { type: 'json' };

/** A family of mail clients that behave alike. `members` are keys of the support table. */
export interface ClientFamily {
  readonly id: string;
  readonly name: string;
  readonly members: readonly string[];
  /** Checked if the user selected no clients. */
  readonly isDefault?: boolean;
}

export const OUTLOOK_WINDOWS = 'Outlook for Windows';

/** The names that are not only product names. */
const clientNames = localized((): Readonly<Record<string, string>> => ({
  [OUTLOOK_WINDOWS]: t('Outlook for Windows'),
  'Outlook.com and new Outlook': t('Outlook.com and new Outlook'),
  'Outlook for Mac': t('Outlook for Mac'),
  'Outlook for phones': t('Outlook for phones'),
}));

/** Returns the name of a family in the display language. */
export const getClientName = (name: string): string => clientNames()[name] ?? name;

/** In the order in which messages list them. */
export const clientFamilies: readonly ClientFamily[] = clients.families;

const defaultClients = clientFamilies.filter(({ isDefault }) => isDefault);

const normalizeClientName = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/gu, '');

/** Returns the selected families by id, name or member key, in table order. Returns the default families if no name is recognized. */
export function selectClients(names?: readonly string[]): readonly ClientFamily[] {
  if (!names || names.length === 0) return defaultClients;
  const requested = new Set(names.map((name) => normalizeClientName(String(name))));
  const selected = clientFamilies.filter(({ id, name, members }) =>
    [id, name, ...members].some((text) => requested.has(normalizeClientName(text))),
  );
  return selected.length > 0 ? selected : defaultClients;
}

const getPercentFormat = localized((language) => new Intl.NumberFormat(language, { style: 'percent' }));

/** Formats a share (0 to 1) as a whole percentage: "12%". */
export const formatShare = (share: number): string => getPercentFormat().format(share);

/** Returns the share of opens of the given families ("Outlook for Windows: 12% of your opens."); empty if there is no data. */
export function formatShares(names: readonly string[], shares: Readonly<Record<string, number>>): string {
  const shareByName = new Map(Object.entries(shares).map(([name, share]) => [normalizeClientName(name), share]));
  const entries = clientFamilies.flatMap(({ id, name }) => {
    const share = shareByName.get(normalizeClientName(name)) ?? shareByName.get(normalizeClientName(id)) ?? 0;
    if (!names.includes(name) || share <= 0 || share > 1) return [];
    return share < 0.01
      ? t({
          message: '{0}: under {1}',
          args: [getClientName(name), formatShare(0.01)],
          comment: 'In a list of mail clients: {0} is a mail client, {1} is "1%"',
        })
      : formatPair(getClientName(name), formatShare(share));
  });
  if (entries.length === 0) return '';
  return t({
    message: '{0} of your opens.',
    args: [entries.join(', ')],
    comment: '{0}: mail clients with shares, such as "Gmail: 40%, Yahoo: 3%"',
  });
}

/**
 * Patterns for the `opened_with` field of a service's statistics, with the families that they match. The service doesn't distinguish
 * Outlook for Windows and new Outlook.
 */
const openerPatterns = clients.openers.map(({ pattern, families }) => ({
  pattern: new RegExp(pattern, 'iu'),
  families,
}));

export interface ClientShares {
  /** Counted opens, including those of unrecognized clients. */
  readonly opens: number;
  /** Opens of unrecognized clients. */
  readonly unknown: number;
  /** Share of all opens, 0 to 1, by family id, largest first. A value that matches two families counts for both. */
  readonly shares: readonly {
    readonly id: string;
    readonly name: string;
    readonly opens: number;
    readonly share: number;
  }[];
}

/**
 * Counts opens by client family from the values of `opened_with`. Clients that load no images are not counted, and Apple's privacy proxy
 * opens unread emails.
 */
export function countClientShares(openedWith: readonly (string | number | null | undefined)[]): ClientShares {
  const opened = openedWith.filter((value) => value !== null && value !== undefined);
  const matches = opened.map(
    (value) => openerPatterns.find(({ pattern }) => pattern.test(String(value).slice(0, 200)))?.families,
  );
  const shares = clientFamilies
    .map(({ id, name }) => {
      const opens = matches.filter((families) => families?.includes(id)).length;
      return { id, name, opens, share: opens / opened.length };
    })
    .filter(({ opens }) => opens > 0)
    .sort((one, other) => other.opens - one.opens);
  return { opens: opened.length, unknown: matches.filter((families) => !families).length, shares };
}
