import { localized, t } from '../../l10n.ts';
import sample from './data/sample.json' with { type: 'json' };
import type { MailData, Person, Rendering } from './model.ts';

/** A person to preview an email as. */
export interface NamedPerson {
  readonly id: string;
  readonly title: string;
  readonly person: Person;
}

/** A typical person, for examples without a selected person. */
export const sampleRendering = (): Rendering => ({
  ...sample,
  where: 'body',
  now: new Date('2026-03-05T14:07:09Z'),
  link: (task) => `https://www.example.com/${task.replace(/[^A-Za-z]+/g, '-').toLowerCase()}`,
});

const typicalPerson: Person = sample.person;

/** Id of the person that emails are previewed as by default. */
export const TYPICAL_PERSON_ID = 'typical';

/** Returns people with typical and extreme names. */
export const samplePeople = localized((): readonly NamedPerson[] => [
  { id: TYPICAL_PERSON_ID, title: t('Typical subscriber'), person: typicalPerson },
  { id: 'nameless', title: t('No name'), person: { ...typicalPerson, name: '' } },
  {
    id: 'long',
    title: t('Long name'),
    person: {
      ...typicalPerson,
      name: 'Maximiliane Alexandrina Theodora Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh',
      email: 'maximiliane.alexandrina.wolfeschlegelsteinhausenbergerdorff@correspondence.example.com',
    },
  },
  {
    id: 'rightToLeft',
    title: t('Right-to-left'),
    person: { ...typicalPerson, name: 'ليلى عبد الرحمن الهاشمي', email: 'layla@example.com', language: 'ar-AA' },
  },
]);

/** Creates a rendering of an email that is sent to a person now. */
export function createRendering(person: Person, mail: MailData = {}): Rendering {
  return { ...sampleRendering(), person, now: new Date(), mail: { ...sample.mail, ...mail } };
}
