import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '@bidwell/testing/eventually';
import type { SigningTask } from './impression-extension.ts';
import { newPrivateKey, privatePem } from './signing-keys.ts';
import { SigningThread } from './signing-thread.ts';

const NETWORK = 'testing.skadnetwork';
/** Far longer than any test takes. */
const WAIT_MS = 60_000;
const task: SigningTask = {
  network: NETWORK,
  version: '4.0',
  sourceApp: '880047117',
  aakSourceApp: '',
  sourceIdentifier: 1142,
  itemId: '525463029',
  reEngages: false,
  storeView: { skadn: '', adAttributionKit: '' },
};

async function startedThread() {
  const unsigned: [string, number][] = [];
  const thread = new SigningThread(pino({ level: 'silent' }), (reason, bids) =>
    unsigned.push([reason, bids]),
  );
  onTestFinished(() => thread.close());
  thread.setKeys([[NETWORK, privatePem(newPrivateKey())]]);
  // A kind of its own, so that signatures of other kinds do not fit.
  await eventually(async () =>
    expect(await signed(thread, [{ ...task, sourceApp: '7' }])).not.toEqual([null]),
  );
  unsigned.length = 0;
  return { thread, unsigned };
}

const signed = (thread: SigningThread, tasks: readonly SigningTask[]) =>
  new Promise<readonly (string | null)[]>((resolve) => thread.sign(tasks, WAIT_MS, resolve));

test('responses of one turn get the signatures of their own bids, in their order', async () => {
  const { thread } = await startedThread();
  const numbers = [[1110, 1111], [1112], [1113, 1114, 1115]];
  await eventually(async () => {
    const all = await Promise.all(
      numbers.map((own) =>
        signed(
          thread,
          own.map((sourceIdentifier) => ({ ...task, sourceIdentifier })),
        ),
      ),
    );
    const found = all.map((extensions) =>
      extensions.map((one) => Number(JSON.parse(`{${one}}`).skadn.sourceidentifier)),
    );
    expect(found).toEqual(numbers);
  });
});

test('a bid of a network without a key is sent unsigned, together with signed bids', async () => {
  const { thread } = await startedThread();
  await eventually(async () => {
    const [own, other] = await signed(thread, [task, { ...task, network: 'unknown.skadnetwork' }]);
    expect(own).toContain('"skadn"');
    expect(other).toBeNull();
  });
});

test('bids beyond those that may wait are sent unsigned at once, and counted', async () => {
  const { thread, unsigned } = await startedThread();
  const waiting = Array.from({ length: 20 }, () =>
    signed(
      thread,
      Array.from({ length: 50 }, () => task),
    ),
  );
  let over: readonly (string | null)[] | undefined;
  thread.sign([task], WAIT_MS, (extensions) => (over = extensions));
  expect(over).toEqual([null]);
  expect(unsigned).toEqual([['busy', 1]]);
  await Promise.all(waiting);
});

test('a thread that does not run signs nothing, and nothing waits for it', async () => {
  const { thread, unsigned } = await startedThread();
  await thread.close();
  await eventually(async () => {
    unsigned.length = 0;
    expect(await signed(thread, [task])).toEqual([null]);
    expect(unsigned).toEqual([['stopped', 1]]);
  });
});

test('a bid without time gets signatures that are ready at once, and else none', async () => {
  const { thread, unsigned } = await startedThread();
  const atOnce = () => {
    let extensions: readonly (string | null)[] | undefined;
    thread.sign([task], 0, (own) => (extensions = own));
    return extensions;
  };
  expect(atOnce()).toEqual([null]);
  expect(unsigned).toEqual([['late', 1]]);
  await eventually(() => expect(atOnce()).toEqual([expect.stringContaining('"skadn"')]));
});

const nonceOf = (extension: string | null) =>
  JSON.parse(`{${extension}}`).skadn.fidelities[0].nonce as string;

test('later bids of a kind get signatures that were made ahead, at once and each once', async () => {
  const { thread } = await startedThread();
  const nonces = new Set([nonceOf((await signed(thread, [task]))[0]!)]);
  let atOnce = 0;
  await eventually(() => {
    let extension: string | null | undefined;
    thread.sign([task], WAIT_MS, ([own]) => (extension = own));
    expect(extension).toBeTypeOf('string');
    atOnce += 1;
    const nonce = nonceOf(extension!);
    expect(nonces.has(nonce)).toBe(false);
    nonces.add(nonce);
    expect(atOnce).toBeGreaterThan(5);
  });
});

test('signatures of an earlier key are not used', async () => {
  const { thread } = await startedThread();
  await eventually(() => {
    let isReady = false;
    thread.sign([task], WAIT_MS, () => (isReady = true));
    expect(isReady).toBe(true);
  });
  thread.setKeys([['other.skadnetwork', privatePem(newPrivateKey())]]);
  expect(await signed(thread, [task])).toEqual([null]);
});

test('a response of the thread that came while the event loop was held is not late', async () => {
  const { thread, unsigned } = await startedThread();
  await signed(thread, [task]);
  const waited = new Promise<readonly (string | null)[]>((resolve) =>
    thread.sign([{ ...task, sourceApp: '1' }], 500, resolve),
  );
  await Promise.resolve();
  const untilMs = performance.now() + 600;
  while (performance.now() < untilMs);
  expect((await waited)[0]).toContain('"skadn"');
  expect(unsigned).toEqual([]);
});

test('each bid waits no longer than it may, even if others of its turn may wait longer', async () => {
  const { thread, unsigned } = await startedThread();
  const many = Array.from({ length: 900 }, (_, index) => ({ ...task, sourceApp: String(index + 1) }));
  const long = signed(thread, many);
  const short = new Promise<readonly (string | null)[]>((resolve) =>
    thread.sign([{ ...task, sourceApp: '2000' }], 1, resolve),
  );
  expect(await short).toEqual([null]);
  expect(unsigned).toEqual([['late', 1]]);
  expect((await long).every((one) => one !== null)).toBe(true);
});
