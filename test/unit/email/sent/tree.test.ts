import assert from 'node:assert/strict';
import { composeSent } from '../../../../src/email/sent/index.ts';

function composeBody(body: string) {
  const { html } = composeSent({ body }, { profile: 'acymailing', site: 'https://news.example.org' });
  return html.slice(html.indexOf('<body') + '<body>'.length, html.lastIndexOf('</body>'));
}

describe('The HTML parser matches the service', () => {
  const cases: readonly (readonly [title: string, body: string, sent: string])[] = [
    ["paragraphs don't nest", '<p>a<p>b</p>c</p>', '<p>a</p><p>b</p>c'],
    [
      'no <tbody> is added, and nothing is moved out of tables',
      '<table>x<tr><td>a</table>',
      '<table>x<tr><td>a</td></tr></table>',
    ],
    ['blocks stay in inline elements', '<b><div>a</div></b>', '<b><div>a</div></b>'],
    ['an end tag closes open descendants', '<div><b>a</div>c', '<div><b>a</b></div>c'],
    [
      'an end tag does not close elements of a higher priority',
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
    ['a fragment loses a first HTML 5 element', '<section>a</section><p>b</p>', '<p>b</p>'],
    ['a document keeps a first HTML 5 element', '<html><section>a</section></html>', '<section>a</section>'],
    ['text before elements starts a paragraph', 'a<b>c</b><div>d</div>', '<p>a<b>c</b></p><div>d</div>'],
    ['a second body is ignored', '<body><p>a</p><body class="x"><p>b</p>', '<p>a</p><p>b</p>'],
    [
      'attributes without a value stay',
      '<div><input checked disabled="disabled"><p nowrap foo></p></div>',
      '<div><input checked disabled><p nowrap foo></p></div>',
    ],
    ['the first of duplicate attributes wins', '<p title="a" TITLE="b">x</p>', '<p title="a">x</p>'],
    ['references without a semicolon stay text', '<p>&copy &copy; &#169 &foo;</p>', '<p>&copy &copy; &copy; &foo;</p>'],
    ['elements end at 256 levels', `${'<div>'.repeat(300)}x`, `${'<div>'.repeat(255)}${'</div>'.repeat(255)}`],
    ['comments end at --!> too', '<p><!-- a --!>b</p>', '<p><!-- a -->b</p>'],
    ['a missing body is added', '', ''],
  ];
  for (const [title, body, sent] of cases) it(title, () => assert.equal(composeBody(body), sent));
});
