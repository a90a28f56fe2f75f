import { dateAt } from '@bidwell/contract/calendar';
import type { Campaign, CampaignStatus } from '@bidwell/contract/campaign';
import { startErrors } from '@bidwell/contract/messages';
import type { Engines } from '../../engines.ts';
import type { Actor } from '../../platform/actor.ts';
import { Conflict, NotFound } from '../../platform/errors.ts';
import { lockOwned, updateOwned } from '../../platform/postgres/owned-store.ts';
import type { Tx } from '../../platform/postgres/transaction.ts';
import { transact } from '../../platform/postgres/transaction.ts';
import { timeZoneOf } from '../accounts/service.ts';
import { appStartErrors } from '../apps/service.ts';
import { recordChange } from '../changes/service.ts';
import { availableMicros } from '../finance/service.ts';
import { presentCampaign } from './presenter.ts';
import type { CampaignRow } from './store.ts';
import { adsetWithoutPrice, hasSomethingToShow } from './store.ts';

/**
 * Starts a campaign; does nothing if it is Active. Throws NotFound; Conflict naming everything that is missing: an
 * approved app with an advertiser domain, an ad set with something to show, prices, funds (a positive balance, or credit), an end date
 * not yet past.
 */
export async function startCampaign(engines: Engines, actor: Actor, uuid: string): Promise<Campaign> {
  const available = await availableMicros(engines, actor.companyId);
  return setStatus(engines, actor, uuid, 'Active', async (tx, campaign) => {
    const { companyId } = actor;
    const missing: string[] = [];
    if (campaign.archived_at) missing.push(startErrors.archived);
    missing.push(...(await appStartErrors(tx.db, companyId, campaign.app_uuid)));
    if (!(await hasSomethingToShow(tx.db, companyId, uuid))) missing.push(startErrors.adsets);
    const withoutPrice = await adsetWithoutPrice(tx.db, companyId, uuid);
    if (withoutPrice !== undefined) missing.push(startErrors.bet_cpi(withoutPrice));
    if (available <= 0) missing.push(startErrors.balance);
    const today = dateAt(engines.now().getTime(), await timeZoneOf(tx.db, companyId));
    if (campaign.end_date !== null && campaign.end_date < today) missing.push(startErrors.ended);
    if (missing.length > 0) throw new Conflict(`${missing.join('. ')}.`);
  });
}

/** Pauses a campaign; does nothing if it is Paused. Throws NotFound. */
export async function pauseCampaign(engines: Engines, actor: Actor, uuid: string): Promise<Campaign> {
  return setStatus(engines, actor, uuid, 'Paused', async () => {});
}

async function setStatus(
  engines: Engines,
  actor: Actor,
  uuid: string,
  status: CampaignStatus,
  requireReady: (tx: Tx, campaign: CampaignRow) => Promise<void>,
): Promise<Campaign> {
  return transact(engines.db, async (tx) => {
    const { companyId } = actor;
    const row = await lockOwned(tx.db, 'campaigns', companyId, uuid);
    if (!row) throw new NotFound('Campaign');
    if (row.status === status) return presentCampaign(tx.db, companyId, row);
    await requireReady(tx, row);
    const written = await updateOwned(tx.db, 'campaigns', companyId, uuid, {
      status,
      updated_at: engines.now(),
    });
    await recordChange(engines, tx, actor, {
      entity: 'campaign',
      uuid,
      name: row.name,
      action: status === 'Active' ? 'start' : 'pause',
      before: { status: row.status },
      after: { status },
    });
    return presentCampaign(tx.db, companyId, written);
  });
}
