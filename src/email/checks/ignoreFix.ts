import type { Email, Finding, Fix } from './model.ts';

/** Returns a fix that inserts a comment to disable a finding's rule in the whole email. */
export function createIgnoreFix({ body }: Pick<Email, 'body'>, { rule }: Pick<Finding, 'rule'>): Fix {
  // Content before the doctype would put browsers and some clients into quirks mode.
  const start = /^\s*<!doctype[^>]*>/iu.exec(body)?.[0].length ?? 0;
  const line = `<!-- mailing-ignore ${rule} -->\n`;
  return {
    title: `Ignore rule ${rule} in this email`,
    edits: [{ part: 'body', start, end: start, text: start > 0 ? `\n${line.trimEnd()}` : line }],
  };
}
