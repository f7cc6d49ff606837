import { readdir, realpath } from 'node:fs/promises';
import { dirname, relative, isAbsolute, sep } from 'node:path';

/** Where a folder really is, and whether something in it is a link. */
interface Real {
  readonly path: string;
  readonly hasLinks: boolean;
}

/** A folder of the file system that links must not lead out of. */
export class Place {
  readonly #root: string;
  /** Folders that are being looked up: files of one folder are mostly read together. */
  readonly #pending = new Map<string, Promise<Real>>();

  constructor(root: string) {
    this.#root = root;
  }

  /**
   * Throws where a file is not in the folder.
   * @param file its path in the file system, whether it exists or not
   * @param name how it is called in the error
   */
  async check(file: string, name: string): Promise<void> {
    const [root, folder] = await Promise.all([this.#folder(this.#root), this.#folder(dirname(file))]);
    const way = relative(root.path, folder.hasLinks ? await nearest(file) : folder.path);
    if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) throw new Error(`${name} leads out of the workspace folder.`);
  }

  #folder(path: string): Promise<Real> {
    const pending = this.#pending.get(path);
    if (pending !== undefined) return pending;
    const found = real(path).finally(() => this.#pending.delete(path));
    this.#pending.set(path, found);
    return found;
  }
}

/** A folder that can't be listed may have links. */
async function real(folder: string): Promise<Real> {
  const [path, hasLinks] = await Promise.all([
    nearest(folder),
    readdir(folder, { withFileTypes: true }).then((entries) => entries.some((entry) => entry.isSymbolicLink()), () => true),
  ]);
  return { path, hasLinks };
}

/** The real path of a file, or of the nearest folder of it that exists. */
async function nearest(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = path.slice(0, Math.max(path.lastIndexOf(sep), 1));
    if (parent === path) throw error;
    return nearest(parent);
  }
}
