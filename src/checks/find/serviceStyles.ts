import type { AtRule, StyleRule } from '../css.ts';

/**
 * Whether the service leaves a rule in the e-mail's head, because it can't be written into elements: it acts on a window, or on a state of
 * an element. All others go to `style` attributes.
 */
export function staysInHead(rule: StyleRule): boolean {
  return rule.atRule !== undefined ? isKeptMedia(rule.atRule) : rule.selectors.every(({ text }) => isDynamic(text));
}

/** Media of which the service keeps rules. */
export function isKeptMedia({ name, prelude, parent }: AtRule): boolean {
  return (
    !parent &&
    name === 'media' &&
    /^(?:only\s+)?(?:all|screen|print)?(?![\w-])/iu.test(prelude.trim()) &&
    !/^(?:handheld|speech|not|yahoo)\b/iu.test(prelude.trim())
  );
}

export const isDynamic = (selector: string): boolean => /::?(?!not\()[a-z-]+|\\/iu.test(selector.replace(/\[[^\]]*\]/gu, ''));
