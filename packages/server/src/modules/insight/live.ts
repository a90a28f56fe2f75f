import { toDollars } from '@bidwell/contract/lib/money';
import { acquisitionOf } from '@bidwell/contract/reports/metrics';
import pLimit from 'p-limit';
import type { Context } from '../../context.ts';
import { countsOfToday } from '../reporting/public.ts';
import { readFunds } from '../money/public.ts';

/** Interval between two updates of the figures. */
const EVERY_MS = 1000;
/** Most companies whose figures are queried concurrently. */
const CONCURRENCY = 4;

/** Dependencies of the live figures. */
export interface FiguresOutlet {
  /** Whether an open page of the company may be connected to this process. */
  isOpen(companyId: string): boolean;
  /** Sends a message to the company's pages that are connected to this process. */
  send: Context['realtime']['toCompany'];
  /** Notifies the other processes of changed figures. */
  notifyMoved(companyIds: readonly string[]): void;
}

/** Running totals of today, pushed to open pages when they change. */
export interface LiveMetrics {
  /** Call when this process stored events or charges of these companies. */
  moved(companyIds: Iterable<string>): void;
  /** Call when figures of these companies changed in another process and are included in reports. */
  movedElsewhere(companyIds: Iterable<string>): void;
  /** Stops further updates and waits for a running one. */
  stop(): Promise<void>;
}

/**
 * Creates the live figures. The figures of a company with an open page are queried once for all its pages, at most
 * once a second.
 */
export function liveMetrics(ctx: Context, outlet: FiguresOutlet): LiveMetrics {
  const inTurn = pLimit(CONCURRENCY);
  const here = new Set<string>();
  const elsewhere = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let lastMs = 0;
  let stopped = false;

  const schedule = (): void => {
    if (stopped || timer || running || here.size + elsewhere.size === 0) return;
    timer = setTimeout(begin, Math.max(0, lastMs + EVERY_MS - performance.now()));
  };
  const begin = (): void => {
    timer = undefined;
    lastMs = performance.now();
    running = run()
      .catch((err: unknown) => ctx.log.error({ err }, "today's metrics could not be published"))
      .finally(() => {
        running = null;
        schedule();
      });
  };
  async function run(): Promise<void> {
    const moved = [...here];
    const due = new Set([...here, ...elsewhere]);
    here.clear();
    elsewhere.clear();
    if (moved.length > 0) outlet.notifyMoved(moved);
    const open = [...due].filter((companyId) => outlet.isOpen(companyId));
    await Promise.all(
      open.map((companyId) => inTurn(async () => outlet.send(companyId, await figuresOf(ctx, companyId)))),
    );
  }

  return {
    moved(companyIds) {
      for (const companyId of companyIds) here.add(companyId);
      schedule();
    },
    movedElsewhere(companyIds) {
      for (const companyId of companyIds) elsewhere.add(companyId);
      schedule();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

async function figuresOf(ctx: Context, companyId: string) {
  const { date, counts } = await countsOfToday(ctx, { companyId });
  // The highlights, which these figures continue, are of acquisition alone.
  const { clicks, installs, impressions, spendMicros } = acquisitionOf(counts);
  return {
    type: 'today' as const,
    date,
    counts: { clicks, installs, impressions, spends: toDollars(spendMicros) },
    balance: {
      ...(await readFunds(ctx, companyId)),
      currency: 'USD' as const,
      spent_today: toDollars(counts.spendMicros),
    },
  };
}
