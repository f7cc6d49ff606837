import * as v from 'valibot';
import { detailFields } from '../templates/model.ts';
import type { ToolName } from './names.ts';

/*
 * What each tool takes. `package.json` has the same as JSON schemas, with words for the model; a test compares them. VS Code does not hold
 * a model to them, so every input is checked by these.
 */

/** Characters of a text that a model may write: more than any email that is delivered. */
const longestText = 1_000_000;
/** Characters of one line: a name, a subject. */
const longestLine = 500;
/** Campaigns of which figures are read at once. */
const mostCampaigns = 5;
/** Passages that are replaced at once. */
const mostReplacements = 100;

const id = v.pipe(v.number(), v.integer(), v.minValue(1));
const line = v.pipe(v.string(), v.maxLength(longestLine));
const text = v.pipe(v.string(), v.maxLength(longestText));
const filled = v.pipe(v.string(), v.minLength(1), v.maxLength(longestLine));
const offset = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)));
const connection = v.optional(line);
const kind = v.optional(v.picklist(['template', 'campaign']));

/** An email that is stored, with texts in place of its own; or one of these texts alone. */
const email = {
  connection,
  kind,
  id: v.optional(id),
  body: v.optional(text),
  stylesheet: v.optional(text),
  subject: v.optional(line),
  preheader: v.optional(line),
};

const details = v.strictObject(Object.fromEntries(detailFields.map((field) => [field, v.optional(line)])));
const replacement = v.strictObject({
  part: v.picklist(['body', 'stylesheet']),
  find: v.pipe(v.string(), v.minLength(1), v.maxLength(longestText)),
  replace: text,
});

export const inputs = {
  mailing_find: v.strictObject({
    what: v.picklist(['connections', 'templates', 'campaigns', 'followUps', 'lists']),
    connection,
    search: v.optional(line),
  }),
  mailing_readTemplate: v.strictObject({
    connection,
    id,
    part: v.optional(v.picklist(['body', 'stylesheet', 'details'])),
    offset,
  }),
  mailing_checkEmail: v.strictObject(email),
  mailing_renderEmail: v.strictObject({
    ...email,
    as: v.optional(v.picklist(['typical', 'nameless', 'long', 'rightToLeft'])),
    part: v.optional(v.picklist(['html', 'text'])),
    offset,
  }),
  mailing_proposeTemplate: v.strictObject({
    connection,
    id,
    body: v.optional(text),
    stylesheet: v.optional(text),
    details: v.optional(details),
    replacements: v.optional(v.pipe(v.array(replacement), v.maxLength(mostReplacements))),
  }),
  mailing_createDraftCampaign: v.strictObject({
    connection,
    name: filled,
    subject: filled,
    templateId: v.optional(id),
    body: v.optional(text),
  }),
  mailing_sendTest: v.strictObject({ connection, kind, id, to: v.picklist(['testList', 'lastRecipients']) }),
  mailing_statistics: v.strictObject({
    connection,
    campaigns: v.pipe(v.array(id), v.minLength(1), v.maxLength(mostCampaigns)),
  }),
} as const satisfies Readonly<Record<ToolName, v.GenericSchema>>;

export type Inputs = { readonly [Name in ToolName]: v.InferOutput<(typeof inputs)[Name]> };

/** An email as a tool is told it. */
export type EmailInput = Inputs['mailing_checkEmail'];

/** An input as its schema reads it, or what is wrong with it in sentences. */
export function readInput<Name extends ToolName>(
  name: Name,
  input: unknown,
): { input: Inputs[Name] } | { problems: readonly string[] } {
  const result = v.safeParse<v.GenericSchema<unknown, Inputs[Name]>>(inputs[name] as never, input ?? {});
  if (result.success) return { input: result.output };
  return {
    problems: result.issues.map(
      ({ path, message }) => `${(path ?? []).map(({ key }) => String(key)).join('.')}: ${message}`,
    ),
  };
}
