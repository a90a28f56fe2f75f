/** Frequency caps, hours, regions and audiences for half of a bench's ad sets, and the requests that they concern. */
import { Readable } from 'node:stream';
import { pino } from 'pino';
import { seededRandom } from '@bidwell/exchange/random';
import { WEEKDAYS, type Hours } from '@bidwell/contract/adsets/hours';
import { DIGEST_BYTES, headerOf } from '@bidwell/server/delivery/audiences/audience-file';
import { PLAIN_HASH, digestOfId } from '@bidwell/server/delivery/audiences/id-digest';
import { type LoadedAudiences, loadAudiences } from '@bidwell/server/delivery/audiences/loaded-audiences';
import type { CompiledAudiences } from '@bidwell/server/delivery/model/audience';
import type { AdsetRow } from '@bidwell/server/delivery/model/candidate';
import { COUNTRIES } from './variety.ts';

/** Ids of an audience. */
export const AUDIENCE_IDS = 5_000_000;
/** The people of every second request are in the first audience, which ad sets include, and no one is in the others, which they exclude. */
const AUDIENCES = ['members', 'others 1', 'others 2', 'others 3'];
const REGIONS = ['A', 'B', 'C', 'D', 'E'];

/** Bodies of requests with a region in them. */
export function inRegions(bodies: readonly Buffer[]): Buffer[] {
  return bodies.map((body, index) => {
    const request = JSON.parse(body.toString('utf8')) as { device: { geo: object } };
    request.device.geo = { ...request.device.geo, region: REGIONS[index % REGIONS.length] };
    return Buffer.from(JSON.stringify(request));
  });
}

/** Closed for an hour in the night of the device. */
const hours = Object.fromEntries(WEEKDAYS.map((day) => [day, [[0, 3], [4, 24]]])) as Hours; // prettier-ignore

/** Gives every second ad set all controls. */
export function withControls(rows: readonly AdsetRow[]): AdsetRow[] {
  return rows.map((row, index) => {
    if (index % 2 === 0) return row;
    const countries = row.target.location_include;
    const regions = (countries.length > 0 ? countries : COUNTRIES).flatMap((country) =>
      REGIONS.slice(1).map((region) => `${country}-${region}`),
    );
    return {
      ...row,
      caps: [
        { impressions: 10, minutes: 1440 },
        { impressions: 40, minutes: 10_080 },
      ],
      campaignCaps: [{ impressions: 60, minutes: 43_200 }],
      peopleWithoutId: 'bid',
      hours,
      hoursZone: 'device',
      target: { ...row.target, region_include: regions },
      audiences: audiencesOf(index),
    };
  });
}

/** Excludes an audience, and for a quarter of the ad sets includes another one. */
function audiencesOf(index: number): CompiledAudiences {
  const stored = AUDIENCES.map((uuid) => ({ uuid, fileUuid: uuid, size: AUDIENCE_IDS }));
  return {
    include: index % 8 === 1 ? [[AUDIENCES[0]!]] : [],
    exclude: [AUDIENCES[1 + (index % 3)]!],
    withoutId: 'bid',
    stored,
  };
}

/** Loads the audiences as a bidder does. */
export async function benchAudiences(bodies: readonly Buffer[]): Promise<LoadedAudiences> {
  const members = bodies
    .filter((_body, index) => index % 2 === 0)
    .map((body) => (JSON.parse(body.toString('utf8')) as { device: { ifa?: string } }).device.ifa ?? '');
  const audiences = loadAudiences({
    files: { read: (uuid) => Readable.from(audienceFile(uuid === AUDIENCES[0] ? members : [])) },
    log: pino({ level: 'error' }),
    bytesMax: Infinity,
  });
  audiences.use(AUDIENCES.map((uuid) => ({ uuid, fileUuid: uuid, size: AUDIENCE_IDS })));
  await audiences.settled();
  if (audiences.missing() > 0) throw new Error('an audience of the bench is not loaded');
  return audiences;
}

/** A file with these ids and enough invented ones, in parts. */
function audienceFile(members: readonly string[]): Buffer[] {
  const random = seededRandom(members.length + 1);
  const digests = new BigUint64Array(AUDIENCE_IDS);
  const part = () => BigInt(Math.floor(random() * 2 ** 32));
  for (let index = 0; index < digests.length; index += 1) digests[index] = (part() << 32n) | part();
  members.forEach((id, index) => {
    const { high, low } = digestOfId(PLAIN_HASH, id.toLowerCase());
    digests[index] = (BigInt(high) << 32n) | BigInt(low);
  });
  const body = Buffer.from(digests.sort().buffer);
  const header = headerOf({ hash: PLAIN_HASH, letters: 'lower', count: AUDIENCE_IDS }, [body]);
  const PART_BYTES = DIGEST_BYTES * 8192;
  const parts = Array.from({ length: Math.ceil(body.length / PART_BYTES) }, (_none, index) =>
    body.subarray(index * PART_BYTES, (index + 1) * PART_BYTES),
  );
  return [header, ...parts];
}
