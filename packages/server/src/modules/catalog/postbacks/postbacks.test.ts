import { MMPS } from '@bidwell/contract/apps/fields';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { BidRef } from '../../../delivery/model/event.ts';
import { pathOf, sampleRef } from '../../../delivery/trackers/sample-ref.ts';
import { createSigner } from '../../../delivery/trackers/signer.ts';
import { changesOf } from '@bidwell/testing/advertising';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';

const app = await testApp({}, undefined, { postbackAnswerMs: () => 2 ** 31 - 1 });
const signer = createSigner(app.ctx.config.signingSecret, 'http://bidwell.test');

/** A bid of the company with a click. */
async function clickedRef({ companyId }: { companyId: string }) {
  const ref = sampleRef({ companyId });
  await app.http.inject({ url: pathOf(signer.urlsFor(ref).click), headers: { 'user-agent': 'Phone/1.0' } });
  return ref;
}

test("the addresses of each partner contain the company's secret and the macros of the partner", async () => {
  const company = await app.freshCompany();
  const { status, data, headers } = await company.call('GET', '/postbacks');
  expect(status).toBe(200);
  expect(headers['cache-control']).toBe('no-store');
  const own = (await app.operator('GET', `/companies/${company.companyId}`)).data.postback_secret;
  expect(data.secret).toBe(own);
  const of = (mmp: string) => data.templates.filter((one: { mmp: string }) => one.mmp === mmp);
  const [linkCallback, ...others] = of('adjust');
  for (const { mmp, value } of [...MMPS.filter((one) => one !== 'adjust').flatMap(of), ...others])
    expect(value).toMatch(new RegExp(`^http://bidwell\\.test/postback/${mmp}/${own}[?/]`));
  expect(of('appsflyer')[0]).toMatchObject({ purpose: 'Install postback' });
  expect(of('appsflyer')[0].value).toContain('click_id=(clickid)');
  expect(of('appsflyer')[3]).toEqual({
    mmp: 'appsflyer',
    purpose: 'Push API',
    value: `http://bidwell.test/postback/appsflyer/${own}/push`,
  });
  expect(of('appmetrica')[1].value).toContain('event_name={conversion_event_name}');
  expect(of('branch')[1].value).toContain('revenue=${(event_data.revenue)!}');
  // A parameter without a macro of the partner is left out.
  expect(of('kochava')[1].value).not.toContain('currency');
  // Devices see the link, so its callback contains a macro for a token of one click instead of the secret.
  expect(linkCallback.value).not.toContain(own);
  expect(linkCallback.value).toMatch(
    /^install_callback=http%3A.*%2Fpostback%2Fadjust%2Fclick%2F\{install_token\}%3Factivity_kind%3D%7Bactivity_kind%7D/,
  );
});

