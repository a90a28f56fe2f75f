import type { InjectOptions } from 'fastify';
import { appBody, linkBody, make, makeAdsetParts, targetBody } from './advertising.ts';
import { makeRunningCampaign, uploadBanner } from './bidding.ts';
import { solvedCaptcha } from './captcha.ts';
import { picture } from './pictures.ts';
import type { TestApp, TestCompany } from './test-app.ts';

const unknown = '01890000-0000-7000-8000-000000000000';
const range = { start_date: '2026-01-01', end_date: '2026-01-07' };

type Body = Record<string, unknown>;
/** A valid request; `parts` are sent as a multipart form. */
export interface Call {
  path: string;
  body?: Body;
  parts?: Record<string, string | { name: string; content: Buffer }>;
  cookies?: Record<string, string>;
}
export interface Case {
  /** Creates what the call needs and returns a call that succeeds. */
  good(company: TestCompany): Promise<Call> | Call;
  /** A call that answers 422; by default, each field of the body, or the query, has a wrong type. */
  invalid?(good: Call): Call;
  /** A call that answers 409 after `good`; by default, for calls that create, another body under the same key. */
  conflict?(good: Call, company: TestCompany): Promise<Call> | Call;
  /** A call that answers 404; by default, another company makes the same call. */
  nothing?(good: Call): Call;
  /** Further requests, by the status that the OpenAPI document lists. */
  others?: Partial<Record<number, (good: Call, company: TestCompany) => Promise<InjectOptions>>>;
}

const get = (path: string): Case => ({ good: () => ({ path }) });
const post = (path: string, body: Body): Case => ({ good: () => ({ path, body }) });

/** A case for a call on an entity that `made` creates. */
const onEntity = (
  path: string,
  made: (company: TestCompany) => Promise<string>,
  body?: Body,
  over: Partial<Case> = {},
): Case => ({
  good: async (company) => ({ path: `${path}/${await made(company)}`, ...(body && { body }) }),
  ...over,
});

let addresses = 0;
/** An IP address that no call came from yet. */
export const freshAddress = () => `10.1.${Math.floor((addresses += 1) / 250)}.${addresses % 250}`;

