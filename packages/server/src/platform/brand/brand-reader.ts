import { type BrandSettings, DEFAULT_BRAND } from '@bidwell/contract/branding/schema';
import type { Logger } from 'pino';
import { inTime } from '../concurrency/in-time.ts';
import type { Database } from '../postgres/client.ts';
import { type LogoRow, findBrand, findLogo } from './brand-store.ts';

/** Another process shows a change after this time at the latest. */
const FRESH_MS = 5000;
/** A page does not wait longer for a database that does not respond. */
const READ_MS_MAX = 1000;

/** The brand of the installation. */
export interface InstallationBrand {
  settings: BrandSettings;
  logo: LogoRow | null;
}

/** Reads the brand for pages and mails. */
export interface BrandReader {
  /**
   * The brand, at most five seconds old. Never rejects: while the database does not respond it is the last known one, or the
   * product's own. Must not be called within a transaction, whose connection may be the only one.
   */
  current(): Promise<InstallationBrand>;
  /** Called after a change of this process. */
  changed(): void;
}

/** Creates the reader of a process. */
export function createBrandReader(db: Database, log: Logger): BrandReader {
  let known: InstallationBrand = { settings: DEFAULT_BRAND, logo: null };
  let freshUntilMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<InstallationBrand> | null = null;
  let changes = 0;

  const read = async (): Promise<InstallationBrand> => {
    const before = changes;
    const brand = await inTime(readBrand(db, known.logo), READ_MS_MAX, 'The database does not respond').catch(
      (err: unknown) => {
        log.warn({ err }, 'the brand could not be read');
        return known;
      },
    );
    // What was read before a change of this process is of no use to later callers.
    if (before === changes) {
      known = brand;
      freshUntilMs = performance.now() + FRESH_MS;
      reading = null;
    }
    return brand;
  };

  return {
    current: async () => (performance.now() < freshUntilMs ? known : (reading ??= read())),
    changed() {
      changes += 1;
      freshUntilMs = Number.NEGATIVE_INFINITY;
      reading = null;
    },
  };
}

async function readBrand(db: Database, known: LogoRow | null): Promise<InstallationBrand> {
  const { settings, logoSha256 } = await findBrand(db);
  if (logoSha256 === null) return { settings, logo: null };
  if (known?.sha256 === logoSha256) return { settings, logo: known };
  return { settings, logo: (await findLogo(db, logoSha256)) ?? null };
}
