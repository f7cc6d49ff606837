import type { FollowUp } from '../../service/client/index.ts';

export const collection = 'follow-ups';

/** File suffixes of a follow-up's details, and of each mail's body and details. */
export const followUpSuffixes = { details: '.follow-up.json', body: '.html', mail: '.json' } as const;

/** View type of the form editor in `package.json`. */
export const followUpFormEditor = 'mailing.followUp.form';

/** The properties of the documents that are needed before their code is loaded. */
export const followUpKind = {
  collection,
  noun: 'follow-up',
  name: ({ name }: FollowUp) => name ?? '',
  suffixes: [followUpSuffixes.details],
  folder: { name: 'mails', pattern: /^[1-9]\d{0,14}\.(?:html|json)$/u },
};
