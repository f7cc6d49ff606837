import { findDifferent, normalizeText, pickTexts, type FieldTexts } from '../fields.ts';
import type { TemplateFolder } from '../folder.ts';
import { InvalidDocumentError, writeJson } from '../jsonDocument.ts';
import type { MappedTemplate } from '../mapping.ts';
import { findUnresolved } from '../plan.ts';
import { templateDetailFields } from '../templateFields.ts';
import { templateLayout } from '../templateLayout.ts';
import type { Inputs } from './schemas.ts';
import { NotDoneError } from './tool.ts';

export type Proposal = Inputs['mailing_proposeTemplate'];

export const createNoChangesError = (): Error =>
  new NotDoneError('The proposal contains no changes. Provide a text, details or replacements.');

/**
 * Returns the parts of a template that a proposal changes.
 * @throws {NotDoneError} if it contains a part twice
 */
export function listProposedParts(proposal: Proposal): readonly ('body' | 'stylesheet' | 'details')[] {
  const { details = {}, replacements = [] } = proposal;
  if (replacements.some(({ part }) => proposal[part] !== undefined))
    throw new NotDoneError('Provide either a whole text or replacements, not both.');
  return (['body', 'stylesheet', 'details'] as const).filter((part) =>
    part === 'details'
      ? Object.keys(details).length > 0
      : proposal[part] !== undefined || replacements.some((each) => each.part === part),
  );
}

/** Returns the proposed text of a part. @throws {NotDoneError} */
export function proposeText(proposal: Proposal, part: 'body' | 'stylesheet', current: string): string {
  const changes = proposal.replacements?.filter((each) => each.part === part) ?? [];
  const start = proposal[part] ?? normalizeText(current);
  return changes.reduce((now, { find, replace }, at) => {
    const [before = '', after, ...others] = now.split(normalizeText(find));
    if (after === undefined || others.length > 0)
      throw new NotDoneError(`Replacement ${at + 1} of the ${part} must match exactly once.`);
    return before + replace + after;
  }, start);
}

/**
 * Returns the proposed details as JSON.
 * @param parse throws `InvalidDocumentError`
 * @throws {NotDoneError}
 */
export async function proposeDetails(
  { details }: Proposal,
  current: string,
  parse: (text: string) => object | Promise<object>,
): Promise<string> {
  try {
    const proposed = writeJson({ ...(await parse(current)), ...details });
    await parse(proposed);
    return proposed;
  } catch (error) {
    if (error instanceof InvalidDocumentError)
      throw new NotDoneError('The details are no valid JSON now, or would not be valid then.');
    throw error;
  }
}

/** Returns the details of a template as JSON. */
export function formatDetails(texts: FieldTexts): string {
  return writeJson(pickTexts(texts, templateDetailFields));
}

/** Writes a proposal to the files of a mapped template. @throws {NotDoneError}, or if the files can't be read or written */
export async function writeProposal(folder: TemplateFolder, template: MappedTemplate, proposal: Proposal) {
  const before = await folder.read(template);
  if (before['body'] === undefined)
    throw new NotDoneError('This template has no files yet. The user can pull it with "mailing pull".');
  const texts: Record<string, string> = {};
  for (const part of listProposedParts(proposal)) {
    if (folder.isBuilt(template, part))
      throw new NotDoneError('The body is built from other files. Change those instead.');
    if (part !== 'details') texts[part] = proposeText(proposal, part, before[part] ?? '');
    else {
      await proposeDetails(proposal, formatDetails(before), templateLayout.details.parse);
      Object.assign(texts, proposal.details);
    }
  }
  if (findDifferent(texts, before).length === 0) throw createNoChangesError();
  if (findUnresolved({ ...before, ...texts }, {}).length > 0)
    throw new NotDoneError('The files or the proposal contain conflict markers. The user has to resolve them first.');
  await folder.write(template, texts, before);
}
