import type { Email, Finding, Fix } from './model.ts';

/** A fix that writes a comment which switches off a finding's rule in the whole email. */
export function createIgnoreFix({ body }: Pick<Email, 'body'>, { rule }: Pick<Finding, 'rule'>): Fix {
  // A doctype stays the first of all, else browsers and some clients show the email as of 1998.
  const start = /^\s*<!doctype[^>]*>/iu.exec(body)?.[0].length ?? 0;
  const line = `<!-- mailing-ignore ${rule} -->\n`;
  return {
    title: `Ignore rule ${rule} in this email`,
    edits: [{ part: 'body', start, end: start, text: start > 0 ? `\n${line.trimEnd()}` : line }],
  };
}
