import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { iosAppBody, make } from '@bidwell/testing/advertising';
import { testApp } from '@bidwell/testing/test-app';
import { expect, test } from 'vitest';
import { pick, seededRandom } from '../random.ts';
import { type Coarse, type Install, type ScheduledPostback, postbacksOf } from './scheduled-postbacks.ts';
import { PostbackOutbox } from './simulated-device.ts';
import { type ShownAd, attribute } from './shown-ad.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.parse('2026-03-02T09:00:00Z');
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const testKey = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
const app = await testApp({ INSTALL_POSTBACK_TEST_KEY: testKey });

const OURS = 'example123.skadnetwork';
const OTHERS = ['a.skadnetwork', 'b.skadnetwork', 'c.skadnetwork', 'd.skadnetwork'];
const ITEM = 525_463_029;
const adsets = new Map(['1210', '2311', '3412'].map((digits) => [digits, randomUUID()]));

const shownAd = (over: Partial<ShownAd> = {}): ShownAd => ({
  framework: 'skadnetwork',
  version: '4.0',
  networkId: OURS,
  sourceIdentifier: '1210',
  itemId: ITEM,
  sourceAppId: 99,
  fidelity: 1,
  atMs: START_MS,
  ...over,
});

test('the highest fidelity wins over both frameworks, then the newest; five other networks lose', () => {
  const at = (hours: number) => START_MS - hours * HOUR_MS;
  const others = Array.from({ length: 8 }, (_, index) =>
    shownAd({ networkId: `n${index}.skadnetwork`, fidelity: 0, atMs: at(index + 2) }),
  );
  const click = shownAd({ framework: 'adattributionkit', atMs: at(40) });
  const shown = [
    shownAd({ atMs: at(50) }),
    click,
    shownAd({ networkId: OTHERS[0]!, fidelity: 0, atMs: at(1) }),
    ...others,
    // A day is the longest for a view, and another app counts nothing.
    shownAd({ networkId: 'late.skadnetwork', fidelity: 0, atMs: at(25) }),
    shownAd({ networkId: 'other.skadnetwork', itemId: 1, atMs: at(1) }),
  ];
  const attribution = attribute(shown, ITEM, START_MS)!;
  expect(attribution.winner).toBe(click);
  expect(attribution.losers.map(({ networkId }) => networkId)).toEqual([
    OTHERS[0],
    ...others.slice(0, 4).map(({ networkId }) => networkId),
  ]);
  expect(attribute(shown, ITEM, START_MS + 31 * DAY_MS)).toBeNull();
});

test.each([
  [3, ['1210', 5, null, 99], 2],
  [2, ['210', 5, null, null], 2],
  [1, ['10', null, 'high', null], 2],
  [0, ['10', null, null, null], 0],
] as const)('a crowd of tier %s tells as much as Apple says', (tier, first, later) => {
  const chance = { random: () => 0.5, newId: randomUUID };
  const [one, ...others] = postbacksOf([shownAd()], installOf(START_MS, { tier }), chance);
  expect([one!.digits, one!.fineValue, one!.coarseValue, one!.sourceAppId]).toEqual(first);
  expect(others.map(({ window, digits, coarseValue }) => [window, digits, coarseValue])).toEqual(
    [
      [1, '10', 'medium'],
      [2, '10', 'low'],
    ].slice(0, later),
  );
});

const installOf = (installedMs: number, over: Partial<Install> = {}): Install => ({
  itemId: ITEM,
  installedMs,
  launchedMs: installedMs,
  isRedownload: false,
  tier: 3,
  fineValue: 5,
  coarseValues: ['high', 'medium', 'low'],
  country: 'DE',
  ...over,
});

/** A person who saw ads of several networks and installed the app, or did not see ours in time. */
function person(random: () => number): { shown: ShownAd[]; install: Install } {
  const installedMs = START_MS + random() * 5 * DAY_MS;
  const coarse: readonly Coarse[] = ['low', 'medium', 'high'];
  const ads = Array.from({ length: 1 + Math.floor(random() * 8) }, () =>
    shownAd({
      framework: random() < 0.3 ? 'adattributionkit' : 'skadnetwork',
      version: '4.0',
      networkId: random() < 0.5 ? OURS : pick(random, OTHERS),
      sourceIdentifier: pick(random, [...adsets.keys()]),
      sourceAppId: pick(random, [98, 99]),
      fidelity: random() < 0.5 ? 0 : 1,
      atMs: installedMs - random() * 40 * DAY_MS,
    }),
  ).map((ad): ShownAd => (ad.framework === 'skadnetwork' && random() < 0.2 ? { ...ad, version: '3.0' } : ad));
  return {
    shown: ads,
    install: installOf(installedMs, {
      launchedMs: installedMs + random() * 70 * DAY_MS,
      isRedownload: random() < 0.2,
      tier: pick(random, [0, 1, 2, 3] as const),
      fineValue: Math.floor(random() * 64),
      coarseValues: [pick(random, coarse), pick(random, coarse), pick(random, coarse)],
    }),
  };
}

