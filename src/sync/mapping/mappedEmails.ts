import { posix } from 'node:path';
import type { EmailPart } from '../../email/checks/model.ts';
import type { SentOptions } from '../../email/sent/index.ts';
import { withAddresses, type Assets, type FindImages } from './assets.ts';
import { listFiles } from './folder.ts';
import type { MappedTemplate, Mapping } from './mapping.ts';
import type { EmailTexts } from './placedFindings.ts';
import { templateLayout } from './templateLayout.ts';

/** The paths of an email's files. */
export type EmailFiles = Readonly<Record<EmailPart, string>>;

/** Returns the files of a mapped template, relative to the folder of `mailing.json`. */
export function getEmailFiles(template: MappedTemplate): EmailFiles {
  const [body = '', stylesheet = '', details = ''] = listFiles(templateLayout, template).map(({ path }) => path);
  return { body, stylesheet, details };
}

/** Returns the profile of a mapped template, or of any other email in the folder. */
export function getProfile({ checks, connections }: Mapping, template: MappedTemplate | undefined) {
  const profiles = Object.keys(template?.ids ?? {}).flatMap((id) => connections[id]?.profile ?? []);
  return checks.profile ?? profiles[0];
}

/** Returns the kind and the address of the service that sends an email of the folder. `given` comes before the folder's own settings. */
export function getSentOptions(
  mapping: Mapping,
  template: MappedTemplate | undefined,
  given: Pick<Partial<SentOptions>, 'profile' | 'cms'> = {},
): SentOptions {
  const [connection] = Object.keys(template?.ids ?? {}).flatMap((id) => mapping.connections[id] ?? []);
  const profile = given.profile ?? getProfile(mapping, template) ?? 'acymailing';
  const { baseUrl: site } = connection ?? {};
  const cms = given.cms ?? connection?.cms;
  return { profile, ...(site !== undefined && { site }), ...(cms && { cms }) };
}

/** Replaces image paths in the texts of a mapped template with public addresses, as a push does. */
export async function withPublicImages(
  texts: EmailTexts,
  files: EmailFiles,
  assets: Assets,
  findImages: FindImages,
): Promise<EmailTexts> {
  if (assets.length === 0) return texts;
  const replace = async (part: 'body' | 'stylesheet', format: 'html' | 'css') => {
    const text = texts[part]?.text;
    return text && withAddresses(text, await findImages(text, format), posix.dirname(files[part]), assets);
  };
  const [body, stylesheet] = await Promise.all([replace('body', 'html'), replace('stylesheet', 'css')]);
  return { ...texts, ...(body && { body }), ...(stylesheet && { stylesheet }) };
}
