import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { type Operator, requireOperatorPermission } from '../platform/operator.ts';
import { transact, type Tx } from '../platform/postgres/transaction.ts';
import { type BackupStep, backup } from './backup.ts';
import { secretsOf } from './installation.ts';
import { recordAuditEntry } from '../modules/changes/public.ts';

const WAIT_MS = 1000;

/** Where the parts of a backup are written, and whether another one is being made. */
export interface BackupRun {
  spool: string;
  turn: { isTaken: boolean };
}

/**
 * The steps of a backup of the databases of this process, which begins when none is made any more. Throws Forbidden before
 * the first step to an operator without the permission.
 */
export function streamBackup(ctx: Context, operator: Operator, run: BackupRun): AsyncGenerator<BackupStep> {
  requireOperatorPermission(operator, 'backup.read');
  return inTurn(ctx, operator, run);
}

async function* inTurn(ctx: Context, by: Operator, { spool, turn }: BackupRun): AsyncGenerator<BackupStep> {
  const { config, db, clickhouse, files } = ctx;
  while (turn.isTaken) {
    yield { note: 'another backup is being made; this one waits' };
    await pause(WAIT_MS);
  }
  turn.isTaken = true;
  try {
    const isShared = config.databaseUrl === undefined;
    const parts = { db, clickhouse, files, secrets: secretsOf(config), isShared };
    const missing = yield* backup(parts, join(spool, randomUUID()));
    await transact(db, async (tx) => recordBackup(ctx, tx, { by, missing }));
  } finally {
    turn.isTaken = false;
  }
}

/** Writes a complete backup into the audit log of operators, with what it lacks of the events. */
export async function recordBackup(
  ctx: Pick<Context, 'now'>,
  tx: Tx,
  { by, missing }: { by: Operator; missing: readonly string[] },
): Promise<void> {
  await recordAuditEntry(ctx, tx, by, {
    action: 'Made a',
    entity: 'backup',
    entityId: null,
    name: missing.length > 0 ? 'with the events that are there' : '',
    reason: missing.join(' '),
  });
}
