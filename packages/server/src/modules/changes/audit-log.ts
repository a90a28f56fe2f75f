import type { AuditEntry } from '@bidwell/contract/operator-accounts/schema';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../context.ts';
import { type Operator, requireOperatorPermission } from '../../platform/operator.ts';
import { deleteOlderThan } from '../../platform/postgres/delete-in-batches.ts';
import type { Tx, Db } from '../../platform/postgres/transaction.ts';
import { type ChangeRecord, recordChange } from './service.ts';
import { type Selectable, sql } from 'kysely';
import { json } from '../../platform/postgres/client.ts';
import type { AuditEntryTable } from '../../platform/postgres/schema.ts';
import { pageOfLog } from './log-store.ts';

/** An operator's action for the audit log. Written in the transaction of the action. */
export interface NewAuditEntry {
  /** In a few words: `Credited`, `Suspended`. */
  action: string;
  entity: string;
  entityId: string | null;
  name: string;
  companyId?: string;
  reason?: string;
  /** Fields before and after. Must not contain secrets. */
  before?: Readonly<Record<string, unknown>> | null;
  after?: Readonly<Record<string, unknown>> | null;
  /** For a decision on a creative: the hash of its file. */
  fileSha256?: string | null;
}

/** Writes an entry into the audit log. */
export async function recordAuditEntry(
  ctx: Pick<Context, 'now'>,
  tx: Pick<Tx, 'db'>,
  operator: Operator,
  entry: NewAuditEntry,
): Promise<void> {
  await recordAuditEntries(ctx, tx, operator, [entry]);
}

/** Writes entries into the audit log, in one statement: a few thousand at most. */
export async function recordAuditEntries(
  ctx: Pick<Context, 'now'>,
  tx: Pick<Tx, 'db'>,
  operator: Operator,
  entries: readonly NewAuditEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const at = ctx.now();
  await insertAuditEntries(
    tx.db,
    entries.map((entry) => ({
      uuid: uuidv7(),
      operator_uuid: operator.uuid,
      operator: operator.login,
      action: entry.action,
      entity: entry.entity,
      entity_uuid: entry.entityId,
      name: entry.name,
      company_uuid: entry.companyId ?? null,
      reason: entry.reason ?? '',
      before: entry.before ?? null,
      after: entry.after ?? null,
      file_sha256: entry.fileSha256 ?? null,
      created_at: at,
    })),
  );
}

/** An operator's action on an entity of a company. */
interface OperatorChange extends Omit<ChangeRecord, 'author'> {
  companyId: string;
  /** The action of the audit entry, in a few words: `Credited`. */
  done: string;
  reason?: string;
  /** Fields that only operators see, in addition to the fields after the change. */
  audited?: Record<string, unknown>;
  fileSha256?: string | null;
}

/** Writes an operator's action on an entity of a company into both logs: the change log of the company and the audit log. */
export async function recordOperatorChange(
  ctx: Context,
  tx: Tx,
  operator: Operator,
  { companyId, done, reason, audited, fileSha256, ...change }: OperatorChange,
): Promise<void> {
  await recordChange(ctx, tx, { companyId, userId: null }, change);
  await recordAuditEntry(ctx, tx, operator, {
    action: done,
    entity: change.entity,
    entityId: change.uuid,
    companyId,
    name: change.name,
    before: change.before ?? null,
    after: audited ? { ...change.after, ...audited } : (change.after ?? null),
    ...(reason !== undefined && { reason }),
    ...(fileSha256 !== undefined && { fileSha256 }),
  });
}

/** A page of the audit log, newest first: of all, or on one company. */
export async function listAuditEntries(
  ctx: Context,
  operator: Operator,
  { company_uuid: companyId, ...page }: { company_uuid?: string | undefined; page: number; limit: number },
): Promise<{ acts: AuditEntry[]; total: number }> {
  requireOperatorPermission(operator, 'audit.read');
  const { rows, total } = await listAuditRows(ctx.db, companyId, page);
  return {
    total,
    acts: rows.map(({ operator_uuid: _operator, file_sha256: _file, created_at, ...row }) => ({
      ...row,
      created_at: created_at.toISOString(),
    })),
  };
}

/** Deletes audit entries that are older than the setting says. */
export async function deleteExpiredAuditEntries(ctx: Context): Promise<number> {
  return deleteOlderThan(ctx, ctx.config.keptDays.auditEntries, deleteAuditEntriesBefore);
}

// The audit log is the installation's: operators see the entries of all companies.

type AuditRow = Selectable<AuditEntryTable>;

async function insertAuditEntries(db: Db, entries: readonly AuditRow[]): Promise<void> {
  await db
    .insertInto('operator_acts')
    .values(
      entries.map((entry) => ({
        ...entry,
        before: entry.before && json(entry.before),
        after: entry.after && json(entry.after),
      })),
    )
    .execute();
}

/** A page of the audit log, newest first, of all or on one company, and the number of all of them. */
async function listAuditRows(
  db: Db,
  companyId: string | undefined,
  page: { page: number; limit: number },
): Promise<{ rows: AuditRow[]; total: number }> {
  return pageOfLog(db, companyId, { table: 'operator_acts', columns: sql<AuditRow>`*` }, page);
}

/** Deletes at most `rowsMax` entries from before an instant. Resolves to their number. */
async function deleteAuditEntriesBefore(db: Db, before: Date, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from operator_acts where uuid in (
      select uuid from operator_acts where created_at < ${before} order by created_at limit ${rowsMax}
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}
