import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { PriceRules } from '../model/price-rules.ts';
import type { Company } from './adset-store.ts';
import type { StoredSsp } from './exchange-store.ts';
import type { AdsetRow } from '../model/candidate.ts';
import type { SkadnetworkSettings } from '../skadnetwork/signable.ts';

/** Format version. Raise it when an older reader could not read the new files. */
const FORMAT = 1;
const HEAD = 'head.json';

/** Everything bids depend on, except the ad sets. */
export interface SnapshotHead {
  /** Hash of the contents. */
  version: string;
  companies: readonly Company[];
  ssps: readonly StoredSsp[];
  priceRules: readonly (readonly [slug: string, rules: PriceRules])[];
  rates: readonly (readonly [currency: string, dollars: number])[];
  /** Absent from a file of an older version. */
  skadnetwork?: SkadnetworkSettings;
}

/** Everything bids depend on, as last read from PostgreSQL. */
export interface StoredSnapshot extends SnapshotHead {
  /** Last time the contents were confirmed against PostgreSQL, Unix ms. */
  confirmedAtMs: number;
  adsetsOf: ReadonlyMap<string, readonly AdsetRow[]>;
}

/** A snapshot on disk: one file per company, written when the company changes, and a head that lists the companies. */
export interface SnapshotFiles {
  /** Sets the ad sets of a company; the next {@link save} writes them. */
  changed(companyId: string, adsets: readonly AdsetRow[]): void;
  /**
   * Writes the changes asynchronously. For an unchanged version only the time of confirmation is updated. Failures are
   * logged.
   */
  save(head: SnapshotHead): void;
  /** Resolves when all pending writes are done. */
  written(): Promise<void>;
  /** Reads the last snapshot; null when none is readable. Companies without a file have no entry in `adsetsOf`. */
  read(): Promise<StoredSnapshot | null>;
}

/** Stores the files under `folder`. They contain secrets and keys of exchanges, so only their owner may read them. */
export function snapshotFiles(folder: string, log: Logger): SnapshotFiles {
  const pathOf = (name: string): string => join(folder, name);
  const nameOf = ({ uuid, version }: Company): string =>
    `${uuid}.${createHash('sha256').update(String(version)).digest('hex').slice(0, 12)}.json`;
  let unwritten = new Map<string, readonly AdsetRow[]>();
  let saved: string | null = null;
  let writing = Promise.resolve();

  /** Writes a file atomically, by renaming a temporary one. */
  async function writeWhole(name: string, content: object): Promise<void> {
    const partial = pathOf(`${name}.partial`);
    await writeFile(partial, JSON.stringify({ format: FORMAT, ...content }, tagged), { mode: 0o600 });
    await rename(partial, pathOf(name));
  }

  async function readWhole<T>(name: string): Promise<T | null> {
    const text = await readFile(pathOf(name), 'utf8').catch(() => null);
    try {
      const content = JSON.parse(text ?? 'null', untagged) as (T & { format: number }) | null;
      return content?.format === FORMAT ? content : null;
    } catch {
      return null;
    }
  }

  async function write(head: SnapshotHead): Promise<void> {
    if (head.version === saved) {
      const now = new Date();
      return utimes(pathOf(HEAD), now, now);
    }
    const changed = unwritten;
    unwritten = new Map();
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const present = await readdir(folder);
      for (const company of head.companies) {
        const adsets = changed.get(company.uuid);
        if (adsets && adsets.length > 0) await writeWhole(nameOf(company), { adsets });
      }
      await writeWhole(HEAD, head);
      const expected = new Set([HEAD, ...head.companies.map(nameOf)]);
      for (const name of present) if (!expected.has(name)) await rm(pathOf(name), { force: true });
      saved = head.version;
    } catch (error) {
      unwritten = new Map([...changed, ...unwritten]);
      throw error;
    }
  }

  return {
    changed: (companyId, adsets) => void unwritten.set(companyId, adsets),
    save(head) {
      writing = writing
        .then(() => write(head))
        // The files are only needed for a start without PostgreSQL, so a failed write is not fatal.
        .catch((err: unknown) => log.error({ err }, 'the snapshot could not be written to disk'));
    },
    written: () => writing,
    async read() {
      const head = await readWhole<SnapshotHead>(HEAD);
      if (!head) return null;
      const { mtimeMs } = await stat(pathOf(HEAD));
      const adsetsOf = new Map<string, readonly AdsetRow[]>();
      for (const company of head.companies) {
        const file = await readWhole<{ adsets: AdsetRow[] }>(nameOf(company));
        if (file) adsetsOf.set(company.uuid, file.adsets);
      }
      return { ...head, confirmedAtMs: mtimeMs, adsetsOf };
    },
  };
}

/** JSON replacer for dates and buffers. `this` holds the value before its own `toJSON`. */
function tagged(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const plain = this[key];
  if (plain instanceof Date) return { $date: plain.getTime() };
  return Buffer.isBuffer(plain) ? { $bytes: plain.toString('base64') } : value;
}

function untagged(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { $date: date, $bytes: bytes } = value as { $date?: unknown; $bytes?: unknown };
  if (typeof date === 'number') return new Date(date);
  return typeof bytes === 'string' ? Buffer.from(bytes, 'base64') : value;
}
