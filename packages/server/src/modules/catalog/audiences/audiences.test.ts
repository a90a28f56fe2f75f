import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { appBody, changesOf, make, makeAdsetParts } from '@bidwell/testing/advertising';
import { eventually } from '@bidwell/testing/eventually';
import { campaignOn, freshExchange } from '@bidwell/testing/exchange';
import { readAudience } from '../../../delivery/audiences/audience-file.ts';
import { hasDigest } from '../../../delivery/audiences/digest-search.ts';
import { digestOfId } from '../../../delivery/audiences/id-digest.ts';
import { v7 as uuidv7 } from 'uuid';
import { audienceMessages } from '@bidwell/contract/audiences/messages';
import { claimImport, setImport } from './store.ts';
import { eraseFromAudiences, hasUploadsFrom } from './erase-person.ts';
import { endMatchPeriods, makeInstalledAudiences, queueRefreshes } from './jobs.ts';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';

const app = await testApp({ MODERATION: 'auto' });

const idsOf = (count: number) => Array.from({ length: count }, () => randomUUID());

/** Waits for the import that an audience has, and returns the audience. */
async function imported(company: TestCompany, uuid: string) {
  return eventually(async () => {
    const { data } = await company.call('GET', `/audience/${uuid}`);
    expect(['waiting', 'running']).not.toContain(data.last_import?.state);
    expect(data.last_import).not.toBeNull();
    return data;
  });
}

/** Uploads a file in parts. */
async function uploadTo(
  company: TestCompany,
  uuid: string,
  content: string | Buffer,
  { mode = 'replace', partBytes = 1e6 }: { mode?: string; partBytes?: number } = {},
) {
  const bytes = Buffer.from(content);
  const begun = await company.call('POST', `/audience/${uuid}/upload`, { mode, bytes: bytes.length });
  const path = `/audience/${uuid}/upload/${begun.data.uuid}`;
  for (let offset = 0; offset < bytes.length; offset += partBytes) {
    const part = { name: 'part', content: bytes.subarray(offset, offset + partBytes) };
    expect((await company.upload('PUT', `${path}?offset=${offset}`, { part })).status).toBe(200);
  }
  expect((await company.call('POST', `${path}/finish`)).status).toBe(200);
  return imported(company, uuid);
}

test('a list is uploaded in parts, packed, and is resumed where a part was lost', async () => {
  const company = await app.freshCompany();
  const uuid = await make(company, '/audience', { name: 'Payers' });
  const ids = idsOf(500);
  const file = gzipSync(['MAID', ...ids, ids[0]!.toUpperCase(), 'no id'].join('\n'));
  const begun = await company.call('POST', `/audience/${uuid}/upload`, { bytes: file.length });
  const path = `/audience/${uuid}/upload/${begun.data.uuid}`;
  const send = (offset: number, end: number) =>
    company.upload('PUT', `${path}?offset=${offset}`, {
      part: { name: 'ids', content: file.subarray(offset, end) },
    });
  expect(await send(0, 1000)).toMatchObject({ status: 200, data: { received: 1000 } });
  expect(await send(0, 1000)).toMatchObject({ status: 200, data: { received: 1000 } });
  expect(await send(3000, 4000)).toMatchObject({
    status: 409,
    data: 'The server has 1\u00A0000 bytes of the upload: send the part that begins there',
  });
  expect(await company.call('POST', `${path}/finish`)).toMatchObject({ status: 409 });
  expect((await company.call('GET', path)).data).toMatchObject({ received: 1000, bytes: file.length });
  expect(await send(1000, file.length)).toMatchObject({ status: 200 });
  expect((await send(file.length, file.length + 1)).status).toBe(400);
  expect((await company.call('POST', `${path}/finish`)).data.import).toMatchObject({ source: 'upload' });
  expect(await imported(company, uuid)).toMatchObject({
    state: 'ready',
    size: 500,
    id_hash: 'sha256',
    last_import: {
      state: 'done',
      progress: 100,
      lines: 502,
      ids: 501,
      duplicates: 1,
      invalid: 1,
      invalid_lines: [{ line: 503, fault: 'no_id' }],
      size_before: 0,
      size_after: 500,
      error: null,
    },
  });
});

test('a company has a bounded number of unfinished uploads, and of bytes in them', async () => {
  const company = await app.freshCompany();
  const uuid = await make(company, '/audience', { name: 'Payers' });
  const begin = async (bytes: number) =>
    (await company.call('POST', `/audience/${uuid}/upload`, { bytes })).status;
  const largest = 2 * 1024 ** 3;
  expect([await begin(largest), await begin(largest - 1), await begin(1)]).toEqual([200, 200, 200]);
  const rejected = await company.call('POST', `/audience/${uuid}/upload`, { bytes: 1 });
  expect(rejected).toMatchObject({ status: 409 });
  expect(rejected.data).toContain('at most 20 unfinished uploads');
  expect((await company.call('POST', `/audience/${uuid}/ids`, { mode: 'add', ids: idsOf(1) })).status).toBe(
    409,
  );
  // Others are not held up by them.
  const other = await app.freshCompany();
  const theirs = await make(other, '/audience', { name: 'Payers' });
  const counts = await Promise.all(
    Array.from(
      { length: 21 },
      async () => (await other.call('POST', `/audience/${theirs}/upload`, { bytes: 1 })).status,
    ),
  );
  expect(counts.toSorted((a, b) => a - b)).toEqual([...Array.from({ length: 20 }, () => 200), 409]);
});

