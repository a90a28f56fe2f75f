import { v7 as uuidv7 } from 'uuid';
import type { ParsedDevice, ParsedRequest } from '../model/bid-request.ts';
import { runYielding } from '../../platform/concurrency/yielding.ts';
import { type AudienceLookup, NO_AUDIENCES } from '../model/audience.ts';
import { type Digest, digestText } from '../model/frequency.ts';
import { type Identifiers, createSamplePeople } from '../privacy/person-key.ts';
import { redacted } from './redact.ts';
import type { ClickHouse, QuerySettings } from '../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';

/** The level of a request of which the sample does not say how it was chosen, as in earlier releases. */
export const NO_LEVEL = 255;

/** The person of a request of the sample, and how the request was chosen. */
export interface SampledPerson {
  /** 52 bits of the person's key in the sample; 0 for a request without a person. */
  person: number;
  /** See `SamplePerson`; 0 without a person. */
  personLevel: number;
  /**
   * The least level of people at the time: one person in 2^level was chosen, with all requests, and one in 2^level of the requests without a
   * person. {@link NO_LEVEL} where it is not known, and no person either.
   */
  level: number;
}

/** Whether a person was looked up in audiences: not known, not allowed or without an id, looked up. */
export const LIST_STATES = { unknown: 0, none: 1, lookedUp: 2 } as const;

/** The audiences of the person of a request of the sample. */
interface SampledAudiences {
  /** One of {@link LIST_STATES}. */
  listState: number;
  /** A hash of the audiences that the bidder had, see {@link lookedUpAudiences}. */
  lookedUp: string;
  /** The audiences of these that have the person. */
  audiences: readonly string[];
}

/** A bid request of the sample as it is read. Older versions stored more of it than {@link redacted} leaves. */
export interface StoredRequest extends SampledPerson, SampledAudiences {
  atMs: number;
  exchange: string;
  /** The number of requests that it stands for. */
  weight: number;
  /** JSON. */
  request: string;
}

/** A bid request of the sample that waits to be stored; without a person where it has none, without a level as in earlier releases. */
interface SampledRequest extends Omit<StoredRequest, keyof SampledPerson | keyof SampledAudiences> {
  id: string;
  /** The key, as a number of 64 bits. */
  person?: string;
  person_level?: number;
  level?: number;
  /** The id by which the person may be looked up in audiences, which is not stored; empty for none, absent where that does not matter. */
  listId?: string;
}

/** Requests that all bidders together store in a second: 200,000 in a week. */
const STORED_PER_SECOND = 0.33;
/** A person comes again within minutes: the requests of a few people may come at once. */
const STORED_BURST = 200;
const REQUEST_CHARS_MAX = 32_768;
/** Requests that wait while ClickHouse is unavailable; later ones are not stored. */
const WAITING_MAX = 500;

/** Requests that wait to be stored. */
export interface RequestSample {
  /**
   * Adds a request if it is chosen: all requests of some people, and the same share of the requests without a person. Of the others it takes
   * less than a microsecond. `body` is as it was parsed, `weight` how many requests it stands for.
   */
  offer(request: ParsedRequest, body: unknown, weight?: number): void;
  /**
   * Counts a request that is not read as a whole. False if it may be chosen: it then has to be read and offered, and is counted there.
   * `identifiers` are what may identify its person, regardless of consent.
   */
  passes(request: { id: string; ssp: string; device: Identifiers }): boolean;
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

/** Dependencies of {@link createSample}. */
export interface SampleDeps {
  now: () => Date;
  /** Current number of bidders, including this one; they share the limit of stored requests. */
  bidders: () => number;
  /** The secret of keys of people, the same in all bidders. */
  personSecret: string;
}

/** Creates a sample that takes at most this bidder's share of the requests that are stored in a second. */
export function createSample({ now, bidders, personSecret }: SampleDeps): RequestSample {
  const { personOf, levelOfRequest } = createSamplePeople(personSecret);
  const levels = new Levels();
  let waiting: SampledRequest[] = [];
  let allowed = STORED_BURST;
  let atMs = now().getTime();
  let unstored = 0;

  const storedPerMs = (): number => STORED_PER_SECOND / Math.max(1, bidders()) / 1000;
  const push = (
    { ssp, device }: ParsedRequest,
    body: unknown,
    chosen: { nowMs: number; weight: number } & Pick<
      SampledRequest,
      'person' | 'person_level' | 'level' | 'listId'
    >,
  ): void => {
    const { nowMs, weight, ...by } = chosen;
    allowed = Math.min(STORED_BURST, allowed + Math.max(0, nowMs - atMs) * storedPerMs());
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
    waiting.push({ atMs: nowMs, id: uuidv7(), exchange: ssp, weight: unstored, request, ...by });
    unstored = 0;
  };
  return {
    offer(request, body, weight = 1) {
      const nowMs = now().getTime();
      const level = levels.count(nowMs, storedPerMs() * 1000);
      const person = personOf(request);
      if ((person?.level ?? levelOfRequest(request.id)) < level) return;
      push(request, body, {
        nowMs,
        weight: weight * 2 ** level,
        level,
        listId: request.device.listId,
        ...(person && { person: digestNumber(person.key()), person_level: person.level }),
      });
    },
    passes(request) {
      const { level } = levels;
      // Without consent the request has no person, and its own level counts.
      if (levelOfRequest(request.id) >= level || (personOf(request)?.level ?? 0) >= level) return false;
      levels.count(now().getTime(), storedPerMs() * 1000);
      return true;
    },
    take() {
      const taken = waiting;
      waiting = [];
      return taken;
    },
  };
}

/** How often the level is set, ms, with many requests and with fewer; and the time over which their rate is averaged. */
const LEVEL_EVERY_MS = 5000;
const FEW_EVERY_MS = 120_000;
const MANY = 50;
const AVERAGED_MS = 900_000;
/** A level falls only if the requests of the next lower one are at most this share of what may be stored, so that it changes seldom. */
const LOWER_AT = 0.7;
const LEVEL_MAX = 31;

/** The level of people who are chosen, by the rate of all requests. */
class Levels {
  #level = 0;
  #count = 0;
  #sinceMs: number | null = null;
  #perSecond: number | null = null;

