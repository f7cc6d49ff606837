// The tags of AcyMailing 11, used for parsing, rendering, completion, explanations and checks.
// The API document doesn't mention tags: this is the behavior of real installations.

import { localized, t } from '../../../l10n.ts';
import { days, months, siteFormats } from '../dates.ts';
import { createContentFamilies } from './content.ts';
import texts from './translations.json' with { type: 'json' };
import type { TagChoice, TagFamily, TagLanguage, TagPair, TagParameter, TagLocation, TagStep } from '../model.ts';

/** The parts of an email that can have tags. */
export const tagLocations: readonly TagLocation[] = ['body', 'subject', 'preheader', 'headers'];
/** Rendered once for all recipients, before the `headers` field is added to the body. */
const renderedOnce: readonly TagLocation[] = ['body', 'subject', 'preheader'];
const formatting =
  'default part type format lower lowercase upper uppercase ucwords ucfirst rtrim urlencode substr maxwidth maxheight'.split(
    ' ',
  );

/** Returns the choices of titles by id. */
const toChoices = (titles: Readonly<Record<string, string>>): TagChoice[] =>
  Object.entries(titles).map(([id, title]) => ({ id, title }));

/** Suggested formats and their output. */
const formats = localized(() =>
  toChoices({
    ...Object.fromEntries(
      Object.entries(siteFormats).map(([number, format]) => [number, t`Format of the site: ${format}`]),
    ),
    'd/m/Y': '05/03/2026',
    'd.m.Y': '05.03.2026',
    'j F Y': '5 March 2026',
    l: 'Thursday',
    'H:i': '14:07',
    '%d %B %Y': '05 March 2026',
  }),
);

const durations = localized(() =>
  toChoices({
    '3600': t('An hour'),
    '86400': t('A day'),
    '604800': t('A week'),
  }),
);

const parameter = (name: string, title: string, value: string, values: readonly TagChoice[] = []): TagParameter => ({
  name,
  title,
  needsValue: true,
  example: `${name}:${value}`,
  values,
});
const flag = (name: string, title: string): TagParameter => ({
  name,
  title,
  needsValue: false,
  example: name,
  values: [],
});

const createParameters = (): readonly TagParameter[] => [
  parameter('default', t('Used if the value is empty. Other parameters format it, too.'), 'friend'),
  parameter(
    'part',
    t('One word of the value. If there is no such word: the first word, or nothing for "last".'),
    'first',
    [
      { id: 'first', title: t('The first word') },
      { id: 'last', title: t('The last word, if there are several') },
      { id: '2', title: t('The second word') },
    ],
  ),
  parameter(
    'type',
    t('Reads the value as a date.'),
    'date|format:d/m/Y',
    toChoices({
      date: t('A date, formatted by "format"'),
      time: t('Seconds since 1970, formatted by "format"'),
      diff: t('The time since the date, formatted by "format" (%a days, %y years)'),
    }),
  ),
  parameter('format', t('Date format: PHP letters or % codes.'), '%d/%m/%Y', formats()),
  flag('lower', t('Lowercase.')),
  flag('lowercase', t('Lowercase.')),
  flag('upper', t('Uppercase. Overrides "lower".')),
  flag('uppercase', t('Uppercase. Overrides "lower".')),
  flag('ucwords', t('Capitalizes each word (A to Z only).')),
  flag('ucfirst', t('Capitalizes the first letter (A to Z only).')),
  parameter('rtrim', t('Removes these characters from the end.'), ','),
  flag('urlencode', t('Encodes the value for a URL.')),
  parameter('substr', t('Part of the value: offset and length in bytes.'), '0,5'),
  parameter('maxwidth', t('Maximum width of images in the value.'), '300'),
  parameter('maxheight', t('Maximum height of images in the value.'), '200'),
  parameter(
    'info',
    t('The person whose value is inserted.'),
    'receiver',
    toChoices({
      receiver: t('The recipient'),
      sender: t('The author of the email (usertag only)'),
      current: t('The person who triggered an automatic email. In other emails, the tag stays unchanged.'),
    }),
  ),
  parameter('add', t('Adds seconds.'), '86400', durations()),
  parameter('remove', t('Subtracts seconds.'), '86400', durations()),
  flag('senddate', t('The time when the campaign was sent, instead of the current time.')),
  parameter('separator', t('Text between the names.'), ' + '),
  parameter(
    'field',
    t("Field of the list's owner."),
    'name',
    toChoices({
      name: t('Name'),
      email: t('Email address'),
      username: t('Login'),
    }),
  ),
  parameter('listid', t('The list whose description is inserted.'), '3'),
  parameter('listids', t('The lists whose descriptions are inserted.'), '3,4'),
  parameter('redirect', t('The page that opens afterwards.'), 'https://example.com/bye'),
  parameter('lists', t('IDs of the lists to subscribe to. Without them, the tag outputs an error message.'), '1,2'),
  parameter('theme', t("1: shows the page in the site's design."), '1', [
    { id: '1', title: t("In the site's design") },
    { id: '0', title: t('Only the email') },
  ]),
];

