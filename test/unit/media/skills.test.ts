import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { findTagProblems, parseTags, tagLanguage } from '../../../src/email/tags/index.ts';
import { check } from '../../../src/email/checks/index.ts';
import { composeSent } from '../../../src/email/sent/index.ts';
import { read, readManifest, root } from '../../support/manifest.ts';

const { contributes } = readManifest<{
  readonly contributes: {
    readonly chatSkills: readonly { readonly path: string }[];
    readonly languageModelTools: readonly { readonly name: string; readonly inputSchema: object }[];
  };
}>();

const language = tagLanguage('acymailing');
const compose = (body: string, stylesheet = '') =>
  composeSent({ body, stylesheet, subject: '', preheader: '' }, { profile: 'acymailing' }).html;

describe('skills for agents', () => {
  it('are all contributed, with the folder as their name', () => {
    const folders = readdirSync(new URL('media/skills/', root));
    assert.deepEqual(
      contributes.chatSkills.map(({ path }) => path),
      folders.map((name) => `./media/skills/${name}/SKILL.md`),
    );
    for (const folder of folders) {
      assert.deepEqual(readdirSync(new URL(`media/skills/${folder}/`, root)), ['SKILL.md']);
      const text = read(`media/skills/${folder}/SKILL.md`);
      const [, name, description = ''] = /^---\nname: (.+)\ndescription: (.+)\n---\n/u.exec(text) ?? [];
      assert.deepEqual([name, description.length <= 1024, text.length <= 8000], [folder, true, true]);
      // Unquoted YAML.
      assert.doesNotMatch(description, /: | #|^[{["'&*!|>%@`]/u);
    }
  });

  const skill = read('media/skills/mailing-emails/SKILL.md');
  const code = [...skill.matchAll(/`([^`]+)`/gu)].map(([, text = '']) => text.replaceAll('\\|', '|'));

  it('name every tool, and no other', () => {
    const named = new Set([...skill.matchAll(/mailing_\w+/gu)].map(([name]) => name));
    assert.deepEqual([...named].toSorted(), contributes.languageModelTools.map(({ name }) => name).toSorted());
  });

  it('name inputs of tools', () => {
    const schemas = JSON.stringify(contributes.languageModelTools.map(({ inputSchema }) => inputSchema));
    for (const input of ['body', 'stylesheet', 'details', 'offset', 'typical', 'nameless', 'text', 'replacements'])
      assert.ok(code.includes(input) && schemas.includes(`"${input}"`), input);
  });

  it('contain only valid merge tags', () => {
    const tags = code.filter((text) => /\{\w/u.test(text) && !['{name}'].includes(text) && !text.includes('{family'));
    assert.ok(tags.length >= 12);
    const fields = [{ label: 'City', namekey: 'city' }];
    for (const text of tags) {
      assert.ok(parseTags(text, language).length > 0, text);
      assert.deepEqual(findTagProblems(text, language, 'body', { fields }), [], text);
    }
    assert.equal(findTagProblems('{name}', language, 'body').length, 1);
  });

  it('tell the truth about AcyMailing', () => {
    for (const name of ['section', 'header', 'main', 'article', 'figure'])
      assert.doesNotMatch(compose(`<${name}>lost</${name}><p>kept</p>`), /lost/u, name);
    for (const name of ['div', 'p']) assert.match(compose(`<${name}>kept</${name}>`), /kept/u, name);
    assert.match(compose('<table><tr><td>kept</td></tr></table>'), /kept/u);
    assert.match(compose('<body><section>kept</section></body>'), /kept/u);
    const document = compose('<!doctype html><html lang="en"><head><meta name="x" content="y"></head><body>a</body>');
    assert.doesNotMatch(document, /doctype|name="x"/iu);
    const styled = compose(
      '<p class="a b">a</p>',
      '@import "x.css"; p { width: 100%; width: calc(50%) } .a { color: red !important } @media screen { .b { color: #00f !important } } .c { top: 0 }',
    );
    assert.doesNotMatch(styled, /@import|width: ?100%;width|top: ?0/u);
    assert.match(styled, /class="b"[^>]*style="[^"]*calc\(50%\)/u);
    assert.match(styled, /@media screen[^}]*!important/u);
    for (const address of ['//cdn.example/a', 'www.example.com'])
      assert.ok(
        check({ body: `<p><a href="${address}">Our offers</a></p>` }, { profile: 'acymailing' }).some(
          ({ severity }) => severity === 'error',
        ),
        address,
      );
    const inLink = '<p><a href="https://a.example/{if:City=Dublin}x{/if}">Our offers</a></p>';
    assert.ok(check({ body: inLink }, { profile: 'acymailing' }).some(({ rule }) => rule === '45'));
    const { text } = composeSent(
      { body: '<p>a\nb</p>', stylesheet: '', subject: '', preheader: '' },
      { profile: 'acymailing' },
    );
    assert.match(text, /ab/u);
  });
});
