import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { type Server, connect, createServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Exclusive lock on a folder, held until it is released or the process ends. */
export interface FolderLock {
  release(): Promise<void>;
}

const LOCK = 'lock';
/** Longest path of a Unix socket: Linux (107 bytes) and macOS (103) reject longer ones. */
const SOCKET_PATH_MAX = 100;
const HEARTBEAT_MS = 2000;
/** An owner on another machine is dead after this long without a heartbeat. */
const SILENCE_MS = 10_000;
const CONNECT_MS = 2000;
/** Age after which temporary files next to the lock are removed as abandoned. */
const LEFT_MS = 60_000;
const TRIES = 20;
/** Longer than the wait for the heartbeat of an owner on another machine. */
const TURN_MS = SILENCE_MS + 2000;

/** The holder of a lock, as written to its file. */
interface Owner {
  id: string;
  pid: number;
  host: string;
  /** Differs for each boot of a machine's kernel; '' where the system does not provide it. */
  boot: string;
  /** File of the socket that the owner listens on; null where the file system has none. */
  socket: string | null;
}

/** Another process has the data folder; the message says so to a person. */
export class FolderInUse extends Error {
  constructor(folder: string) {
    super(`Another Bidwell process already uses the data folder ${folder}.`);
  }
}

/**
 * Locks a folder against other processes. The owner listens on a Unix socket in the folder, which the kernel closes when
 * the process dies in any way, so the lock of a dead process is taken over at once. Pids are not compared, because those
 * of containers are equal. Where the owner is on another machine, or the file system has no sockets, the lock's file is
 * touched every two seconds, and an owner is dead after ten seconds without that. `onLost` is called when another machine
 * took the lock over meanwhile. Throws {@link FolderInUse}.
 */
export async function lockFolder(folder: string, onLost: () => void): Promise<FolderLock> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const id = randomUUID();
  const socket = `lock-${id.slice(0, 8)}.sock`;
  const server = await listen(join(folder, socket));
  const owner: Owner = {
    id,
    pid: process.pid,
    host: hostname(),
    boot: await bootId(),
    socket: server ? socket : null,
  };
  try {
    await serialize(folder, () => acquire(folder, owner));
  } catch (error) {
    server?.close();
    throw error;
  }
  const path = join(folder, LOCK);
  const beat = async (): Promise<void> => {
    const now = new Date();
    await utimes(path, now, now).catch(() => {});
    const present = await readOwner(path).catch(() => undefined);
    if (present && present.id !== id) {
      clearInterval(heartbeat);
      onLost();
    }
  };
  const heartbeat = setInterval(() => void beat(), HEARTBEAT_MS);
  heartbeat.unref();
  return {
    async release() {
      clearInterval(heartbeat);
      if ((await readOwner(path).catch(() => null))?.id === id) await rm(path, { force: true });
      await new Promise<void>((closed) => (server ? server.close(() => closed()) : closed()));
    },
  };
}

/**
 * Runs `work` while no other process of this kernel acquires the same folder's lock: of two that find a dead owner, one
 * could otherwise remove the lock that the other has just made. Uses an abstract socket, which Linux closes with its
 * process; on other systems, or after a timeout, `work` runs without it.
 */
async function serialize<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const { dev, ino } = await stat(folder);
  const endMs = performance.now() + TURN_MS;
  let turn = process.platform === 'linux' ? await listen(`\0bidwell-lock-${dev}-${ino}`) : null;
  while (process.platform === 'linux' && !turn && performance.now() < endMs) {
    await wait(20);
    turn = await listen(`\0bidwell-lock-${dev}-${ino}`);
  }
  try {
    return await work();
  } finally {
    if (turn) await new Promise((closed) => turn.close(closed));
  }
}