/** Defaults of most families. */
const common = { aliases: [], parameters: [], where: tagLocations } as const;

const createFamilies = (): readonly TagFamily[] => [
  {
    ...common,
    name: 'subscriber',
    aliases: ['subtag'],
    title: t('Subscriber'),
    about: t('A field of the recipient. Refer to custom fields by namekey.'),
    ids: toChoices({
      name: t('Name'),
      email: t('Email address'),
      id: t('ID'),
      key: t('Secret key, as in links of the service'),
      creation_date: t('When the subscriber was added'),
      confirmed: t('1 if the address is confirmed'),
      active: t('1 if the subscriber receives emails'),
      source: t('Where the subscriber was added'),
      language: t("Language, such as fr-FR. Empty: the site's language."),
      acym_language: t('Same as language'),
      cms_id: t('ID of the site account, or 0'),
      open_date: t('Last open of an email'),
      tracking: t('1 if opens and clicks are tracked'),
      automation: t('Notes from automations'),
      confirmation_date: t('When the address was confirmed'),
      confirmation_ip: t('IP address of the confirmation'),
      deactivation_date: t('When the subscriber was deactivated'),
      last_sent_date: t('Last email sent'),
      last_open_date: t('Last open of an email'),
      last_click_date: t('Last click in an email'),
      autologin_token: t('Token that logs the subscriber in'),
    }),
    parameters: [...formatting, 'info'],
    source: 'subscriber',
    example: '{subscriber:name|part:first|default:friend}',
    exampleOutput: 'Ann',
  },
  {
    ...common,
    name: 'usertag',
    title: t('Site account'),
    about: t(
      'A field of the recipient\'s or sender\'s account on the site. Empty if the account has no such field. "default" has no effect.',
    ),
    ids: toChoices({
      display_name: t('Display name'),
      user_login: t('Login'),
      user_email: t('Email address'),
      user_nicename: t('Name in URLs'),
      user_registered: t('When the account was created'),
      user_url: t('Website'),
      ID: t('ID of the account'),
      groups: t('Roles on the site'),
    }),
    parameters: [...formatting.filter((name) => name !== 'default'), 'info'],
    source: 'account',
    example: '{usertag:display_name|info:sender}',
    exampleOutput: 'admin',
  },
  {
    ...common,
    name: 'date',
    title: t('Date'),
    about: t(
      'The date and time of sending, in a format of the site (1 to 5) or in a format of PHP letters or % codes.',
    ),
    ids: formats(),
    parameters: ['add', 'remove', 'senddate'],
    source: 'date',
    where: renderedOnce,
    example: '{date:j F Y}',
    exampleOutput: '5 March 2026',
  },
  {
    ...common,
    name: 'list',
    title: t('List'),
    about: t('The list through which the recipient receives the email. Other fields output an error message.'),
    ids: toChoices({
      name: t('Name of the list'),
      names: t("Names of all the subscriber's lists"),
      description: t('Description of the list'),
      descriptions: t("Descriptions of all the subscriber's lists"),
      id: t('ID of the list'),
      owner: t('Owner of the list; needs "field"'),
    }),
    parameters: ['separator', 'field', 'listid', 'listids'],
    source: 'list',
    example: '{list:names|separator: + }',
    exampleOutput: 'Weekly +Offers',
  },
  {
    ...common,
    name: 'mail',
    title: t('Email'),
    about: t('A field of the email itself.'),
    ids: toChoices({
      subject: t('Subject'),
      name: t('Name of the email'),
      id: t('ID of the email'),
      campaignid: t('ID of the campaign'),
      preheader: t('Preheader'),
      from_name: t('Name of the sender'),
      from_email: t('Address of the sender'),
      reply_to_name: t('Name for replies'),
      reply_to_email: t('Address for replies'),
    }),
    parameters: formatting,
    source: 'mail',
    where: renderedOnce,
    example: '{mail:subject|upper}',
    exampleOutput: 'NEWS OF MARCH',
  },
  {
    ...common,
    name: 'automail',
    title: t('Automatic campaign'),
    about: t('A value of the automatic campaign that created the email.'),
    ids: toChoices({
      number_generated: t('Number of emails created'),
    }),
    parameters: formatting,
    source: 'automail',
    where: renderedOnce,
    example: '{automail:number_generated|default:1}',
    exampleOutput: '3',
  },
  {
    ...common,
    name: 'rand',
    title: t('Random text'),
    about: t(
      'One of the texts between the semicolons, picked at random. Identical tags of an email output the same text. Lowercase only, without spaces after the colon.',
    ),
    ids: [],
    source: 'choice',
    where: renderedOnce,
    example: '{rand:Hello;Hi;Good day}',
    exampleOutput: 'Hi',
  },
  {
    ...common,
    name: 'trans',
    title: t('Translation'),
    about: t("A text of the site by its key, in the recipient's language. Unrecognized keys are inserted unchanged."),
    ids: toChoices({
      ACYM_NAME: translations['ACYM_NAME'] ?? '',
      ACYM_UNSUBSCRIBE: translations['ACYM_UNSUBSCRIBE'] ?? '',
    }),
    source: 'translation',
    example: '{trans:ACYM_UNSUBSCRIBE}',
    exampleOutput: 'Unsubscribe',
  },
  {
    ...common,
    name: 'config',
    title: t('Site'),
    about: t('The name of the site.'),
    ids: toChoices({
      sitename: t('Name of the site'),
    }),
    source: 'site',
    example: '{config:sitename}',
    exampleOutput: 'Reference Site',
  },
];

