import assert from 'node:assert/strict';
import { composeSent } from '../../../../src/email/sent/index.ts';

function bodyOf(body: string): string {
  const { html } = composeSent({ body }, { profile: 'acymailing', site: 'https://news.example.org' });
  return html.slice(html.indexOf('<body') + '<body>'.length, html.lastIndexOf('</body>'));
}

describe('HTML is read as the service reads it', () => {
  const cases: readonly (readonly [title: string, body: string, sent: string])[] = [
    ["paragraphs don't nest", '<p>a<p>b</p>c</p>', '<p>a</p><p>b</p>c'],
    [
      'no <tbody> is added, and nothing is moved out of tables',
      '<table>x<tr><td>a</table>',
      '<table>x<tr><td>a</td></tr></table>',
    ],
    ['blocks stay in inline elements', '<b><div>a</div></b>', '<b><div>a</div></b>'],
    ['an end tag closes what is open within', '<div><b>a</div>c', '<div><b>a</b></div>c'],
    [
      'an end tag closes nothing of a higher rank',
      '<table><tr><td></p></span>a</td></tr></table>',
      '<table><tr><td>a</td></tr></table>',
    ],
    [
      'names lose their prefix',
      '<div><o:p>a</o:p><v:rect x="1"></v:rect></div>',
      '<div><p>a</p><rect x="1"></rect></div>',
    ],
    [
      'downlevel-revealed comments are text',
      '<p><![if !mso]>a<![endif]></p>',
      '<p>&lt;![if !mso]&gt;a&lt;![endif]&gt;</p>',
    ],
    ['a fragment loses a first element of HTML 5', '<section>a</section><p>b</p>', '<p>b</p>'],
    ['but not within <html>', '<html><section>a</section></html>', '<section>a</section>'],
    ['text before elements begins a paragraph', 'a<b>c</b><div>d</div>', '<p>a<b>c</b></p><div>d</div>'],
    ['a second body is ignored', '<body><p>a</p><body class="x"><p>b</p>', '<p>a</p><p>b</p>'],
    [
      'attributes without a value',
      '<div><input checked disabled="disabled"><p nowrap foo></p></div>',
      '<div><input checked disabled><p nowrap foo></p></div>',
    ],
    ['the first of two attributes', '<p title="a" TITLE="b">x</p>', '<p title="a">x</p>'],
    ['references without a semicolon stay', '<p>&copy &copy; &#169 &foo;</p>', '<p>&copy &copy; &copy; &foo;</p>'],
    ['elements end 256 deep', `${'<div>'.repeat(300)}x`, `${'<div>'.repeat(255)}${'</div>'.repeat(255)}`],
    ['comments end at --!> too', '<p><!-- a --!>b</p>', '<p><!-- a -->b</p>'],
    ['a body is made where there is none', '', ''],
  ];
  for (const [title, body, sent] of cases) it(title, () => assert.equal(bodyOf(body), sent));
});
