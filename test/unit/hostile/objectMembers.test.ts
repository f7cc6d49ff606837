import assert from 'node:assert/strict';
import { functions } from '../../support/growth/functions.ts';

const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];

describe('Functions of emails', () => {
  for (const { name, run } of functions)
    it(`accept the names of members that every object has: ${name}`, () => {
      for (const member of names)
        for (const text of [
          `<${member} ${member}="x" style="${member}: x">x</${member}><a href="https://example.org">x</a>`,
          `${member}{${member}:x}@${member}{x:y}`,
          `{${member}:${member}|${member}:x}{if:${member}=x}x{/if}{date:x|type:${member}}{list:${member}}`,
        ])
          assert.doesNotThrow(() => run(text), text);
    });
});
