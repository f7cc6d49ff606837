import type { TargetPicker } from '../../platform/documents/recordCommands.ts';
import type { Previews } from '../../platform/preview/host/activeEditorPreviews.ts';
import type { Builds } from './builds.ts';
import type { Folders } from './folders.ts';
import type { FolderDependencies, FolderProject } from './project.ts';
import type { Target } from './sync.ts';
import type { SerialQueue } from './serialQueue.ts';

/** Shared dependencies of the commands on mapped folders. */
export interface FolderTools extends FolderDependencies {
  readonly folders: Folders;
  readonly targets: TargetPicker;
  readonly previews: Previews;
  readonly builds: Builds;
  /** Runs one push at a time, because each compares with the texts that the previous one stored. */
  readonly pushQueue: SerialQueue;
  /** Documents that a command is saving, whose save must not trigger a push. */
  readonly savingUris: Set<string>;
}

/** A mapped template on one connection, with its project. */
export interface ProjectTarget {
  readonly project: FolderProject;
  readonly target: Target;
}
