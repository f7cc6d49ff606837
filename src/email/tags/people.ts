import * as l10n from '@vscode/l10n';
import { localized } from '../../l10n.ts';
import type { MailData, Person, Rendering } from './model.ts';

/** A person to preview an email as. */
export interface NamedPerson {
  readonly id: string;
  readonly title: string;
  readonly person: Person;
}

/** A typical person, for examples without a selected person. */
export function sampleRendering(): Rendering {
  const owner = { name: 'Jonas Weber', email: 'jonas@example.com', login: 'jonas' };
  return {
    where: 'body',
    person: {
      id: 101,
      name: 'Ann Marie O’Neil',
      email: 'ann@example.com',
      confirmed: 1,
      active: 1,
      source: 'front',
      key: 'K3yOfAnn',
      creation_date: '2024-02-03 04:05:06',
      language: 'en-US',
      open_date: '2026-02-26 08:15:00',
      confirmation_date: '2024-02-03 04:12:40',
      confirmation_ip: '192.0.2.1',
      last_sent_date: '2026-02-26 08:00:00',
      last_open_date: '2026-02-26 08:15:00',
      last_click_date: '2026-02-26 08:16:30',
      cms_id: 7,
      account: {
        name: 'Ann',
        login: 'ann',
        email: 'ann@example.com',
        ID: 7,
        user_registered: '2024-02-03 04:05:06',
        user_url: 'https://ann.example.com',
        groups: 'Subscriber',
      },
      fields: [],
    },
    now: new Date('2026-03-05T14:07:09Z'),
    mail: {
      id: 12,
      campaignId: 7,
      subject: 'News of March',
      name: 'March',
      lists: [11],
      preheader: 'Three stories',
      from_name: 'Jonas',
      from_email: 'jonas@example.com',
      reply_to_name: 'Jonas',
      reply_to_email: 'jonas@example.com',
    },
    site: { name: 'Your site', address: 'https://www.example.com', language: 'en-US' },
    sender: owner,
    lists: [
      { id: 11, name: 'Weekly News', displayName: 'Weekly', description: 'All the weekly news', owner },
      { id: 12, name: 'Offers', displayName: '', description: 'Offers & more', owner },
    ],
    link: (task) => `https://www.example.com/${task.replace(/[^A-Za-z]+/g, '-').toLowerCase()}`,
  };
}

const typicalPerson = sampleRendering().person;

/** Id of the person that emails are previewed as by default. */
export const TYPICAL_PERSON_ID = 'typical';

/** Returns people with typical and extreme names. */
export const samplePeople = localized((): readonly NamedPerson[] => [
  { id: TYPICAL_PERSON_ID, title: l10n.t('Typical subscriber'), person: typicalPerson },
  { id: 'nameless', title: l10n.t('No name'), person: { ...typicalPerson, name: '' } },
  {
    id: 'long',
    title: l10n.t('Long name'),
    person: {
      ...typicalPerson,
      name: 'Maximiliane Alexandrina Theodora Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh',
      email: 'maximiliane.alexandrina.wolfeschlegelsteinhausenbergerdorff@correspondence.example.com',
    },
  },
  {
    id: 'rightToLeft',
    title: l10n.t('Right-to-left'),
    person: { ...typicalPerson, name: 'ليلى عبد الرحمن الهاشمي', email: 'layla@example.com', language: 'ar-AA' },
  },
]);

/** Creates a rendering of an email that is sent to a person now. */
export function createRendering(person: Person, mail: MailData = {}): Rendering {
  const sample = sampleRendering();
  return { ...sample, person, now: new Date(), mail: { ...sample.mail, ...mail } };
}
