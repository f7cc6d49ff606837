import assert from 'node:assert/strict';
import { convertPasted } from '../../../../src/email/compose/pasted.ts';

const convert = (html: string): readonly string[] => convertPasted(html).split('\n');

describe('Copied HTML', () => {
  it('of Word keeps structure, formatting and links', () => {
    const word = `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office">
<head><meta name=Generator content="Microsoft Word 15"><!--[if gte mso 9]><xml><o:PixelsPerInch/></xml><![endif]-->
<style><!-- p.MsoNormal {mso-style-parent:""; font-family:"Arial"} --></style></head>
<body lang=EN-US style='tab-interval:.5in'><!--StartFragment-->
<h1>Spring<o:p></o:p></h1>
<p class=MsoNormal align=center style='text-align:center'><b><span style='font-size:14.0pt'>Hello
{subscriber:name|default:"you"}</span></b>, <i>see</i> <a href="https://example.com/?a=1&amp;b=2">this</a>.<o:p></o:p></p>
<p class=MsoNormal><o:p>&nbsp;</o:p></p>
<table class=MsoTableGrid border=1 cellspacing=0 style='border-collapse:collapse;mso-yfti-tbllook:1184'>
 <tr style='mso-yfti-irow:0'><td width=312 valign=top style='width:233.75pt'><p class=MsoNormal>A<o:p></o:p></p></td><td></td></tr>
</table>
<!--[if gte vml 1]><v:shape><v:imagedata src="file:///C:/a.png"/></v:shape><![endif]--><![if !vml]><img src="file:///C:/a.png"><![endif]>
<!--EndFragment--></body></html>`;
    assert.deepEqual(convert(word), [
      '<h1>Spring</h1>',
      '<p align="center"><strong>Hello {subscriber:name|default:"you"}</strong>, <em>see</em> <a href="https://example.com/?a=1&amp;b=2">this</a>.</p>',
      '<p>&nbsp;</p>',
      '<table border="1" cellspacing="0">',
      '<tr>',
      '<td width="312" valign="top">',
      '<p>A</p>',
      '</td>',
      '<td></td>',
      '</tr>',
      '</table>',
    ]);
  });

  it('of Word keeps lists, which are paragraphs', () => {
    const item = (level: number, marker: string, text: string) =>
      `<p class=MsoListParagraph style='text-indent:-.25in;mso-list:l0 level${level} lfo1'><![if !supportLists]><span
style='font-family:Symbol'><span style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times"'>&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>\n\n`;
    const list = item(1, '·', 'One') + item(2, 'a)', 'Inner') + item(2, 'b)', 'Next') + item(1, '·', 'Two');
    assert.deepEqual(convert(`<p>Before</p>${list}<p>After</p>`), [
      '<p>Before</p>',
      '<ul>',
      '<li>One',
      '<ol>',
      '<li>Inner</li>',
      '<li>Next</li>',
      '</ol>',
      '</li>',
      '<li>Two</li>',
      '</ul>',
      '<p>After</p>',
    ]);
  });

  it('of Google Docs keeps bold and italics, which are styles, lists and tables', () => {
    const docs = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><h2 dir="ltr"><span style="font-size:16pt;font-weight:400">Title</span></h2>
<p dir="ltr" style="line-height:1.38"><span style="font-weight:700;white-space:pre-wrap">Bold</span><span> and </span><span style="font-style:italic;font-weight:700">both</span> <a href="https://example.com" style="text-decoration:none"><span style="color:#1155cc">link</span></a></p>
<ul style="margin:0"><li dir="ltr" aria-level="1" style="list-style-type:disc"><p dir="ltr" role="presentation"><span>One</span></p></li></ul>
<div dir="ltr" align="left"><table><colgroup><col width="312" /></colgroup><tbody><tr style="height:0pt"><td style="border:solid"><p dir="rtl"><span>Cell</span></p></td></tr></tbody></table></div></b><br class="Apple-interchange-newline">`;
    assert.deepEqual(convert(docs), [
      '<h2>Title</h2>',
      '<p><strong>Bold</strong> and <strong><em>both</em></strong> <a href="https://example.com">link</a></p>',
      '<ul>',
      '<li>One</li>',
      '</ul>',
      '<table>',
      '<tr>',
      '<td>',
      '<p dir="rtl">Cell</p>',
      '</td>',
      '</tr>',
      '</table>',
    ]);
  });

  it('of a web page loses scripts, classes, embedded content and containers', () => {
    const page = `<!DOCTYPE html><main class="x"><div id="a"><section onclick="x()">First <b class="y">bold</b></section><div>Second<br>line</div></div>
<script>alert(1)</script><iframe src="https://x.example"></iframe><span style="display:none">hidden</span><p></p>
<img src="https://cdn.example/a.png" srcset="b.png 2x" alt="A &quot;b&quot;" onerror="x()"><img src="data:image/png;base64,AA"></main>`;
    assert.deepEqual(convert(page), [
      '<div>First <strong>bold</strong></div>',
      '<div>Second<br>line</div>',
      '<img src="https://cdn.example/a.png" alt="A &quot;b&quot;">',
    ]);
  });

  it('has only links that open everywhere, and merge tags', () => {
    const links = ['https://a.example', 'mailto:a@b.example', '{unsubscribe}{/unsubscribe}', 'tel:1'];
    for (const link of links) assert.equal(convertPasted(`<a href="${link}">x</a>`), `<a href="${link}">x</a>`);
    for (const link of [
      'javascript:alert(1)',
      ' java\nscript:x',
      'JAVASCRIPT:x',
      'data:text/html,x',
      'file:///x',
      '/a',
      '#a',
      '',
    ])
      assert.equal(convertPasted(`<a href="${link}">x</a>`), 'x', link);
    assert.equal(convertPasted('<p href="javascript:x" background="javascript:x" style="x">y</p>'), '<p>y</p>');
  });

  it('never becomes other markup than its own', () => {
    assert.equal(
      convertPasted('<<span>script>x</script> a &lt;b&gt; &amp;lt;'),
      '&lt;script&gt;x a &lt;b&gt; &amp;lt;',
    );
    assert.equal(
      convertPasted('<img src="https://a.example/&quot;&gt;&lt;script&gt;">'),
      '<img src="https://a.example/&quot;&gt;&lt;script&gt;">',
    );
    assert.equal(
      convertPasted('<textarea><script>x</script></textarea><svg><style>x</style><script>x</script></svg>y'),
      'y',
    );
    assert.equal(convertPasted(''), '');
    assert.equal(convertPasted('<span>one</span> <b>two</b> '), 'one <strong>two</strong>');
  });

  it('is refused with a reason if it is nested too deep or too long', () => {
    for (const tags of ['<div>', '<table><tr><td>', '<ul><li>', '<b><p>'])
      assert.throws(() => convertPasted(tags.repeat(10_000)), /too deep|never closed/u, tags);
    const attributes = Array.from({ length: 5000 }, (_, index) => `a${index}`).join(' ');
    assert.throws(() => convertPasted(`<p ${attributes}>`), /too many attributes/u);
    assert.throws(() => convertPasted('x'.repeat(4 * 1024 * 1024)), /too long/u);
    assert.equal(convertPasted(`${'<div>'.repeat(300)}x${'</div>'.repeat(300)}`), '<div>x</div>');
  });
});
