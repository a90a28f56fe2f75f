/** Advertisers of the bidder's bench, with varied targeting, formats and prices. */
import { createTraffic } from '@bidwell/exchange/traffic/generate';
import { seededRandom } from '@bidwell/exchange/random';
import type { Database } from '@bidwell/server/platform/postgres/client';
import { addCompanies, runSql } from '@bidwell/testing/large-companies';
import { COUNTRIES, SIZES as COMMON_SIZES } from './variety.ts';

const SIZE = { apps: 5, campaigns: 10, adsets: 20, creatives: 60, targets: 20, history: 1 };
const SIZES = [...COMMON_SIZES, [768, 1024]] as const;

/** SQL for a number from 0 to `sides` - 1, derived from a row's uuid and a word: the same in every run. */
const dice = (word: string, sides: number): string => `(abs(hashtext(uuid::text || '${word}')) % ${sides})`;
const oneIn = (word: string, sides: number, then: string, otherwise: string): string =>
  `case when ${dice(word, sides)} = 0 then ${then} else ${otherwise} end`;

/** Adds companies with 20 running ad sets each, all approved and funded. */
export async function addMarket(db: Database, companies: number): Promise<void> {
  await addCompanies(db, 0, companies - 1, SIZE);
  const run = (statement: string) => runSql(db, statement);
  await run(
    `update campaigns set status = 'Active', start_date = ${oneIn('start', 4, `'2026-01-01'::date`, 'null')}`,
  );
  await run(`update apps set os = ${oneIn('os', 2, `'ios'`, `'android'`)}`);
  await run(
    `update apps set store_link = 'https://apps.apple.com/us/app/puzzle/id' || 1000000 + ${dice('id', 1_000_000)},
     bundle_id = (1000000 + ${dice('id', 1_000_000)})::text where os = 'ios'`,
  );
  const size = (side: 0 | 1) =>
    `(array[${SIZES.map((sides) => sides[side]).join(', ')}])[1 + ${dice('size', SIZES.length)}]`;
  await run(
    `update files set content_type = 'image/png', extension = 'png', width = ${size(0)}, height = ${size(1)}`,
  );
  await run(
    `update internal_creatives set type = 'Banner', duration_ms = null,
     banner_file_uuid = coalesce(banner_file_uuid, video_file_uuid), video_file_uuid = null`,
  );
  await run(`update creatives set status = 'Approved'`);
  const list = (values: string[]) =>
    `to_jsonb(array[${values.map((value) => `'${value}'`).join(', ')}]::text[])`;
  const none = `'[]'::jsonb`;
  const countries = (word: string, count: number) =>
    `to_jsonb((array[${COUNTRIES.map((code) => `'${code}'`).join(', ')}])[1 + ${dice(word, COUNTRIES.length - count)} : ${count} + ${dice(word, COUNTRIES.length - count)}])`;
  await run(`update targets set settings = settings || jsonb_build_object(
    'location_include', ${oneIn('where', 4, none, countries('country', 3))},
    'location_exclude', ${oneIn('not there', 6, countries('excluded', 2), none)},
    'device_os', ${none},
    'device_types', ${oneIn('types', 3, list(['Phone']), oneIn('mobile', 2, list(['Mobile']), none))},
    'device_connection_types', ${oneIn('wifi', 5, list(['WiFi']), none)},
    'device_min_os_version', ${oneIn('version', 2, `(array['9', '11', '12', '13.1', '15'])[1 + ${dice('which', 5)}]`, 'null')},
    'language_include', ${oneIn('language', 5, list(['en', 'de', 'fr', 'es']), none)},
    'genre_include', ${oneIn('genre', 5, list(['Games']), none)},
    'genre_exclude', ${none},
    'exchange_include', ${oneIn('exchange', 10, list(['other']), none)})`);
  await run(`update adsets set
    bet_cpm_micros = 300000 + ${dice('cpm', 1000)} * 9000,
    algo = (array['Manual CPM', 'Manual CPM', 'Target CPI', 'Max installs'])[1 + ${dice('algo', 4)}],
    bet_cpi_micros = 1000000 + ${dice('cpi', 500)} * 10000,
    black_list_bundles = (select to_jsonb(array_agg('com.unwanted.' || (abs(hashtext(adsets.uuid::text)) + n) % 5000)) from generate_series(1, 20) as n),
    white_list_bundles = ${oneIn('white', 20, list(['com.example.one', 'com.example.two']), none)}`);
  await run('analyze');
  // A snapshot that was loaded between these statements has companies without running ad sets.
  await run(
    `insert into company_versions (company_uuid, version) select uuid, gen_random_uuid() from companies
     on conflict (company_uuid) do update set version = excluded.version`,
  );
}

/** Requests that a load sends in turn. */
export const REQUESTS = 4000;

/** Bodies of bid requests that the sample exchange generates. */
export function inventedRequests(count: number): Buffer[] {
  const traffic = createTraffic({ random: seededRandom(1), worldSeed: 1, secure: false });
  const startMs = Date.parse('2026-05-04T00:00:00Z');
  return Array.from({ length: count }, (_unused, index) =>
    Buffer.from(JSON.stringify(traffic.next(startMs + index * 60_000).request)),
  );
}

/** The ad network that the bench signs for. */
export const BENCH_NETWORK = 'bench12345.skadnetwork';

/** The requests of iOS devices, with the parameters of SKAdNetwork 4.0 in each imp or without. */
export function iosRequests(bodies: readonly Buffer[], isSigned: boolean): Buffer[] {
  const skadn = {
    versions: ['2.2', '3.0', '4.0'],
    sourceapp: '880047117',
    skadnetids: ['other12345.skadnetwork', BENCH_NETWORK],
  };
  return bodies.flatMap((body) => {
    const request = JSON.parse(body.toString('utf8')) as { imp: object[]; device: { os?: string } };
    if (request.device.os?.toLowerCase() !== 'ios') return [];
    request.device = { ...request.device, osv: '17.5' } as typeof request.device;
    if (isSigned) request.imp = request.imp.map((imp) => ({ ...imp, ext: { skadn } }));
    return [Buffer.from(JSON.stringify(request))];
  });
}

/** How many of ten requests keep a chance of a bid. */
const MATCHING_OF_TEN = 1;

/**
 * The requests as real exchanges send them: nine of ten get no bid from {@link addMarket}'s ad sets. Four of the nine have
 * a floor above every bid, three a format that no creative has, and two a device that no ad set targets.
 */
export function mostlyWithoutBids(bodies: readonly Buffer[]): Buffer[] {
  return bodies.map((body, index) => {
    const place = index % 10;
    if (place < MATCHING_OF_TEN) return body;
    const request = JSON.parse(body.toString('utf8')) as { imp: object[]; device: object };
    if (place < 5) request.imp = request.imp.map((imp) => ({ ...imp, bidfloor: 50 }));
    else if (place < 8) {
      const banner = { w: 160, h: 600, mimes: ['image/jpeg', 'image/png', 'text/html'], api: [5], pos: 1 };
      request.imp = request.imp.map((imp) => ({ ...imp, instl: 0, banner, video: undefined }));
    } else
      request.device = {
        ...request.device,
        os: 'Tizen',
        ua: 'Mozilla/5.0 (Linux; Tizen 2.3)',
        model: 'SM-Z130H',
      };
    return Buffer.from(JSON.stringify(request));
  });
}
