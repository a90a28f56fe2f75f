import { readFileSync, readdirSync } from 'node:fs';

/**
 * The cases of a test, for `test.each`: the JSON files of the folder `cases` next to the module at `moduleUrl`, each with its
 * name in words, by name. Throws where the folder has no file, or one that is no JSON.
 */
export function caseFiles<Case>(moduleUrl: string): [string, Case][] {
  const folder = new URL('./cases/', moduleUrl);
  const files = readdirSync(folder).sort();
  const wrong = files.filter((file) => !/^[\w.-]+\.json$/.test(file));
  if (files.length === 0 || wrong.length > 0)
    throw new Error(
      `${folder.pathname} has to have files of plain names that end in .json: ${wrong.join(', ')}`,
    );
  return files.map((file) => [
    file.replace('.json', '').replaceAll('-', ' '),
    JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Case,
  ]);
}
