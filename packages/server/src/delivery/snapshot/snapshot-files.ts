import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { PriceRules } from '../model/price-rules.ts';
import type { Company, Ssp } from './store.ts';
import type { AdsetRow } from '../model/candidate.ts';

/** Raised when an older reader could not make sense of what is written. */
const FORMAT = 1;
const HEAD = 'head.json';

/** What bids depend on beside the ad sets. */
export interface SnapshotHead {
  /** Equal for equal contents. */
  version: string;
  companies: readonly Company[];
  ssps: readonly Ssp[];
  priceRules: readonly (readonly [slug: string, rules: PriceRules])[];
  rates: readonly (readonly [currency: string, dollars: number])[];
}

/** All that bids depend on, as PostgreSQL last said it. */
export interface StoredSnapshot extends SnapshotHead {
  /** When PostgreSQL last agreed with it; Unix ms. */
  confirmedAtMs: number;
  adsetsOf: ReadonlyMap<string, readonly AdsetRow[]>;
}

/** A snapshot on disk: a file for each company, written when the company changed, and a head that names them. */
export interface SnapshotFiles {
  /** Notes what a company has now, to be written by the next {@link save}. */
  changed(companyId: string, adsets: readonly AdsetRow[]): void;
  /** Writes what changed, soon; the same version again only says that PostgreSQL still agrees. Failures are logged. */
  save(head: SnapshotHead): void;
  /** Resolves when all that was to be written has been. */
  written(): Promise<void>;
  /** Reads what was written last; null when there is none that can be read. Companies without a file are left out. */
  read(): Promise<StoredSnapshot | null>;
}

/** The files under `folder`. They hold the exchanges' secrets and keys, so that nobody else may read them. */
export function snapshotFiles(folder: string, log: Logger): SnapshotFiles {
  const pathOf = (name: string): string => join(folder, name);
  const nameOf = ({ uuid, version }: Company): string =>
    `${uuid}.${createHash('sha256').update(String(version)).digest('hex').slice(0, 12)}.json`;
  let unwritten = new Map<string, readonly AdsetRow[]>();
  let saved: string | null = null;
  let writing = Promise.resolve();

  /** A file is there whole or not at all, whenever the process ends. */
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
      const wanted = new Set([HEAD, ...head.companies.map(nameOf)]);
      for (const name of present) if (!wanted.has(name)) await rm(pathOf(name), { force: true });
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
        // What cannot be written is missing after a start without PostgreSQL, and nowhere else.
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

/** Instants and bytes as JSON; `this` has the value before its own conversion. */
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
