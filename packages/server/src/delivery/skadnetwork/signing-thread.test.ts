import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '@bidwell/testing/eventually';
import type { SigningTask } from './impression-extension.ts';
import { newPrivateKey, privatePem } from './signing.ts';
import { SigningThread } from './signing-thread.ts';

const NETWORK = 'testing.skadnetwork';
const task: SigningTask = {
  network: NETWORK,
  version: '4.0',
  sourceApp: '880047117',
  aakSourceApp: '',
  sourceIdentifier: 1142,
  itemId: '525463029',
  storeView: { skadn: '', adAttributionKit: '' },
};

async function startedThread() {
  const unsigned: [string, number][] = [];
  const thread = new SigningThread(pino({ level: 'silent' }), (reason, bids) =>
    unsigned.push([reason, bids]),
  );
  onTestFinished(() => thread.close());
  thread.setKeys([[NETWORK, privatePem(newPrivateKey())]]);
  await eventually(() => expect(thread.isReady()).toBe(true));
  return { thread, unsigned };
}

const signed = (thread: SigningThread, tasks: readonly SigningTask[]) =>
  new Promise<readonly (string | null)[]>((resolve) => thread.sign(tasks, resolve));

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

test('a bid of a network without a key is sent unsigned, beside those that are signed', async () => {
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
  thread.sign([task], (extensions) => (over = extensions));
  expect(over).toEqual([null]);
  expect(unsigned).toEqual([['busy', 1]]);
  await Promise.all(waiting);
});

test('a thread that does not run signs nothing, and nothing waits for it', async () => {
  const { thread, unsigned } = await startedThread();
  await thread.close();
  await eventually(() => expect(thread.isReady()).toBe(false));
  expect(await signed(thread, [task])).toEqual([null]);
  expect(unsigned).toEqual([['stopped', 1]]);
});
