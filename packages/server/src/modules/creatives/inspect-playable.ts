import type { Inspected } from './inspected.ts';
import { wrongType } from './inspected.ts';
import { readInThread } from './reader-thread.ts';

/** A playable: one page of HTML in UTF-8. Says what it loads from elsewhere. Throws Invalid on `playable`. */
export async function inspectPlayable(path: string): Promise<Inspected> {
  const read = await readInThread('playable', path);
  if (!read) throw wrongType('playable');
  return {
    contentType: 'text/html; charset=utf-8',
    extension: 'html',
    width: null,
    height: null,
    durationMs: null,
    externalLoads: read.externalLoads,
  };
}
