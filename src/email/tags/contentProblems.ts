import { t } from '../../l10n.ts';
import { decodeUrl, toInteger } from './php.ts';
import { createFix, createFixes, createProblem, type CheckedTag, type TagProblems } from './tagProblem.ts';

/** Checks what a content tag inserts. Parts that the table doesn't list may belong to a newer add-on. */
export function* checkContent({ tag, definition, where, findAttribute, text }: CheckedTag): TagProblems {
  if (!definition || !('form' in definition) || !tag.isClosed) return;
  const { form, own = [] } = definition;
  const attribute = where === 'body' ? findAttribute(tag.start) : '';
  if (form !== 'value' && attribute !== '' && attribute !== 'data-dynamic')
    yield createProblem('tag-not-here', tag, t`"${tag.name}" inserts HTML. In an attribute, it breaks the markup.`);

  const hasContent = form !== 'item' || toInteger(tag.id) > 0;
  if (!hasContent) yield createProblem('tag-field', tag, t`"${tag.name}" needs the ID of an item.`);
  const parts = own.find(({ name }) => name === 'display');
  const display = tag.params.findLast(({ name }) => name === 'display');
  const written = display?.value === true ? '' : display?.value;
  // The form of the site's editor leaves it empty if only the site knows the parts.
  if (hasContent && parts && (written === undefined || (written.trim() === '' && parts.values.length > 0))) {
    const { example } = parts;
    const end = { start: tag.idRange.end, end: tag.idRange.end };
    const fixes = display ? createFixes(display, example) : [createFix(t`Add "${example}"`, end, `|${example}`)];
    const message = t('Without "display", the service inserts an empty box.');
    yield createProblem('tag-parameter-value', tag, message, ...(parts.values.length > 0 ? fixes : []));
  }
  if (parts && display && written) {
    // The service keeps the space after the colon, too.
    const source = decodeUrl(text.slice(display.start, display.end));
    const listed = source.replace(/^[^:]*:/, '').split(',');
    const spaced = listed.find((part) => part !== part.trim() && part.trim() !== '')?.trim();
    const fixes = createFixes(display, `display:${listed.map((part) => part.trim()).join(',')}`);
    const message = t`Recipients won't see "${spaced ?? ''}", because of the space next to it.`;
    if (spaced) yield createProblem('tag-parameter-value', display, message, ...fixes);
  }
  const wrap = tag.params.findLast(({ name }) => name === 'wrap');
  if (!wrap || (wrap.value !== true && toInteger(wrap.value) <= 0) || !own.some(({ name }) => name === 'wrap')) return;
  const message = t`"wrap" leaves ${'<?xml encoding="UTF-8">'} in the email.`;
  yield createProblem('tag-parameter-value', wrap, message, ...createFixes(wrap, 'wrap:0'));
}
