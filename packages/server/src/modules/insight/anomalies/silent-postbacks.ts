import { dateTimeAt, dayText } from '@bidwell/contract/lib/calendar';
import { partnerInText } from '@bidwell/contract/measurement/partners/partners';
import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import type { Context } from '../../../context.ts';
import { isDatabaseUnavailable } from '../../../platform/database-unavailable.ts';
import { notifyOnce } from '../../messaging/public.ts';
import { spentBetweenMicros } from '../../reporting/public.ts';
import { companiesThatRun } from './service.ts';
import type { Mmp } from '@bidwell/contract/apps/fields';
import type { ClickHouse } from '../../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../../platform/clickhouse/time.ts';

const HOUR_MS = 3_600_000;
/** The period whose rate is usual. */
const USUAL_MS = 7 * 24 * HOUR_MS;
/** A shorter silence is none: partners send in batches. */
const SILENT_MS_MIN = 3 * HOUR_MS;
/** Number of missing postbacks at the usual rate; fewer may be chance. */
const MISSING_MIN = 20;
/** A company that spends less than this part of its usual spend has fewer installs. */
const SPEND_PART_MIN = 0.5;

/**
 * Whether a partner has gone silent: no postback has arrived for hours in which at least twenty were expected, judged by the
 * week before the last postback. Pure.
 */
export function isSilent(nowMs: number, { lastAtMs, count }: { lastAtMs: number; count: number }): boolean {
  const silentMs = nowMs - lastAtMs;
  const activeMs = USUAL_MS - silentMs;
  return silentMs >= SILENT_MS_MIN && activeMs > 0 && (count / activeMs) * silentMs >= MISSING_MIN;
}

/**
 * Notifies companies that run campaigns of measurement partners that have gone silent while they went on spending, once for
 * each silence.
 */
export async function checkPostbacks(ctx: Context): Promise<void> {
  for (const { companyId, timeZone } of await companiesThatRun(ctx.db)) {
    try {
      await checkCompany(ctx, companyId, timeZone);
    } catch (err) {
      if (isDatabaseUnavailable(err)) throw err;
      ctx.log.error({ err, companyId }, 'postbacks of a company could not be checked');
    }
  }
}

async function checkCompany(ctx: Context, companyId: string, timeZone: string): Promise<void> {
  const nowMs = ctx.now().getTime();
  const week = { fromMs: nowMs - USUAL_MS, beforeMs: nowMs };
  const partners = await postbacksByPartner(ctx.clickhouse, companyId, week);
  for (const partner of partners.filter((one) => isSilent(nowMs, one))) {
    const { mmp, lastAtMs } = partner;
    const silence = { fromMs: lastAtMs, beforeMs: nowMs };
    const [usual, spent] = await Promise.all([
      spentBetweenMicros(ctx, { companyId }, { fromMs: week.fromMs, beforeMs: lastAtMs }),
      spentBetweenMicros(ctx, { companyId }, silence),
    ]);
    const expected = (usual / (lastAtMs - week.fromMs)) * (nowMs - lastAtMs);
    if (spent <= 0 || spent < SPEND_PART_MIN * expected) continue;
    const [date = '', time = ''] = dateTimeAt(lastAtMs, timeZone).split(' ');
    await notifyOnce(ctx, companyId, {
      kind: 'postbacks',
      ...notificationMessages.postbacksSilent(partnerInText(mmp), `${dayText(date)}, ${time} (${timeZone})`),
      onceKey: `postbacks-silent:${mmp}:${lastAtMs}`,
    });
  }
}

/** The postbacks of a measurement partner in a period. */
interface PartnerActivity {
  mmp: Mmp;
  count: number;
  /** Time of the last one, Unix ms. */
  lastAtMs: number;
}

/** The postbacks of a company by measurement partner in a period, without test traffic. */
async function postbacksByPartner(
  clickhouse: ClickHouse,
  companyId: string,
  { fromMs, beforeMs }: { fromMs: number; beforeMs: number },
): Promise<readonly PartnerActivity[]> {
  return clickhouse.query<PartnerActivity>(
    `select mmp, count() as count, max(toUnixTimestamp64Milli(time)) as lastAtMs
     from postbacks where company_id = {company:UUID} and test = 0
       and time >= {from:DateTime64(3, 'UTC')} and time < {before:DateTime64(3, 'UTC')}
     group by mmp order by mmp`,
    { company: companyId, from: clickhouseTime(fromMs), before: clickhouseTime(beforeMs) },
  );
}
