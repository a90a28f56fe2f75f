import { readFile } from 'node:fs/promises';
import type { Config } from '../config/config.ts';
import { TOKEN_HOLDER } from '../platform/operator.ts';
import { FolderInUse } from '../platform/files/folder-lock.ts';
import { transact } from '../platform/postgres/transaction.ts';
import { type BackupStep, backup } from './backup.ts';
import { decodeBackup } from './frames.ts';
import {
  type Installation,
  assertCurrent,
  assertInstalled,
  countLog,
  hasServers,
  isInstalled,
  openInstallation,
} from './installation.ts';
import { MANIFEST, parseManifest } from './manifest.ts';
import { recordBackup } from './stream-backup.ts';
import type { BackupTarget } from './locations.ts';

type Say = (line: string) => void;

/** Number of files that a backup has stored, and their bytes. */
export interface BackupSize {
  files: number;
  bytes: number;
  /** The events that it lacks, in sentences. */
  missing: readonly string[];
}

/** Opens the stream of a backup that the running server makes. */
type OpenStream = () => Promise<AsyncIterable<Uint8Array>>;

/** How {@link makeBackup} reaches the server of the installation, and says how far it is. */
export interface BackupOptions {
  openStream: OpenStream;
  say: Say;
  /** Whether the server was named: it is then called before the databases in DATA_DIR are looked for. */
  isServerNamed?: boolean;
}

/**
 * Makes a backup of the installation of `config`: from the database servers, from the databases in DATA_DIR, or while their
 * server runs from that server. Creates nothing but the backup. Throws {@link BackupFailed}, also where there is no
 * installation.
 */
export async function makeBackup(
  config: Config,
  openTarget: () => Promise<BackupTarget>,
  { openStream, say, isServerNamed = false }: BackupOptions,
): Promise<BackupSize> {
  if (isServerNamed && !hasServers(config)) {
    const stream = await openStream().catch((error: unknown) => {
      if (isInstalled(config)) return null;
      throw error;
    });
    if (stream)
      return within(openTarget, async (target) => store(decodeBackup(stream, target.spool), target, say));
  }
  assertInstalled(config);
  return within(openTarget, async (target) => makeOwn(config, target, { openStream, say }));
}

async function within<T>(
  openTarget: () => Promise<BackupTarget>,
  use: (target: BackupTarget) => Promise<T>,
): Promise<T> {
  const target = await openTarget();
  try {
    return await use(target);
  } finally {
    await target.close();
  }
}

async function makeOwn(
  config: Config,
  target: BackupTarget,
  { openStream, say }: BackupOptions,
): Promise<BackupSize> {
  const installation = await openOwn(config);
  if (!installation) return store(decodeBackup(await openStream(), target.spool), target, say);
  try {
    await assertCurrent(installation.db, installation.clickhouse);
    if (!hasServers(config)) await countLog(config, installation);
    const size = await store(backup(installation, target.spool), target, say);
    const made = { by: TOKEN_HOLDER, missing: size.missing };
    await transact(installation.db, async (tx) => recordBackup({ now: () => new Date() }, tx, made));
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

/** The missing events in the description of a backup. */
async function missingIn(path: string): Promise<readonly string[]> {
  return parseManifest(await readFile(path, 'utf8')).missing ?? [];
}

async function store(steps: AsyncIterable<BackupStep>, target: BackupTarget, say: Say): Promise<BackupSize> {
  const size = { files: 0, bytes: 0, missing: [] as readonly string[] };
  for await (const step of steps) {
    if ('note' in step) {
      say(step.note);
      continue;
    }
    // Before it is moved.
    if (step.file === MANIFEST) size.missing = await missingIn(step.path);
    await target.put(step);
    size.files += 1;
    size.bytes += step.digest.bytes;
    if (step.file === MANIFEST) await target.finish();
  }
  return size;
}
