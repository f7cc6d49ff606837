import samples from '../data/samples.json' with { type: 'json' };
import { t } from '../../../l10n.ts';
import { trimRange } from '../css.ts';
import { unrenderedElements, type Attribute } from '../document.ts';
import { detailsRange, type ParsedEmail, type Rule, type RuleRange } from '../rule.ts';

/** Texts of starters and blocks that only make sense there. */
const sampleTexts = new Set(samples);

const dummyText =
  /\b(?:lorem ipsum|dolor sit amet|behind the word mountains)\b|@(?:[\w-]+\.)*example\.(?:com|net|org)\b/iu;

/** A URL or email address on a domain for examples or placeholder images. */
const sampleAddress =
  /^(?:(?:https?:)?\/\/|(?:mailto:)?[^/@]*@)((?:[\w-]+\.)*(?:example\.(?:com|net|org)|placehold\.(?:co|it)|(?:placeholder|dummyimage|your-?(?:domain|site|website|company))\.com))(?:[/?#:]|$)/iu;

interface PlacedText {
  readonly value: string;
  readonly range: RuleRange;
}

const collapseSpace = (text: string) => text.replace(/[\s\u200B-\u200D]+/gu, ' ').trim();

const isSampleText = ({ value }: PlacedText) => sampleTexts.has(collapseSpace(value)) || dummyText.test(value);

const readAttribute = (attribute: Attribute | undefined): readonly PlacedText[] =>
  attribute ? [{ value: attribute.value.trim(), range: attribute }] : [];

const readField = ({ email }: ParsedEmail, field: 'subject' | 'preheader' | 'fromEmail'): PlacedText => {
  const value = email[field] ?? '';
  return { value, range: detailsRange(field, 0, value.length) };
};

function findSampleTexts(mail: ParsedEmail) {
  const shown = mail.texts.filter(({ parent }) => !unrenderedElements.has(parent.name));
  return [
    ...shown.map(({ value, start, end }) => ({ value, range: trimRange(mail.email.body, start, end) })),
    ...mail.getElements('img').flatMap((image) => readAttribute(image.attribute('alt'))),
    readField(mail, 'subject'),
    readField(mail, 'preheader'),
  ].filter(isSampleText);
}

const findSampleAddresses = (mail: ParsedEmail) =>
  [
    ...mail.elements.flatMap((element) =>
      ['href', 'src', 'background'].flatMap((name) =>
        element.has(name) ? readAttribute(element.attribute(name)) : [],
      ),
    ),
    readField(mail, 'fromEmail'),
  ].filter(({ value }) => sampleAddress.test(value));

const MAX_QUOTED_CHARS = 40;

export const getSampleRules = (): readonly Rule[] => [
  {
    id: '58',
    name: 'sample-content',
    title: t('Sample content'),
    severity: 'info',
    impact: t('Recipients see text, links or images of an example.'),
    url: 'https://www.rfc-editor.org/rfc/rfc2606#section-3',
    find(mail) {
      const [texts, addresses] = [findSampleTexts(mail), findSampleAddresses(mail)];
      const text = collapseSpace(texts[0]?.value ?? '');
      const excerpt = text.length > MAX_QUOTED_CHARS ? `${text.slice(0, MAX_QUOTED_CHARS)}…` : text;
      const host = sampleAddress.exec(addresses[0]?.value ?? '')?.[1] ?? '';
      const severity = mail.options.isForSending ? 'warning' : undefined;
      return [
        {
          ranges: texts.map(({ range }) => range),
          message: t`Sample text: "${excerpt}". Replace it before you send.`,
          severity,
        },
        {
          ranges: addresses.map(({ range }) => range),
          message: t`Sample URL or email address on ${host}. Replace it before you send.`,
          severity,
        },
      ];
    },
  },
];
