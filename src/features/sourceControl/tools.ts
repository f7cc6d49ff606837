import type { TargetPicker } from '../../platform/documents/recordCommands.ts';
import type { Previews } from '../../platform/preview/host/activeEditorPreviews.ts';
import type { Builds } from './builds.ts';
import type { Folders } from './folders.ts';
import type { FolderDependencies, FolderProject } from './project.ts';
import type { Target } from './sync.ts';
import type { SerialQueue } from './serialQueue.ts';

/** What the commands on folders work with. */
export interface FolderTools extends FolderDependencies {
  readonly folders: Folders;
  readonly targets: TargetPicker;
  readonly previews: Previews;
  readonly builds: Builds;
  /** One push after the other: each is based on what the one before has stored. */
  readonly pushQueue: SerialQueue;
  /** Documents that a command is saving: their saving is no reason for another push. */
  readonly savingUris: Set<string>;
}

/** A template of a folder that a command is about. */
export interface ProjectTarget {
  readonly project: FolderProject;
  readonly target: Target;
}
