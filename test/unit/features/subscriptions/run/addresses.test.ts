import assert from 'node:assert/strict';
import { Uri, user } from '../../../../support/vscodeStandIn.ts';

const { readSource, reviewAddresses } = await import('../../../../../src/features/subscriptions/run/addresses.ts');
type Services = Parameters<typeof reviewAddresses>[0];
const services = { documents: { snapshots: { add: () => Uri.file('/shown') } } } as unknown as Services;

beforeEach(() => user.reset());

describe('readSource', () => {
  const text = 'Zoë <zoe@example.org>';
  for (const [title, bytes, expected] of [
    ['UTF-8', Buffer.from(text), text],
    ['UTF-8 with a replacement character of its own', Buffer.from(`\uFFFD ${text}`), `\uFFFD ${text}`],
    ['UTF-16', Buffer.from(`\uFEFF${text}`, 'utf16le'), text],
    ['Windows-1252', Buffer.from(text, 'latin1'), text],
  ] as const)
    it(`reads ${title}`, async () => {
      user.files.set('/people.txt', bytes);
      const source = await readSource(Uri.file('/people.txt') as never);
      assert.equal(source.name, 'people.txt');
      assert.equal(source.text, expected);
    });
});

describe('reviewAddresses', () => {
  const review = (text: string) => reviewAddresses(services, { text, name: 'people' }, 'Subscribe');
  const offered: string[][] = [];
  const pick = (...labels: readonly RegExp[]) => {
    const left = [...labels];
    offered.length = 0;
    user.usePickItem = (items) => {
      offered.push(items.map(({ label }) => label));
      const label = left.shift();
      return items.find((item) => label?.test(item.label));
    };
  };

  it('offers another column of a table only', async () => {
    pick(/Continue/u);
    assert.deepEqual(await review('ann@example.org, bo@example.org'), ['ann@example.org', 'bo@example.org']);
    assert.deepEqual(
      offered.map((labels) => labels.some((label) => label.includes('Select Another Column'))),
      [false],
    );
  });

  it('reads the other column of a table once it is selected', async () => {
    pick(/^Private$/u, /Select Another Column/u, /^Work$/u, /Continue/u);
    const table = 'Name,Private,Work\nAnn,ann@example.org,ann@example.com\nBo,bo@example.org,bo@example.com\n';
    assert.deepEqual(await review(table), ['ann@example.com', 'bo@example.com']);
  });

  it('leaves out what is no address only after a question', async () => {
    pick(/Continue/u, /Continue/u);
    assert.equal(await review('ann@example.org, nobody'), undefined);
    user.answers.push('Leave Out');
    assert.deepEqual(await review('ann@example.org, nobody'), ['ann@example.org']);
    assert.deepEqual(user.questions.at(-1)?.text, '1 of 2 entries is not an email address. Leave it out?');
  });
});
