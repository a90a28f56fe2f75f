import { appBody, linkBody, make, targetBody } from '@bidwell/testing/advertising';
import { uploadBanner } from '@bidwell/testing/bidding';
import type { TestCompany } from '@bidwell/testing/test-app';
import { registerCompany } from '../cluster-company.ts';
import { type Flood, type FloodOutcome, type FloodedServer, floodScenario } from './flood.ts';
import { sendFor, statusText, unexpected } from '../senders.ts';

const FLOOD_MS = 20_000;
const SAVES_AT_ONCE = 24;
const COPIES_AT_ONCE = 8;
/** The most bundles that a list may have, so long that the list has nearly the 1 MiB that an ad set may have. */
const BUNDLES = 10_000;
const BUNDLE_CHARACTERS = 100;
const LISTS = 4;
/** Saved, copied, no room for a copy, and refused for the present. */
const EXPECTED = [200, 201, 409, 429, 503];

/** Large saves and copies of a company that only registered. */
export const largeAdsetsScenario = floodScenario(
  'large-adsets',
  'a new company saves and duplicates an ad set with the longest list of bundles, for 20 s',
  prepare,
);

async function prepare({ url }: FloodedServer): Promise<Flood> {
  const company = await registerCompany(url, 'flood');
  const uuid = await makeAdset(company);
  const bodies = Array.from({ length: LISTS }, (_, list) => ({ black_list_bundles: bundles(list) }));
  return {
    async run() {
      const [saves, copies] = await Promise.all([
        sendFor(FLOOD_MS, SAVES_AT_ONCE, (n) => company.call('PUT', `/adset/${uuid}`, bodies[n % LISTS])),
        sendFor(FLOOD_MS, COPIES_AT_ONCE, () => company.call('POST', `/adset/${uuid}/duplicate`)),
      ]);
      return flooded(saves, copies);
    },
  };
}

/** An ad set of a new company, without a campaign. */
async function makeAdset(company: Pick<TestCompany, 'call' | 'upload'>): Promise<string> {
  const appUuid = await make(company, '/app', appBody());
  const creativeUuid = await uploadBanner(company, appUuid);
  const group = { name: 'Banners', banner_creatives: [creativeUuid] };
  return make(company, '/adset', {
    name: 'Large',
    target_id: await make(company, '/target', targetBody(appUuid)),
    tracking_link_id: await make(company, '/tracking_link', linkBody(appUuid)),
    creative_group_ids: [await make(company, '/creative_group', group)],
    algo: 'Manual CPM',
    bet_cpm: 2.5,
  });
}

const bundles = (list: number): string[] =>
  Array.from({ length: BUNDLES }, (_, n) => `com.list${list}.b${n}`.padEnd(BUNDLE_CHARACTERS, 'x'));

function flooded(saves: ReadonlyMap<number, number>, copies: ReadonlyMap<number, number>): FloodOutcome {
  const failures = [...unexpected('saves', saves, EXPECTED), ...unexpected('copies', copies, EXPECTED)];
  if (!saves.has(200)) failures.push('nothing was saved');
  if (!copies.has(201)) failures.push('nothing was copied');
  return { failures, notes: [`saves: ${statusText(saves)}`, `copies: ${statusText(copies)}`] };
}
