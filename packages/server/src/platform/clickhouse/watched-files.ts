import { stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Returns a function that tells whether the files and folders of these names in a folder are still those that it saw first. Those
 * that do not exist yet may come. Takes as long as asking for the properties of each.
 */
export function watchFiles(folder: string, names: readonly string[]): () => Promise<boolean> {
  const seen = new Map<string, number>();
  const isThere = async (name: string): Promise<boolean> => {
    const inode = await stat(join(folder, name)).then(
      ({ ino }) => ino,
      () => null,
    );
    const first = seen.get(name) ?? inode;
    if (first !== null) seen.set(name, first);
    return first === inode;
  };
  return async () => (await Promise.all(names.map(isThere))).every(Boolean);
}
