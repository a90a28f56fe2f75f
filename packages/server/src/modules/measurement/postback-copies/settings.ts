import { MMPS, Mmp } from '@bidwell/contract/apps/fields';
import { postbackCopyMessages } from '@bidwell/contract/measurement/messages';
import { mmpNames } from '@bidwell/contract/measurement/partners/partners';
import { COPY_FACTS } from '@bidwell/contract/measurement/partners/postback-copies';
import {
  COPIES_LISTED,
  type PostbackCopies,
  type PostbackCopy,
  type PostbackCopyInput,
  type PostbackCopyTarget,
} from '@bidwell/contract/measurement/postback-copies';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Conflict, Invalid, NotFound } from '../../../platform/errors.ts';
import { requireExpected } from '../../../platform/expected-version.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { lockCompanyRow } from '../../../platform/postgres/locks.ts';
import { findOwned } from '../../../platform/postgres/stores/owned-store.ts';
import { type Db, transact } from '../../../platform/postgres/transaction.ts';
import { recordChange } from '../../changes/public.ts';
import { queueCopy } from './copy-messages.ts';
import {
  type CopyRow,
  type CopyTargetRow,
  findCopiedApp,
  listCopyRows,
  listTargetRows,
  restartCopy,
  saveTarget,
} from './copy-store.ts';

/** To which partners copies of an app's postbacks are sent, and the latest copies. Throws NotFound. */
export async function postbackCopies(
  ctx: Context,
  actor: Actor,
  { uuid: appId }: { uuid: string },
): Promise<PostbackCopies> {
  requirePermission(actor, 'app.read');
  const { companyId } = actor;
  await requireApp(ctx.db, companyId, appId);
  const targets = await listTargetRows(ctx.db, companyId, appId);
  const copies = await listCopyRows(ctx.db, companyId, { appId, limit: COPIES_LISTED });
  return { targets: MMPS.map((mmp) => presentTarget(mmp, targets)), copies: copies.map(presentCopy) };
}

/** Changes whether copies of an app's postbacks go to a partner. Throws NotFound; Invalid where an address is missing. */
export async function updatePostbackCopies(
  ctx: Context,
  actor: Actor,
  { uuid: appId, mmp: partner, ...input }: PostbackCopyInput & { uuid: string; mmp: string },
): Promise<PostbackCopyTarget> {
  requirePermission(actor, 'report_destination.write');
  const mmp = partnerOf(partner);
  const { companyId } = actor;
  return transact(ctx.db, async (tx) => {
    const { db } = tx;
    await lockCompanyRow(db, companyId);
    const app = await requireApp(db, companyId, appId);
    const before = await listTargetRows(db, companyId, appId);
    await requireExpected(() => presentTarget(mmp, before));
    if (app.os !== 'ios') throw new Invalid([{ field: 'is_enabled', message: postbackCopyMessages.iosOnly }]);
    if (input.is_enabled && input.url === null && COPY_FACTS[mmp].url === null)
      throw new Invalid([{ field: 'url', message: postbackCopyMessages.urlRequired(mmpNames[mmp]) }]);
    await saveTarget(db, companyId, { app_uuid: appId, mmp, ...input });
    const after = await listTargetRows(db, companyId, appId);
    await recordChange(ctx, tx, actor, {
      entity: 'app',
      uuid: appId,
      name: app.name,
      before: logged(mmp, before),
      after: logged(mmp, after),
    });
    return presentTarget(mmp, after);
  });
}

/** Sends a copy once more, as if it had not been tried. Throws NotFound; Conflict where it waits already. */
export async function resendPostbackCopy(
  ctx: Context,
  actor: Actor,
  { uuid }: { uuid: string },
): Promise<PostbackCopy> {
  requirePermission(actor, 'report_destination.write');
  const { companyId } = actor;
  return transact(ctx.db, async (tx) => {
    const before = await findOwned(tx.db, 'postback_copies', companyId, uuid);
    if (!before) throw new NotFound('Copy');
    if (!(await restartCopy(tx.db, companyId, uuid, ctx.now())))
      throw new Conflict(postbackCopyMessages.waits);
    await queueCopy(ctx, tx, { ...before, attempts: 0, host: null });
    return presentCopy((await findOwned(tx.db, 'postback_copies', companyId, uuid))!);
  });
}

function partnerOf(text: string): Mmp {
  const mmp = Mmp.safeParse(text);
  if (!mmp.success) throw new NotFound('Measurement partner');
  return mmp.data;
}

async function requireApp(db: Db, companyId: string, appId: string): Promise<{ name: string; os: string }> {
  const app = await findCopiedApp(db, companyId, appId);
  if (!app) throw new NotFound('App');
  return app;
}

function logged(mmp: Mmp, rows: readonly CopyTargetRow[]): Record<string, unknown> {
  const { is_enabled, url, adattributionkit_url } = presentTarget(mmp, rows);
  return {
    [`postback_copies_${mmp}`]: is_enabled,
    [`postback_copies_url_${mmp}`]: url,
    [`postback_copies_adattributionkit_url_${mmp}`]: adattributionkit_url,
  };
}

function presentTarget(mmp: Mmp, rows: readonly CopyTargetRow[]): PostbackCopyTarget {
  const row = rows.find((each) => each.mmp === mmp);
  return {
    mmp,
    is_enabled: row?.is_enabled ?? false,
    url: row?.url ?? null,
    adattributionkit_url: row?.adattributionkit_url ?? null,
    accepted_at: row?.accepted_at?.toISOString() ?? null,
  };
}

function presentCopy(row: CopyRow): PostbackCopy {
  const { uuid, mmp, framework, transaction_id, sequence_index, status, attempts, error } = row;
  return {
    uuid,
    mmp,
    framework,
    transaction_id,
    sequence_index,
    status,
    attempts,
    attempted_at: row.attempted_at?.toISOString() ?? null,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    response_status: row.response_status,
    response_start: row.response_start,
    error,
    created_at: row.created_at.toISOString(),
  };
}
