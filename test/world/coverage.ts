import { networkFaults } from './network.ts';
import { diskFaults } from './faults.ts';
import { actors } from './actors.ts';

/** Number of occurrences by "actor: operation: fault". */
export type Counts = Readonly<Record<string, number>>;

/** Programs that run the same code. */
const programs = { window: ['Window A', 'Window B'], mailing: ['mailing on the laptop', 'The colleague'] } as const;

/** Requests and changes of the disk that every fault must meet. Add an operation here. */
const tables: readonly (readonly [
  faults: readonly string[],
  operations: Readonly<Record<keyof typeof programs, readonly string[]>>,
])[] = [
  [
    Object.keys(networkFaults),
    {
      window: [
        ...['sendCampaign', 'sendEmailToSingleUser', 'createOrUpdateCampaign', 'createTemplate'],
        ...['subscribeUsers', 'unsubscribeUsers', 'updateTemplate', 'getCampaignById', 'getOneTemplate'],
      ],
      mailing: ['updateTemplate', 'getOneTemplate'],
    },
  ],
  [Object.keys(diskFaults), { window: ['write', 'rename', 'rm'], mailing: ['write', 'rename', 'rm'] }],
];

interface Cell {
  readonly fault: string;
  readonly program: string;
  readonly operation: string;
  readonly count: number;
}

/** Returns one row for each fault, with a cell for each operation of a program. */
function countFaults(all: readonly Counts[]): readonly (readonly (readonly Cell[])[])[] {
  const sum = (key: string) => all.reduce((total, counts) => total + (counts[key] ?? 0), 0);
  return tables.map(([faults, operations]) =>
    faults.map((fault) =>
      Object.entries(programs).flatMap(([program, names]) =>
        operations[program as keyof typeof programs].map((operation) => ({
          ...{ fault, program, operation },
          count: names.reduce((total, name) => total + sum(`${name}: ${operation}: ${fault}`), 0),
        })),
      ),
    ),
  );
}

/** Returns everything that should have occurred in the histories of the tests, but didn't. */
export function findMissingCounts(all: readonly Counts[]): readonly string[] {
  const acts = Object.entries(actors).flatMap(([actor, [, list]]) =>
    Object.keys(list).map((act) => `${actor}: ${act}: none`),
  );
  const cells = countFaults(all).flat(2);
  return [
    ...acts.filter((key) => !all.some((counts) => (counts[key] ?? 0) > 0)),
    ...cells.flatMap(({ fault, program, operation, count }) => (count > 0 ? [] : `${program}: ${operation}: ${fault}`)),
  ];
}

/** Formats how often each fault met each operation of each program. */
export function formatCounts(all: readonly Counts[]): string {
  return countFaults(all)
    .map((rows) => {
      const [first = []] = rows;
      const width = Math.max(...rows.map(([cell]) => cell?.fault.length ?? 0));
      const columns = first.map(({ program, operation }, at) => `${at + 1}: ${program}, ${operation}`);
      const format = (title: string, cells: readonly (string | number)[]) =>
        [title.padEnd(width), ...cells.map((cell) => String(cell).padStart(6))].join('');
      const lines = rows.map((cells) =>
        format(
          cells[0]?.fault ?? '',
          cells.map(({ count }) => count),
        ),
      );
      const head = format(
        '',
        columns.map((_, at) => at + 1),
      );
      return [columns.join('; '), head, ...lines].join('\n');
    })
    .join('\n\n');
}
