import { addDays, dateAt } from '@bidwell/contract/lib/calendar';
import { partnerCostMessages } from '@bidwell/contract/measurement/messages';
import { COST_DAYS } from '@bidwell/contract/measurement/partner-costs';
import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import { PARTNERS } from '@bidwell/contract/measurement/partners/partners';
import type { Context } from '../../../context.ts';
import { deleteOlderThan } from '../../../platform/postgres/delete-in-batches.ts';
import { setOwned } from '../../../platform/postgres/stores/owned-store.ts';
import { type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { timeZoneOf } from '../../identity/public.ts';
import {
  type MessageKind,
  type Outcome,
  doubling,
  notify,
  queueMessage,
  removeMessages,
} from '../../messaging/public.ts';
import { countForReport, namesOf, periodOf } from '../../reporting/public.ts';
import {
  APPSFLYER_HOST,
  type CallFailure,
  type Calling,
  appsFlyerJobOf,
  listAppsFlyerApps,
  uploadAppsFlyerCosts,
} from './appsflyer-costs.ts';
import { type CostPart, type CostUploadContent, costUploadOf } from './cost-rows.ts';
import {
  type CostDayRow,
  type CostUploadRecord,
  type PartnerCostsRow,
  acceptUpload,
  appsOfPartner,
  appsWithCostDays,
  beginUpload,
  costTokenPlace,
  deleteCostDaysBefore,
  deleteUploadsBefore,
  findCostDay,
  findPartnerCosts,
  hasMessage,
  keepCostDay,
  lockDueCosts,
  openUpload,
  sentRowsOf,
  updatePartnerCostsRow,
} from './cost-store.ts';

/** The partner to which costs are sent; from the others they are read. */
export const PUSHED = 'appsflyer' as const;

const ROUND = { name: 'partner_costs', lane: 'bulk' } as const;
const DAY = { name: 'partner_cost_day', lane: 'bulk' } as const;
/** AppsFlyer asks for at least six rounds a day. */
const ROUND_EVERY_MS = 4 * 3_600_000;
/** Rounds of one call of the job. */
const ROUNDS_MAX = 100;
/** About a day; the rounds of four hours go on after it. */
const RETRIES = doubling({ firstMs: 60_000, maxMs: 2 * 3_600_000, tries: 18 });
/** AppsFlyer asks to wait two minutes before the first question what became of an upload. */
const CHECK_AFTER_MS = 2 * 60_000;
/** Questions, each later than the one before: about two hours in all. */
const CHECKS_MAX = 10;
/** Campaigns, ad sets, creatives and countries of an app and day; and publishers of them. */
const ROWS_MAX = { parts: 5000, ofBundles: 4000 };
/** Retention of the log, in days, and of days, whose rows the partner has. */
const LOG_DAYS = 30;

/** Begins the rounds that are due. */
export async function planPartnerCosts(ctx: Context): Promise<void> {
  const now = ctx.now();
  await transact(ctx.db, async (tx) => {
    for (const row of await lockDueCosts(tx.db, { now, limit: ROUNDS_MAX })) {
      await queueRound(ctx, tx, row);
      const next_at = new Date(now.getTime() + ROUND_EVERY_MS);
      await updatePartnerCostsRow(tx.db, row.company_uuid, row.uuid, { next_at });
    }
  });
}

/** Queues a round of a company, in place of one that is still queued. */
export async function queueRound(
  ctx: Context,
  tx: Tx,
  { uuid, company_uuid: companyId }: Pick<PartnerCostsRow, 'uuid' | 'company_uuid'>,
): Promise<void> {
  await removeMessages(tx.db, ROUND, uuid);
  await queueMessage(ctx, tx, ROUND, { about: uuid, companyId, host: APPSFLYER_HOST });
}

/** Removes a round that waits: costs were switched off. */
export async function removeRound(tx: Tx, uuid: string): Promise<void> {
  await removeMessages(tx.db, ROUND, uuid);
}

/** A round: asks the partner for which apps it takes costs, and queues the days of these apps. */
export const costRoundMessages: MessageKind = {
  ...ROUND,
  retries: RETRIES,
  async send(ctx, { about, companyId }, { cutOff }) {
    const costs = companyId === null ? undefined : await findPartnerCosts(ctx.db, companyId, PUSHED);
    if (!costs?.is_enabled || costs.uuid !== about) return { result: 'dropped' };
    const { company_uuid } = costs;
    const settleError = (error: string) => async (tx: Tx, nextAt: Date | null) => {
      await updatePartnerCostsRow(tx.db, company_uuid, about, { error });
      if (nextAt === null) await notifyRefused(ctx, tx, company_uuid, error);
    };
    const calling = callingOf(ctx, costs, cutOff);
    if (!calling) return lostToken(settleError(partnerCostMessages.tokenLost));
    const listed = await listAppsFlyerApps(calling);
    if ('failure' in listed) return outcomeOf(ctx, listed.failure, settleError(listed.failure.error));
    const days = await daysOf(ctx, company_uuid, listed.apps);
    return {
      result: 'sent',
      async settle(tx) {
        const error = days.isNone ? partnerCostMessages.noApps(PARTNERS[PUSHED].name) : null;
        const partner_apps = JSON.stringify(listed.apps);
        await updatePartnerCostsRow(tx.db, company_uuid, about, { partner_apps, error });
        if (error !== null) await notifyRefused(ctx, tx, company_uuid, error);
        for (const day of days.days) {
          const dayId = await keepCostDay(tx.db, company_uuid, { mmp: PUSHED, ...day });
          // One that waits for its next try is made when it is sent: it says what is true then.
          if (await hasMessage(tx.db, DAY.name, dayId)) continue;
          await queueMessage(ctx, tx, DAY, { about: dayId, companyId: company_uuid, host: APPSFLYER_HOST });
        }
      },
    };
  },
};

/** One day of an app: uploads its costs if they have changed, and asks later what the partner made of them. */
export const costDayMessages: MessageKind = {
  ...DAY,
  retries: RETRIES,
  async send(ctx, { about, companyId }, { cutOff }) {
    const day = companyId === null ? undefined : await findCostDay(ctx.db, companyId, about);
    const costs = day && (await findPartnerCosts(ctx.db, day.company_uuid, day.mmp));
    if (!day || !costs?.is_enabled) return { result: 'dropped' };
    const [app] = (await appsOfPartner(ctx.db, day.company_uuid, day.mmp)).filter(
      ({ uuid }) => uuid === day.app_uuid,
    );
    if (!app) return { result: 'dropped' };
    const open = await openUpload(ctx.db, day.company_uuid, day.uuid);
    const calling = callingOf(ctx, costs, cutOff);
    if (!calling) return lostToken(open && refusing(ctx, open, partnerCostMessages.tokenLost));
    if (open?.status === 'sent' && open.job !== null)
      return checkUpload(ctx, { open, job: open.job, appId: app.storeId, costs, calling });
    const content = await contentOf(ctx, day, { appId: app.storeId, mediaSource: costs.media_source });
    if (!content) {
      ctx.log.error({ app: app.uuid, day: day.day }, partnerCostMessages.tooLarge);
      return { result: 'failed', reason: partnerCostMessages.tooLarge, isFinal: true };
    }
    // The partner may have what an open upload sent, so the day is sent again.
    const isKnown = !open && content.digest === day.accepted_digest;
    if (content.rows.length === 0 || isKnown) return { result: 'dropped' };
    const uuid = await transact(ctx.db, async (tx) =>
      beginUpload(tx.db, day, content, { open, at: ctx.now() }),
    );
    const uploaded = await uploadAppsFlyerCosts(calling, app.storeId, content.rows);
    if ('failure' in uploaded) {
      const { failure } = uploaded;
      return outcomeOf(ctx, failure, settling(ctx, { uuid, company_uuid: day.company_uuid }, failure.error));
    }
    return {
      result: 'postponed',
      until: new Date(ctx.now().getTime() + CHECK_AFTER_MS),
      settle: async (tx) =>
        setOwned(tx.db, 'partner_cost_uploads', day.company_uuid, uuid, {
          status: 'sent',
          job: uploaded.job,
          error: null,
        }),
    };
  },
  async giveUp(ctx, tx, { about, companyId }) {
    const open = companyId === null ? undefined : await openUpload(tx.db, companyId, about);
    if (open) await refusing(ctx, open, partnerCostMessages.notSent)(tx);
  },
};

/** Asks what became of an upload. */
async function checkUpload(
  ctx: Context,
  {
    open,
    job,
    appId,
    costs,
    calling,
  }: { open: CostUploadRecord; job: string; appId: string; costs: PartnerCostsRow; calling: Calling },
): Promise<Outcome> {
  const { company_uuid: companyId, uuid } = open;
  const now = ctx.now();
  const state = await appsFlyerJobOf(calling, appId, job);
  if ('failure' in state)
    return outcomeOf(ctx, state.failure, async (tx, nextAt) =>
      nextAt
        ? setOwned(tx.db, 'partner_cost_uploads', companyId, uuid, { error: state.failure.error })
        : refusing(ctx, open, state.failure.error)(tx),
    );
  if (state.state === 'applied')
    return {
      result: 'sent',
      async settle(tx) {
        await acceptUpload(tx.db, open, { at: now, matchedPercent: state.matchedPercent });
        await updatePartnerCostsRow(tx.db, companyId, costs.uuid, { accepted_at: now });
      },
    };
  if (state.state === 'refused')
    return {
      result: 'failed',
      reason: 'the partner refused it',
      isFinal: true,
      settle: refusing(ctx, open, state.error),
    };
  if (open.checks + 1 >= CHECKS_MAX)
    return {
      result: 'failed',
      reason: 'the partner does not say what it made of it',
      isFinal: true,
      settle: refusing(ctx, open, partnerCostMessages.noAnswer(PARTNERS[PUSHED].name)),
    };
  return {
    result: 'postponed',
    until: new Date(now.getTime() + CHECK_AFTER_MS * (open.checks + 1)),
    settle: async (tx) =>
      setOwned(tx.db, 'partner_cost_uploads', companyId, uuid, { checks: open.checks + 1, error: null }),
  };
}

/** The outcome of a failed call: a partner that asks to wait is not asked before, and the try does not count. */
function outcomeOf(
  ctx: Context,
  { isFinal, waitMs }: CallFailure,
  settle: (tx: Tx, nextAt: Date | null) => Promise<void>,
): Outcome {
  if (!isFinal && waitMs !== null)
    return { result: 'postponed', until: new Date(ctx.now().getTime() + waitMs), settle };
  return { result: 'failed', reason: 'the partner did not take it', isFinal, settle };
}

const lostToken = (settle?: (tx: Tx, nextAt: Date | null) => Promise<void>): Outcome => ({
  result: 'failed',
  reason: 'its key is lost',
  isFinal: true,
  ...(settle && { settle }),
});

/** Notes why an upload was refused. */
const refusing =
  (ctx: Context, { uuid, company_uuid }: Pick<CostUploadRecord, 'uuid' | 'company_uuid'>, error: string) =>
  async (tx: Tx): Promise<void> => {
    await setOwned(tx.db, 'partner_cost_uploads', company_uuid, uuid, {
      status: 'refused',
      error,
      finished_at: ctx.now(),
    });
    await notifyRefused(ctx, tx, company_uuid, error);
  };

/** Notifies a company at most once a day that the partner has not got its costs. */
async function notifyRefused(ctx: Context, tx: Tx, companyId: string, error: string): Promise<void> {
  await notify(ctx, tx, companyId, {
    kind: 'postbacks',
    ...notificationMessages.costsRefused(PARTNERS[PUSHED].name, error),
    onceKey: `costs-refused:${PUSHED}:${dateAt(ctx.now().getTime(), 'UTC')}`,
  });
}

/** Notes why an upload waits for its next try, or was refused. */
const settling =
  (ctx: Context, upload: Pick<CostUploadRecord, 'uuid' | 'company_uuid'>, error: string) =>
  async (tx: Tx, nextAt: Date | null): Promise<void> =>
    nextAt
      ? setOwned(tx.db, 'partner_cost_uploads', upload.company_uuid, upload.uuid, { error })
      : refusing(ctx, upload, error)(tx);

function callingOf(
  ctx: Context,
  { uuid, token }: Pick<PartnerCostsRow, 'uuid' | 'token'>,
  signal: AbortSignal,
): Calling | null {
  const text = token === null ? null : ctx.encryption.decrypt(token, costTokenPlace(uuid));
  return text === null ? null : { ctx, token: text, signal };
}

/** The last days of the apps for which the partner takes costs and that spent or were sent. Days are the app's at the partner. */
async function daysOf(
  ctx: Context,
  companyId: string,
  listed: readonly { id: string; timeZone: string | null }[],
): Promise<{ isNone: boolean; days: { appId: string; day: string; timeZone: string }[] }> {
  const zones = new Map(listed.map(({ id, timeZone }) => [id, timeZone]));
  const apps = (await appsOfPartner(ctx.db, companyId, PUSHED)).filter(({ storeId }) => zones.has(storeId));
  if (apps.length === 0) return { isNone: true, days: [] };
  const own = await timeZoneOf(ctx.db, companyId);
  const now = ctx.now().getTime();
  // A day earlier and later than any time zone's.
  const around = { start: addDays(dateAt(now, 'UTC'), -COST_DAYS), end: addDays(dateAt(now, 'UTC'), 1) };
  const spent = await countForReport(ctx, companyId, {
    period: periodOf({ ...around, timeZone: 'UTC' }),
    by: ['app'],
    filters: { app: apps.map(({ uuid }) => uuid) },
  });
  const spending = new Set(spent.map(({ values }) => values[0]));
  const sent = await appsWithCostDays(ctx.db, companyId, { mmp: PUSHED, since: around.start });
  return {
    isNone: false,
    days: apps
      .filter(({ uuid }) => spending.has(uuid) || sent.has(uuid))
      .flatMap(({ uuid, storeId }) => {
        const timeZone = zones.get(storeId) ?? own;
        const today = dateAt(now, timeZone);
        return Array.from({ length: COST_DAYS }, (_, back) => ({
          appId: uuid,
          day: addDays(today, -back),
          timeZone,
        }));
      }),
  };
}

/** The costs of a day as they are sent. Undefined for a day with too many rows. */
async function contentOf(
  ctx: Context,
  day: CostDayRow,
  { appId, mediaSource }: { appId: string; mediaSource: string },
): Promise<CostUploadContent | undefined> {
  const { company_uuid: companyId, app_uuid, time_zone: timeZone } = day;
  const query = {
    period: periodOf({ start: day.day, end: day.day, timeZone }),
    filters: { app: [app_uuid] },
  };
  const keys = ['campaign', 'adset', 'creative', 'country'] as const;
  const ofBundles = await countForReport(ctx, companyId, {
    ...query,
    by: [...keys, 'bundle'],
    limit: ROWS_MAX.ofBundles,
  });
  const whole = await countForReport(ctx, companyId, { ...query, by: keys, limit: ROWS_MAX.parts + 1 });
  if (whole.length > ROWS_MAX.parts) return undefined;
  const parts = whole.map(partOf).filter(({ micros }) => micros > 0);
  const names = await namesOf(
    ctx.db,
    companyId,
    new Map([
      ['campaign', new Set(parts.map(({ campaign }) => campaign))],
      ['adset', new Set(parts.map(({ adset }) => adset))],
      ['creative', new Set(parts.map(({ creative }) => creative))],
    ]),
  );
  return costUploadOf(
    { parts, ofBundles: ofBundles.map(partOf), before: sentRowsOf(day) },
    { day: day.day, appId, mediaSource, nameOf: (level, id) => names.get(level)?.get(id) ?? '' },
  );
}

function partOf({ values, spendMicros }: { values: readonly string[]; spendMicros: number }): CostPart {
  const [campaign = '', adset = '', creative = '', country = '', bundle = ''] = values;
  return { campaign, adset, creative, country, bundle, micros: spendMicros };
}

/** Deletes old uploads and days. */
export async function deleteExpiredCosts(ctx: Context): Promise<void> {
  await deleteOlderThan(ctx, LOG_DAYS, deleteUploadsBefore);
  await deleteOlderThan(ctx, LOG_DAYS, deleteCostDaysBefore);
}
