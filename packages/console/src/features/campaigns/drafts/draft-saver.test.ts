import { campaignMessages } from '@bidwell/contract/campaigns/messages';
import { messages } from '@bidwell/contract/text/messages';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, withoutServerText } from '../../../lib/api/api-error.ts';
import { DraftSaver } from './draft-saver.ts';

const KEY = 'campaign.new.stored';

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

/** A server with drafts, as far as a form sees it; `fail` makes the next call fail. */
function server() {
  const drafts = new Map<string, { values: object; version: number }>();
  let failure: Error | undefined;
  const summary = (uuid: string) => ({
    uuid,
    version: drafts.get(uuid)!.version,
    name: '',
    created_by: 'Ada',
    updated_by: 'Ada',
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
  });
  const answer = async (work: () => string) => {
    await Promise.resolve();
    const failing = failure;
    failure = undefined;
    if (failing) throw failing;
    return summary(work());
  };
  const store = (uuid: string, values: object, version: number) => {
    drafts.set(uuid, { values, version });
    return uuid;
  };
  return {
    drafts,
    fail: (error: Error) => {
      failure = error;
    },
    calls: {
      create: ({ values }: { values: object }) =>
        answer(() => store(`018f0000-0000-7000-8000-00000000000${drafts.size}`, values, 1)),
      update: (uuid: string, { values, version }: { values: object; version: number }) =>
        answer(() => {
          const draft = drafts.get(uuid);
          if (!draft) throw new ApiError(404, 'Draft not found');
          if (draft.version !== version) throw new ApiError(409, 'Sam changed this draft meanwhile.');
          return store(uuid, values, version + 1);
        }),
      discard: async (uuid: string) => drafts.delete(uuid),
    },
  };
}

function form(opened: ConstructorParameters<typeof DraftSaver>[0]['opened'] = null) {
  const stub = server();
  const saver = new DraftSaver({ key: KEY, opened, calls: stub.calls });
  return { ...stub, saver, reopened: () => new DraftSaver({ key: KEY, opened: null, calls: stub.calls }) };
}

const values = ({ drafts }: { drafts: ReadonlyMap<string, { values: object }> }) =>
  [...drafts.values()].map((draft) => draft.values);
const settled = () => vi.runAllTimersAsync();

test('input is stored once typing pauses, in one draft, also after a reload', async () => {
  const it = form();
  for (const name of ['A', 'Au', 'Autumn']) it.saver.change({ name });
  expect(it.saver.current().status).toBe('saving');
  await settled();
  expect(it.saver.current()).toMatchObject({ status: 'saved', draft: { version: 1 } });
  const later = it.reopened();
  later.change({ name: 'Autumn sale' });
  await settled();
  expect(values(it)).toEqual([{ name: 'Autumn sale' }]);
});

test('a draft that someone else changed is not overwritten, and both are there afterwards', async () => {
  const it = form();
  it.saver.change({ name: 'Mine' });
  await settled();
  const [uuid] = it.drafts.keys();
  it.drafts.set(uuid!, { values: { name: 'Theirs' }, version: 5 });
  it.saver.change({ name: 'Mine again' });
  await settled();
  expect(it.saver.current()).toMatchObject({
    status: 'conflict',
    message: 'Sam changed this draft meanwhile.',
  });
  it.saver.change({ name: 'Mine still' });
  await settled();
  expect(values(it)).toEqual([{ name: 'Theirs' }]);
  await expect(it.saver.settle()).rejects.toThrow('Sam changed this draft meanwhile.');
  it.saver.keepOwn();
  await settled();
  expect(values(it)).toEqual([{ name: 'Theirs' }, { name: 'Mine still' }]);
  expect(it.saver.current().status).toBe('saved');
});

test('an opened draft is stored once it differs, and again as someone else left it', async () => {
  const uuid = '018f0000-0000-7000-8000-0000000000aa';
  const it = form({ uuid, version: 2, values: { name: 'Opened' } });
  it.drafts.set(uuid, { values: { name: 'Opened' }, version: 2 });
  it.saver.change({ name: 'Opened' });
  await settled();
  expect(it.drafts.get(uuid)!.version).toBe(2);
  it.saver.take({ uuid, version: 7, values: { name: 'Theirs' } });
  it.drafts.set(uuid, { values: { name: 'Theirs' }, version: 7 });
  it.saver.change({ name: 'Theirs and mine' });
  await settled();
  expect(it.drafts.get(uuid)).toEqual({ values: { name: 'Theirs and mine' }, version: 8 });
});

test('while the server is unavailable the save is retried; a rejection is shown', async () => {
  const it = form();
  it.fail(withoutServerText(0, messages.unexpected));
  it.saver.change({ name: 'Autumn' });
  await vi.advanceTimersByTimeAsync(2000);
  expect(it.saver.current().status).toBe('away');
  await settled();
  expect([it.saver.current().status, values(it)]).toEqual(['saved', [{ name: 'Autumn' }]]);
  it.fail(new ApiError(422, campaignMessages.draftTooLarge));
  it.saver.change({ name: 'Long' });
  await settled();
  expect(it.saver.current()).toMatchObject({ status: 'rejected', message: campaignMessages.draftTooLarge });
});

test('a form that is sent names the draft with its latest version, and nothing is stored meanwhile', async () => {
  const it = form();
  it.saver.change({ name: 'Autumn' });
  await settled();
  it.saver.change({ name: 'Autumn sale' });
  const used = it.saver.settle();
  await settled();
  expect(await used).toMatchObject({ version: 2 });
  it.saver.change({ name: 'Sent', adsets: ['created'] });
  await settled();
  expect(values(it)).toEqual([{ name: 'Autumn sale' }]);
  it.saver.resume();
  await settled();
  expect(values(it)).toEqual([{ name: 'Sent', adsets: ['created'] }]);
  it.saver.reset();
  expect(it.reopened().current()).toEqual({ status: 'none', draft: null });
});

test('a draft that was discarded elsewhere is stored as a new one; discarding it removes it', async () => {
  const it = form();
  it.saver.change({ name: 'Autumn' });
  await settled();
  it.drafts.clear();
  it.saver.change({ name: 'Autumn sale' });
  await settled();
  expect(values(it)).toEqual([{ name: 'Autumn sale' }]);
  await it.saver.discard();
  await settled();
  expect([values(it), it.reopened().current().status]).toEqual([[], 'none']);
});
