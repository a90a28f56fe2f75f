import { expect, test } from 'vitest';
import { make, makeAdsetParts } from '@bidwell/testing/advertising';
import { testApp } from '@bidwell/testing/test-app';

const app = await testApp();

test('a campaign is of acquisition unless it is created as another kind, which its copy has and no update changes', async () => {
  const company = await app.freshCompany();
  const { appUuid } = await makeAdsetParts(app, company);
  const body = { name: 'Launch', app_uuid: appUuid };
  expect((await company.call('POST', '/campaign', body)).data).toMatchObject({ kind: 'acquisition' });
  const uuid = await make(company, '/campaign', { ...body, kind: 're_engagement' });
  expect((await company.call('GET', `/campaign/${uuid}`)).data).toMatchObject({ kind: 're_engagement' });
  expect((await company.call('POST', `/campaign/${uuid}/duplicate`)).data).toMatchObject({
    kind: 're_engagement',
  });
  const same = await company.call('PUT', `/campaign/${uuid}`, { name: 'Back', kind: 're_engagement' });
  expect(same).toMatchObject({ status: 200, data: { name: 'Back', kind: 're_engagement' } });
  expect(await company.call('PUT', `/campaign/${uuid}`, { kind: 'acquisition' })).toMatchObject({
    status: 422,
    errors: [{ field: 'kind', message: 'The kind of a campaign cannot be changed: create another campaign' }],
  });
});

test('a re-engagement campaign has ad sets with Manual CPM alone', async () => {
  const company = await app.freshCompany();
  const { appUuid, body } = await makeAdsetParts(app, company);
  const message =
    'The ad set "First ad set" needs the bid strategy Manual CPM: the others learn from installs, which a re-engagement campaign does not buy';
  const learning = await make(company, '/adset', { ...body, algo: 'Max installs', daily_budget_const: 10 });
  const campaign = { name: 'Back', app_uuid: appUuid, kind: 're_engagement' };
  const refused = await company.call('POST', '/campaign', { ...campaign, adset_uuids: [learning] });
  expect(refused.errors).toEqual([{ field: 'adset_uuids', message }]);
  const manual = await make(company, '/adset', body);
  await make(company, '/campaign', { ...campaign, adset_uuids: [manual] });
  const changed = await company.call('PUT', `/adset/${manual}`, { algo: 'Max installs' });
  expect(changed).toMatchObject({ status: 422, errors: [{ field: 'algo', message }] });
});