/** The pairs of a group, which can close each other. */
const pairGroup = (
  group: string,
  where: readonly TagLocation[],
  ...rows: readonly (readonly [
    name: string,
    title: string,
    about: string,
    text: string,
    task?: string,
    parameters?: readonly string[],
  ])[]
): TagPair[] =>
  rows.map(([name, title, about, text, task, parameters = []]) => ({
    name,
    group,
    title,
    about,
    text,
    task,
    parameters,
    where,
  }));

const createPairs = (): readonly TagPair[] => [
  ...pairGroup(
    'subscription',
    ['body', 'subject'],
    [
      'unsubscribe',
      t('Unsubscribe'),
      t('Opens the page that unsubscribes from the lists of the email.'),
      t({ message: 'Unsubscribe', comment: 'Link text inserted into an email' }),
      'unsubscribe',
    ],
    [
      'unsubscribeall',
      t('Unsubscribe from all'),
      t('Unsubscribes from all lists.'),
      t({ message: 'Unsubscribe from all lists', comment: 'Link text inserted into an email' }),
      'unsubscribeAll',
      ['redirect'],
    ],
    [
      'direct_unsubscribe',
      t('Unsubscribe immediately'),
      t('Unsubscribes without a confirmation page.'),
      t({ message: 'Unsubscribe', comment: 'Link text inserted into an email' }),
      'unsubscribe direct',
      ['redirect'],
    ],
    [
      'disable_tracking',
      t('Stop tracking'),
      t("Turns off tracking of the recipient's opens and clicks."),
      t({ message: 'Stop tracking me', comment: 'Link text inserted into an email' }),
      'disableTracking',
    ],
    [
      'confirm',
      t('Confirm'),
      t("Confirms the recipient's address."),
      t({ message: 'Confirm your subscription', comment: 'Link text inserted into an email' }),
      'confirm',
    ],
    [
      'subscribe',
      t('Subscribe'),
      t('Subscribes the recipient to lists.'),
      t({ message: 'Subscribe', comment: 'Link text inserted into an email' }),
      'subscribe',
      ['lists'],
    ],
  ),
  ...pairGroup(
    'online',
    ['body'],
    [
      'readonline',
      t('Read in the browser'),
      t('Opens the web page of the email.'),
      t({ message: 'Read in the browser', comment: 'Link text inserted into an email' }),
      'view',
      ['theme'],
    ],
    [
      'modify_profile',
      t('Change the profile'),
      t("Opens the recipient's profile. On WordPress: the web page of the email."),
      t({ message: 'Change your profile', comment: 'Link text inserted into an email' }),
      'view',
    ],
  ),
  ...pairGroup(
    'info',
    ['body'],
    [
      'info',
      t('About the site'),
      t('Outputs its content. An email address becomes a link, and so does a URL that responds.'),
      'Reference Site',
    ],
  ),
];