/** Creates the lock's file. Throws {@link FolderInUse} when a live process holds it. */
async function acquire(folder: string, owner: Owner): Promise<void> {
  const path = join(folder, LOCK);
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    if (await create(folder, path, owner)) return sweep(folder, owner);
    const present = await readOwner(path).catch(() => undefined);
    if (present === undefined) continue;
    if (await isAlive(folder, path, present)) throw new FolderInUse(folder);
    await removeStale(folder, path, present, owner);
  }
  throw new FolderInUse(folder);
}

/** Creates the lock's file atomically with its content, so that it is never read half written; false where it exists. */
async function create(folder: string, path: string, owner: Owner): Promise<boolean> {
  const own = join(folder, `lock-${owner.id}.tmp`);
  const file = await open(own, 'wx', 0o600);
  try {
    await file.writeFile(JSON.stringify(owner));
  } finally {
    await file.close();
  }
  try {
    await link(own, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    // The file system has no hard links.
    const direct = await open(path, 'wx', 0o600).catch((reason: unknown) => {
      if ((reason as NodeJS.ErrnoException).code === 'EEXIST') return null;
      throw reason;
    });
    if (!direct) return false;
    await direct.writeFile(JSON.stringify(owner));
    await direct.close();
    return true;
  } finally {
    await rm(own, { force: true });
  }
}

/** The owner named in the lock's file; null for a file without a valid one. Throws where there is no file. */
async function readOwner(path: string): Promise<Owner | null> {
  const text = await readFile(path, 'utf8');
  try {
    return JSON.parse(text) as Owner;
  } catch {
    return null;
  }
}

async function isAlive(folder: string, path: string, owner: Owner | null): Promise<boolean> {
  if (owner?.socket && (await isOnThisHost(owner))) return responds(join(folder, owner.socket));
  const before = await touchedAtMs(path);
  const endMs = performance.now() + SILENCE_MS;
  while (performance.now() < endMs) {
    await wait(500);
    // Compared for change only, because the other machine's clock may differ.
    if ((await touchedAtMs(path)) !== before) return true;
  }
  return false;
}

/** Whether the owner runs on this kernel, so that its socket can be reached. */
async function isOnThisHost({ boot, host }: Owner): Promise<boolean> {
  const own = await bootId();
  return own === '' ? host === hostname() : boot === own;
}

async function touchedAtMs(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => -1,
  );
}

/** Whether a process listens on a socket; the kernel accepts the connection even when the process is busy. */
async function responds(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const done = (alive: boolean): void => {
      socket.destroy();
      resolve(alive);
    };
    socket.setTimeout(CONNECT_MS, () => done(true));
    socket.once('connect', () => done(true));
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      done(code !== 'ECONNREFUSED' && code !== 'ENOENT' && code !== 'ENOTSOCK'),
    );
  });
}

/** Removes a dead owner's lock; restores one that a third process has made meanwhile. */
async function removeStale(folder: string, path: string, dead: Owner | null, owner: Owner): Promise<void> {
  const aside = join(folder, `lock-${owner.id}.old`);
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  const moved = await readOwner(aside).catch(() => null);
  if (moved?.id !== dead?.id) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
}

/** Removes files that dead processes left next to the lock. */
async function sweep(folder: string, owner: Owner): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/^lock-.+\.(sock|tmp|old)$/.test(name) || name === owner.socket) continue;
    // Another process may be acquiring the lock now.
    const isUsed = name.endsWith('.sock')
      ? await responds(join(folder, name))
      : Date.now() - (await touchedAtMs(join(folder, name))) < LEFT_MS;
    if (!isUsed) await rm(join(folder, name), { force: true });
  }
}

async function listen(path: string): Promise<Server | null> {
  if (Buffer.byteLength(path) > SOCKET_PATH_MAX || process.platform === 'win32') return null;
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(null));
    server.listen(path, () => {
      server.unref();
      resolve(server);
    });
  });
}

async function bootId(): Promise<string> {
  return readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    (text) => text.trim(),
    () => '',
  );
}
