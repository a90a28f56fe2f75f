import { notificationMessages } from '@bidwell/contract/messages';
import { addDays, dateAt, dateTimeAt, startOfDayMs } from '@bidwell/contract/calendar';
import type { Engines } from '../../engines.ts';
import { isDatabaseUnavailable } from '../../platform/database-unavailable.ts';
import { transact } from '../../platform/postgres/transaction.ts';
import { countsOfHours } from '../analytics/service.ts';
import { notify } from '../notifications/service.ts';
import { companiesThatRun, findCheck, deleteOldChecks, insertCheck } from './store.ts';
import type { Anomaly } from './detect.ts';
import { detectAnomalies } from './detect.ts';

const HOUR_MS = 3_600_000;
/** Number of past weeks with which an hour is compared. */
const WEEKS = 8;
/** Delay after the end of an hour before it is checked, for late events. */
const SETTLED_MS = 5 * 60_000;
const RETENTION_MS = 7 * 24 * HOUR_MS;

/**
 * Checks the last complete hour of each company with an Active campaign: notifies it if spend, CPI or install rate
 * differ strongly from the same hour of past weeks. Each hour of a company is checked once, however many servers run
 * this. An anomaly that was found in the hour before is not repeated.
 */
export async function checkLastHour(engines: Engines): Promise<void> {
  const now = engines.now().getTime();
  const hourMs = Math.floor((now - SETTLED_MS) / HOUR_MS) * HOUR_MS - HOUR_MS;
  for (const { companyId, timeZone } of await companiesThatRun(engines.db)) {
    try {
      await checkHour(engines, companyId, timeZone, hourMs);
    } catch (err) {
      if (isDatabaseUnavailable(err)) throw err;
      engines.log.error({ err, companyId }, 'an hour of a company could not be checked for anomalies');
    }
  }
  await deleteOldChecks(engines.db, new Date(now - RETENTION_MS));
}

async function checkHour(
  engines: Engines,
  companyId: string,
  timeZone: string,
  hourMs: number,
): Promise<void> {
  const hour = new Date(hourMs);
  if (await findCheck(engines.db, companyId, hour)) return;
  const past = Array.from({ length: WEEKS }, (_, index) => sameHour(hourMs, timeZone, index + 1));
  const [counts, ...weeks] = await countsOfHours(engines, companyId, [hourMs, ...past]);
  const found = detectAnomalies(counts!, weeks);
  const known = (await findCheck(engines.db, companyId, new Date(hourMs - HOUR_MS))) ?? [];
  await transact(engines.db, async (tx) => {
    if (!(await insertCheck(tx.db, companyId, hour, found.map(keyOf)))) return;
    for (const anomaly of found.filter((one) => !known.includes(keyOf(one)))) {
      await notify(engines, tx, companyId, {
        kind: 'anomaly',
        title: notificationMessages.anomaly(labels[anomaly.metric], anomaly.direction),
        text: textOf(anomaly, hourMs, timeZone),
      });
    }
  });
}

/** The same local time `weeks` weeks earlier. */
function sameHour(hourMs: number, timeZone: string, weeks: number): number {
  const date = dateAt(hourMs, timeZone);
  const sinceMidnightMs = hourMs - startOfDayMs(date, timeZone);
  return startOfDayMs(addDays(date, -7 * weeks), timeZone) + sinceMidnightMs;
}

const keyOf = ({ metric, direction }: Anomaly) => `${metric}:${direction}`;

const labels = { spend: 'Spend', cpi: 'CPI', install_rate: 'Install rate' } as const;

function textOf({ metric, value, baseline, z, weeks }: Anomaly, hourMs: number, timeZone: string): string {
  const shown = (figure: number) =>
    metric === 'install_rate' ? `${figure.toFixed(2)}%` : `$${figure.toFixed(2)}`;
  const hour = `${dateTimeAt(hourMs, timeZone)} to ${dateTimeAt(hourMs + HOUR_MS, timeZone).slice(11)}`;
  return notificationMessages.anomalyText({
    label: labels[metric],
    value: shown(value),
    hour,
    timeZone,
    weeks,
    baseline: shown(baseline),
    z: z.toFixed(1),
  });
}
