import { expect, test } from 'vitest';
import { appBody, make } from '@bidwell/testing/advertising';
import { eventually } from '@bidwell/testing/eventually';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { MEDIA_LIMITS, mediaQueue } from './media-worker-pool.ts';

const app = await testApp();

/** Uploads a playable of a new app. */
async function upload(company: TestCompany) {
  const appUuid = await make(company, '/app', appBody());
  return company.upload('POST', '/v2/internal_creative', {
    app_id: appUuid,
    type: 'Playable',
    name: 'Game',
    playable: {
      name: 'game.html',
      content: Buffer.from('<html><body onclick="mraid.open()">play</body></html>'),
    },
  });
}

test('files of one company that are slow to read hold up no upload of another, and are bounded', async () => {
  const [greedy, modest] = [await app.freshCompany(), await app.freshCompany()];
  const { waitingEach } = MEDIA_LIMITS;
  // As many slow files as the company may have, of which one is being read.
  const turns = Array.from({ length: waitingEach + 1 }, async () => mediaQueue.enter(greedy.companyId));
  expect((await upload(modest)).status).toBe(201);
  expect(mediaQueue.waiting).toBe(waitingEach);

  const rejected = await upload(greedy);
  expect([rejected.status, rejected.data]).toEqual([
    429,
    'You have too many videos and playables waiting. Please wait a moment.',
  ]);
  for (const turn of turns) void turn.then((end) => end());
  await Promise.all(turns);
});

test('with slow files of several companies, each waits for one turn of the others only', async () => {
  const [one, other, modest] = [await app.freshCompany(), await app.freshCompany(), await app.freshCompany()];
  const turns = [one, other].flatMap(({ companyId }) =>
    Array.from({ length: 8 }, async () => mediaQueue.enter(companyId)),
  );
  const before = mediaQueue.waiting;
  const uploaded = upload(modest);
  await eventually(() => expect(mediaQueue.waiting).toBe(before + 1));
  (await turns[0]!)();
  (await turns[1]!)();
  expect((await uploaded).status).toBe(201);
  for (const turn of turns) void turn.then((end) => end());
  await Promise.all(turns);
});