async function post(body: Record<string, unknown>, path: string): Promise<number> {
  const response = await app.http.inject({ method: 'POST', url: path, payload: body });
  return response.statusCode;
}

/** How often each combination occurs, as the report has it. */
function countsOf(postbacks: readonly ScheduledPostback[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { ad, digits, window, didWin, isRedownload, fineValue, coarseValue } of postbacks) {
    const [, adset] = [...adsets].find(([own]) => own.endsWith(digits))!;
    const value = fineValue ?? coarseValue;
    for (const key of [
      JSON.stringify([adset, String(window), didWin ? 'won' : 'lost', value === null ? null : String(value)]),
      JSON.stringify([
        ad.framework,
        ad.version === '3.0' || ad.framework === 'skadnetwork' ? ad.version : null,
      ]),
      JSON.stringify([String(ad.fidelity), isRedownload ? 'redownload' : 'download']),
    ])
      counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

test('what a population of devices counts is what the report says', async () => {
  app.clock.now = new Date(START_MS);
  const company = await app.freshCompany();
  const { db } = app.ctx;
  await make(company, '/app', iosAppBody(ITEM));
  await db
    .insertInto('skadnetwork_networks')
    .values({ id: OURS, public_key: testKey, private_key: null, iab_number: null })
    .execute();
  await db
    .insertInto('source_identifiers')
    .values(
      [...adsets].map(([digits, adset_uuid]) => ({
        uuid: randomUUID(),
        company_uuid: company.companyId,
        item_id: ITEM,
        number: Number(digits),
        adset_uuid,
        allocated_at: new Date(START_MS - DAY_MS),
      })),
    )
    .execute();
  const random = seededRandom(4);
  const outbox = new PostbackOutbox(privateKey);
  for (let count = 0; count < 150; count += 1) {
    const { shown, install } = person(random);
    outbox.add(
      postbacksOf(shown, install, { random, newId: randomUUID }).filter(({ ad }) => ad.networkId === OURS),
    );
  }
  for (let next = outbox.nextMs(); next !== null; next = outbox.nextMs()) {
    app.clock.now = new Date(next);
    await outbox.sendDue(next, async (body) => {
      // On its way some get lost, some come twice with another value, and a copy goes to the developer.
      const chance = random();
      if (chance < 0.1) return 503;
      const path = 'jws-string' in body ? 'appattribution' : 'skadnetwork';
      const copy = { ...body, 'conversion-value': 1 };
      const status = await post(body, '/skadnetwork/postback');
      if (chance < 0.3) await post(copy, `/.well-known/${path}/report-attribution/`);
      // Someone sends it again as if it had won or lost.
      if (chance > 0.9) await post({ ...body, 'did-win': body['did-win'] !== true }, '/skadnetwork/postback');
      return status;
    });
  }
  expect(outbox.delivered.length).toBeGreaterThan(100);
  expect(outbox.givenUp).toEqual([]);
  // The session of the company has not expired then.
  app.clock.now = new Date(START_MS);

  const reports = [];
  for (const by of [
    ['adset', 'window', 'result', 'value'],
    ['framework', 'version'],
    ['fidelity', 'conversion_type'],
  ]) {
    const { status, data } = await company.call('POST', '/analytics/skadnetwork', {
      start_date: '2026-03-01',
      end_date: '2026-12-31',
      by,
    });
    expect(status).toBe(200);
    expect(data.total.postbacks).toBe(outbox.delivered.length);
    reports.push(...data.rows);
  }
  const reported = reports.map(({ groups, postbacks }): [string, number] => [
    JSON.stringify(groups.map(({ key }: { key: string | null }) => key)),
    postbacks,
  ]);
  expect(new Map(reported)).toEqual(countsOf(outbox.delivered));
});
