import * as v from 'valibot';
import { templateDetailFields } from '../fields/templateFields.ts';

/*
 * The inputs of the tools. `package.json` contains the same schemas with descriptions for the model; a test compares them. VS Code doesn't
 * validate a model's input, so every input is checked here.
 */

/** More than any email that mail servers deliver. */
const MAX_INPUT_CHARS = 1_000_000;
/** For single-line values such as names and subjects. */
const MAX_LINE_CHARS = 500;
const MAX_CAMPAIGNS = 5;
const MAX_REPLACEMENTS = 100;

const idInput = v.pipe(v.number(), v.integer(), v.minValue(1));
const lineInput = v.pipe(v.string(), v.maxLength(MAX_LINE_CHARS));
const textInput = v.pipe(v.string(), v.maxLength(MAX_INPUT_CHARS));
const requiredLineInput = v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_LINE_CHARS));
const offsetInput = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)));
const connectionInput = v.optional(lineInput);
const kindInput = v.optional(v.picklist(['template', 'campaign']));

/** A stored email, texts that replace its own, or texts alone. */
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
};

export type ToolName = keyof typeof inputSchemas;

export type Inputs = { readonly [Name in ToolName]: v.InferOutput<(typeof inputSchemas)[Name]> };

export type EmailInput = Inputs['mailing_checkEmail'];

/** Returns the validated input, or its problems as sentences. */
export function readInput<Name extends ToolName>(
  name: Name,
  input: unknown,
): { input: Inputs[Name] } | { problems: readonly string[] } {
  const result = v.safeParse<v.GenericSchema<unknown, Inputs[Name]>>(inputSchemas[name] as never, input ?? {});
  if (result.success) return { input: result.output };
  return { problems: result.issues.map((issue) => `${v.getDotPath(issue) ?? ''}: ${issue.message}`) };
}
