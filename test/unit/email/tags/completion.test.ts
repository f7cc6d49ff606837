import assert from 'node:assert/strict';
import {
  createTagInsertion,
  completeTags,
  createCustomFields,
  explainTag,
  filterCompletions,
  sampleRendering,
  tagLanguage,
  type CompletionContext,
  type TagCompletion,
} from '../../../../src/email/tags/index.ts';
import { language, rendering } from './setup.ts';

const fields = [{ namekey: 'city', label: 'City' }];

/** Completes at the `^` of a text. */
function complete(
  marked: string,
  context: Partial<CompletionContext> = {},
): { labels: string[]; apply: (label: string) => string; find: (label: string) => TagCompletion } {
  const offset = marked.indexOf('^');
  const text = marked.replace('^', '');
  const items = completeTags(text, offset, language, { where: 'body', fields, rendering: rendering(), ...context });
  const find = (label: string) => {
    const item = items.find((candidate) => candidate.label === label);
    assert.ok(item, `${label} is not among ${items.map((candidate) => candidate.label).join(', ')}`);
    return item;
  };
  return {
    labels: items.map(({ label }) => label),
    find,
    apply: (label) => text.slice(0, find(label).start) + find(label).text + text.slice(find(label).end),
  };
}

describe('completeTags', () => {
  it('completes families, pairs and conditions after a brace', () => {
    const { labels, apply, find } = complete('Hi {^');
    for (const label of ['subscriber', 'date', 'list', 'unsubscribe', 'readonline', 'if'])
      assert.ok(labels.includes(label), label);
    assert.equal(apply('subscriber'), 'Hi {subscriber:');
    assert.equal(apply('unsubscribe'), 'Hi {unsubscribe}Unsubscribe{/unsubscribe}');
    assert.equal(find('unsubscribe').snippet, 'unsubscribe\\}${2:Unsubscribe}{/unsubscribe\\}');
    assert.equal(find('unsubscribe').example, '<a href="LINK(unsubscribe)">Unsubscribe</a>');
    assert.equal(find('if').snippet, 'if:${1:City}${2|=,!=,<,>,~,!~|}${3:value}\\}$0{/if\\}');
    assert.ok(find('subscriber').shouldRetrigger && !find('unsubscribe').shouldRetrigger);
  });

  it('completes pairs without content in an attribute', () => {
    assert.equal(complete('<a href="{uns^">x</a>').apply('unsubscribe'), '<a href="{unsubscribe}{/unsubscribe}">x</a>');
    assert.equal(complete('<a href="{^}">').apply('unsubscribe'), '<a href="{unsubscribe}{/unsubscribe}">');
  });

  it('keeps what an existing tag has after its name', () => {
    for (const [marked, label, text] of [
      ['{sub^scriber:name}', 'usertag', '{usertag:name}'],
      ['{^:name}', 'subscriber', '{subscriber:name}'],
      ['{i^f:City=x}y{/if}', 'if', '{if:City=x}y{/if}'],
      ['{in^fo:site_url}x{/info}', 'info', '{info:site_url}x{/info}'],
      ['{subsc^ribe|lists:2}x{/subscribe}', 'subscribe', '{subscribe|lists:2}x{/subscribe}'],
      ['{subscriber:name|def^ault:friend}', 'part', '{subscriber:name|part:friend}'],
    ] as const) {
      const { apply, find } = complete(marked);
      assert.equal(apply(label), text);
      const { snippet = text, text: inserted } = find(label);
      assert.ok(snippet === text || snippet === inserted, snippet);
    }
  });

  it('adds a missing closing half before an auto-closed brace', () => {
    for (const [marked, label, text] of [
      ['{^}', 'unsubscribe', '{unsubscribe}Unsubscribe{/unsubscribe}'],
      ['{un^}', 'unsubscribe', '{unsubscribe}Unsubscribe{/unsubscribe}'],
      ['{^}x{/unsubscribe}', 'unsubscribe', '{unsubscribe}x{/unsubscribe}'],
      ['{conf^irm}x{/unsubscribe}', 'unsubscribe', '{unsubscribe}x{/unsubscribe}'],
      [
        '{^} {unsubscribe}x{/unsubscribe}',
        'confirm',
        '{confirm}Confirm your subscription{/confirm} {unsubscribe}x{/unsubscribe}',
      ],
      ['{un^|redirect:x}y{/unsubscribe}', 'unsubscribeall', '{unsubscribeall|redirect:x}y{/unsubscribe}'],
    ] as const)
      assert.equal(complete(marked).apply(label), text, marked);
    const snippet = (marked: string) => complete(marked).find('if').snippet;
    assert.equal(snippet('{^}'), 'if:${1:City}${2|=,!=,<,>,~,!~|}${3:value}\\}$0{/if');
    assert.equal(snippet('{^}x{/if}'), 'if:');
    assert.equal(snippet('{if:a=b}{^}{/if}'), snippet('{^}'), 'That half is another one’s.');
  });

  it('completes only tags that the service replaces in that part', () => {
    const subject = complete('{^', { where: 'subject' }).labels;
    assert.ok(subject.includes('subscriber') && subject.includes('if') && !subject.includes('readonline'));
    assert.ok(!subject.includes('unsubscribe'), 'A link in a subject is read as its markup.');
    const preheader = complete('{^', { where: 'preheader' }).labels;
    assert.ok(preheader.includes('date') && !preheader.includes('if') && !preheader.includes('unsubscribe'));
    assert.deepEqual(completeTags('{', 1, tagLanguage('none'), { where: 'body' }), []);
  });

  it('completes fields after a colon, custom fields first', () => {
    const { labels, apply, find } = complete('{subscriber:na^');
    assert.equal(labels[0], 'city');
    assert.equal(apply('name'), '{subscriber:name}');
    assert.equal(find('name').example, 'Ann Marie O’Neil');
    assert.equal(find('city').example, 'Dún Laoghaire');
    assert.equal(complete('{subscriber:em^ail}').apply('name'), '{subscriber:name}');
    assert.equal(complete('{date:^').find('d/m/Y').example, '05/03/2026');
    const guessed = complete('{subscriber:^', { fields: createCustomFields(['Shoe size']) }).find('shoesize');
    assert.deepEqual(
      [guessed.example, guessed.description],
      [undefined, 'Custom field "Shoe size". The service doesn\'t report its namekey, so this is a guess.'],
    );
  });

  it("completes the family's unused parameters after a bar, and their values", () => {
    const { labels, apply } = complete('{subscriber:name|^');
    assert.ok(labels.includes('default') && labels.includes('part') && !labels.includes('separator'));
    assert.equal(apply('upper'), '{subscriber:name|upper}');
    assert.equal(apply('default'), '{subscriber:name|default:');
    assert.ok(!complete('{subscriber:name|part:first|^}').labels.includes('part'));
    assert.deepEqual(complete('{subscriber:name|part:^').labels, ['first', 'last', '2']);
    assert.equal(complete('{subscriber:name|part:^').find('last').example, 'O’Neil');
    assert.deepEqual(complete('{unsubscribeall|^').labels, ['redirect']);
  });

  it('completes fields of conditions and open halves', () => {
    assert.ok(complete('{if:^').labels.includes('City'));
    assert.deepEqual(complete('{if:City^').labels.slice(0, 7), ['=', '!=', '<', '>', '~', '!~', 'City']);
    assert.equal(complete('{if:City^').apply('!='), '{if:City!=');
    assert.equal(complete('{if:Ci^ty=x}').apply('name'), '{if:name=x}');
    assert.ok(!complete('{if:Ci^ty=x}').labels.includes('='));
    assert.deepEqual(complete('{if:City=^').labels, []);
    assert.deepEqual(complete('{if:City=x}{unsubscribe}y{/^').labels, ['/unsubscribe', '/if']);
    assert.equal(complete('{unsubscribe}y{/^').apply('/unsubscribe'), '{unsubscribe}y{/unsubscribe}');
    // The cursor ends up behind a brace that the editor closed.
    const closed = complete('{if:City=x}y{/^}');
    assert.equal(closed.apply('/if'), '{if:City=x}y{/if}');
    assert.equal(closed.find('/if').text, 'if}');
  });

  for (const text of ['Hi ^', '{subscriber:name} ^', '{\n^', '{{^', '{subscriber:x</p>^', '^']) {
    it(`returns nothing elsewhere: ${JSON.stringify(text)}`, () => assert.deepEqual(complete(text).labels, []));
  }

  it('accepts any offset of any text', () => {
    const text = '{if:a{subscriber:|part:{/un|{|:}{%7B🙂';
    for (let offset = -2; offset < text.length + 3; offset += 1)
      assert.ok(Array.isArray(completeTags(text, offset, language, { where: 'body' })));
    assert.ok(completeTags(`${'x{'.repeat(500_000)}`, 1_000_000, language, { where: 'body' }).length > 0);
  });
});

