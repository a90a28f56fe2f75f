import { v7 as uuidv7 } from 'uuid';
import type { ParsedDevice, ParsedRequest } from '../model/bid-request.ts';
import { redacted } from './redact.ts';
import type { ClickHouse, QuerySettings } from '../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';

/** A bid request of the sample as it is read. Older versions stored more of it than {@link redacted} leaves. */
export interface StoredRequest {
  atMs: number;
  exchange: string;
  /** The number of requests that it stands for. */
  weight: number;
  /** JSON. */
  request: string;
}

/** A bid request of the sample as it is stored. */
interface SampledRequest extends StoredRequest {
  id: string;
}

/** Requests that all bidders together store in a second: 200,000 in a week. */
const STORED_PER_SECOND = 0.33;
const STORED_BURST = 50;
const REQUEST_CHARS_MAX = 32_768;
/** Requests that wait while ClickHouse is unavailable; later ones are not stored. */
const WAITING_MAX = 500;

/** Requests that wait to be stored. */
export interface RequestSample {
  /** Adds a request that stands for `weight` requests, unless too many were added lately. `body` is as it was parsed. */
  add(request: ParsedRequest, body: unknown, weight: number): void;
  /** Removes the waiting requests, and returns them. */
  take(): SampledRequest[];
}

/** What targets need to know of a request that its own fields would tell only with personal data. */
export interface SampleMarks {
  /** 1 for an advertising id that may be used. */
  id?: 1;
  /** The location that the device or its user gave, to a tenth of a degree, about 10 km. */
  lat?: number;
  lon?: number;
}

function marksOf({ idState, point }: ParsedDevice): SampleMarks {
  return {
    ...(idState === 'usable' && { id: 1 }),
    ...(point && { lat: tenths(point.latitude), lon: tenths(point.longitude) }),
  };
}

const tenths = (degrees: number): number => Math.round(degrees * 10) / 10;

/** Creates a sample that takes at most this bidder's share of the requests that are stored in a second. */
export function createSample({ now, bidders }: { now: () => Date; bidders: () => number }): RequestSample {
  let waiting: SampledRequest[] = [];
  let allowed = STORED_BURST;
  let atMs = now().getTime();
  let unstored = 0;
  return {
    add({ ssp, device }: ParsedRequest, body: unknown, weight: number): void {
      const nowMs = now().getTime();
      const perMs = STORED_PER_SECOND / Math.max(1, bidders()) / 1000;
      allowed = Math.min(STORED_BURST, allowed + Math.max(0, nowMs - atMs) * perMs);
      atMs = nowMs;
      unstored += weight;
      if (allowed < 1 || waiting.length >= WAITING_MAX) return;
      const sample = marksOf(device);
      const request = JSON.stringify({
        ...redacted(body, 'operators'),
        ext: Object.keys(sample).length > 0 ? { sample } : undefined,
      });
      if (request.length > REQUEST_CHARS_MAX) return;
      allowed -= 1;
      waiting.push({ atMs: nowMs, id: uuidv7(), exchange: ssp, weight: unstored, request });
      unstored = 0;
    },
    take(): SampledRequest[] {
      const taken = waiting;
      waiting = [];
      return taken;
    },
  };
}

/** Limits of one query, so that replays do not slow down reports. */
const SETTINGS: QuerySettings = { max_threads: 1, max_execution_time: 20 };

/** Stores sampled bid requests, which belong to no company. */
export async function storeSample(
  clickhouse: Pick<ClickHouse, 'insert'>,
  requests: readonly SampledRequest[],
): Promise<void> {
  if (requests.length === 0) return;
  await clickhouse.insert(
    'request_sample',
    requests.map(({ atMs, ...request }) => ({ time: clickhouseTime(atMs), ...request })),
  );
}

/** Sampled requests of a period, or of all times, newest first. */
export async function sampleBetween(
  clickhouse: ClickHouse,
  { fromMs = -Infinity, beforeMs = Infinity, limit }: { fromMs?: number; beforeMs?: number; limit: number },
): Promise<readonly StoredRequest[]> {
  return clickhouse.query(
    `select toUnixTimestamp64Milli(time) as atMs, exchange, weight, request from request_sample
     where time >= {from:DateTime64(3, 'UTC')} and time < {before:DateTime64(3, 'UTC')}
     order by time desc limit {limit:UInt32}`,
    { from: clickhouseTime(fromMs), before: clickhouseTime(beforeMs), limit },
    'JSON',
    SETTINGS,
  );
}
