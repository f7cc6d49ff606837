// The content tags of AcyMailing's add-ons. A site may lack some of these add-ons, and have others.

import { t } from '../../../l10n.ts';
import type { ContentForm, TagFamily, TagLocation, TagParameter } from '../model.ts';
import data from './content.json' with { type: 'json' };

/** Parts of an email in which content is inserted. */
const contentLocations: readonly TagLocation[] = ['body', 'subject', 'preheader'];

const createTitles = (): Readonly<Record<string, string>> => ({
  display: t('Parts that are shown, separated by commas without spaces.'),
  format: t('Position of the picture.'),
  clickable: t('1: the title is a link.'),
  clickableimg: t('1: the picture is a link.'),
  wrap: t('Shortens the text to this number of characters. 0: whole text.'),
  pict: t('Pictures. 1: original size; resized: at most "maxwidth" by "maxheight"; 0: none in the text.'),
  readmore: t('1: adds a link to the page.'),
  order: t('Order of the items.'),
  min_publish: t('Only items published since this date.'),
  from: t('Only events since this date.'),
  to: t('Only events until this date.'),
  cols: t('Number of columns.'),
  max: t('Maximum number of items.'),
  min: t('Automatic campaigns: minimum number of items.'),
  onlynew: t('Automatic campaigns: 1: only items since the last email.'),
});

/** Creates a content tag with its own parameters, in the order of the site's editor. */
export const createContentFamily = (
  name: string,
  form: ContentForm,
  id = '',
  own: readonly TagParameter[] = [],
): TagFamily => ({
  name,
  aliases: [],
  title: name,
  about: t('Inserts content of an add-on of the site when the email is sent.'),
  ids: [],
  source: 'content',
  form,
  own,
  parameters: own.map((parameter) => parameter.name),
  where: contentLocations,
  example: `{${name}:${[id, ...own.flatMap(({ isExtra, example }) => (isExtra ? [] : ` ${example}`))].join('|')}}`,
  exampleOutput: '',
});

/** Returns the families of all add-ons. */
export function createContentFamilies(): readonly TagFamily[] {
  const titles = createTitles();
  const shared = new Map(data.shared.split('; ').map((text) => [text.replace(/^~|=.*/g, ''), text]));
  /** Reads `name=default|value value`. */
  const createParameter = (source: string): TagParameter => {
    const [head = '', listed = ''] = (shared.get(source) ?? source).split('|');
    const [mark = '', fallback = ''] = head.split('=');
    const name = mark.replace('~', '');
    return {
      name,
      title: titles[name] ?? '',
      values: listed.split(' ').flatMap((id) => (id === '' ? [] : { id, title: '' })),
      needsValue: name !== 'alternate',
      example: `${name}:${fallback}`,
      isExtra: mark !== name,
    };
  };
  return data.families.map(({ name, form, id, addOn, cms, parameters, alsoRead }) => {
    const own = parameters === '' ? [] : parameters.split('; ').map(createParameter);
    const family = createContentFamily(name, form as ContentForm, id, own);
    return {
      ...family,
      about:
        form === 'list'
          ? t('Inserts a list of content of the add-on "{0}" ({1}) when the email is sent.', addOn, cms)
          : t('Inserts content of the add-on "{0}" ({1}) when the email is sent.', addOn, cms),
      parameters: [...family.parameters, ...`${alsoRead} ${data.alsoRead}`.split(' ')],
    };
  });
}
