import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import type { Cluster } from '@bidwell/testing/cluster/cluster';
import type { ClusterCompany } from './cluster-company.ts';
import { postbacksOfCompany } from './app-events.ts';
import { NoticeLoad, noticesOf } from './notices.ts';

const BIDS_AT_ONCE = 8;
/** Bids at once that each have an install and in-app events. */
const BIDS_WITH_EVENTS = 1;
/** Requests at once for each of them, with more than by default. */
const SENDERS_EACH = 4;
const PAUSE_MS = 150;
const PROBE_EVERY_MS = 100;
/** Requests of the sample exchange a second. */
const REQUESTS_PER_SECOND = 20;

/** The counts of the sample exchange. */
export interface ExchangeCounts {
  requests: number;
  bids: number;
  late: number;
  badAnswers: number;
  noticeFailures: number;
  spendMicros: number;
}

/** Requests so far, and requests without the expected response. */
interface LoadCounts {
  requests: number;
  failed: number;
}

/** Continuous traffic to a cluster through its public address. */
export interface ClusterLoad {
  /** Bids with in-app events are added when it stops. */
  notices: NoticeLoad;
  /** Notices and calls of the API. */
  counts(): LoadCounts;
  /** Stops, and sends the notices again that were not acknowledged. Resolves to what the sample exchange counted. */
  stop(): Promise<ExchangeCounts>;
}

/**
 * Sends notices, postbacks, reads of the console's API, and the bid requests and notices of the sample exchange, until it is stopped.
 * `serve` is the built server; the sample exchange is in the same build. `events` times as many bids have in-app events.
 */
export async function startClusterLoad(
  cluster: Pick<Cluster, 'url'>,
  company: ClusterCompany,
  { serve, events = 1 }: { serve: string; events?: number | undefined },
): Promise<ClusterLoad> {
  const port = Number(new URL(cluster.url).port);
  const notices = new NoticeLoad();
  const withEvents = new NoticeLoad(events > 1 ? SENDERS_EACH * events : undefined);
  const postbacks = await postbacksOfCompany(
    { companyId: company.noticesOf.companyId!, call: company.call },
    1,
  );
  const counts: LoadCounts = { requests: 0, failed: 0 };
  const stopping = new AbortController();
  const exchange = startExchange(cluster.url, company, serve);

  // By itself, because a postback is answered when it is decided.
  const send = async (load: NoticeLoad, add: () => void): Promise<void> => {
    while (!stopping.signal.aborted) {
      add();
      const { statuses, broken } = await load.send(port);
      counts.requests += broken;
      counts.failed += broken;
      for (const [status, times] of statuses) {
        counts.requests += times;
        if (status !== 200) counts.failed += times;
      }
      await wait(PAUSE_MS);
    }
  };
  const sending = [
    send(notices, () => notices.add(noticesOf(BIDS_AT_ONCE, [0], company.noticesOf))),
    send(withEvents, () =>
      withEvents.add(noticesOf(BIDS_WITH_EVENTS * events, [0], company.noticesOf, postbacks)),
    ),
  ];
  const probing = (async () => {
    while (!stopping.signal.aborted) {
      const answer = await company.call('GET', '/campaign').catch(() => null);
      counts.requests += 1;
      if (answer?.status !== 200) counts.failed += 1;
      await wait(PROBE_EVERY_MS);
    }
  })();
  return {
    notices,
    counts: () => ({ ...counts }),
    async stop() {
      stopping.abort();
      await Promise.all([...sending, probing]);
      const counted = await exchange.stop();
      notices.adopt(withEvents);
      await notices.sendAll(port);
      return counted;
    },
  };
}

function startExchange(url: string, { ssp }: ClusterCompany, serve: string) {
  const program = fileURLToPath(new URL('exchange.js', pathToFileURL(serve)));
  const to = ['--url', url, '--ssp', ssp.slug, '--secret', ssp.secret];
  const child = spawn(process.execPath, [program, ...to, '--rps', String(REQUESTS_PER_SECOND), '--steady'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const endWithUs = () => void child.kill('SIGKILL');
  process.once('exit', endWithUs);
  let last = '';
  child.stdout.on('data', (chunk: Buffer) => (last = (last + chunk.toString()).slice(-4000)));
  const ended = once(child, 'close');
  return {
    async stop(): Promise<ExchangeCounts> {
      child.kill('SIGTERM');
      await ended;
      process.off('exit', endWithUs);
      return JSON.parse(last.trim().split('\n').at(-1)!) as ExchangeCounts;
    },
  };
}