describe('Tag insertion without snippets', () => {
  const listFiltered = (text: string, offset = text.length) =>
    filterCompletions(completeTags(text, offset, language, { where: 'body', fields }), text, offset);

  /** Inserts the best completion at the `^` of a text and marks the selection with `[` and `]`. */
  function choose(marked: string, label?: string) {
    const offset = marked.indexOf('^');
    const text = marked.replace('^', '');
    const completions = listFiltered(text, offset);
    const tag = label === undefined ? completions[0] : completions.find((each) => each.label === label);
    assert.ok(tag);
    const edit = createTagInsertion(tag);
    const after = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
    const { start, end } = edit.selection;
    return `${after.slice(0, start)}[${after.slice(start, end)}]${after.slice(end)}`;
  }

  for (const [marked, after, label] of [
    ['Hi {su^ you', 'Hi {subscriber:[] you'],
    ['{subscriber:NA^', '{subscriber:name}[]'],
    ['{subscriber:em^ail}', '{subscriber:email[]}'],
    ['{subscriber:name|pa^', '{subscriber:name|part:[]'],
    ['{unsub^', '{unsubscribe}[Unsubscribe]{/unsubscribe}'],
    ['<a href="{unsub^">', '<a href="{unsubscribe}{/unsubscribe}[]">'],
    ['{subscribe^', '{subscribe|lists:[1]}Subscribe{/subscribe}', 'subscribe'],
    ['{if^', '{if:[City]=value}{/if}'],
    ['{if:Ci^', '{if:City[]'],
    ['{if:name=x}y{/^', '{if:name=x}y{/if}[]'],
    ['🙂{subscriber:name|upper^', '🙂{subscriber:name|upper}[]'],
  ] as const) {
    it(`inserts the completed tag: ${marked}`, () => assert.equal(choose(marked, label), after));
  }

  it('ranks prefix matches before other matches', () => {
    const labels = listFiltered('{subscriber:date').map(({ label }) => label);
    assert.ok(labels.length > 2 && labels.every((label) => label.includes('date')), labels.join(' '));
    const ranks = listFiltered('{subscriber:c').map(({ label }) => (label.startsWith('c') ? 0 : 1));
    assert.deepEqual(ranks, ranks.toSorted());
  });
});

