import type { Permission } from '@bidwell/contract/accounts/permission';
import type { CompanySummary } from '@bidwell/contract/company-overview/schema';
import { type Micros, toDollars } from '@bidwell/contract/lib/money';
import pLimit from 'p-limit';
import type { Context } from '../../../context.ts';
import { inTime, untilAborted } from '../../../platform/concurrency/time-limits.ts';
import type { Session } from '../../../platform/http/auth/auth.ts';
import { hasPermission, requirePermission } from '../../../platform/permissions.ts';
import { type CompanyStanding, listStandings } from '../../identity/public.ts';
import { countActiveCampaigns } from '../../campaigns/public.ts';
import { balanceMicrosOf } from '../../money/public.ts';
import { countUnreadWarnings } from '../../messaging/public.ts';
import { recentSpendOf, reportSettings } from '../../reporting/public.ts';

/** Companies that are read at once: a slow one does not hold up the others. */
const CONCURRENCY = 3;
/** How long to wait for the figures of one company, and until when to begin reading further companies. */
const COMPANY_MS = 5000;
const ALL_MS = 15_000;

type Figures = Pick<
  CompanySummary,
  'spend_today' | 'spend_7_days' | 'balance' | 'active_campaigns' | 'unread_warnings'
>;

const noFigures: Figures = {
  spend_today: null,
  spend_7_days: null,
  balance: null,
  active_campaigns: null,
  unread_warnings: null,
};

/**
 * The actor's companies, by name, with the figures that the actor's role in each allows. Three companies are read at once, each within
 * a time limit, so that one with many events, or a failing query, leaves the figures of the others as they are. Nothing more is read, and
 * its reason thrown, once `signal` aborts.
 */
export async function listCompanySummaries(
  ctx: Context,
  actor: Session,
  signal = new AbortController().signal,
): Promise<CompanySummary[]> {
  requirePermission(actor, 'membership.read');
  const inTurn = pLimit(CONCURRENCY);
  const endMs = performance.now() + ALL_MS;
  const standings = await listStandings(ctx, actor);
  const balances = balancesOf(ctx, standings);
  // They are waited for with the other figures of each company.
  balances.catch(() => {});
  return Promise.all(
    standings.map((each) =>
      inTurn(async () => {
        signal.throwIfAborted();
        const { figures, isIncomplete } =
          performance.now() < endMs
            ? await untilAborted(figuresOf(ctx, each, balances), signal)
            : { figures: noFigures, isIncomplete: true };
        return { ...each.company, requires: each.requires, ...figures, is_incomplete: isIncomplete };
      }),
    ),
  );
}

/** The balances of the companies whose standing allows them, in micros. */
async function balancesOf(
  ctx: Context,
  standings: readonly CompanyStanding[],
): Promise<ReadonlyMap<string, Micros>> {
  const shown = standings.filter(({ standing }) => hasPermission(standing, 'money.read'));
  return balanceMicrosOf(
    ctx,
    shown.map(({ company }) => company.uuid),
  );
}

/** The figures of a company that a standing allows; figures that fail or are late are null. */
async function figuresOf(
  ctx: Context,
  company: CompanyStanding,
  balances: Promise<ReadonlyMap<string, Micros>>,
): Promise<{ figures: Figures; isIncomplete: boolean }> {
  const companyId = company.company.uuid;
  let isIncomplete = false;
  /**
   * The result of a read that needs a permission; null without the permission, and if the read fails or takes too long.
   */
  const readWith = async <T>(permission: Permission, read: () => Promise<T>): Promise<T | null> => {
    if (!hasPermission(company.standing, permission)) return null;
    try {
      return await inTime(read(), COMPANY_MS, 'late');
    } catch (err) {
      ctx.log.warn({ err, companyId }, 'a figure of the overview of companies could not be read');
      isIncomplete = true;
      return null;
    }
  };
  const [spend, balance, activeCampaigns, unreadWarnings] = await Promise.all([
    readWith('money.read', () => spendOf(ctx, company)),
    readWith('money.read', async () => (await balances).get(companyId) ?? 0),
    readWith('campaign.read', () => countActiveCampaigns(ctx, { companyId })),
    readWith('notification.read', () => countUnreadWarnings(ctx, { companyId })),
  ]);
  const figures = {
    spend_today: spend && toDollars(spend.todayMicros),
    spend_7_days: spend && toDollars(spend.weekMicros),
    balance: balance === null ? null : toDollars(balance),
    active_campaigns: activeCampaigns,
    unread_warnings: unreadWarnings,
  };
  return { figures, isIncomplete };
}

async function spendOf(ctx: Context, { company: { uuid }, timeZone }: CompanyStanding) {
  const limits = { ...reportSettings(ctx.config), max_execution_time: COMPANY_MS / 1000 };
  const spend = await recentSpendOf(ctx, [{ uuid, time_zone: timeZone }], { isAll: false, limits });
  return spend.get(uuid) ?? { todayMicros: 0, weekMicros: 0 };
}
