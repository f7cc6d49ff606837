import type { FieldState } from './fields.ts';
import type { FolderProject } from './project.ts';
import type { Target } from './sync.ts';

/** A file is in the group of what is the most urgent of its fields. */
export type GroupName = Exclude<FieldState, 'same'>;

/** How files that differ are shown, the most urgent first: a file is in the first group that one of its fields belongs to. */
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
  /** Beside the file's name in the explorer and on its tab. */
  readonly badge: string;
  readonly color: string;
}[];

/** A file of a template in which fields differ from the service. */
export interface ChangedFields {
  /** Below the folder of `mailing.json`. */
  readonly path: string;
  readonly fields: readonly string[];
  readonly group: (typeof changeGroups)[number];
}

/** The files of a template that differ from the service, as far as is known. */
export function findChangedFiles(project: FolderProject, target: Target): readonly ChangedFields[] {
  const known = project.getStatus(target);
  if (known?.kind !== 'compared') return [];
  const paths = groupBy(known.comparison.changes, ([field]) => project.folder.path(target.template, field));
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