test('ids are added, removed and replaced by calls, and no fault empties the list', async () => {
  const company = await app.freshCompany();
  const uuid = await make(company, '/audience', { name: 'Payers' });
  const ids = idsOf(10);
  const send = async (mode: string, given: string[]) => {
    const { status } = await company.call('POST', `/audience/${uuid}/ids`, { mode, ids: given });
    expect(status).toBe(200);
    return imported(company, uuid);
  };
  expect(await send('add', ids)).toMatchObject({ size: 10, state: 'ready' });
  expect(await send('remove', ids.slice(0, 3))).toMatchObject({ size: 7 });
  expect(await send('replace', ids.slice(0, 4))).toMatchObject({ size: 4 });
  const zeros = '00000000-0000-0000-0000-000000000000';
  expect(await send('replace', [zeros, zeros])).toMatchObject({
    size: 4,
    state: 'failed',
    last_import: {
      state: 'failed',
      error: 'None of the 2 lines has an id that can be read. Line 1: an id of zeros',
    },
  });
  const md5 = createHash('sha1').update(ids[0]!).digest('hex');
  expect(await send('add', [md5])).toMatchObject({
    size: 4,
    last_import: {
      error:
        'The audience has plain or SHA-256 ids and the file SHA-1 ids: replace the audience, or send the same kind',
    },
  });
  expect((await company.call('GET', `/audience/${uuid}/imports`)).data.imports).toHaveLength(5);
  expect(await uploadTo(company, uuid, ids.join('\r\n'), { partBytes: 100 })).toMatchObject({ size: 10 });
});

test('an import says how many ids the audience had before, also one that replaces them or fails', async () => {
  const company = await app.freshCompany();
  const uuid = await make(company, '/audience', { name: 'Payers' });
  const sizesAfter = async (ids: string[]) => {
    await company.call('POST', `/audience/${uuid}/ids`, { mode: 'replace', ids });
    const { last_import: last } = await imported(company, uuid);
    return [last.state, last.size_before, last.size_after];
  };
  expect(await sizesAfter(idsOf(10))).toEqual(['done', 0, 10]);
  expect(await sizesAfter(idsOf(4))).toEqual(['done', 10, 4]);
  const zeros = '00000000-0000-0000-0000-000000000000';
  expect(await sizesAfter([zeros, zeros])).toEqual(['failed', 4, 4]);
});

test('an upload of an empty file is refused as that', async () => {
  const company = await app.freshCompany();
  const uuid = await make(company, '/audience', { name: 'Payers' });
  const { status, errors } = await company.call('POST', `/audience/${uuid}/upload`, { bytes: 0 });
  expect([status, errors]).toEqual([422, [{ field: 'bytes', message: 'The file is empty' }]]);
});

test('a call with an entry that is no id is refused, and names it', async () => {
  const company = await app.freshCompany();
  const uuid = await make(company, '/audience', { name: 'Payers' });
  const send = async (ids: string[]) => company.call('POST', `/audience/${uuid}/ids`, { mode: 'add', ids });
  const [id] = idsOf(1) as [string];
  const message = '“ada@example.com” is no advertising id, and no MD5, SHA-1 or SHA-256 of one';
  expect(await send([id, 'ada@example.com', `{${id}}`, ''])).toMatchObject({
    status: 422,
    data: message,
    errors: [{ field: 'ids.1', message }, { field: 'ids.3' }],
  });
  expect((await send(Array.from({ length: 50 }, () => 'x'))).errors).toHaveLength(10);
  expect(await send([])).toMatchObject({ status: 422, data: 'Send at least one id' });
  expect(await send(Array.from({ length: 10_001 }, () => id))).toMatchObject({
    status: 422,
    data: 'At most 10\u00A0000 ids in one call: upload a file of more',
  });
  expect((await company.call('GET', `/audience/${uuid}/imports`)).data.imports).toEqual([]);
});

