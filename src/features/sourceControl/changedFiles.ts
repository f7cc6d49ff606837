import type { FieldState } from './fields.ts';
import type { FolderProject } from './project.ts';
import type { Target } from './sync.ts';

export type GroupName = Exclude<FieldState, 'same'>;

/** The groups of changed files, the most urgent first. A file belongs to the first group of any of its fields. */
export const changeGroups = [
  {
    id: 'both',
    title: 'Conflicts',
    context: 'conflict',
    tooltip: 'changed here and on the service: pull to merge it',
    badge: '!',
    color: 'gitDecoration.conflictingResourceForeground',
  },
  {
    id: 'pull',
    title: 'To Pull',
    context: 'pull',
    tooltip: 'changed on the service',
    badge: '↓',
    color: 'gitDecoration.renamedResourceForeground',
  },
  {
    id: 'push',
    title: 'To Push',
    context: 'push',
    tooltip: 'changed here',
    badge: '↑',
    color: 'gitDecoration.modifiedResourceForeground',
  },
] as const satisfies readonly {
  readonly id: GroupName;
  readonly title: string;
  readonly context: string;
  readonly tooltip: string;
  /** Shown next to the file's name in the Explorer and on its tab. */
  readonly badge: string;
  readonly color: string;
}[];

export interface ChangedFields {
  /** Relative to the folder of `mailing.json`. */
  readonly path: string;
  readonly fields: readonly string[];
  readonly group: (typeof changeGroups)[number];
}

/** Returns the files of a template that differed from the service in the last comparison. */
export function findChangedFiles(project: FolderProject, target: Target): readonly ChangedFields[] {
  const status = project.getStatus(target);
  if (status?.kind !== 'compared') return [];
  const paths = groupBy(status.comparison.changes, ([field]) => project.folder.path(target.template, field));
  return [...paths].flatMap(([path, changes]) => {
    const group = changeGroups.find(({ id }) => changes.some(([, state]) => state === id));
    return group === undefined ? [] : [{ path, fields: changes.map(([field]) => field), group }];
  });
}

export function groupBy<T, K>(of: Iterable<T>, keyOfOne: (one: T) => K): ReadonlyMap<K, readonly T[]> {
  const groupsByKey = new Map<K, T[]>();
  for (const one of of) groupsByKey.set(keyOfOne(one), [...(groupsByKey.get(keyOfOne(one)) ?? []), one]);
  return groupsByKey;
}
