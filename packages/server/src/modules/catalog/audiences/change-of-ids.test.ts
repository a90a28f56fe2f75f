import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { changesOf, make } from '@bidwell/testing/advertising';
import { apiKeyOf } from '@bidwell/testing/caller-tokens';
import { eventually } from '@bidwell/testing/eventually';
import { localServer } from '@bidwell/testing/local-server';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { queueRefreshes } from './jobs.ts';

/** What the server of files responds. */
let file = '';
const server = await localServer((_request, response) => response.end(file));
const app = await testApp({ ALERT_INTERNAL_HOSTS: `127.0.0.1:${server.port}`, LOG_LEVEL: 'silent' });

const idsOf = (count: number) => Array.from({ length: count }, () => randomUUID());

/** Waits until an audience has a number of ids, and no import. */
const sized = async (company: TestCompany, uuid: string, size: number) =>
  eventually(async () => {
    const { data } = await company.call('GET', `/audience/${uuid}`);
    expect([data.state, data.size]).toEqual(['ready', size]);
  });

/** The changes of an audience after its creation, with their author and the values of their fields. */
async function changesSince(company: TestCompany, uuid: string) {
  const [, ...changes] = await changesOf(app, company, uuid);
  return changes.map(({ author, fields }) => [
    author,
    ...fields.map(({ before, after }) =>
      before === null ? after : `${before as number} to ${after as number}`,
    ),
  ]);
}

async function uploadTo(company: TestCompany, uuid: string, content: string): Promise<void> {
  const bytes = Buffer.from(content);
  const begun = await company.call('POST', `/audience/${uuid}/upload`, { bytes: bytes.length });
  const path = `/audience/${uuid}/upload/${begun.data.uuid}`;
  await company.upload('PUT', `${path}?offset=0`, { part: { name: 'part', content: bytes } });
  expect((await company.call('POST', `${path}/finish`)).status).toBe(200);
}

test('a file that replaces the ids of a list is in the change log, with who sent it and how many ids there were', async () => {
  const company = await app.freshCompany();
  const uuid = await make(company, '/audience', { name: 'Payers' });
  await uploadTo(company, uuid, idsOf(3).join('\n'));
  await sized(company, uuid, 3);
  await uploadTo(company, uuid, idsOf(2).join('\n'));
  await sized(company, uuid, 2);
  expect(await changesSince(company, uuid)).toEqual([
    ['Test Er', '0 to 3', 'Replaced by a file'],
    ['Test Er', '3 to 2', 'Replaced by a file'],
  ]);
});

test('ids that one key adds within an hour are one entry, and ids that were there already are none', async () => {
  const company = await app.freshCompany();
  const key = await apiKeyOf(company, ['campaigns']);
  const uuid = await make(company, '/audience', { name: 'Payers' });
  const send = async (mode: string, ids: string[], size: number) => {
    const headers = { authorization: `Bearer ${key}` };
    expect((await company.call('POST', `/audience/${uuid}/ids`, { mode, ids }, headers)).status).toBe(200);
    await sized(company, uuid, size);
  };
  const ids = idsOf(4);
  await send('add', ids.slice(0, 2), 2);
  await send('add', ids.slice(0, 2), 2);
  await send('add', ids, 4);
  await send('remove', ids.slice(0, 1), 3);
  await send('replace', ids.slice(0, 2), 2);
  await send('replace', ids.slice(1, 3), 2);
  const changes = await changesSince(company, uuid);
  const author = changes[0]![0];
  expect(author).toMatch(/^Test Er \(API key /);
  expect(changes).toEqual([
    [author, '0 to 4', 'Added by the API'],
    [author, '4 to 3', 'Removed by the API'],
    [author, '3 to 2', 'Replaced by the API'],
    [author, 'Replaced by the API'],
  ]);
});

test('a refresh that a person asks for is logged; a daily one only if it changes a fifth of the ids', async () => {
  const company = await app.freshCompany();
  const source = `http://127.0.0.1:${server.port}/ids.csv`;
  const ids = idsOf(22);
  file = ids.slice(0, 20).join('\n');
  const uuid = await make(company, '/audience', { name: 'Daily', kind: 'url', source_url: source });
  const refreshDaily = async (count: number) => {
    file = ids.slice(0, count).join('\n');
    await app.ctx.db
      .updateTable('audiences')
      .set({ refresh_after: new Date(0) })
      .where('uuid', '=', uuid)
      .execute();
    await queueRefreshes(app.ctx);
    await sized(company, uuid, count);
  };
  await refreshDaily(20);
  await refreshDaily(22);
  file = ids.slice(0, 21).join('\n');
  await company.call('POST', `/audience/${uuid}/refresh`);
  await sized(company, uuid, 21);
  await refreshDaily(5);
  expect(await changesSince(company, uuid)).toEqual([
    ['Daily refresh', '0 to 20', 'Replaced by the file at its address'],
    ['Test Er', '22 to 21', 'Replaced by the file at its address'],
    ['Daily refresh', '21 to 5', 'Replaced by the file at its address'],
  ]);
});