  /** The level for the next request. */
  get level(): number {
    return this.#level;
  }

  /** Counts a request, and returns its level, at which at most `storedPerSecond` requests are chosen in the long run. */
  count(nowMs: number, storedPerSecond: number): number {
    const level = this.#level;
    if (this.#sinceMs === null) {
      this.#sinceMs = nowMs;
      return level;
    }
    this.#count += 1;
    const elapsedMs = nowMs - this.#sinceMs;
    if (elapsedMs < (this.#count < MANY ? FEW_EVERY_MS : LEVEL_EVERY_MS)) return level;
    const perSecond = (this.#count / elapsedMs) * 1000;
    const before = (this.#perSecond ??= perSecond);
    this.#perSecond = before + (perSecond - before) * (1 - Math.exp(-elapsedMs / AVERAGED_MS));
    this.#count = 0;
    this.#sinceMs = nowMs;
    const chosen = (at: number): number => this.#perSecond! / 2 ** at / storedPerSecond;
    while (this.#level < LEVEL_MAX && chosen(this.#level) > 1) this.#level += 1;
    while (this.#level > 0 && chosen(this.#level - 1) < LOWER_AT) this.#level -= 1;
    return level;
  }
}

/** A digest as a number of 64 bits, as ClickHouse has it. */
const digestNumber = (digest: Digest): string => BigInt(`0x${digestText(digest)}`).toString();

/** Limits of one query, so that replays do not slow down reports. */
const SETTINGS: QuerySettings = { max_threads: 1, max_execution_time: 20 };

/** Audiences in which the people of the sample are looked up. */
const AUDIENCES_MAX = 2000;
/** Longest run between bid requests. */
const SLICE_MS = 1;

/** Stores sampled bid requests, which belong to no company, with the audiences of their people. */
export async function storeSample(
  clickhouse: Pick<ClickHouse, 'insert'>,
  requests: readonly SampledRequest[],
  audiences: AudienceLookup = NO_AUDIENCES,
): Promise<void> {
  if (requests.length === 0) return;
  await clickhouse.insert('request_sample', await runYielding(rowsOf(requests, audiences), SLICE_MS));
}

/** All rows of an insert have the same columns. */
const NO_PERSON = {
  person: '0',
  person_level: 0,
  level: NO_LEVEL,
  list_state: LIST_STATES.unknown as number,
  looked_up: '',
  audiences: [] as readonly string[],
};

function* rowsOf(
  requests: readonly SampledRequest[],
  lookup: AudienceLookup,
): Generator<undefined, object[]> {
  const loaded = lookup.loaded().toSorted().slice(0, AUDIENCES_MAX);
  const lookedUp = loaded.join(',');
  const rows: object[] = [];
  for (const { atMs, listId, ...request } of requests) {
    const row = { time: clickhouseTime(atMs), ...NO_PERSON, ...request };
    if (listId === undefined) rows.push(row);
    else if (listId === '') rows.push({ ...row, list_state: LIST_STATES.none, looked_up: lookedUp });
    else {
      const memberships = lookup.membershipsOf(listId);
      const audiences = loaded.filter((uuid) => memberships.of(uuid) === 'in');
      rows.push({ ...row, list_state: LIST_STATES.lookedUp, looked_up: lookedUp, audiences });
    }
    yield;
  }
  return rows;
}

/** The audiences that bidders had, by their hashes in the sample. */
export async function lookedUpAudiences(
  clickhouse: ClickHouse,
  hashes: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const rows = await clickhouse.query<{ hash: string; audiences: string }>(
    `select toString(cityHash64(looked_up)) as hash, any(looked_up) as audiences from request_sample
     where list_state != {unknown:UInt8} and toString(cityHash64(looked_up)) in {hashes:Array(String)} group by hash`,
    { hashes, unknown: LIST_STATES.unknown },
    'JSON',
    SETTINGS,
  );
  return new Map(rows.map(({ hash, audiences }) => [hash, audiences.split(',').filter(Boolean)]));
}

/** Sampled requests of a period, or of all times, newest first. */
export async function sampleBetween(
  clickhouse: ClickHouse,
  { fromMs = -Infinity, beforeMs = Infinity, limit }: { fromMs?: number; beforeMs?: number; limit: number },
): Promise<readonly StoredRequest[]> {
  return clickhouse.query(
    `select toUnixTimestamp64Milli(time) as atMs, exchange, weight, request,
       toFloat64(bitShiftRight(person, 12)) as person, person_level as personLevel, level,
       list_state as listState, toString(cityHash64(looked_up)) as lookedUp, audiences from request_sample
     where time >= {from:DateTime64(3, 'UTC')} and time < {before:DateTime64(3, 'UTC')}
     order by time desc limit {limit:UInt32}`,
    { from: clickhouseTime(fromMs), before: clickhouseTime(beforeMs), limit },
    'JSON',
    SETTINGS,
  );
}
