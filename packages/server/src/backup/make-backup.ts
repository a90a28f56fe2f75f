import type { Config } from '../config.ts';
import { TOKEN_HOLDER } from '../platform/operator.ts';
import { FolderInUse } from '../platform/files/folder-in-use.ts';
import type { BackupStep } from './backup.ts';
import { backup } from './backup.ts';
import { decodeBackup } from './frames.ts';
import type { Installation } from './installation.ts';
import { assertCurrent, countLog, hasServers, openInstallation } from './installation.ts';
import { MANIFEST } from './manifest.ts';
import { recordBackup } from './recorded.ts';
import type { BackupTarget } from './places.ts';

type Say = (line: string) => void;

/** Number of files that a backup has stored, and their bytes. */
export interface BackupSize {
  files: number;
  bytes: number;
}

/** Opens the stream of a backup that the running server makes. */
type OpenStream = () => Promise<AsyncIterable<Uint8Array>>;

/**
 * Makes a backup of the installation of `config`: from the database servers, from the databases in DATA_DIR, or while their
 * server runs from that server. Throws {@link BackupFailed}.
 */
export async function makeBackup(
  config: Config,
  target: BackupTarget,
  { openStream, say }: { openStream: OpenStream; say: Say },
): Promise<BackupSize> {
  const installation = await openOwn(config);
  if (!installation) return store(decodeBackup(await openStream(), target.spool), target, say);
  try {
    await assertCurrent(installation.db, installation.clickhouse);
    if (!hasServers(config)) await countLog(config, installation);
    const size = await store(backup(installation, target.spool), target, say);
    await recordBackup({ db: installation.db, now: () => new Date() }, TOKEN_HOLDER);
    return size;
  } finally {
    await installation.close();
  }
}

/** The opened installation; null where its server runs. */
async function openOwn(config: Config): Promise<Installation | null> {
  try {
    return await openInstallation(config);
  } catch (error) {
    if (error instanceof FolderInUse) return null;
    throw error;
  }
}

async function store(steps: AsyncIterable<BackupStep>, target: BackupTarget, say: Say): Promise<BackupSize> {
  const size = { files: 0, bytes: 0 };
  for await (const step of steps) {
    if ('note' in step) {
      say(step.note);
      continue;
    }
    await target.put(step);
    size.files += 1;
    size.bytes += step.digest.bytes;
    if (step.file === MANIFEST) await target.finish();
  }
  return size;
}