const translations: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(siteFormats).map(([number, format]) => [`ACYM_DATE_FORMAT_LC${number}`, format]),
  ),
  ...texts,
  ...Object.fromEntries([...months, ...days].map((name) => [`ACYM_${name.toUpperCase()}`, name])),
};

const toFamilyStep = (family: string): TagStep => ({ kind: 'family', family });

/** Returns the language. Its descriptions are in the display language. */
export const acymailing = localized((): TagLanguage => ({
  name: 'acymailing',
  families: [...createFamilies(), ...createContentFamilies()],
  pairs: createPairs(),
  parameters: createParameters(),
  conditions: {
    name: 'if',
    title: t('Condition'),
    about: t(
      'Shows the content between the tags only if the condition is met. Refer to custom fields by label (City), and to other fields by name. There is no "else".',
    ),
    parameters: [],
    operators: toChoices({
      '=': t({ message: 'is (a;b;c: any of them)', comment: 'Operator between a field and a value' }),
      '!=': t({ message: 'is not', comment: 'Operator between a field and a value' }),
      '<': t({ message: 'is less than', comment: 'Operator between a field and a value' }),
      '>': t({ message: 'is greater than', comment: 'Operator between a field and a value' }),
      '~': t({ message: 'contains', comment: 'Operator between a field and a value' }),
      '!~': t({ message: 'does not contain', comment: 'Operator between a field and a value' }),
    }),
    levels: 3,
    where: ['body', 'subject', 'headers'],
    example: '{if:City=Dublin}…{/if}',
  },
  steps: [
    ...['info', 'online', 'subscription'].map((group) => ({ kind: 'pairs', group }) as const),
    { kind: 'content' },
    ...['mail', 'automail', 'date', 'rand', 'subscriber', 'list', 'usertag'].map(toFamilyStep),
    { kind: 'extensionMarks' },
    { kind: 'conditions' },
    ...['trans', 'config'].map(toFamilyStep),
  ],
  translations,
}));
