import { join } from 'node:path';
import { deleteOldFiles } from '../../platform/files/delete-old-files.ts';

/** The logs of a tracker under its data folder. */
export const EVENT_LOG = 'event-log';
export const POSTBACK_LOG = 'postback-log';
/** The lane of postbacks of companies that have many undecided ones. */
export const MANY_LANE = 'many';
/** The lane of postbacks whose click or impression another tracker may not have handed on yet. */
export const UNCOUNTED_LANE = 'uncounted';

/**
 * The folder of a log's damaged segments, whose intact records have been handed on. The modification time of a segment is the
 * time of its move there.
 */
export const quarantineOf = (logFolder: string): string => join(logFolder, 'quarantine');

/**
 * Deletes segments of a tracker's logs that were quarantined before an instant, and the oldest of each log beyond `bytesMax`.
 * Resolves to their number.
 */
export async function deleteOldQuarantine(
  dataDir: string,
  kept: { before: Date; bytesMax: number },
): Promise<number> {
  let deleted = 0;
  // Release 0.2.0 had a folder for each lane.
  const former = [MANY_LANE, UNCOUNTED_LANE].map((lane) => join(POSTBACK_LOG, lane));
  for (const log of [EVENT_LOG, POSTBACK_LOG, ...former])
    deleted += await deleteOldFiles(quarantineOf(join(dataDir, log)), kept);
  return deleted;
}
