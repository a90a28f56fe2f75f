import { describe, expect, test } from 'vitest';
import { appBody, changesOf, make, makeAdsetParts } from '@bidwell/testing/advertising';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';

const app = await testApp();
const caps = [
  { impressions: 3, minutes: 1440 },
  { impressions: 10, minutes: 10_080 },
];

/** Undoes a company's last update of an entity. */
async function undoLast(company: TestCompany, uuid: string): Promise<number> {
  const { data } = await company.call('GET', `/company/${company.companyId}/changes`);
  const last = data.changes.find(
    (change: { entity_uuid: string; action: string }) =>
      change.entity_uuid === uuid && change.action === 'update',
  );
  return (await company.call('POST', `/changes/${last.uuid}/undo`)).status;
}

describe.each(['adset', 'campaign'] as const)('frequency caps of one %s', (kind) => {
  const bodyOf = async (company: TestCompany) =>
    kind === 'adset'
      ? (await makeAdsetParts(app, company)).body
      : { name: 'Launch', app_uuid: await make(company, '/app', appBody()) };

  test('are none unless they are given, sorted, copied, changed and undone', async () => {
    const company = await app.freshCompany();
    const body = await bodyOf(company);
    const plain = await company.call('POST', `/${kind}`, body);
    expect(plain).toMatchObject({ status: 201, data: { frequency_caps: [] } });
    const made = await company.call('POST', `/${kind}`, { ...body, frequency_caps: caps.toReversed() });
    expect(made).toMatchObject({ status: 201, data: { frequency_caps: caps } });
    const path = `/${kind}/${made.data.uuid}`;
    expect((await company.call('POST', `${path}/duplicate`)).data.frequency_caps).toEqual(caps);
    expect((await company.call('PUT', path, { name: 'Renamed' })).data.frequency_caps).toEqual(caps);
    expect((await company.call('PUT', path, { frequency_caps: null })).data.frequency_caps).toEqual([]);
    const last = (await changesOf(app, company, made.data.uuid)).at(-1)!;
    expect(last.fields).toMatchObject([{ field: 'frequency_caps', before: caps, after: [] }]);
    expect(await undoLast(company, made.data.uuid)).toBe(200);
    expect((await company.call('GET', path)).data.frequency_caps).toEqual(caps);
  });

  test.each([
    [[...caps, { impressions: 4, minutes: 1440 }], 'Enter each time once'],
    [
      [
        { impressions: 3, minutes: 1440 },
        { impressions: 3, minutes: 60 },
      ],
      'A cap of a shorter time needs fewer impressions than one of a longer time',
    ],
    [[1, 2, 3, 4, 5, 6].map((count) => ({ impressions: count, minutes: count })), 'At most 5 frequency caps'],
    [[{ impressions: 0, minutes: 60 }], 'Enter 1 to 1\u00a0000 impressions'],
    [[{ impressions: 1001, minutes: 60 }], 'Enter 1 to 1\u00a0000 impressions'],
    [[{ impressions: 1, minutes: 0 }], 'Enter a time of 1 minute to 30 days'],
    [[{ impressions: 1, minutes: 43_201 }], 'Enter a time of 1 minute to 30 days'],
  ])('%j are rejected', async (frequency_caps, message) => {
    const company = await app.freshCompany();
    const response = await company.call('POST', `/${kind}`, { ...(await bodyOf(company)), frequency_caps });
    expect(response.status).toBe(422);
    expect(response.errors.map((error: { message: string }) => error.message)).toEqual([message]);
  });
});

test('an ad set bids for people without an id unless it skips them', async () => {
  const company = await app.freshCompany();
  const { body } = await makeAdsetParts(app, company);
  const made = await company.call('POST', '/adset', body);
  expect(made.data.people_without_id).toBe('bid');
  const path = `/adset/${made.data.uuid}`;
  const skipped = await company.call('PUT', path, { people_without_id: 'skip' });
  expect(skipped.data.people_without_id).toBe('skip');
  expect(await undoLast(company, made.data.uuid)).toBe(200);
  expect((await company.call('GET', path)).data.people_without_id).toBe('bid');
  const wrong = await company.call('PUT', path, { people_without_id: 'sometimes' });
  expect(wrong).toMatchObject({ status: 422, errors: [{ field: 'people_without_id' }] });
});
