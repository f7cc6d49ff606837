import assert from 'node:assert/strict';
import { renderTags, type TagLocation } from '../../../../src/email/tags/index.ts';
import { language, reference, rendering } from './setup.ts';

const render = (text: string, person = 'ann', where: TagLocation = 'body') =>
  renderTags(text, language, rendering(where, person)).text;

describe('renderTags matches the service', () => {
  for (const { where, person, in: source, out } of reference.cases) {
    it(`${where}, ${person}: ${JSON.stringify(source)}`, () => {
      assert.equal(renderTags(source, language, rendering(where, person)).text, out);
    });
  }
});

/** Derived from the service's rules, in addition to the recorded cases. */
const rules: Readonly<
  Record<string, readonly (readonly [source: string, out: string, person?: string, where?: TagLocation])[]>
> = {
  'date format letters': [
    ['{date:d D j l N S w z}', '05 Thu 5 Thursday 4 th 4 63'],
    ['{date:W F m M n t L o Y y}', '10 March 03 Mar 3 31 0 2026 2026 26'],
    ['{date:a A B g G h H i s u v}', 'pm PM 629 2 14 02 14 07 09 000000 000'],
    ['{date:e I O P p T Z}', 'UTC 0 +0000 +00:00 Z GMT 0'],
    ['{date:c}', '2026-03-05T14:07:09+00:00'],
    ['{date:r}', 'Thu, 05 Mar 2026 14:07:09 +0000'],
    ['{date:U}', '1772719629'],
    ['{date:%A %a %B %d %H %I %M %m %p %S %w %y %Y}', 'Thursday Thu March 05 14 02 07 03 pm 09 4 26 2026'],
    ['{date:%j %e}', '%5 %UTC'],
    ['{date:0}', 'Thursday, 5 March 2026'],
    ['{date:1}', 'Thursday, 5 March 2026'],
    ['{date:9}', 'Thursday, 5 March 2026'],
    ['{date:2026}', 'Thursday, 5 March 2026'],
    ['{date:\\Y\\e\\a\\r Y}', 'Year 2026'],
    ['{date:jS \\o\\f F}', '5th of March'],
    ['{date:ACYM_DATE_FORMAT_LC4}', '2026-03-05'],
    ['{date:d+m}', '05 03'],
    ['{date:Y-m-d|add:86400}', '2026-03-06'],
    ['{date:Y-m-d|remove:86400}', '2026-03-04'],
    ['{date:Y-m-d H:i|add:3600|remove:60}', '2026-03-05 15:06'],
    ['{date:Y-m-d|upper|default:x}', '2026-03-05'],
    ['{DATE:Y}', '2026'],
    ['%7Bdate%3AY%7D', '2026'],
    ['{date:}', 'Thursday, 5 March 2026', 'none'],
  ],
  'dates of subscribers': [
    ['{subscriber:creation_date|type:date|format:Y}', '2024'],
    ['{subscriber:creation_date|type:date|format:4}', '2024-02-03'],
    ['{subscriber:creation_date|type:date|format:j.n.y G:i}', '3.2.24 4:05'],
    ['{subscriber:creation_date|type:time|format:H:i:s}', '04:05:06'],
    ['{subscriber:creation_date|type:diff|format:%y years %m months %d days}', '2 years 1 months 2 days'],
    ['{subscriber:creation_date|type:diff|format:%H:%I:%S %R%a}', '10:02:03 +761'],
    ['{subscriber:creation_date|type:diff}', 'F d Y'],
    [
      '{subscriber:name|type:diff|format:%a}',
      'Error using the "diff" parameter in your tag. Please make sure the DateTime() and diff() functions are available on your server.',
    ],
    ['{subscriber:name|type:date|format:Y}', ''],
    ['{subscriber:creation_date|type:date|format:Y}', '', 'none'],
    ['{subscriber:creation_date|format:Y}', '2024-02-03 04:05:06'],
    ['{subscriber:creation_date|type:date|format:M|upper}', 'FEB'],
    ['{subscriber:birthday}', '31 July 1990'],
    ['{subscriber:birthday|type:date|format:m/d}', '07/31'],
  ],
  parameters: [
    ['{subscriber:name|part:2}', 'Marie'],
    ['{subscriber:name|part: 2}', 'Marie'],
    ['{subscriber:name|part}', 'O’Neil'],
    ['{subscriber:name|part:0}', 'Ann Marie O’Neil'],
    ['{subscriber:name|default: you}', ' you', 'bob'],
    ['{subscriber:name|default:x|default:y}', 'y', 'bob'],
    ['{subscriber:name|default:ACYM_UNSUBSCRIBE|upper}', 'UNSUBSCRIBE', 'bob'],
    ['{subscriber:name|default:a+b%26c}', 'a b&c', 'bob'],
    ['{subscriber:name|default:a\\nb}', 'a\nb', 'bob'],
    ['{subscriber:name|lowercase}', 'ann marie o’neil'],
    ['{subscriber:name|upper:0}', 'Ann Marie O’Neil'],
    ['{subscriber:name|upper:no}', 'ANN MARIE O’NEIL'],
    ['{subscriber:name|UPPER}', 'Ann Marie O’Neil'],
    ['{subscriber:email|rtrim:com}', 'ann@example.'],
    ['{subscriber:email|rtrim:a..z}', 'ann@example.'],
    ['{subscriber:score|rtrim}', '42'],
    ['{subscriber:name|substr:4}', 'Marie O’Neil'],
    ['{subscriber:email|substr:-3,2}', 'co'],
    ['{subscriber:email|substr:0,-4}', 'ann@example'],
    ['{subscriber:name|substr:0}', 'Ann Marie O’Neil'],
    ['{subscriber:name|substr:0,3|urlencode|upper}', 'ANN'],
    ['{subscriber:company|urlencode}', 'ACME+%26+S%C3%B6hne+%3CGmbH%3E'],
    ['{subscriber:company}', 'ACME & Söhne <GmbH>'],
    ['{subscriber:foo|id:name}', 'Ann Marie O’Neil'],
    ['{subscriber:bio|part:first}', 'Line'],
    ['{subscriber:hobbies}', 'Ski & snow, Reading'],
    ['{subscriber:hobbies|upper}', 'SKI & SNOW, READING'],
    ['{subscriber:hobbies|default:none}', 'none', 'bob'],
    ['{subtag:name|part:first|info:receiver}', 'Ann'],
    ['{subscriber:name|info:Current}', 'Ann Marie O’Neil'],
    ['{subscriber:fields}{subscriber:note}{subscriber:constructor}', '', 'none'],
  ],
  'accounts, lists, email, random choices and translations': [
    ['{usertag:user_login|info:sender}', 'admin'],
    ['{usertag:user_email|info:sender|upper}', 'ADMIN@EXAMPLE.COM'],
    ['{usertag:user_login}', ''],
    ['{usertag:user_login|default:x}', ''],
    ['{usertag:user_login|info:current}', '{usertag:user_login|info:current}'],
    ['{list:id}', '11'],
    ['{list:descriptions}', 'All the weekly news, Offers & more'],
    ['{list:descriptions|listids:12}', 'Offers & more'],
    ['{list:description|listid:12}', 'Offers & more'],
    ['{list:names|separator}', 'Weekly1Offers'],
    ['{list:owner}', 'Field not found : '],
    ['{list:owner|field:name}', 'admin'],
    ['{list:owner|field:email}', '', 'none'],
    ['{list:count}', 'Method not found: listcount', 'none'],
    ['{LIST:NAMES|separator:;}', 'Weekly;Offers'],
    ['{mail:name|part:last}', 'name'],
    ['{mail:id} {mail:campaignid}', 'MAILID CAMPAIGNID'],
    ['{mail:nosuch|default:a b|upper}', 'a b'],
    ['{automail:number_generated}', ''],
    ['{mail:name}', 'Case name', 'ann', 'subject'],
    ['{rand: a;b}', '{rand: a;b}'],
    ['{RAND:a}', '{RAND:a}'],
    ['%7Brand%3Aa%7D', 'a'],
    ['{rand:a|b}', '{rand:a|b}'],
    ['{trans:}', '{trans:}'],
    ['{trans:Hello}', 'Hello'],
    ['{config:SITENAME}', '{config:SITENAME}'],
    ['{CONFIG:sitename|upper}', 'Reference Site'],
    ['{tab=One}x{/tabs}{jcomments on}{youtube}y{/youtube}', 'x'],
  ],
  pairs: [
    ['<a href="{unsubscribeall}{/unsubscribeall}">x</a>', '<a href="LINK(unsubscribeAll)">x</a>'],
    ['<a href="%7Bunsubscribe%7D%7B/unsubscribe%7D">x</a>', '<a href="LINK(unsubscribe)">x</a>'],
    ['{CONFIRM}x{/confirm}', '<a href="LINK(unsubscribeAll)">x</a>'],
    ['{confirm|a:b}x{/confirm}', '{confirm|a:b}x{/confirm}'],
    ['{unsubscribe|}x{/unsubscribe}', '{unsubscribe|}x{/unsubscribe}'],
    ['{unsubscribe}0{/unsubscribe}', 'LINK(unsubscribe)'],
    ['{subscribe}x{/subscribe}', 'Please select at least one list'],
    ['{subscribe|lists:11,x, 7}x{/subscribe}', '<a href="LINK(subscribe lists=11,0,7)">x</a>'],
    ['{direct_unsubscribe}x{/subscribe}', '<a href="LINK(unsubscribe direct)">x</a>'],
    ['{unsubscribe|redirect:https://e.com}x{/unsubscribe}', '<a href="LINK(unsubscribe)">x</a>'],
    [
      '{unsubscribeall|redirect:https%3A%2F%2Fe.com%2F%3Fa%3D1}{/unsubscribeall}',
      'LINK(unsubscribeAll redirect=https://e.com/?a=1)',
    ],
    ['{disable_tracking}{/disable_tracking}', 'LINK(disableTracking)'],
    ['{unsubscribe}\nx\n{/unsubscribe}', '<a href="LINK(unsubscribe)">\nx\n</a>'],
    ['{readonline}a{/modify_profile}', '<a href="LINK(view)">a</a>'],
    ['{modify_profile|a:b}a{/modify_profile}', '{modify_profile|a:b}a{/modify_profile}'],
    ['{info:site_name}Us{/info}', 'Us'],
    ['{info:site_address}https://e.com{/info}', 'https://e.com'],
    ['{info:admin_email}a@example.com{/info}', '<a href="mailto:a@example.com">a@example.com</a>'],
    ['{unsubscribe}Leave{/unsubscribe}', '<a href="LINK(unsubscribe)">Leave</a>', 'ann', 'subject'],
    ['{readonline}x{/readonline}', '{readonline}x{/readonline}', 'ann', 'subject'],
    ['{unsubscribe}x{/unsubscribe}', '{unsubscribe}x{/unsubscribe}', 'ann', 'preheader'],
    ['{unsubscribe}x{/unsubscribe}', '{unsubscribe}x{/unsubscribe}', 'ann', 'headers'],
    ['<a class="b" href="{readonline}View{/readonline}">', '<a href="LINK(view)">View</a>">'],
  ],
  conditions: [
    ['{if:Score=42.0}Y{/if}', 'Y'],
    ['{if:Score=7;42}Y{/if}', 'Y'],
    ['{if:Score<100}Y{/if}', 'Y'],
    ['{if:Score<100}Y{/if}', 'Y', 'bob'],
    ['{if:Score&lt;100}Y{/if}', 'Y'],
    ['{if:Score!=42}Y{/if}', ''],
    ['{if:City~laog}Y{/if}', 'Y'],
    ['{if:City!~laog}Y{/if}', ''],
    ['{if:City!~x}Y{/if}', 'Y', 'bob'],
    ['{if:City=DÚN LAOGHAIRE}Y{/if}', ''],
    ['{if:City=D&uacute;n Laoghaire}Y{/if}', 'Y'],
    ['{if:Score==42}Y{/if}', ''],
    ['{if:Score<>42}Y{/if}', ''],
    ['{if:Score=}Y{/if}', 'Y'],
    ['{if:Score}Y{/if}', 'Y', 'bob'],
    ['{if:Score}Y{/if}', '', 'none'],
    ['{if:nosuch!=1}Y{/if}', '', 'none'],
    ['{if:acym.City~dún}Y{/if}', 'Y'],
    ['{if:joomla.gid=8}Y{/if}', ''],
    ['{if:confirmed=1}Y{/if}', 'Y'],
    ['{if:confirmed=1}Y{/if}', '', 'bob'],
    ['{if:source=ref}Y{/if}', '', 'bob'],
    ['{if:id>101}Y{/if}', 'Y', 'bob'],
    ['{if:var.{subscriber:city}~dún}Y{/if}', 'Y'],
    ['{if:var.{subscriber:score}=42}Y{/if}', 'Y'],
    ['{if:var.{trans:ACYM_NAME}=name}Y{/if}', '=name}Y'],
    ['{IF:Score=42}Y{/IF}', 'Y'],
    ['%7Bif:Score=42%7DY%7B/if%7D', '%7Bif:Score=42%7DY%7B/if%7D'],
    ['{if :Score=42}Y{/if}', '{if :Score=42}Y{/if}'],
    ['{if:City~dún}{subscriber:name|part:first}{/if}', 'Ann'],
    ['{if:Company=ACME & Söhne}Y{/if}', 'Y'],
    ['{if:Birthday<1980-01-01}Y{/if}', ''],
    ['{if:Score=42} x &amp; y {/if}.', 'x & y.', 'ann', 'subject'],
    ['{if:id=101}Y{/if}', '{if:id=101}Y{/if}', 'ann', 'preheader'],
    ['{if:id=101}Y{/if}{list:name}{date:Y}', 'YWeekly{date:Y}', 'ann', 'headers'],
  ],
  'markup around tags': [
    [
      '<span class="acym_dynamic" data-dynamic="{subscriber:name}">Sample<em class="acym_remove_dynamic">x</em></span>!',
      'Ann Marie O’Neil!',
    ],
    ['<span class="acym_dynamic">{subscriber:id}<em>x</em></span>', '<span class="acym_dynamic">101<em>x</em></span>'],
    ['<img src="https://e.com/{subscriber:name|part:first} a.png">', "<img src='https://e.com/Ann%20a.png'>"],
    ['<img src="a b.png"> {subscriber:id}', '<img src="a b.png"> 101'],
    ['  <i>Hi</i> {subscriber:id} ', 'Hi 101', 'ann', 'subject'],
    ['{list:name}: {subscriber:company}', 'Weekly: ACME & Söhne <GmbH>', 'ann', 'preheader'],
  ],
};

describe('renderTags follows the rules of the service', () => {
  for (const [title, cases] of Object.entries(rules)) {
    describe(title, () => {
      for (const [source, out, person, where] of cases)
        it(`${where ?? 'body'}, ${person ?? 'ann'}: ${JSON.stringify(source)}`, () =>
          assert.equal(render(source, person, where), out));
    });
  }

  it('picks the same choice for equal tags', () => {
    let picks = 0;
    const pick = (choices: string[]) => choices[picks++] ?? '';
    assert.equal(renderTags('{rand:a;b} {rand:a;b} {rand:c;d}', language, { ...rendering(), pick }).text, 'a a d');
  });
});