describe('explainTag', () => {
  const explain = (text: string, offset: number) =>
    explainTag(text, offset, language, { rendering: rendering(), fields });

  it('explains the field, the parameters and the output', () => {
    const explained = explain('Hi {subscriber:name|part:first|nope}', 6);
    assert.ok(explained);
    assert.deepEqual(
      [explained.start, explained.end, explained.title, explained.result],
      [3, 36, 'Subscriber', { text: 'Ann' }],
    );
    assert.deepEqual(
      explained.details.map(({ name }) => name),
      ['name', 'part:first', 'nope'],
    );
  });

  it('explains both halves of pairs and conditions, and date formats by letter', () => {
    const pair = '{unsubscribe}x{/unsubscribe}';
    for (const offset of [2, pair.length - 2])
      assert.deepEqual(explain(pair, offset)?.result, {
        text: '<a href="LINK(unsubscribe)">x</a>',
      });
    const condition = '{if:Score>7}x{/if}';
    for (const offset of [2, condition.length - 1])
      assert.deepEqual(explain(condition, offset)?.result, { shown: true });
    assert.deepEqual(explain('{if:var.{list:name}=offers}x{/if}', 2)?.result, {
      shown: false,
    });
    assert.deepEqual(
      explain('{date:%d F}', 2)?.details.map(({ name }) => name),
      ['%d', 'F'],
    );
    assert.equal(explain('{subscriber:city}', 2)?.details[0]?.about, 'Custom field "City"');
  });

  it('returns undefined without a tag', () => {
    assert.equal(explain('Hi {name}', 5), undefined);
    assert.equal(explainTag('Hi', 1, language), undefined);
  });
});

describe('The AcyMailing tag table', () => {
  it('is consistent', () => {
    for (const family of language.families.filter(
      ({ source }) => !['choice', 'automail', 'content'].includes(source),
    )) {
      const [item] = completeTags(`{${family.name}:`, family.name.length + 2, language, {
        where: 'body',
        rendering: sampleRendering(),
      });
      assert.ok(item, family.name);
      assert.ok(family.where.length > 0 && family.about.endsWith('.'), family.name);
    }
    const definitions = [...language.families, ...language.pairs].filter(({ own }) => !own);
    for (const name of definitions.flatMap(({ parameters }) => parameters))
      assert.ok(
        language.parameters.some((parameter) => parameter.name === name),
        name,
      );
    for (const step of language.steps) {
      if (step.kind === 'family')
        assert.ok(
          language.families.some(({ name }) => name === step.family),
          step.family,
        );
      if (step.kind === 'pairs')
        assert.ok(
          language.pairs.some(({ group }) => group === step.group),
          step.group,
        );
    }
  });
});