/** The imports that lanes claim one after another, in a transaction that is undone: the imports of this process do not see them. */
async function claimedOf(
  rows: readonly object[],
  steps: readonly ('short' | 'long' | 'fetched' | { done: string })[],
  now: Date,
) {
  const claimed: (string | undefined)[] = [];
  const undone = app.ctx.db.transaction().execute(async (db) => {
    await db
      .insertInto('audience_imports')
      .values(rows as never)
      .execute();
    for (const step of steps)
      if (typeof step === 'string') {
        const until = new Date(now.getTime() + 60_000);
        claimed.push((await claimImport(db, { now, until, lane: step }))?.uuid);
      } else await setImport(db, step.done, { state: 'done', finished_at: now });
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  return claimed;
}

const importRow = (companyId: string, audienceId: string, over: object = {}) => ({
  uuid: uuidv7(),
  company_uuid: companyId,
  audience_uuid: audienceId,
  upload_uuid: null,
  mode: 'add',
  source: 'api',
  parts: JSON.stringify([{ uuid: uuidv7(), bytes: 100 }]),
  state: 'waiting',
  claimed_until: null,
  error: null,
  created_at: new Date('2000-01-01T00:00:00Z'),
  finished_at: null,
  ...over,
});
const LONG = { parts: JSON.stringify([{ uuid: uuidv7(), bytes: 2 ** 30 }]) };

test('an erasure waits for the import of an upload that was begun before it and finished after it', async () => {
  const company = await app.freshCompany();
  const uuid = await make(company, '/audience', { name: 'Payers' });
  const begun = await company.call('POST', `/audience/${uuid}/upload`, { mode: 'add', bytes: 100 });
  const day = (date: number) => new Date(Date.UTC(2000, 0, date));
  const found: boolean[] = [];
  const undone = app.ctx.db.transaction().execute(async (db) => {
    await db
      .updateTable('audience_uploads')
      .set({ created_at: day(2), is_open: false })
      .where('uuid', '=', begun.data.uuid)
      .execute();
    const row = importRow(company.companyId, uuid, { upload_uuid: begun.data.uuid, created_at: day(4) });
    await db
      .insertInto('audience_imports')
      .values(row as never)
      .execute();
    for (const date of [1, 3]) found.push(await hasUploadsFrom({ ...app.ctx, db }, day(date)));
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(found).toEqual([false, true]);
});

test('the imports of an audience run in their order, a short one after the long one before it', async () => {
  const company = await app.freshCompany();
  const uuid = await make(company, '/audience', { name: 'Payers' });
  const minute = (at: number) => ({ created_at: new Date(Date.UTC(2000, 0, 1, 0, at)) });
  const rows = [
    importRow(company.companyId, uuid, { ...LONG, ...minute(0) }),
    importRow(company.companyId, uuid, minute(1)),
    importRow(company.companyId, uuid, minute(2)),
  ];
  const [long, first, second] = rows.map((row) => row.uuid) as [string, string, string];
  const steps = [
    'short',
    'long',
    'short',
    { done: long },
    'short',
    'short',
    { done: first },
    'short',
  ] as const;
  expect(await claimedOf(rows, steps, new Date('2000-01-02T00:00:00Z'))).toEqual([
    undefined,
    long,
    undefined,
    first,
    undefined,
    second,
  ]);
});

test('lanes import different audiences of a company at once, and never the same', async () => {
  const company = await app.freshCompany();
  const { companyId } = company;
  const [a, b, c, d] = await Promise.all(
    ['A', 'B', 'C', 'D'].map(async (name) => make(company, '/audience', { name })),
  );
  const now = new Date('2000-01-02T00:00:00Z');
  const long = importRow(companyId, a!, LONG);
  const after = importRow(companyId, a!, { created_at: now });
  const other = importRow(companyId, b!, { created_at: now });
  const fetched = [c!, d!, b!, a!].map((uuid, index) =>
    importRow(companyId, uuid, { source: 'url', created_at: new Date(now.getTime() + index + 1) }),
  );
  const rows = [long, after, other, ...fetched];
  const done = { done: long.uuid };
  const steps = ['long', 'short', 'short', 'fetched', 'fetched', 'fetched', done, 'short'] as const;
  // Two files of a company are fetched at once.
  const [one, two] = fetched.map(({ uuid }) => uuid);
  const expected = [long.uuid, other.uuid, undefined, one, two, undefined, after.uuid];
  expect(await claimedOf(rows, steps, now)).toEqual(expected);
});

test('an import that was put off is long, and the turn of its company is over', async () => {
  const [greedy, other] = [await app.freshCompany(), await app.freshCompany()];
  const [a, b, theirs] = [
    await make(greedy, '/audience', { name: 'A' }),
    await make(greedy, '/audience', { name: 'B' }),
    await make(other, '/audience', { name: 'A' }),
  ];
  const now = new Date('2000-01-02T00:00:00Z');
  const putOff = importRow(greedy.companyId, a, { put_off_at: now });
  const next = importRow(greedy.companyId, b);
  const waiting = importRow(other.companyId, theirs, { created_at: now });
  const steps = ['short', 'short', 'short', 'long'] as const;
  expect(await claimedOf([putOff, next, waiting], steps, now)).toEqual([
    waiting.uuid,
    next.uuid,
    undefined,
    putOff.uuid,
  ]);
});

test('a refresh of a live audience that changes nothing is a turn of its company', async () => {
  const [live, other] = [await app.freshCompany(), await app.freshCompany()];
  const [people, theirs] = [
    await make(live, '/audience', { name: 'A' }),
    await make(other, '/audience', { name: 'A' }),
  ];
  const refreshed_at = new Date('2000-01-02T00:00:00Z');
  await app.ctx.db.updateTable('audiences').set({ refreshed_at }).where('uuid', '=', people).execute();
  const rows = [
    importRow(live.companyId, people),
    importRow(other.companyId, theirs, { state: 'failed', finished_at: new Date('2000-01-01T00:00:00Z') }),
    importRow(other.companyId, theirs, { created_at: refreshed_at }),
  ];
  const [first, , second] = rows.map(({ uuid }) => uuid);
  expect(await claimedOf(rows, ['short', 'short'], refreshed_at)).toEqual([second, first]);
});

test('a small file that unpacks to a large one is put off, and imported among large ones', async () => {
  const company = await app.freshCompany();
  const uuid = await make(company, '/audience', { name: 'Payers' });
  const ids = idsOf(2000);
  // Ids with a text that repeats, as exports of a warehouse have them.
  const block = ids.map((id) => `${id},${'Marble Alley on Android in Germany. '.repeat(8)}\n`).join('');
  const blocks = Math.ceil((33 * 2 ** 20) / block.length);
  const packed = gzipSync(`MAID,campaign\n${block.repeat(blocks)}`, { level: 1 });
  expect(packed.length).toBeLessThan(8 * 2 ** 20);
  expect(await uploadTo(company, uuid, packed, { partBytes: 8 * 2 ** 20 })).toMatchObject({
    state: 'ready',
    size: 2000,
    last_import: { state: 'done', lines: 2000 * blocks },
  });
  const { attempts, put_off_at: putOffAt } = await app.ctx.db
    .selectFrom('audience_imports')
    .select(['attempts', 'put_off_at'])
    .where('audience_uuid', '=', uuid)
    .executeTakeFirstOrThrow();
  expect([attempts, putOffAt]).toEqual([2, expect.any(Date)]);
});

test('a file that is no list leaves the audience as it is, and the import says what to send', async () => {
  const company = await app.freshCompany();
  const uuid = await make(company, '/audience', { name: 'Payers' });
  const ids = idsOf(3);
  await uploadTo(company, uuid, ids.join('\n'));
  const faultOf = async (content: string | Buffer) => {
    const audience = await uploadTo(company, uuid, content);
    expect(audience).toMatchObject({ state: 'failed', size: 3 });
    return audience.last_import.error;
  };
  expect(await faultOf('PK\u0003\u0004 xl/workbook.xml')).toBe(
    'The file is a workbook of Excel: save it as CSV, and send that',
  );
  expect(await faultOf(Buffer.from(`\uFEFF${ids[0]}`, 'utf16le'))).toContain('UTF-8');
  expect(await faultOf('MAID;country\n')).toBe(
    'The file has a first line with the names of columns and no ids after it',
  );
  expect(await faultOf(`MAID\n${ids[0]}\nx\ny`)).toBe(
    '2 of the 3 lines have no id that can be read: a file that replaces an audience needs ids in half of its lines. Line 3: no id',
  );
  expect(await faultOf(gzipSync(Buffer.alloc(18e6, '\n')))).toContain(
    'unpacks to more than 50 times its size',
  );
});

test('an audience that ad sets use is not deleted; another one goes with its files', async () => {
  const company = await app.freshCompany();
  const uuid = await make(company, '/audience', { name: 'Payers' });
  await company.call('POST', `/audience/${uuid}/ids`, { mode: 'add', ids: idsOf(3) });
  await imported(company, uuid);
  const { body } = await makeAdsetParts(app, company);
  const adset = await make(company, '/adset', { ...body, audience_include: [[uuid, uuid]] });
  expect((await company.call('GET', `/adset/${adset}`)).data).toMatchObject({
    audience_include: [[uuid]],
    audience_exclude: [],
    audience_without_id: 'bid',
    exclude_installed: true,
  });
  expect((await company.call('GET', '/audience')).data.audiences).toMatchObject([
    { uuid, used_by: [{ type: 'adset', uuid: adset, name: 'First ad set', is_archived: false }] },
  ]);
  const rejected = await company.call('DELETE', `/audience/${uuid}`);
  expect(rejected.status).toBe(409);
  expect(rejected.data).toBe('“Payers” is used by 1 ad set (“First ad set”). Take it out there first.');

  const changed = { audience_include: [], audience_exclude: [uuid], audience_without_id: 'skip' };
  expect((await company.call('PUT', `/adset/${adset}`, changed)).data).toMatchObject(changed);
  await company.call('POST', `/adset/${adset}/archive`);
  expect((await company.call('DELETE', `/audience/${uuid}`)).data).toContain(
    'is used by 1 archived ad set (“First ad set”)',
  );
  await company.call('POST', `/adset/${adset}/restore`);
  await company.call('PUT', `/adset/${adset}`, { audience_exclude: [] });
  const files = () =>
    app.ctx.db
      .selectFrom('files')
      .select('uuid')
      .where('company_uuid', '=', company.companyId)
      .where('extension', '=', 'audience')
      .execute();
  const [file] = await files();
  expect(await app.ctx.files.size(file!.uuid)).toBeGreaterThan(0);
  expect((await company.call('DELETE', `/audience/${uuid}`)).status).toBe(200);
  expect(await files()).toEqual([]);
  expect(await app.ctx.files.size(file!.uuid)).toBeNull();
  expect((await company.call('GET', `/audience/${uuid}`)).status).toBe(404);
  expect(await changesOf(app, company, uuid)).toMatchObject([
    { action: 'create' },
    { action: 'update' },
    { action: 'delete' },
  ]);
});

test('an audience that a target uses is not deleted, and the target’s copy has it too', async () => {
  const company = await app.freshCompany();
  const [payers, lapsed] = [
    await make(company, '/audience', { name: 'Payers' }),
    await make(company, '/audience', { name: 'Lapsed' }),
  ];
  const { appUuid } = await makeAdsetParts(app, company);
  const settings = { audience_include: [[payers, payers]], audience_exclude: [lapsed, lapsed] };
  const target = await make(company, '/target', { app_id: appUuid, name: 'Players', ...settings });
  const stored = { audience_include: [[payers]], audience_exclude: [lapsed] };
  expect((await company.call('GET', `/target/${target}`)).data).toMatchObject(stored);
  const copy = await company.call('POST', `/target/${target}/duplicate`);
  expect(copy.data).toMatchObject(stored);
  const used = async () => {
    const { audiences } = (await company.call('GET', '/audience')).data;
    return audiences.map((one: { name: string; used_by: object[] }) => [one.name, one.used_by.length]);
  };
  expect(await used()).toEqual([
    ['Lapsed', 2],
    ['Payers', 2],
  ]);
  // Only an ad set looks up people.
  const idle = async () => {
    const { data } = await company.call('GET', `/audience/${payers}`);
    return data.used_by.map((user: { is_idle?: boolean }) => user.is_idle ?? false);
  };
  expect(await idle()).toEqual([true, true]);
  const parts = await makeAdsetParts(app, company);
  const ofApp = await company.call('PUT', `/target/${parts.targetUuid}`, { audience_include: [[payers]] });
  expect(ofApp.status).toBe(200);
  await make(company, '/adset', parts.body);
  expect((await idle()).filter((isIdle: boolean) => !isIdle)).toHaveLength(1);
  await company.call('PUT', `/target/${parts.targetUuid}`, { audience_include: [] });
  const rejected = await company.call('DELETE', `/audience/${payers}`);
  expect(rejected).toMatchObject({
    status: 409,
    data: '“Payers” is used by 2 targets (“Copy of Players”, “Players”). Take it out there first.',
  });
  for (const uuid of [target, copy.data.uuid])
    await company.call('PUT', `/target/${uuid}`, { audience_include: [] });
  expect((await company.call('DELETE', `/audience/${payers}`)).status).toBe(200);
  expect((await company.call('DELETE', `/audience/${lapsed}`)).status).toBe(409);
  expect(
    await company.call('PUT', `/target/${target}`, { audience_exclude: [payers, lapsed] }),
  ).toMatchObject({
    status: 422,
    errors: [{ field: 'audience_exclude' }],
  });
});

test('audiences of another company can be neither seen nor used', async () => {
  const [company, stranger] = [await app.freshCompany(), await app.freshCompany()];
  const uuid = await make(stranger, '/audience', { name: 'Payers' });
  expect((await company.call('GET', `/audience/${uuid}`)).status).toBe(404);
  expect((await company.call('POST', `/audience/${uuid}/upload`, { bytes: 3 })).status).toBe(404);
  const { body, appUuid } = await makeAdsetParts(app, company);
  for (const field of ['audience_include', 'audience_exclude']) {
    const value = field === 'audience_include' ? [[uuid]] : [uuid];
    expect(await company.call('POST', '/adset', { ...body, [field]: value })).toMatchObject({
      status: 422,
      errors: [{ field, message: 'Audience not found' }],
    });
    const target = { app_id: appUuid, name: 'Players', [field]: value };
    expect(await company.call('POST', '/target', target)).toMatchObject({ status: 422, errors: [{ field }] });
  }
});

test('an audience with an address needs one, and only lists take files', async () => {
  const company = await app.freshCompany();
  expect(await company.call('POST', '/audience', { name: 'Daily', kind: 'url' })).toMatchObject({
    status: 422,
    errors: [{ field: 'source_url', message: 'Enter the address of the file' }],
  });
  const source = 'https://127.0.0.1/ids.csv';
  const uuid = await make(company, '/audience', { name: 'Daily', kind: 'url', source_url: source });
  expect((await company.call('POST', `/audience/${uuid}/ids`, { mode: 'add', ids: idsOf(1) })).status).toBe(
    409,
  );
  await company.call('POST', `/audience/${uuid}/refresh`);
  expect(await imported(company, uuid)).toMatchObject({
    state: 'failed',
    last_import: { source: 'url', error: 'The address leads to a private network' },
  });
  const others = [
    ['http://files.example.com/ids.csv', 'Enter an address that starts with https://'],
    [
      'https://user:pass@files.example.com/a',
      'Enter an address without a user name and a password, such as a signed one',
    ],
  ] as const;
  for (const [address, message] of others) {
    const errors = [{ field: 'source_url', message }];
    const created = { name: 'Daily', kind: 'url', source_url: address };
    expect(await company.call('POST', '/audience', created)).toMatchObject({ status: 422, errors });
    const change = { source_url: address };
    expect(await company.call('PUT', `/audience/${uuid}`, change)).toMatchObject({ status: 422, errors });
    // One from before is saved, and its imports say what is wrong.
    await app.ctx.db.updateTable('audiences').set(change).where('uuid', '=', uuid).execute();
    expect((await company.call('PUT', `/audience/${uuid}`, change)).status).toBe(200);
    await company.call('POST', `/audience/${uuid}/refresh`);
    expect(await imported(company, uuid)).toMatchObject({ last_import: { state: 'failed', error: message } });
  }
});

test('an ad set bids for no one in an excluded audience, whichever way its list is changed', async () => {
  const exchange = await freshExchange(app);
  const { company, adsetUuid } = await campaignOn(app, exchange);
  const uuid = await make(company, '/audience', { name: 'Payers' });
  await company.call('PUT', `/adset/${adsetUuid}`, { audience_exclude: [uuid] });
  const [payer, other] = idsOf(2) as [string, string];
  const bidsFor = async (ifa: string) => {
    await app.settled();
    const device = { os: 'Android', osv: '14', geo: { country: 'USA' }, ifa };
    return (await exchange.bid({ device })) !== null;
  };
  const change = async (mode: string, ids: string[]) => {
    await company.call('POST', `/audience/${uuid}/ids`, { mode, ids });
    await imported(company, uuid);
  };
  expect(await bidsFor(payer)).toBe(true);
  await change('add', [payer.toUpperCase()]);
  expect([await bidsFor(payer), await bidsFor(payer.toUpperCase()), await bidsFor(other)]).toEqual([
    false,
    false,
    true,
  ]);
  await change('replace', [other, ...idsOf(50)]);
  expect([await bidsFor(payer), await bidsFor(other)]).toEqual([true, false]);
  await change('remove', [other]);
  expect(await bidsFor(other)).toBe(true);

  const hashed = { mode: 'replace', ids: [createHash('sha256').update(payer.toUpperCase()).digest('hex')] };
  await change(hashed.mode, hashed.ids);
  expect([await bidsFor(payer), await bidsFor(other)]).toEqual([false, true]);
  await company.call('PUT', `/adset/${adsetUuid}`, { audience_include: [[uuid]], audience_exclude: [] });
  expect([await bidsFor(payer), await bidsFor(other)]).toEqual([true, false]);
});

test('the audiences of an ad set and of its target both count, and a change of either reaches the bidder', async () => {
  const exchange = await freshExchange(app);
  const { company, adsetUuid } = await campaignOn(app, exchange);
  const { target } = (await company.call('GET', `/adset/${adsetUuid}`)).data;
  const [first, second, both, neither] = idsOf(4) as [string, string, string, string];
  const audienceOf = async (name: string, ids: string[]) => {
    const uuid = await make(company, '/audience', { name });
    await company.call('POST', `/audience/${uuid}/ids`, { mode: 'add', ids });
    await imported(company, uuid);
    return uuid;
  };
  const [a, b] = [await audienceOf('A', [first, both]), await audienceOf('B', [second, both])];
  const bids = async () => {
    await app.settled();
    const reached: string[] = [];
    for (const [name, ifa] of Object.entries({ first, second, both, neither })) {
      const device = { os: 'Android', osv: '14', geo: { country: 'USA' }, ifa };
      if ((await exchange.bid({ device })) !== null) reached.push(name);
    }
    return reached;
  };
  const set = async (path: string, body: object) =>
    expect((await company.call('PUT', path, body)).status).toBe(200);
  await set(`/target/${target.uuid}`, { audience_include: [[a]] });
  expect(await bids()).toEqual(['first', 'both']);
  await set(`/adset/${adsetUuid}`, { audience_include: [[b]] });
  expect(await bids()).toEqual(['both']);
  await set(`/target/${target.uuid}`, { audience_include: [], audience_exclude: [a] });
  expect(await bids()).toEqual(['second']);
  await set(`/adset/${adsetUuid}`, { audience_include: [], audience_exclude: [b] });
  expect(await bids()).toEqual(['neither']);
  await set(`/target/${target.uuid}`, { audience_exclude: [] });
  expect(await bids()).toEqual(['first', 'neither']);
});

test('audiences that are included and excluded at once are refused, in one change or in two', async () => {
  const exchange = await freshExchange(app);
  const { company, adsetUuid } = await campaignOn(app, exchange);
  const { target } = (await company.call('GET', `/adset/${adsetUuid}`)).data;
  const [a, b] = [
    await make(company, '/audience', { name: 'A' }),
    await make(company, '/audience', { name: 'B' }),
  ];
  const message = 'All audiences of a group that is included are excluded too: no bid can match';
  for (const path of [`/adset/${adsetUuid}`, `/target/${target.uuid}`]) {
    const set = async (body: object) => company.call('PUT', path, body);
    // Not everyone, which an empty list would be.
    for (const groups of [[[]], [[a], []]])
      expect(await set({ audience_include: groups })).toMatchObject({
        status: 422,
        errors: [{ field: 'audience_include', message: audienceMessages.emptyGroup }],
      });
    const both = await set({ audience_include: [[a]], audience_exclude: [a] });
    expect([both.status, both.errors]).toEqual([422, [{ field: 'audience_exclude', message }]]);
    expect((await set({ audience_include: [[a, b]], audience_exclude: [b] })).status).toBe(200);
    const later = await set({ audience_include: [[a], [b]] });
    expect([later.status, later.errors]).toEqual([422, [{ field: 'audience_include', message }]]);
    expect((await set({ audience_exclude: [a, b] })).status).toBe(422);
    expect((await set({ audience_include: [], audience_exclude: [a, b] })).status).toBe(200);
    expect((await set({ audience_exclude: [] })).status).toBe(200);
  }
});

test('an ad set that includes only people who have the app, and leaves them out, is refused, alone and in a campaign', async () => {
  const exchange = await freshExchange(app);
  const { company, adsetUuid, appUuid } = await campaignOn(app, exchange);
  const installed = await make(company, '/audience', { name: 'People with the app' });
  const other = await make(company, '/audience', { name: 'Payers' });
  await app.ctx.db
    .updateTable('audiences')
    .set({ kind: 'live', is_installed: true, app_uuid: appUuid })
    .where('uuid', '=', installed)
    .execute();
  const message = expect.stringContaining('people who have the app, and these are left out');
  const set = async (body: object) => {
    const { status, errors } = await company.call('PUT', `/adset/${adsetUuid}`, body);
    return [status, errors];
  };
  const none = { audience_include: [[installed]] };
  await set({ exclude_installed: true });
  expect(await set(none)).toEqual([422, [{ field: 'audience_include', message }]]);
  expect(await set({ audience_include: [[installed, other]] })).toEqual([200, []]);
  expect(await set({ ...none, exclude_installed: false })).toEqual([200, []]);
  expect(await set({ exclude_installed: true })).toEqual([422, [{ field: 'exclude_installed', message }]]);
  // Of which campaign another ad set will be is not known yet.
  const { data: copy } = await company.call('POST', `/adset/${adsetUuid}/duplicate`);
  const parts = (await company.call('GET', `/adset/${copy.uuid}`)).data;
  const created = await company.call('POST', '/adset', {
    ...parts,
    target_id: parts.target.uuid,
    tracking_link_id: parts.tracking_link.uuid,
    creative_group_ids: parts.creative_groups.map(({ uuid }: { uuid: string }) => uuid),
    algo: 'Manual CPM',
    exclude_installed: true,
  });
  expect(created.status).toBe(201);
  const into = async (kind: string) =>
    company.call('POST', '/campaign', {
      name: kind,
      app_uuid: appUuid,
      kind,
      adset_uuids: [created.data.uuid],
    });
  const refused = await into('acquisition');
  expect([refused.status, refused.errors?.[0]?.field]).toEqual([422, 'adset_uuids']);
  expect((await into('re_engagement')).status).toBe(201);
});

test('a bid is multiplied for people in an audience, which is then not deleted', async () => {
  const exchange = await freshExchange(app);
  const { company, adsetUuid } = await campaignOn(app, exchange);
  const [payer, other] = idsOf(2) as [string, string];
  const uuid = await make(company, '/audience', { name: 'Payers' });
  await company.call('POST', `/audience/${uuid}/ids`, { mode: 'add', ids: [payer] });
  await imported(company, uuid);
  const priceFor = async (ifa?: string) => {
    await app.settled();
    const device = { os: 'Android', osv: '14', geo: { country: 'USA' }, ...(ifa && { ifa }) };
    return (await exchange.bid({ device })).price;
  };
  const plain = await priceFor(payer);
  const bid_multipliers = [{ dimension: 'audience', value: uuid.toUpperCase(), factor: 1.5 }];
  expect((await company.call('PUT', `/adset/${adsetUuid}`, { bid_multipliers })).status).toBe(200);
  expect([await priceFor(payer), await priceFor(other), await priceFor()]).toEqual([
    plain * 1.5,
    plain,
    plain,
  ]);
  const [change] = (await company.call('GET', `/company/${company.companyId}/changes`)).data.changes;
  expect(change).toMatchObject({
    can_undo: true,
    fields: [{ after: [{ dimension: 'audience', value: uuid, factor: 1.5, name: 'Payers' }], before: [] }],
  });
  expect((await company.call('DELETE', `/audience/${uuid}`)).data).toContain('1 ad set (“');
  expect((await company.call('POST', `/changes/${change.uuid}/undo`)).status).toBe(200);
  expect((await company.call('DELETE', `/audience/${uuid}`)).status).toBe(200);
  expect(await company.call('PUT', `/adset/${adsetUuid}`, { bid_multipliers })).toMatchObject({
    status: 422,
    errors: [{ field: 'bid_multipliers', message: 'The audience “Payers” was deleted' }],
  });
});

/** Stores a postback of a campaign, as a partner sent it. */
async function storePostback(
  { companyId, campaignUuid }: { companyId: string; campaignUuid: string },
  { id, daysAgo = 0, ...over }: { id: string; daysAgo?: number } & Record<string, unknown>,
): Promise<void> {
  const at = new Date(app.ctx.now().getTime() - daysAgo * 86_400_000 - 1000);
  await app.ctx.clickhouse.insert('postbacks', [
    {
      id: randomUUID(),
      time: at.toISOString().replace('T', ' ').replace('Z', ''),
      company_id: companyId,
      campaign_id: campaignUuid,
      mmp: 'appsflyer',
      outcome: 'stored',
      parameters: JSON.stringify({ advertising_id: id, idfa: '' }),
      ...over,
    },
  ]);
}

test('people who have the app are left out by a new ad set, unless it is switched off', async () => {
  const exchange = await freshExchange(app);
  const { company, adsetUuid, campaignUuid, appUuid } = await campaignOn(app, exchange);
  const [player, other] = idsOf(2) as [string, string];
  const bidsFor = async (ifa: string) => {
    await app.settled();
    return (
      (await exchange.bid({ device: { os: 'Android', osv: '14', geo: { country: 'USA' }, ifa } })) !== null
    );
  };
  expect(await bidsFor(player)).toBe(true);
  const of = { companyId: company.companyId, campaignUuid };
  await storePostback(of, { id: player.toUpperCase() });
  await storePostback(of, { id: other, outcome: 'rejected' });
  await makeInstalledAudiences(app.ctx);
  await makeInstalledAudiences(app.ctx);
  const { data } = await company.call('GET', '/audience');
  expect(data.audiences).toMatchObject([{ kind: 'live', is_installed: true, app: { uuid: appUuid } }]);
  const [{ uuid }] = data.audiences;
  await queueRefreshes(app.ctx);
  expect(await imported(company, uuid)).toMatchObject({ size: 1, state: 'ready' });
  expect([await bidsFor(player), await bidsFor(other)]).toEqual([false, true]);
  await storePostback(of, { id: other });
  await company.call('POST', `/audience/${uuid}/refresh`);
  await eventually(async () => expect((await company.call('GET', `/audience/${uuid}`)).data.size).toBe(2));
  expect(await bidsFor(other)).toBe(false);
  await company.call('PUT', `/adset/${adsetUuid}`, { exclude_installed: false });
  expect([await bidsFor(player), await bidsFor(other)]).toEqual([true, true]);
  expect((await company.call('DELETE', `/audience/${uuid}`)).status).toBe(409);
});

test('a live audience has the people of its rule', async () => {
  const exchange = await freshExchange(app);
  const { company, campaignUuid, appUuid } = await campaignOn(app, exchange);
  const [payer, quiet, buyer, gone] = idsOf(4) as [string, string, string, string];
  const of = { companyId: company.companyId, campaignUuid };
  const event = (name: string, micros = 0) => ({
    outcome: 'event',
    event_id: randomUUID(),
    event_outcome: 'stored',
    event_name: name,
    revenue_micros: micros,
  });
  await storePostback(of, { id: payer, daysAgo: 20 });
  await storePostback(of, { id: payer, daysAgo: 2, ...event('purchase', 1_990_000) });
  await storePostback(of, { id: quiet, daysAgo: 20 });
  await storePostback(of, { id: buyer, daysAgo: 1, ...event('add_to_cart') });
  await storePostback(of, { id: buyer, daysAgo: 1, ...event('purchase') });
  await storePostback(of, { id: gone, daysAgo: 1, ...event('add_to_cart') });
  const peopleOf = async (rule: object) => {
    const input = { name: 'Live', kind: 'live', app_id: appUuid, rule };
    const uuid = await make(company, '/audience', input);
    await company.call('POST', `/audience/${uuid}/refresh`);
    const { data } = { data: await imported(company, uuid) };
    const { words } = await readAudience(app.ctx.files.read(await fileOf(uuid)));
    expect(data.size).toBe(words.length / 2);
    return [payer, quiet, buyer, gone].filter((id) => {
      const { low, high } = digestOfId('sha256', id);
      return hasDigest(words, low, high);
    });
  };
  const fileOf = async (uuid: string) =>
    (
      await app.ctx.db
        .selectFrom('audiences')
        .select('file_uuid')
        .where('uuid', '=', uuid)
        .executeTakeFirstOrThrow()
    ).file_uuid!;
  expect(await peopleOf({ type: 'installed', days: 30 })).toEqual([payer, quiet]);
  expect(await peopleOf({ type: 'paid', days: 7 })).toEqual([payer]);
  expect(await peopleOf({ type: 'inactive', days: 7 })).toEqual([quiet]);
  expect(await peopleOf({ type: 'event', event: 'add_to_cart', days: 7 })).toEqual([buyer, gone]);
  expect(await peopleOf({ type: 'event', event: 'add_to_cart', without: 'purchase', days: 7 })).toEqual([
    gone,
  ]);
  expect(await company.call('POST', '/audience', { name: 'Live', kind: 'live' })).toMatchObject({
    status: 422,
    errors: [{ field: 'app_id' }, { field: 'rule' }],
  });
});

test('a rule counts no more days than postbacks are stored', async () => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody());
  const input = (days: number) => ({
    name: 'Buyers',
    kind: 'live',
    app_id: appUuid,
    rule: { type: 'paid', days },
  });
  const message = expect.stringContaining('At most 90 days');
  const refused = await company.call('POST', '/audience', input(91));
  expect([refused.status, refused.errors]).toEqual([422, [{ field: 'rule.days', message }]]);
  const uuid = await make(company, '/audience', input(90));
  expect((await company.call('PUT', `/audience/${uuid}`, { rule: { type: 'paid', days: 91 } })).status).toBe(
    422,
  );
  // What an earlier release stored can be changed in other fields.
  const rule = { type: 'paid', days: 365 };
  await app.ctx.db
    .updateTable('audiences')
    .set({ rule: JSON.stringify(rule) })
    .where('uuid', '=', uuid)
    .execute();
  expect((await company.call('PUT', `/audience/${uuid}`, { name: 'Renamed', rule })).status).toBe(200);
});

test('an erased person is removed from the lists of all companies, whatever their hashes are of', async () => {
  const [erased, other] = idsOf(2) as [string, string];
  const sum = (hash: string, id: string) => createHash(hash).update(id).digest('hex');
  const lists: Record<string, string[]> = {
    plain: [erased.toUpperCase(), other],
    sha1: [sum('sha1', erased.toUpperCase()), sum('sha1', other)],
    sha256: [sum('sha256', erased), sum('sha256', other)],
    without: [other],
  };
  const made = [];
  for (const [name, ids] of Object.entries(lists)) {
    const company = await app.freshCompany();
    const uuid = await make(company, '/audience', { name });
    await company.call('POST', `/audience/${uuid}/ids`, { mode: 'replace', ids });
    await imported(company, uuid);
    made.push({ company, uuid });
  }
  const erase = async (id: string) => {
    let audiences = 0;
    const counted = async () => void (audiences += 1);
    const failure = await eraseFromAudiences(app.ctx, id, counted).catch((error: unknown) => error);
    return { audiences, failure };
  };
  // A list whose file is lost is reported, and keeps no one in the others.
  const lost = await app.ctx.db
    .selectFrom('audiences')
    .select('file_uuid')
    .where('uuid', '=', made[0]!.uuid)
    .executeTakeFirstOrThrow();
  const content = await buffer(app.ctx.files.read(lost.file_uuid!));
  await app.ctx.files.remove(lost.file_uuid!);
  expect(await erase(erased.replaceAll('-', ''))).toEqual({
    audiences: 2,
    failure: expect.any(AggregateError),
  });
  await app.ctx.files.write(lost.file_uuid!, Readable.from([content]));
  expect(await erase(erased)).toEqual({ audiences: 1, failure: undefined });
  for (const { company, uuid } of made)
    expect((await company.call('GET', `/audience/${uuid}`)).data.size).toBe(1);
  for (const id of [erased, 'partner-id-12345678'])
    expect(await erase(id)).toEqual({ audiences: 0, failure: undefined });
});

test.each([
  ['md5', (id: string) => id.toUpperCase()],
  ['sha1', (id: string) => id],
  ['sha256', (id: string) => id.toUpperCase()],
])('a person is removed from lists by the %s of their id', async (hash, spelt) => {
  const sum = (id: string) => createHash(hash).update(spelt(id)).digest('hex');
  const [erased, other] = idsOf(2) as [string, string];
  const company = await app.freshCompany();
  const made = [];
  for (const ids of [[sum(erased), sum(other)], [sum(other)]]) {
    const uuid = await make(company, '/audience', { name: hash, id_form: hash });
    await company.call('POST', `/audience/${uuid}/ids`, { mode: 'replace', ids });
    await imported(company, uuid);
    made.push(uuid);
  }
  let audiences = 0;
  const counted = async () => void (audiences += 1);
  for (const given of [sum(erased).toUpperCase(), sum(erased)])
    await eraseFromAudiences(app.ctx, given, counted);
  expect(audiences).toBe(1);
  for (const uuid of made) expect((await company.call('GET', `/audience/${uuid}`)).data.size).toBe(1);
});

test('a person is removed from a list of plain ids by the SHA-256 of the lower case', async () => {
  const [erased, other] = idsOf(2) as [string, string];
  const company = await app.freshCompany();
  const uuid = await make(company, '/audience', { name: 'Plain' });
  await company.call('POST', `/audience/${uuid}/ids`, { mode: 'replace', ids: [erased, other] });
  await imported(company, uuid);
  const sum = createHash('sha256').update(erased).digest('hex');
  await eraseFromAudiences(app.ctx, sum, async () => {});
  expect((await company.call('GET', `/audience/${uuid}`)).data.size).toBe(1);
});

test('a person is removed from the new file of a list that is replaced while the erasure reads it', async () => {
  const [erased, other] = idsOf(2) as [string, string];
  const company = await app.freshCompany();
  const uuid = await make(company, '/audience', { name: 'Replaced' });
  await company.call('POST', `/audience/${uuid}/ids`, { mode: 'replace', ids: [erased, other] });
  await imported(company, uuid);
  const rows = app.ctx.db.selectFrom('audiences').select('file_uuid').where('uuid', '=', uuid);
  const before = (await rows.executeTakeFirstOrThrow()).file_uuid!;
  const next = randomUUID();
  await app.ctx.files.write(next, Readable.from([await buffer(app.ctx.files.read(before))]));
  const replaced = async function* () {
    await app.ctx.db.updateTable('audiences').set({ file_uuid: next }).where('uuid', '=', uuid).execute();
    yield* [];
    throw new Error(`There is no file ${before}.`);
  };
  const files = Object.assign(Object.create(app.ctx.files) as typeof app.ctx.files, {
    read: (key: string) => (key === before ? Readable.from(replaced()) : app.ctx.files.read(key)),
  });
  let audiences = 0;
  await eraseFromAudiences({ ...app.ctx, files }, erased, async () => void (audiences += 1));
  expect(audiences).toBe(1);
  expect((await company.call('GET', `/audience/${uuid}`)).data.size).toBe(1);
});

test('the match rate of an audience is known a day after its first look-up, and not before', async () => {
  const exchange = await freshExchange(app);
  const { company, adsetUuid } = await campaignOn(app, exchange);
  const uuid = await make(company, '/audience', { name: 'Payers' });
  const ids = idsOf(4);
  await company.call('POST', `/audience/${uuid}/ids`, { mode: 'add', ids });
  await imported(company, uuid);
  await company.call('PUT', `/adset/${adsetUuid}`, { audience_exclude: [uuid] });
  await app.settled();
  const matches = async () => (await company.call('GET', `/audience/${uuid}`)).data.matches;
  const offer = async (ifa: string, over: object = {}) =>
    exchange.bid({ device: { os: 'Android', osv: '14', geo: { country: 'USA' }, ifa }, ...over });
  for (const ifa of [ids[0]!, ids[0]!.toUpperCase(), ids[1]!, ...idsOf(3)]) await offer(ifa);
  await offer(idsOf(1)[0]!, { test: 1 });
  await app.settled();
  await endMatchPeriods(app.ctx);
  expect(await matches()).toBeNull();
  const from = app.clock.now.getTime();
  await app.after(86_400_000 - 60_000, async () => endMatchPeriods(app.ctx));
  expect(await matches()).toBeNull();
  await app.after(86_400_000, async () => endMatchPeriods(app.ctx));
  expect(await matches()).toMatchObject({ look_ups: 6, found: 3, people: 2, percent: 50 });
  const { from: began, to } = await matches();
  expect([Date.parse(began), Date.parse(to)]).toEqual([from, from + 86_400_000]);
  // The next day's look-ups replace nothing before that day is over.
  await offer(ids[2]!);
  await app.settled();
  await endMatchPeriods(app.ctx);
  expect(await matches()).toMatchObject({ look_ups: 6 });
});