test('each address works once its macros are filled', async () => {
  const company = await app.freshCompany();
  const { data } = await company.call('GET', '/postbacks');
  /** Fills an address in for a click, and calls it. */
  const outcomeOf = async (value: string, kind: string, ref: BidRef): Promise<string> => {
    const happened: Record<string, string> = {
      click_id: signer.clickIdFor(ref),
      activity_kind: { Install: 'install', Rejected: 'rejected_install', Event: 'event' }[kind]!,
      event_name: kind === 'Event' ? 'purchase' : 'install',
    };
    // Adjust takes the callback address from the click link, and fills in what happened.
    const address = value.startsWith('install_callback=')
      ? decodeURIComponent(value.slice(value.indexOf('=') + 1)).replace(
          '{install_token}',
          signer.installTokenFor(ref),
        )
      : value;
    // A macro of Singular has a '?' too.
    const [, path, query] = /^http:\/\/bidwell\.test(.*?)\?(.*)$/.exec(address)!;
    const parameters = query!.split('&').map((pair): [string, string] => {
      const [name = '', macro = ''] = pair.split('=');
      return [name, /[({]/.test(macro) ? (happened[name] ?? '') : macro];
    });
    const response = await app.http.inject(`${path}?${new URLSearchParams(parameters).toString()}`);
    expect(response.statusCode).toBe(200);
    return response.json().data.outcome;
  };
  const outcomes = await Promise.all(
    MMPS.map(async (mmp) => {
      const found: string[] = [];
      let installed: BidRef | undefined;
      // The Push API has no macros.
      const filled = data.templates.filter(
        (one: { mmp: string; purpose: string }) => one.mmp === mmp && one.purpose !== 'Push API',
      );
      for (const { purpose, value } of filled) {
        const kind = /^(Install|Rejected)/.exec(purpose)?.[1] ?? 'Event';
        // Each takes back the install that the partner reported before: without one it may wait for another tracker.
        const ref = (kind === 'Rejected' && installed) || (await clickedRef(company));
        if (kind === 'Install') installed = ref;
        found.push(`${mmp} ${await outcomeOf(value, kind, ref)}`);
      }
      return found;
    }),
  );
  expect(outcomes.flat()).toEqual([
    'appsflyer stored',
    'appsflyer stored',
    'appsflyer taken_back',
    'adjust stored',
    'adjust stored',
    'adjust taken_back',
    'adjust stored',
    'appmetrica stored',
    'appmetrica stored',
    'appmetrica stored',
    'appmetrica stored',
    'singular stored',
    'singular stored',
    'branch stored',
    'branch stored',
    'kochava stored',
    'kochava stored',
    'tenjin stored',
    'tenjin stored',
    'other stored',
    'other stored',
    'other taken_back',
  ]);
});

test('a postback without a click of the company is stored and visible to that company only', async () => {
  const company = await app.freshCompany();
  const other = await app.freshCompany();
  const { data } = await company.call('GET', '/postbacks');
  await app.http.inject(`/postback/adjust/${data.secret}?click_id=somebody&country=DE`);
  await app.settled();
  const { data: after } = await company.call('GET', '/postbacks');
  expect(after.counts).toEqual([{ mmp: 'adjust', outcome: 'unknown_click', reason: '', count: 1 }]);
  expect(after.unknown).toMatchObject([{ mmp: 'adjust', outcome: 'unknown_click', click_id: 'somebody' }]);
  expect(JSON.parse(after.unknown[0].parameters)).toEqual({ click_id: 'somebody', country: 'DE' });
  expect((await other.call('GET', '/postbacks')).data).toMatchObject({ counts: [], unknown: [] });
});

test('a leaked secret is replaced, the old one expires after a day, and the change is logged', async () => {
  const company = await app.freshCompany();
  const leaked = (await company.call('GET', '/postbacks')).data.secret;
  const rotated = await company.call('POST', '/postbacks/secret');
  expect(rotated.status).toBe(200);
  const { secret, previous_secret_until: until } = rotated.data;
  expect(secret).not.toBe(leaked);
  const DAY_MS = 24 * 3_600_000;
  expect(new Date(until).getTime()).toBe(app.clock.now.getTime() + DAY_MS);
  const statusOf = async (of: string, mmp: string) =>
    (await app.http.inject(`/postback/${mmp}/${of}?event_name=test`)).statusCode;
  // The leaked secret has not been used before, so no cache holds it.
  await app.after(DAY_MS + 1000, async () => {
    expect(await statusOf(leaked, 'appsflyer')).toBe(404);
    expect(await statusOf(secret, 'appsflyer')).toBe(200);
  });
  const [change] = await changesOf(app, company, company.companyId);
  expect(change).toMatchObject({
    entity_type: 'company',
    action: 'update',
    fields: [{ field: 'postback_secret_rotated_at', before: null }],
  });
  expect(JSON.stringify(change)).not.toContain(leaked);
  expect(JSON.stringify(change)).not.toContain(secret);
});

test('a replaced secret still counts installs for a day', async () => {
  const company = await app.freshCompany();
  const ref = await clickedRef(company);
  const { secret } = (await company.call('GET', '/postbacks')).data;
  await company.call('POST', '/postbacks/secret');
  const response = await app.http.inject(`/postback/appmetrica/${secret}?click_id=${signer.clickIdFor(ref)}`);
  expect(response.json()).toEqual({ data: { outcome: 'stored' } });
});

test('settings to check a partner are stored, never returned in full, and logged without the secret', async () => {
  const company = await app.freshCompany();
  const key = 'the signing secret of Adjust';
  const set = await company.call('PUT', '/postbacks/adjust', {
    networks: ['198.51.100.7', '2001:db8::/32'],
    secret: key,
  });
  expect(set).toMatchObject({
    status: 200,
    data: { mmp: 'adjust', networks: ['198.51.100.7', '2001:db8::/32'], secret_ending: 'just' },
  });
  // Fields that are not given stay as they are.
  await company.call('PUT', '/postbacks/adjust', { networks: [] });
  const { data } = await company.call('GET', '/postbacks');
  expect(data.sources).toEqual(
    MMPS.map((mmp) => ({ mmp, networks: [], secret_ending: mmp === 'adjust' ? 'just' : null })),
  );
  const changes = await changesOf(app, company, company.companyId);
  expect(JSON.stringify([data, changes])).not.toContain(key);
  expect(changes[0]!.fields.map(({ field }: { field: string }) => field)).toEqual([
    'postback_networks_adjust',
    'postback_secret_ending_adjust',
  ]);
  const removed = await company.call('PUT', '/postbacks/adjust', { secret: null });
  expect(removed.data.secret_ending).toBeNull();
});

test.each(['everywhere', '198.51.100.0/33', '198.51.100.0/24/8', '198.51.100.0/', '::/0'])(
  'the network "%s" is rejected, at its field',
  async (network) => {
    const company = await app.freshCompany();
    const response = await company.call('PUT', '/postbacks/appsflyer', {
      networks: ['198.51.100.7', network],
    });
    expect(response.status).toBe(422);
    expect(response.errors).toMatchObject([{ field: 'networks.1' }]);
  },
);

test('a signing secret that is truncated within a surrogate pair is stored', async () => {
  const company = await app.freshCompany();
  const response = await company.call('PUT', '/postbacks/adjust', { secret: 'a long secret 😀😀x' });
  expect(response).toMatchObject({ status: 200, data: { secret_ending: '😀x' } });
});

/** Connects the server's public address with the server, as a network does; `change` is a proxy between them. */
function connect(
  change: (url: URL, headers: Headers) => void = () => {},
  remoteAddress = '203.0.113.9',
): void {
  vi.stubGlobal('fetch', async (address: URL, init: RequestInit) => {
    const url = new URL(address);
    const headers = new Headers(init.headers);
    change(url, headers);
    const { statusCode, body } = await app.http.inject({
      url: url.pathname + url.search,
      headers: Object.fromEntries(headers),
      remoteAddress,
    });
    return new Response(body, { status: statusCode });
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
}

interface TestStep {
  step: string;
  result: string;
  text: string;
}
/** Sends a test install and returns the result of each step, and the sentences by step. */
async function tested(company: TestCompany, mmp: string) {
  const response = await company.call('POST', `/postbacks/${mmp}/test`);
  expect(response.status).toBe(200);
  const steps: TestStep[] = response.data.steps;
  return {
    address: response.data.address as string,
    results: Object.fromEntries(steps.map(({ step, result }) => [step, result])),
    texts: Object.fromEntries(steps.map(({ step, text }) => [step, text])),
  };
}

const allPassed = {
  address: 'passed',
  secret: 'passed',
  credential: 'passed',
  network: 'passed',
  click: 'passed',
  install: 'passed',
};

test.each(MMPS)(
  'a test install of %s passes each check that the company configured, and nothing is stored',
  async (mmp) => {
    connect();
    const company = await app.freshCompany();
    const plain = await tested(company, mmp);
    expect(plain.results).toEqual({ ...allPassed, credential: 'skipped', network: 'skipped' });
    for (const secret of ['the key of the partner', 'a key with ünusual letters']) {
      await company.call('PUT', `/postbacks/${mmp}`, { networks: ['203.0.113.0/24'], secret });
      const { results, address } = await tested(company, mmp);
      expect(results).toEqual(allPassed);
      const own = (await company.call('GET', '/postbacks')).data.secret;
      expect(address).toMatch(new RegExp(`^http://bidwell.test/postback/${mmp}/SECRET_REMOVED\\?`));
      expect(address).not.toContain(own);
      expect(decodeURIComponent(address.replaceAll('+', ' '))).not.toContain(secret);
    }
    await app.settled();
    const { data } = await company.call('GET', '/postbacks');
    expect(data).toMatchObject({ counts: [], unknown: [] });
    const [stored] = await app.ctx.clickhouse.query<{ events: number }>(
      'select count() as events from events where company_id = {company:UUID}',
      { company: company.companyId },
    );
    expect(stored!.events).toBe(0);
    const changes = await changesOf(app, company, company.companyId);
    expect(changes).toHaveLength(2);
  },
);

test('a test install shows a proxy that removes the token, and one that removes the click', async () => {
  const company = await app.freshCompany();
  await company.call('PUT', '/postbacks/appsflyer', { secret: 'a token of AppsFlyer' });
  connect((_url, headers) => headers.delete('authentication'));
  const token = await tested(company, 'appsflyer');
  expect(token.results).toMatchObject({ secret: 'passed', credential: 'failed', install: 'skipped' });
  expect(token.texts.credential).toContain('“authentication”');
  connect((url) => url.searchParams.delete('click_id'));
  const click = await tested(company, 'appsflyer');
  expect(click.results).toMatchObject({ secret: 'passed', click: 'failed', install: 'skipped' });
});

test('a test install from another network than the configured one says from where it came', async () => {
  connect(undefined, '192.0.2.77');
  const company = await app.freshCompany();
  await company.call('PUT', '/postbacks/adjust', { networks: ['198.51.100.7'] });
  const { results, texts } = await tested(company, 'adjust');
  expect(results).toMatchObject({ network: 'skipped', install: 'passed' });
  expect(texts.network).toContain('192.0.2.77');
});

test.each([
  [
    'another installation',
    async () => app.http.inject('/postback/adjust/unknown'),
    'secret',
    'does not know',
  ],
  [
    'a redirect',
    () => ({ statusCode: 301, body: '', location: 'https://other.test/' }),
    'address',
    'https://other.test/',
  ],
  ['another server', () => ({ statusCode: 200, body: '<html>' }), 'address', 'status 200'],
  ['a long page', () => ({ statusCode: 404, body: 'x'.repeat(100_000) }), 'address', 'status 404'],
  ['nothing', () => Promise.reject(new TypeError('fetch failed')), 'address', 'could not be reached'],
  [
    'nothing in time',
    () => Promise.reject(new DOMException('too late', 'TimeoutError')),
    'address',
    'within 5 seconds',
  ],
])('a test install says that %s is at the address', async (_what, reply, step, sentence) => {
  vi.stubGlobal('fetch', async () => {
    const sent: { statusCode: number; body: string; location?: string } = await reply();
    const headers = new Headers(sent.location ? { location: sent.location } : undefined);
    return new Response(sent.body, { status: sent.statusCode, headers });
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  const { results, texts } = await tested(await app.freshCompany(), 'adjust');
  expect(results).toMatchObject({ [step]: 'failed', credential: 'skipped', install: 'skipped' });
  expect(texts[step]).toContain(sentence);
});

test("a test click of one company counts nothing at another's address", async () => {
  const [company, other] = [await app.freshCompany(), await app.freshCompany()];
  const { secret } = (await other.call('GET', '/postbacks')).data;
  connect((url) => {
    url.pathname = `/postback/appmetrica/${secret}`;
  });
  expect((await tested(company, 'appmetrica')).results).toMatchObject({
    click: 'failed',
    install: 'skipped',
  });
});
