import type { Context } from '../../context.ts';
import { SERVER } from '../../platform/operator.ts';
import { lastLedgerCheck } from '../money/public.ts';
import { clickhouseFreeRatio, installedAt, lastBackupAt } from './health.ts';

/** What operators are warned of, of the installation. */
export interface Safety {
  /** Since the last backup, or since the installation where there is none. */
  backupAgeSeconds: number;
  /** Of the last check of the ledger; null before the first. */
  ledgerDisagreements: number | null;
  /** Free part of the fullest disk of the ClickHouse servers; null where it is embedded or does not respond. */
  clickhouseFreeRatio: number | null;
}

/** Reads the facts that operators are warned of. Throws when PostgreSQL does not respond. */
export async function readSafety(ctx: Context): Promise<Safety> {
  const { db, clickhouse, config, now } = ctx;
  const [backupAt, check, freeRatio] = await Promise.all([
    lastBackupAt(db),
    lastLedgerCheck(ctx, SERVER),
    config.clickhouseUrl === undefined ? null : clickhouseFreeRatio(clickhouse).catch(() => null),
  ]);
  const sinceMs = (backupAt ?? (await installedAt(db))).getTime();
  return {
    backupAgeSeconds: Math.max(0, (now().getTime() - sinceMs) / 1000),
    ledgerDisagreements: check && check.disagreements.length,
    clickhouseFreeRatio: freeRatio,
  };
}
