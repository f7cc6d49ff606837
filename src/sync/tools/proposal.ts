import { findLostPlaceholder } from '../../email/compose/placeholders.ts';
import { normalizeText } from '../fields/fields.ts';
import { InvalidDocumentError, writeJson } from '../fields/jsonDocument.ts';
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
  const stored = normalizeText(current);
  const text = changes.reduce((now, { find, replace }, at) => {
    const [before = '', after, ...others] = now.split(normalizeText(find));
    if (after === undefined || others.length > 0)
      throw new NotDoneError(`Replacement ${at + 1} of the ${part} must match exactly once.`);
    return before + replace + after;
  }, proposal[part] ?? stored);
  if (part === 'body' && findLostPlaceholder(stored, normalizeText(text)) !== undefined)
    throw new NotDoneError('Keep each element with data-dynamic (a placeholder of the visual editor) unchanged.');
  return text;
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