/** Cases for all operations of the document, by `METHOD /path/{template}`, for a server with `MODERATION=auto`. */
export function apiCases(app: TestApp): Record<string, Case> {
  const anApp = (company: TestCompany) => make(company, '/app', appBody());
  const aTarget = async (company: TestCompany) => make(company, '/target', targetBody(await anApp(company)));
  const aLink = async (company: TestCompany) =>
    make(company, '/tracking_link', linkBody(await anApp(company)));
  const aCreative = async (company: TestCompany) => uploadBanner(company, await anApp(company));
  const anAsset = async (company: TestCompany) => {
    const creative = await aCreative(company);
    const { data } = await company.call('GET', '/internal_creative');
    return (data.internal_creatives as { uuid: string; internal_creative: { uuid: string } }[]).find(
      ({ uuid }) => uuid === creative,
    )!.internal_creative.uuid;
  };
  const aFile = async (company: TestCompany) => {
    await aCreative(company);
    const { data } = await company.call('GET', '/internal_creative');
    const { url } = data.internal_creatives[0].internal_creative.banner as { url: string };
    return url.replace('/api/internal', '');
  };
  const aGroup = async (company: TestCompany) =>
    make(company, '/creative_group', { name: 'Group', banner_creatives: [await aCreative(company)] });
  const anAdset = async (company: TestCompany) =>
    make(company, '/adset', (await makeAdsetParts(app, company)).body);
  const aCampaign = async (company: TestCompany) =>
    make(company, '/campaign', { name: 'Campaign', app_uuid: await anApp(company) });
  const aTopUp = (company: TestCompany) => make(company, '/finance/top_up', { amount: 50 });
  const aReadyCampaign = async (company: TestCompany) => {
    const { campaignUuid } = await makeRunningCampaign(app, company);
    await company.call('POST', `/campaign/${campaignUuid}/pause`);
    return campaignUuid;
  };
  const group = async (company: TestCompany): Promise<Body> => ({
    name: 'Group',
    banner_creatives: [await aCreative(company)],
  });
  const usedApp = (field: 'target' | 'tracking_link') => async (_good: Call, company: TestCompany) => {
    const { targetUuid, linkUuid, body } = await makeAdsetParts(app, company);
    await make(company, '/adset', body);
    const uuid = field === 'target' ? targetUuid : linkUuid;
    return { path: `/${field}/${uuid}`, body: { app_id: await anApp(company) } };
  };

  const registration = (login: string) => ({
    login,
    email: 'new@example.com',
    password: 'correct horse',
    first_name: 'New',
    contact: 'none',
  });
  /** The cookie of a solved captcha. */
  async function captchaPass(): Promise<Record<string, string>> {
    const answer = await app.http.inject({
      method: 'POST',
      url: '/api/internal/captcha',
      payload: { captcha: await solvedCaptcha(app, undefined, freshAddress()) },
      remoteAddress: freshAddress(),
    });
    return { bidwell_captcha: answer.cookies.find(({ name }) => name === 'bidwell_captcha')!.value };
  }
  /** Makes `times` calls from one IP address and returns the next one, which the rate limit rejects. */
  const flooded = (request: () => InjectOptions, times: number) => async () => {
    const remoteAddress = freshAddress();
    for (let call = 0; call < times; call += 1) await app.http.inject({ ...request(), remoteAddress });
    return { ...request(), remoteAddress };
  };
  /** A case for a call that API tokens may make `times` times a minute. */
  const byScript = (call: Case, times = 60): Case => ({
    ...call,
    others: {
      429: async (good, company) => {
        const made = await company.call('POST', '/api_tokens', { name: 'Script' });
        const url = `/api/internal${good.path}`;
        const request: InjectOptions = {
          method: good.body ? 'POST' : 'GET',
          url,
          headers: { authorization: `Bearer ${made.data.token}` },
          ...(good.body && { payload: { start_date: 'never' } }),
        };
        const refused = good.body ? request : { ...request, url: url.split('?')[0]! };
        for (let n = 0; n < times; n += 1) await app.http.inject(refused);
        return request;
      },
    },
  });
  const loginOf = (company: TestCompany) =>
    app.engines.db
      .selectFrom('users')
      .select('login')
      .where('uuid', '=', company.userId)
      .executeTakeFirstOrThrow()
      .then(({ login }) => login);
  let logins = 0;
  const freshLogin = () =>
    `visitor.${String.fromCodePoint(97 + Math.floor((logins += 1) / 26), 97 + (logins % 26))}`;
  async function loggedIn(company: TestCompany): Promise<Call> {
    const payload = { login: await loginOf(company), password: 'correct horse' };
    const answer = await app.http.inject({
      method: 'POST',
      url: '/api/internal/login',
      payload,
      cookies: await captchaPass(),
      remoteAddress: freshAddress(),
    });
    const cookie = answer.cookies.find(({ name }) => name === 'bidwell_refresh_token')!;
    return { path: '', cookies: { bidwell_refresh_token: cookie.value } };
  }

  const inOperator = (
    path: (company: TestCompany) => Promise<string> | string,
    body?: Body,
    over: Partial<Case> = {},
  ): Case => ({
    good: async (company) => ({ path: await path(company), ...(body && { body }) }),
    nothing: (good) => ({ ...good, path: good.path.replace(/[\da-f]{8}-[\da-f-]{27}/, unknown) }),
    ...over,
  });
  const approval = { status: 'Approved' };

  /** Cases for archiving, restoring and deleting an entity; `used` creates one that cannot be deleted. */
  const archiving = (
    path: string,
    made: (company: TestCompany) => Promise<string>,
    used: (company: TestCompany) => Promise<string>,
    restoreOver: Partial<Case> = {},
  ): Record<string, Case> => ({
    [`POST /api/internal${path}/{uuid}/archive`]: {
      good: async (company) => ({ path: `${path}/${await made(company)}/archive` }),
    },
    [`POST /api/internal${path}/{uuid}/restore`]: {
      good: async (company) => ({ path: `${path}/${await made(company)}/restore` }),
      ...restoreOver,
    },
    [`DELETE /api/internal${path}/{uuid}`]: onEntity(path, made, undefined, {
      conflict: async (_good, company) => ({ path: `${path}/${await used(company)}` }),
    }),
  });
  const aRunning =
    (field: 'appUuid' | 'creativeUuid' | 'groupUuid' | 'adsetUuid' | 'campaignUuid') =>
    async (company: TestCompany) =>
      (await makeRunningCampaign(app, company))[field];
  const usedPart = (field: 'targetUuid' | 'linkUuid') => async (company: TestCompany) => {
    const parts = await makeAdsetParts(app, company);
    await make(company, '/adset', parts.body);
    return parts[field];
  };
  /** Restoring an archived creative whose app has the maximum number of others. */
  const fullOfCreatives: Partial<Case> = {
    conflict: async (good, company) => {
      const uuid = await aCreative(company);
      await company.call('POST', `/creative/${uuid}/archive`);
      const { app_uuid } = await app.engines.db
        .selectFrom('creatives')
        .select('app_uuid')
        .where('uuid', '=', uuid)
        .executeTakeFirstOrThrow();
      for (let n = 0; n < 20; n += 1) await uploadBanner(company, app_uuid);
      return { path: good.path.replace(/[\da-f]{8}-[\da-f-]{27}/, uuid) };
    },
  };

  /** One case per operation of the document. */
  const cases: Record<string, Case> = {
    'GET /api/internal/captcha': {
      ...get('/captcha'),
      others: { 429: flooded(() => ({ method: 'GET', url: '/api/internal/captcha' }), 61) },
    },
    'POST /api/internal/captcha': {
      good: async () => ({
        path: '/captcha',
        body: { captcha: await solvedCaptcha(app, undefined, freshAddress()) },
      }),
      others: {
        429: flooded(() => ({ method: 'POST', url: '/api/internal/captcha', payload: { captcha: 'x' } }), 61),
      },
    },
    'POST /api/internal/registration': {
      good: async () => ({
        path: '/registration',
        body: registration(freshLogin()),
        cookies: await captchaPass(),
      }),
      conflict: async (good) => ({ ...good, cookies: await captchaPass() }),
      others: {
        429: flooded(
          () => ({ method: 'POST', url: '/api/internal/registration', payload: registration('flood.er') }),
          61,
        ),
      },
    },
    'POST /api/internal/login': {
      good: async (company) => ({
        path: '/login',
        body: { login: await loginOf(company), password: 'correct horse' },
        cookies: await captchaPass(),
      }),
      others: {
        429: flooded(
          () => ({
            method: 'POST',
            url: '/api/internal/login',
            payload: { login: 'nobody.here', password: 'x' },
          }),
          61,
        ),
      },
    },
    'POST /api/internal/refresh-token': {
      good: async (company) => ({ ...(await loggedIn(company)), path: '/refresh-token' }),
      others: { 401: async () => ({ method: 'POST', url: '/api/internal/refresh-token' }) },
    },
    'POST /api/internal/logout': {
      good: async (company) => ({
        ...(await loggedIn(company)),
        path: '/logout',
        body: { everywhere: true },
      }),
    },
    'GET /api/internal/users/{user_id}': { good: ({ userId }) => ({ path: `/users/${userId}` }) },
    'PUT /api/internal/users/{user_id}': {
      good: ({ userId }) => ({
        path: `/users/${userId}`,
        body: { email: 'a@example.com', first_name: 'A', last_name: 'B', contact: 'c' },
      }),
      others: {
        413: async (good, company) =>
          multipart('PUT', good.path, company, {
            avatar: { name: 'a.png', content: Buffer.alloc(2.1 * 1024 * 1024) },
          }),
        429: async (good, company) => {
          const passwords = { password: 'battery staple', password_confirmation: 'battery staple' };
          const body = { ...good.body, ...passwords, current_password: 'a guess' };
          const guess = {
            method: 'PUT' as const,
            url: `/api/internal${good.path}`,
            payload: body,
            headers: { authorization: `Bearer ${company.token}` },
            remoteAddress: freshAddress(),
          };
          for (let n = 0; n < 10; n += 1) await app.http.inject(guess);
          return guess;
        },
      },
    },
    'GET /api/internal/app': get('/app'),
    'GET /api/internal/app/{uuid}': onEntity('/app', anApp),
    'POST /api/internal/app': {
      good: () => ({ path: '/app', body: appBody() }),
      conflict: (good) => ({ ...good, body: { ...good.body, name: 'Again' } }),
    },
    'POST /api/internal/app/parse': post('/app/parse', {
      link: 'https://play.google.com/store/apps/details?id=com.example.one',
    }),
    'PUT /api/internal/app/{uuid}': onEntity(
      '/app',
      anApp,
      { name: 'Renamed' },
      {
        conflict: async (good, company) => {
          const other = appBody();
          await make(company, '/app', other);
          return { ...good, body: { store_link: other.store_link } };
        },
      },
    ),
    'DELETE /api/internal/app/batch': {
      good: async (company) => ({ path: '/app/batch', body: { uuids: [await anApp(company)] } }),
      conflict: async (good, company) => {
        const { appUuid } = await makeRunningCampaign(app, company);
        return { ...good, body: { uuids: [appUuid] } };
      },
    },
    'GET /api/internal/adset': get('/adset'),
    'GET /api/internal/adset/{uuid}': onEntity('/adset', anAdset),
    'POST /api/internal/adset': {
      good: async (company) => ({ path: '/adset', body: (await makeAdsetParts(app, company)).body }),
    },
    'PUT /api/internal/adset/{uuid}': onEntity('/adset', anAdset, { name: 'Renamed' }),
    'GET /api/internal/campaign': get('/campaign'),
    'GET /api/internal/campaign/{uuid}': onEntity('/campaign', aCampaign),
    'POST /api/internal/campaign': {
      good: async (company) => ({
        path: '/campaign',
        body: { name: 'Campaign', app_uuid: await anApp(company) },
      }),
    },
    'PUT /api/internal/campaign/{uuid}': onEntity('/campaign', aCampaign, {
      name: 'Renamed',
      adset_uuids: [],
    }),
    'POST /api/internal/campaign/{uuid}/start': {
      good: async (company) => ({ path: `/campaign/${await aReadyCampaign(company)}/start` }),
      conflict: async (_good, company) => ({ path: `/campaign/${await aCampaign(company)}/start` }),
    },
    'POST /api/internal/campaign/{uuid}/pause': {
      good: async (company) => ({ path: `/campaign/${await aCampaign(company)}/pause` }),
    },
    'GET /api/internal/company/{uid}/changes': {
      good: ({ companyId }) => ({ path: `/company/${companyId}/changes` }),
    },
    'GET /api/internal/internal_creative_group': get('/internal_creative_group'),
    'GET /api/internal/internal_creative_group/{uuid}': onEntity('/internal_creative_group', aGroup),
    'POST /api/internal/internal_creative_group': {
      good: async (company) => ({ path: '/internal_creative_group', body: await group(company) }),
    },
    'PUT /api/internal/internal_creative_group/{uuid}': onEntity('/internal_creative_group', aGroup, {
      name: 'New',
    }),
    'POST /api/internal/creative_group': {
      good: async (company) => ({ path: '/creative_group', body: await group(company) }),
    },
    'PUT /api/internal/creative_group/{uuid}': onEntity('/creative_group', aGroup, { name: 'New' }),
    'GET /api/internal/internal_creative': get('/internal_creative'),
    'POST /api/internal/v2/internal_creative': {
      good: async (company) => ({
        path: '/v2/internal_creative',
        parts: {
          name: 'Banner',
          type: 'Banner',
          app_id: await anApp(company),
          banner: { name: 'banner.png', content: await picture(320, 50) },
        },
      }),
      invalid: (good) => ({ ...good, parts: { ...good.parts, name: '' } }),
      others: {
        413: async (good, company) => {
          const banner = { name: 'banner.png', content: Buffer.alloc(5.1 * 1024 * 1024) };
          return multipart('POST', good.path, company, { ...good.parts, banner });
        },
      },
    },
    'PUT /api/internal/internal_creative/{uuid}': onEntity('/internal_creative', anAsset, { name: 'New' }),
    'POST /api/internal/creative': {
      good: async (company) => {
        const { click_url, view_url } = linkBody('');
        return {
          path: '/creative',
          body: { internal_creative_uuid: await anAsset(company), click_url, view_url },
        };
      },
    },
    'PUT /api/internal/creative/{uuid}': onEntity('/creative', aCreative, { name: 'New' }),
    'GET /api/internal/file/{file}': {
      good: async (company) => ({ path: await aFile(company) }),
      invalid: ({ path }) => ({ path: `${path}?size=huge` }),
      others: {
        206: async (good, company) => read(good, company, { range: 'bytes=0-9' }),
        304: async (good, company) => {
          const { headers } = await app.http.inject(read(good, company, {}));
          return read(good, company, { 'if-none-match': String(headers.etag) });
        },
        416: async (good, company) => read(good, company, { range: 'bytes=99999999-' }),
      },
    },
    'GET /api/internal/file/{file}/preview': {
      good: async (company) => ({ path: `${await aFile(company)}/preview` }),
    },
    'GET /api/internal/banner': get('/banner'),
    'GET /api/internal/target': get('/target'),
    'GET /api/internal/target/{uuid}': onEntity('/target', aTarget),
    'POST /api/internal/target': {
      good: async (company) => ({ path: '/target', body: targetBody(await anApp(company)) }),
    },
    'PUT /api/internal/target/{uuid}': onEntity(
      '/target',
      aTarget,
      { name: 'New' },
      { conflict: usedApp('target') },
    ),
    'GET /api/internal/tracking_link': get('/tracking_link'),
    'GET /api/internal/tracking_link/{uuid}': onEntity('/tracking_link', aLink),
    'POST /api/internal/tracking_link': {
      good: async (company) => ({ path: '/tracking_link', body: linkBody(await anApp(company)) }),
    },
    'PUT /api/internal/tracking_link/{uuid}': onEntity(
      '/tracking_link',
      aLink,
      { name: 'New' },
      {
        conflict: usedApp('tracking_link'),
      },
    ),
    ...archiving('/app', anApp, aRunning('appUuid')),
    ...archiving('/internal_creative', anAsset, aRunning('creativeUuid'), fullOfCreatives),
    ...archiving('/creative', aCreative, aRunning('creativeUuid'), fullOfCreatives),
    ...archiving('/internal_creative_group', aGroup, aRunning('groupUuid')),
    ...archiving('/creative_group', aGroup, aRunning('groupUuid')),
    ...archiving('/target', aTarget, usedPart('targetUuid')),
    ...archiving('/tracking_link', aLink, usedPart('linkUuid')),
    ...archiving('/adset', anAdset, aRunning('adsetUuid')),
    ...archiving('/campaign', aCampaign, aRunning('campaignUuid')),
    'GET /api/internal/v2/analytics/highlight': byScript(
      get(`/v2/analytics/highlight?start_date=${range.start_date}&end_date=${range.end_date}`),
    ),
    'POST /api/internal/analytics/bundle': byScript(post('/analytics/bundle', range)),
    'POST /api/internal/analytics/level': byScript(
      post('/analytics/level', { ...range, levels: { adset: '' } }),
    ),
    'POST /api/internal/analytics/export': byScript(
      post('/analytics/export', { ...range, levels: { adset: '' } }),
      10,
    ),
    'GET /api/internal/analytics/events': byScript(get(`/analytics/events?date=${range.start_date}`), 10),
    'GET /api/internal/api_tokens': get('/api_tokens'),
    'POST /api/internal/api_tokens': {
      ...post('/api_tokens', { name: 'Script' }),
      conflict: async (good, company) => {
        for (let n = 0; n < 50; n += 1) await company.call('POST', good.path, good.body);
        return good;
      },
    },
    'DELETE /api/internal/api_tokens/{uuid}': onEntity('/api_tokens', (company) =>
      make(company, '/api_tokens', { name: 'Script' }),
    ),
    'GET /api/internal/finance/balance': get('/finance/balance'),
    'GET /api/internal/finance/transactions': get('/finance/transactions'),
    'POST /api/internal/finance/top_up': post('/finance/top_up', { amount: 20 }),
    'GET /api/internal/notifications': get('/notifications'),
    'GET /api/internal/postbacks': get('/postbacks'),
    'POST /api/internal/postbacks/secret': post('/postbacks/secret', {}),
    'PUT /api/internal/postbacks/{mmp}': {
      ...post('/postbacks/adjust', { networks: ['198.51.100.7'] }),
      nothing: (good) => ({ ...good, path: '/postbacks/nobody' }),
    },
    'PATCH /api/internal/notifications': post('/notifications', { ids: [unknown] }),
    ...Object.fromEntries(
      [
        'sub_region',
        'languages',
        'connection_types',
        'device_types',
        'store_genres',
        'iab_categories',
        'phone_models',
        'operating_systems',
        'algorithms',
        'ssps',
      ].map((name) => [`GET /api/internal/${name}`, get(`/${name}`)]),
    ),
    'GET /api/operator/companies': get('/companies'),
    'GET /api/operator/companies/{uuid}': inOperator(({ companyId }) => `/companies/${companyId}`),
    'POST /api/operator/companies/{uuid}/credit': inOperator(
      ({ companyId }) => `/companies/${companyId}/credit`,
      {
        amount: 10,
        reason: 'Test',
      },
    ),
    'POST /api/operator/companies/{uuid}/debit': inOperator(
      async (company) => {
        await app.operator('POST', `/companies/${company.companyId}/credit`, { amount: 10, reason: 'Test' });
        return `/companies/${company.companyId}/debit`;
      },
      { amount: 10, reason: 'Test' },
      { conflict: (good) => good },
    ),
    'PUT /api/operator/companies/{uuid}/suspension': inOperator(
      ({ companyId }) => `/companies/${companyId}/suspension`,
      { suspended: true },
    ),
    'GET /api/operator/moderation': get('/moderation'),
    'POST /api/operator/apps/{uuid}/decision': inOperator(
      async (company) => `/apps/${await anApp(company)}/decision`,
      approval,
    ),
    'POST /api/operator/creatives/{uuid}/decision': inOperator(
      async (company) => `/creatives/${await aCreative(company)}/decision`,
      approval,
    ),
    'POST /api/operator/creative_groups/{uuid}/decision': inOperator(
      async (company) => `/creative_groups/${await aGroup(company)}/decision`,
      approval,
    ),
    'POST /api/operator/tracking_links/{uuid}/decision': inOperator(
      async (company) => `/tracking_links/${await aLink(company)}/decision`,
      approval,
    ),
    'GET /api/operator/top-ups': get('/top-ups'),
    'POST /api/operator/top-ups/{uuid}/decision': inOperator(
      async (company) => `/top-ups/${await aTopUp(company)}/decision`,
      { status: 'success' },
      { conflict: (good) => good },
    ),
    'GET /api/operator/ledger/check': get('/ledger/check'),
    'GET /api/operator/unreadable-prices': {
      ...get('/unreadable-prices'),
      invalid: (good) => ({ path: `${good.path}?days=always` }),
    },
    'GET /api/operator/rates': get('/rates'),
    'PUT /api/operator/rates/{currency}': inOperator(
      () => '/rates/EUR',
      { dollars: 1.08 },
      { nothing: (good) => ({ ...good, path: '/rates/euro' }) },
    ),
    'GET /api/operator/ssps': get('/ssps'),
    'PUT /api/operator/ssps/{slug}': inOperator(
      () => '/ssps/example',
      { name: 'Example' },
      {
        nothing: (good) => ({ ...good, path: '/ssps/NO%20SLUG' }),
      },
    ),
    'POST /api/operator/ssps/{slug}/rotate': inOperator(
      async () => {
        await app.operator('PUT', '/ssps/example', { name: 'Example' });
        return '/ssps/example/rotate';
      },
      {},
      {
        invalid: (good) => ({ ...good, body: { end_old: 'perhaps' } }),
        nothing: (good) => ({ ...good, path: '/ssps/nobody/rotate' }),
      },
    ),
  };
  return cases;
}

export async function multipart(
  method: string,
  path: string,
  company: TestCompany,
  parts: NonNullable<Call['parts']>,
  headers: Record<string, string> = {},
): Promise<InjectOptions> {
  const data = new FormData();
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === 'string') data.append(name, part);
    else data.append(name, new Blob([new Uint8Array(part.content)]), part.name);
  }
  const request = new Request('http://bidwell.test', { method: 'POST', body: data });
  return {
    method: method as 'POST',
    url: `/api/internal${path}`,
    payload: Buffer.from(await request.arrayBuffer()),
    headers: {
      authorization: `Bearer ${company.token}`,
      'content-type': request.headers.get('content-type')!,
      ...headers,
    },
  };
}

function read(good: Call, company: TestCompany, headers: Record<string, string>): InjectOptions {
  return {
    method: 'GET',
    url: `/api/internal${good.path}`,
    headers: { authorization: `Bearer ${company.token}`, ...headers },
  };
}
