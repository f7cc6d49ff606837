import * as v from 'valibot';
import { templateDetailFields } from '../templates/model.ts';
import type { ToolName } from './names.ts';

/*
 * What each tool takes. `package.json` has the same as JSON schemas, with words for the model; a test compares them. VS Code does not hold
 * a model to them, so every input is checked by these.
 */

/** Characters of a text that a model may write: more than any email that is delivered. */
const MAX_INPUT_CHARS = 1_000_000;
/** Characters of one line: a name, a subject. */
const MAX_LINE_CHARS = 500;
/** Campaigns of which figures are read at once. */
const MAX_CAMPAIGNS = 5;
/** Passages that are replaced at once. */
const MAX_REPLACEMENTS = 100;

const idInput = v.pipe(v.number(), v.integer(), v.minValue(1));
const lineInput = v.pipe(v.string(), v.maxLength(MAX_LINE_CHARS));
const textInput = v.pipe(v.string(), v.maxLength(MAX_INPUT_CHARS));
const requiredLineInput = v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_LINE_CHARS));
const offsetInput = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)));
const connectionInput = v.optional(lineInput);
const kindInput = v.optional(v.picklist(['template', 'campaign']));

/** An email that is stored, with texts in place of its own; or one of these texts alone. */
const emailInputs = {
  connection: connectionInput,
  kind: kindInput,
  id: v.optional(idInput),
  body: v.optional(textInput),
  stylesheet: v.optional(textInput),
  subject: v.optional(lineInput),
  preheader: v.optional(lineInput),
};

const detailsInput = v.strictObject(
  Object.fromEntries(templateDetailFields.map((field) => [field, v.optional(lineInput)])),
);
const replacementInput = v.strictObject({
  part: v.picklist(['body', 'stylesheet']),
  find: v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_INPUT_CHARS)),
  replace: textInput,
});

export const inputSchemas = {
  mailing_find: v.strictObject({
    what: v.picklist(['connections', 'templates', 'campaigns', 'followUps', 'lists']),
    connection: connectionInput,
    search: v.optional(lineInput),
  }),
  mailing_readTemplate: v.strictObject({
    connection: connectionInput,
    id: idInput,
    part: v.optional(v.picklist(['body', 'stylesheet', 'details'])),
    offset: offsetInput,
  }),
  mailing_checkEmail: v.strictObject(emailInputs),
  mailing_renderEmail: v.strictObject({
    ...emailInputs,
    as: v.optional(v.picklist(['typical', 'nameless', 'long', 'rightToLeft'])),
    part: v.optional(v.picklist(['html', 'text'])),
    offset: offsetInput,
  }),
  mailing_proposeTemplate: v.strictObject({
    connection: connectionInput,
    id: idInput,
    body: v.optional(textInput),
    stylesheet: v.optional(textInput),
    details: v.optional(detailsInput),
    replacements: v.optional(v.pipe(v.array(replacementInput), v.maxLength(MAX_REPLACEMENTS))),
  }),
  mailing_createDraftCampaign: v.strictObject({
    connection: connectionInput,
    name: requiredLineInput,
    subject: requiredLineInput,
    templateId: v.optional(idInput),
    body: v.optional(textInput),
  }),
  mailing_sendTest: v.strictObject({
    connection: connectionInput,
    kind: kindInput,
    id: idInput,
    to: v.picklist(['testList', 'lastRecipients']),
  }),
  mailing_statistics: v.strictObject({
    connection: connectionInput,
    campaigns: v.pipe(v.array(idInput), v.minLength(1), v.maxLength(MAX_CAMPAIGNS)),
  }),
} as const satisfies Readonly<Record<ToolName, v.GenericSchema>>;

export type Inputs = { readonly [Name in ToolName]: v.InferOutput<(typeof inputSchemas)[Name]> };

/** An email as a tool is told it. */
export type EmailInput = Inputs['mailing_checkEmail'];

/** An input as its schema reads it, or what is wrong with it in sentences. */
export function readInput<Name extends ToolName>(
  name: Name,
  input: unknown,
): { input: Inputs[Name] } | { problems: readonly string[] } {
  const result = v.safeParse<v.GenericSchema<unknown, Inputs[Name]>>(inputSchemas[name] as never, input ?? {});
  if (result.success) return { input: result.output };
  return {
    problems: result.issues.map(
      ({ path, message }) => `${(path ?? []).map(({ key }) => String(key)).join('.')}: ${message}`,
    ),
  };
}
