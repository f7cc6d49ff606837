import type { Targets } from '../documents/recordCommands.ts';
import type { Folders } from './folders.ts';
import type { FolderParts, FolderProject } from './project.ts';
import type { Target } from './sync.ts';

/** What the commands on folders work with. */
export interface FolderTools extends FolderParts {
  readonly folders: Folders;
  readonly targets: Targets;
}

/** A template of a folder that a command is about. */
export interface Chosen {
  readonly project: FolderProject;
  readonly target: Target;
}
