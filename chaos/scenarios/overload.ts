import type { OpenLoopResult } from '@bidwell/testing/load/open-loop';
import { offerBidRequests } from '../bid-load.ts';
import { within } from '../bid-outcome.ts';
import { type Flood, type FloodOutcome, type FloodedServer, floodScenario } from './flood.ts';
import { OPERATOR_TOKEN } from '../server-process.ts';

/** More than the bidder takes, to find out how much it does. */
const FULL_SPEED = 20_000;
const MEASURED_MS = 6000;
const TIMES = 4;
const OVERLOAD_MS = 60_000;
/** A share of the capacity that the bidder takes with ease, and the share of these bids that must be in time. */
const NORMAL = 0.3;
const NORMAL_MS = 3000;
const IN_TIME_SHARE = 0.9;
const RECOVERS_WITHIN_MS = 30_000;

/** Offers the bidder four times its capacity for a minute, then a normal load. */
export const overloadScenario = floodScenario(
  'overload',
  'four times as many bid requests as the bidder takes, for a minute, while notices arrive',
  prepare,
);

async function prepare({ url, port, company, signal, log }: FloodedServer): Promise<Flood> {
  const path = `/openrtb/${company.ssp.slug}/${company.ssp.secret}`;
  const offer = (perSecond: number, durationMs: number) =>
    offerBidRequests({ port, path, perSecond, durationMs }, signal);
  // The first time compiles the code.
  await offer(FULL_SPEED, MEASURED_MS);
  const capacity = inTimePerSecond(await offer(FULL_SPEED, MEASURED_MS));
  log(`capacity: ${capacity.toFixed(0)} bids/s in time`);
  return {
    async run() {
      const shedBefore = await shedBy(url);
      const result = await offer(TIMES * capacity, OVERLOAD_MS);
      return overloaded(result, (await shedBy(url)) - shedBefore);
    },
    async after() {
      let inTime = 0;
      const startedMs = performance.now();
      const isNormal = await within(RECOVERS_WITHIN_MS, async () => {
        const { bidsInTime, arrived } = await offer(NORMAL * capacity, NORMAL_MS);
        inTime = bidsInTime / arrived;
        return inTime >= IN_TIME_SHARE;
      });
      const tookS = (performance.now() - startedMs) / 1000;
      const figures = `${percent(inTime)} of a normal load in time, ${tookS.toFixed(0)} s after the overload`;
      return { failures: isNormal ? [] : [figures], notes: [figures] };
    },
  };
}

function overloaded(result: OpenLoopResult, shed: number): FloodOutcome {
  const { arrived, sent, bidsInTime, bidsLate, others, elapsedMs } = result;
  const failures: string[] = [];
  if (bidsInTime === 0) failures.push('no bid was in time during the overload');
  if (shed === 0) failures.push('no request was shed during the overload');
  if (others > 0) failures.push(`${others} bid requests were answered neither 200 nor 204`);
  const rate = (count: number) => `${((count * 1000) / elapsedMs).toFixed(0)}/s`;
  return {
    failures,
    notes: [
      `overload: ${rate(arrived)} arrived, ${rate(sent)} sent, ${rate(shed)} shed, ${rate(bidsInTime)} bids in time, ${rate(bidsLate)} late`,
    ],
  };
}

const inTimePerSecond = ({ bidsInTime, elapsedMs }: OpenLoopResult): number =>
  (bidsInTime * 1000) / elapsedMs;
const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;

/** The bid requests that the server has shed so far. */
async function shedBy(url: string): Promise<number> {
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  const lines = text.split('\n').filter((line) => /^bidwell_no_bids_total\{.*reason="shed"/.test(line));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
