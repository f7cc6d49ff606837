import * as v from 'valibot';
import { SEVERITIES } from '../../email/checks/model.ts';
import { pathProblem } from '../paths.ts';

// The messages are names of those in `mapping.ts`.

export const profiles = ['documented', 'acymailing'] as const;
export const profileSchema = v.picklist(profiles, 'profile');
export const severities = ['off', ...SEVERITIES.toReversed()] as const;
export const severitySchema = v.picklist(severities, 'severity');
const globSchema = v.pipe(
  v.string('path'),
  v.check((text) => pathProblem(text) === undefined, 'path'),
);
const shareSchema = v.pipe(v.number('share'), v.minValue(0, 'share'), v.maxValue(1, 'share'));

/** The settings of checks in `mailing.json`. */
export const checksSchema = v.object(
  {
    files: v.optional(v.array(globSchema, 'files')),
    clients: v.optional(v.array(v.string('client'), 'clients')),
    rules: v.optional(v.record(v.string(), severitySchema, 'rules')),
    clientShares: v.optional(v.record(v.string(), shareSchema, 'shares')),
    profile: v.optional(profileSchema),
  },
  'checks',
);

/** Those of the editor and options of the command line come first. */
export type CheckSettings = Readonly<v.InferOutput<typeof checksSchema>>;
