import { isMetByWord, type ConditionalBlock } from '../../../email/checks/conditions.ts';
import { formatList, t } from '../../../l10n.ts';

const conditions = ['mso', '!mso', 'mso | IE', 'mso 16', 'gte mso 9', 'gte mso 12', 'lt mso 16', 'lte mso 11', 'vml'];

/** Returns which mail clients show the content of a conditional comment. */
export function describeCondition(block: Pick<ConditionalBlock, 'condition' | 'isRevealed'>): string {
  // By version of Word.
  const versions = { 9: '2000', 10: '2002', 11: '2003', 12: '2007', 14: '2010', 15: '2013', 16: t('2016 or later') };
  const names = Object.entries(versions).flatMap(([version, name]) =>
    isMetByWord(block, Number(version)) ? name : [],
  );
  const outlook = t('Versions of Outlook for Windows that show this code: {0}.', formatList(names) || t('none'));
  return `${outlook} ${block.isRevealed ? t('All other mail clients show it.') : t('All other mail clients skip it.')}`;
}

/** Returns the suggested conditions, with descriptions. */
export const suggestConditions = () =>
  conditions.map((condition) => {
    return [`if ${condition}`, describeCondition({ condition, isRevealed: condition === '!mso' })] as const;
  });
