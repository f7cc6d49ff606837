interface Weighted {
  readonly name: string;
  readonly weight: number;
}

/** Mail clients and devices of recipients. */
export const readers: readonly [Weighted & { readonly device: string }, ...(Weighted & { readonly device: string })[]] =
  [
    { name: 'Apple Mail', device: 'iPhone', weight: 29 },
    { name: 'Gmail', device: 'Android', weight: 24 },
    { name: 'Gmail', device: 'Desktop', weight: 17 },
    { name: 'Outlook', device: 'Desktop', weight: 13 },
    { name: 'Apple Mail', device: 'Desktop', weight: 7 },
    { name: 'Yahoo Mail', device: 'Desktop', weight: 3 },
    { name: 'Samsung Email', device: 'Android', weight: 3 },
    { name: 'Apple Mail', device: 'iPad', weight: 3 },
    { name: 'Thunderbird', device: 'Desktop', weight: 1 },
  ];

/** Reasons for bounces. */
export const bounceRules: readonly [Weighted, ...Weighted[]] = [
  { name: 'Mailbox does not exist', weight: 5 },
  { name: 'Mailbox full', weight: 3 },
  { name: 'Message blocked by the recipient', weight: 2 },
  { name: 'Domain does not exist', weight: 1 },
];
