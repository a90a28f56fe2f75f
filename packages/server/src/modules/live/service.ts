import { toDollars } from '@bidwell/contract/money';
import pLimit from 'p-limit';
import type { Engines } from '../../engines.ts';
import { countsOfToday } from '../analytics/service.ts';
import { balanceMicros } from '../finance/service.ts';

/** A company is told of its figures at most once in this time. */
const EVERY_MS = 1000;
/** Companies whose figures are worked out side by side. */
const AT_ONCE = 4;

/** Where figures come from and go to. */
export interface FiguresOutlet {
  /** Resolves when all events acknowledged so far are counted by reports. */
  settled(): Promise<void>;
  /** Whether anyone may be looking at the company here. */
  isOpen(companyId: string): boolean;
  /** Sends to the company's pages that this process reaches. */
  send: Engines['realtime']['toCompany'];
  /** Tells the other processes which figures moved. */
  tell(companyIds: readonly string[]): void;
}

/** The running totals of today, sent to open pages as they move. */
export interface LiveFigures {
  /** Figures of these companies moved in this process. */
  moved(companyIds: Iterable<string>): void;
  /** Figures of these companies moved in another process, and are counted. */
  movedElsewhere(companyIds: Iterable<string>): void;
  /** Waits for what is under way; nothing follows. */
  stop(): Promise<void>;
}

/** Works out the figures of companies that are looked at, once for all their pages, at most once a second each. */
export function liveFigures(engines: Engines, outlet: FiguresOutlet): LiveFigures {
  const inTurn = pLimit(AT_ONCE);
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
      .catch((err: unknown) => engines.log.error({ err }, 'figures of today could not be sent'))
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
    await outlet.settled();
    if (moved.length > 0) outlet.tell(moved);
    const open = [...due].filter((companyId) => outlet.isOpen(companyId));
    await Promise.all(
      open.map((companyId) =>
        inTurn(async () => outlet.send(companyId, await figuresOf(engines, companyId))),
      ),
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

async function figuresOf(engines: Engines, companyId: string) {
  const { date, counts } = await countsOfToday(engines, { companyId, userId: null });
  const { clicks, installs, impressions, spendMicros } = counts;
  const spends = toDollars(spendMicros);
  return {
    type: 'today' as const,
    date,
    counts: { clicks, installs, impressions, spends },
    balance: {
      balance: toDollars(await balanceMicros(engines, companyId)),
      currency: 'USD' as const,
      spent_today: spends,
    },
  };
}
