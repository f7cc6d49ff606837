import type { MailData, Person, Rendering } from './model.ts';
import { sampleRendering } from './sample.ts';

/** A person to preview an email as. */
export interface NamedPerson {
  readonly id: string;
  readonly title: string;
  readonly person: Person;
}

const typicalPerson = sampleRendering().person;

/** People with typical and extreme names. */
export const samplePeople: readonly NamedPerson[] = [
  { id: 'typical', title: 'A typical person', person: typicalPerson },
  { id: 'nameless', title: 'Without a name', person: { ...typicalPerson, name: '' } },
  {
    id: 'long',
    title: 'A very long name',
    person: {
      ...typicalPerson,
      name: 'Maximiliane Alexandrina Theodora Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh',
      email: 'maximiliane.alexandrina.wolfeschlegelsteinhausenbergerdorff@correspondence.example.com',
    },
  },
  {
    id: 'rightToLeft',
    title: 'Right to left',
    person: { ...typicalPerson, name: 'ليلى عبد الرحمن الهاشمي', email: 'layla@example.com', language: 'ar-AA' },
  },
];

/** Creates a rendering of an email that is sent to a person now. */
export function createRendering(person: Person, mail: MailData = {}): Rendering {
  const sample = sampleRendering();
  return { ...sample, person, now: new Date(), mail: { ...sample.mail, ...mail } };
}
