/** A family of mail clients that behave alike. `members` are keys of the support table. */
export interface ClientFamily {
  readonly id: string;
  readonly name: string;
  readonly members: readonly string[];
  /** Checked if the user selected no clients. */
  readonly isDefault?: true;
}

/** Families in the order in which messages list them. */
export const clientFamilies: readonly ClientFamily[] = [
  { id: 'apple-mail', name: 'Apple Mail', members: ['apple-mail.ios', 'apple-mail.macos'], isDefault: true },
  {
    id: 'gmail',
    name: 'Gmail',
    members: ['gmail.desktop-webmail', 'gmail.android', 'gmail.ios', 'gmail.mobile-webmail'],
    isDefault: true,
  },
  { id: 'outlook-windows', name: 'Outlook for Windows', members: ['outlook.windows'], isDefault: true },
  { id: 'outlook-com', name: 'Outlook.com and new Outlook', members: ['outlook.outlook-com'], isDefault: true },
  { id: 'yahoo', name: 'Yahoo', members: ['yahoo.desktop-webmail', 'yahoo.android', 'yahoo.ios'], isDefault: true },
  { id: 'outlook-macos', name: 'Outlook for Mac', members: ['outlook.macos'] },
  { id: 'outlook-mobile', name: 'Outlook for phones', members: ['outlook.ios', 'outlook.android'] },
  { id: 'windows-mail', name: 'Windows Mail', members: ['outlook.windows-mail'] },
  { id: 'samsung-email', name: 'Samsung Email', members: ['samsung-email.android'] },
  { id: 'thunderbird', name: 'Thunderbird', members: ['thunderbird.macos', 'thunderbird.windows'] },
  { id: 'aol', name: 'AOL', members: ['aol.desktop-webmail', 'aol.android', 'aol.ios'] },
  {
    id: 'protonmail',
    name: 'Proton Mail',
    members: ['protonmail.desktop-webmail', 'protonmail.android', 'protonmail.ios'],
  },
  { id: 'hey', name: 'HEY', members: ['hey.desktop-webmail'] },
  { id: 'fastmail', name: 'Fastmail', members: ['fastmail.desktop-webmail'] },
  { id: 'gmx', name: 'GMX', members: ['gmx.desktop-webmail', 'gmx.android', 'gmx.ios'] },
  { id: 'web-de', name: 'WEB.DE', members: ['web-de.desktop-webmail', 'web-de.android', 'web-de.ios'] },
  { id: 't-online-de', name: 'T-Online', members: ['t-online-de.desktop-webmail'] },
  { id: 'ionos-1and1', name: 'IONOS', members: ['ionos-1and1.desktop-webmail', 'ionos-1and1.android'] },
  { id: 'orange', name: 'Orange', members: ['orange.desktop-webmail', 'orange.android', 'orange.ios'] },
  { id: 'sfr', name: 'SFR', members: ['sfr.desktop-webmail', 'sfr.android', 'sfr.ios'] },
  { id: 'free-fr', name: 'Free', members: ['free-fr.desktop-webmail'] },
  { id: 'laposte', name: 'La Poste', members: ['laposte.desktop-webmail', 'laposte.android', 'laposte.ios'] },
  { id: 'mail-ru', name: 'Mail.ru', members: ['mail-ru.desktop-webmail'] },
  { id: 'wp-pl', name: 'WP.pl', members: ['wp-pl.desktop-webmail'] },
  { id: 'rainloop', name: 'RainLoop', members: ['rainloop.desktop-webmail'] },
];

const defaultClients = clientFamilies.filter(({ isDefault }) => isDefault);

const normalizeClientName = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/gu, '');

/** Returns the selected families by id, name or member key, in table order. Returns the default families if no name is recognized. */
export function selectClients(names?: readonly string[]): readonly ClientFamily[] {
  if (!names || names.length === 0) return defaultClients;
  const requested = new Set(names.map((name) => normalizeClientName(String(name))));
  const selected = clientFamilies.filter(({ id, name, members }) =>
    [id, name, ...members].some((text) => requested.has(normalizeClientName(text))),
  );
  return selected.length > 0 ? selected : defaultClients;
}

/** Returns the share of opens of the given families ("Outlook for Windows: 12% of your opens."); empty if there is no data. */
export function formatShares(names: readonly string[], shares: Readonly<Record<string, number>>): string {
  const shareByName = new Map(Object.entries(shares).map(([name, share]) => [normalizeClientName(name), share]));
  const entries = clientFamilies
    .filter(({ name }) => names.includes(name))
    .map(({ id, name }) => ({
      name,
      share: shareByName.get(normalizeClientName(name)) ?? shareByName.get(normalizeClientName(id)),
    }))
    .flatMap(({ name, share }) =>
      typeof share === 'number' && share > 0 && share <= 1 ? [`${name}: ${formatPercent(share)}`] : [],
    );
  return entries.length === 0 ? '' : `${entries.join(', ')} of your opens.`;
}

const formatPercent = (share: number): string => (share < 0.01 ? 'under 1%' : `${Math.round(share * 100)}%`);

/** Patterns for the `opened_with` field of a service's statistics, with the families that they match. */
const openerPatterns: readonly (readonly [pattern: RegExp, families: readonly string[]])[] = [
  [/gmail|googleimageproxy/iu, ['gmail']],
  [/new outlook|outlook\.com|oneoutlook|hotmail|live\.com/iu, ['outlook-com']],
  [/outlook.*(?:ios|android|mobile)/iu, ['outlook-mobile']],
  [/outlook.*mac/iu, ['outlook-macos']],
  // The service doesn't distinguish the two.
  [/outlook/iu, ['outlook-windows', 'outlook-com']],
  [/apple|iphone|ipad|ios mail/iu, ['apple-mail']],
  [/yahoo/iu, ['yahoo']],
  [/aol/iu, ['aol']],
  [/thunderbird/iu, ['thunderbird']],
  [/samsung/iu, ['samsung-email']],
  [/proton/iu, ['protonmail']],
  [/windows mail/iu, ['windows-mail']],
  [/gmx/iu, ['gmx']],
  [/web\.de/iu, ['web-de']],
  [/orange/iu, ['orange']],
  [/mail\.ru/iu, ['mail-ru']],
];

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
  const counts = new Map<string, number>();
  let opens = 0;
  let unknown = 0;
  for (const value of openedWith) {
    if (value === null || value === undefined) continue;
    opens += 1;
    const families = openerPatterns.find(([pattern]) => pattern.test(String(value).slice(0, 200)))?.[1];
    if (!families) unknown += 1;
    for (const id of families ?? []) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const shares = clientFamilies
    .filter(({ id }) => counts.has(id))
    .map(({ id, name }) => ({ id, name, opens: counts.get(id) ?? 0, share: (counts.get(id) ?? 0) / opens }))
    .sort((one, other) => other.opens - one.opens);
  return { opens, unknown, shares };
}
