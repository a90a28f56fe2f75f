import { fileMessages } from '@bidwell/contract/creatives/files';
import { type Inspected, type Uploader, rejectedFile } from './inspected.ts';
import { inspectInWorker } from './media-worker-pool.ts';

/**
 * Inspects a playable: one HTML page in UTF-8. Lists its external resources and its exits, of
 * which it needs one. Throws Invalid on `playable`; RateLimited and
 * Unavailable as {@link inspectInWorker}.
 */
export async function inspectPlayable(by: Uploader, path: string): Promise<Inspected> {
  const read = await inspectInWorker(by, 'playable', path);
  if (!read) throw rejectedFile('playable', fileMessages.notAPage);
  if (read.exits.length === 0) throw rejectedFile('playable', fileMessages.noExit);
  return {
    contentType: 'text/html; charset=utf-8',
    extension: 'html',
    width: null,
    height: null,
    durationMs: null,
    ...read,
  };
}
