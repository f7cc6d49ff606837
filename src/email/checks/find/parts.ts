import { t } from '../../../l10n.ts';
import { memoize } from '../document.ts';
import type { ParsedEmail, Rule } from '../rule.ts';

const findProblems = memoize(({ email, options }: ParsedEmail) => options.checkParts?.(email.body) ?? []);

/** Rules about linked parts. */
export const getPartRules = (): readonly Rule[] =>
  [
    ['59', 'part-outdated', t('Linked part out of date'), t("Recipients don't get the current content of the part.")],
    ['60', 'part-broken', t("Linked part that can't be updated"), t("Recipients don't get later changes of the part.")],
    ['61', 'part-unknown', t('Unknown part'), t("Recipients don't get later changes of the part.")],
    ['62', 'slot-missing', t('Content without a slot'), t('Recipients see the content at the end of the part.')],
  ].map(([id = '', name = '', title = '', impact = '']) => ({
    id,
    name,
    title,
    severity: 'warning',
    impact,
    url: 'https://html.spec.whatwg.org/multipage/syntax.html#comments',
    fix: 'choice',
    isOfFile: true,
    find: (mail) =>
      findProblems(mail)
        .filter(({ rule }) => rule === name)
        .map(({ message, fixes, ...range }) => ({ ranges: [range], message, fixes })),
  }));
