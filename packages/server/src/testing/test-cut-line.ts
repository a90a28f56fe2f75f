import { afterAll } from 'vitest';
import type { CutLine } from './cut-line.ts';
import { openCutLine } from './cut-line.ts';

/** Like {@link openCutLine}, but closed after the file's tests. */
export async function cutLine(to: () => number | string): Promise<CutLine> {
  const line = await openCutLine(to);
  afterAll(() => line.close());
  return line;
}
