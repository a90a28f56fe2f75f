import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Choice, type Claimable, chooseNext } from './lanes.ts';

const some = (names: string) => fc.constantFrom(...names.split(''));
const messagesOf = (prefix: string, maxLength: number) =>
  fc
    .array(
      fc.record({
        owner: some('abcde'),
        queue: some('0123456789'),
        host: some('xyz'),
        isAgain: fc.boolean(),
      }),
      {
        maxLength,
      },
    )
    .map((messages) =>
      // A queue is of one owner.
      messages.map((message, n) => ({
        ...message,
        uuid: `${prefix}${n}`,
        queue: message.owner + message.queue,
      })),
    );
const busyMessages = messagesOf('busy', 6).map((messages) => [
  ...new Map(messages.map((message) => [message.queue, message])).values(),
]);
const choices = fc.record({
  due: messagesOf('due', 40),
  busy: busyMessages,
  limits: fc.record({
    perCompany: fc.integer({ min: 1, max: 6 }),
    perHost: fc.integer({ min: 1, max: 6 }),
    perCompanyAtHost: fc.integer({ min: 1, max: 3 }),
    perCompanyAgain: fc.integer({ min: 1, max: 3 }),
  }),
  free: fc.record({ first: fc.integer({ min: 0, max: 8 }), again: fc.integer({ min: 0, max: 4 }) }),
  served: fc.dictionary(some('abcde'), fc.integer()),
});
const choiceOf = ({
  limits,
  free,
  busy,
  served,
}: Omit<Choice, 'servedAt'> & { served: Record<string, number> }) => ({
  limits,
  free,
  busy,
  servedAt: (owner: string) => (Object.hasOwn(served, owner) ? served[owner] : undefined),
});
const countBy = (messages: readonly Claimable[], keyOf: (message: Claimable) => string | boolean) => {
  const counts = new Map<string | boolean, number>();
  for (const message of messages) counts.set(keyOf(message), (counts.get(keyOf(message)) ?? 0) + 1);
  return counts;
};

test('no limit is exceeded: places, companies, hosts, and one message of a queue', () => {
  fc.assert(
    fc.property(choices, ({ due, ...given }) => {
      const chosen = chooseNext(due, choiceOf(given));
      expect(new Set(chosen.map(({ uuid }) => uuid)).size).toBe(chosen.length);
      const places = countBy(chosen, ({ isAgain }) => isAgain);
      expect(places.get(false) ?? 0).toBeLessThanOrEqual(given.free.first);
      expect(places.get(true) ?? 0).toBeLessThanOrEqual(given.free.again);
      const all = [...given.busy, ...chosen];
      for (const count of countBy(all, ({ queue }) => queue).values()) expect(count).toBe(1);
      for (const { owner, host } of chosen) {
        expect(all.filter((each) => each.owner === owner).length).toBeLessThanOrEqual(
          given.limits.perCompany,
        );
        const atHost = all.filter((each) => each.host === host);
        expect(atHost.length).toBeLessThanOrEqual(given.limits.perHost);
        expect(atHost.filter((each) => each.owner === owner).length).toBeLessThanOrEqual(
          Math.max(
            given.limits.perCompanyAtHost,
            given.busy.filter((each) => each.host === host && each.owner === owner).length,
          ),
        );
      }
    }),
  );
});

test('no place stays free that a message may take', () => {
  fc.assert(
    fc.property(choices, ({ due, ...given }) => {
      const chosen = chooseNext(due, choiceOf(given));
      const left = {
        first: given.free.first - chosen.filter(({ isAgain }) => !isAgain).length,
        again: given.free.again - chosen.filter(({ isAgain }) => isAgain).length,
      };
      const busy = [...given.busy, ...chosen];
      const rest = due.filter((message) => !chosen.includes(message));
      expect(chooseNext(rest, choiceOf({ ...given, busy, free: left }))).toEqual([]);
    }),
  );
});

test('an owner gets a second message only after each other owner with one that may go has a first', () => {
  fc.assert(
    fc.property(messagesOf('due', 40), fc.integer({ min: 1, max: 8 }), (due, first) => {
      const fresh = due.map((message) => ({ ...message, isAgain: false }));
      const chosen = chooseNext(fresh, {
        limits: { perCompany: 40, perHost: 40, perCompanyAtHost: 40, perCompanyAgain: 40 },
        free: { first, again: 0 },
        busy: [],
        servedAt: () => undefined,
      });
      const counts = countBy(chosen, ({ owner }) => owner);
      const owners = new Set(fresh.map(({ owner }) => owner));
      if (Math.max(0, ...counts.values()) > 1) expect(counts.size).toBe(owners.size);
    }),
  );
});

test('with more owners than places, each owner is served within as many rounds as that takes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 6 }), (owners, first) => {
      const backlog = Array.from({ length: owners }, (_, owner) =>
        Array.from({ length: 50 }, (_each, n) => ({
          uuid: `${owner}/${n}`,
          owner: String(owner),
          queue: `${owner}/${n}`,
          host: 'x',
          isAgain: false,
        })),
      ).flat();
      const servedAt = new Map<string, number>();
      const waiting = new Set(backlog);
      let served = 0;
      for (let round = 0; round < Math.ceil(owners / first); round += 1)
        for (const message of chooseNext([...waiting], {
          limits: { perCompany: 1, perHost: Infinity, perCompanyAtHost: 1, perCompanyAgain: 1 },
          free: { first, again: 0 },
          busy: [],
          servedAt: (owner) => servedAt.get(owner),
        })) {
          waiting.delete(message);
          servedAt.set(message.owner, (served += 1));
        }
      expect(servedAt.size).toBe(owners);
    }),
  );
});

test('the messages of an owner leave in the order of their times', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), (first) => {
      const due = Array.from({ length: 8 }, (_, n) => ({
        uuid: String(n),
        owner: 'a',
        queue: String(n),
        host: 'x',
        isAgain: false,
      }));
      const chosen = chooseNext(due, {
        limits: { perCompany: 8, perHost: Infinity, perCompanyAtHost: 8, perCompanyAgain: 1 },
        free: { first, again: 0 },
        busy: [],
        servedAt: () => undefined,
      });
      expect(chosen).toEqual(due.slice(0, first));
    }),
  );
});

test('a company with many receivers that fail leaves half of the places for further tries, and of a host, to others', () => {
  const silent = Array.from({ length: 20 }, (_, n) => ({
    uuid: `silent ${n}`,
    owner: 'a',
    queue: `silent ${n}`,
    host: 'hooks',
    isAgain: n < 10,
  }));
  const others = ['b', 'c', 'd', 'e'].map((owner) => ({
    uuid: owner,
    owner,
    queue: owner,
    host: 'hooks',
    isAgain: true,
  }));
  const chosen = chooseNext([...silent, ...others], {
    limits: { perCompany: 12, perHost: 12, perCompanyAtHost: 6, perCompanyAgain: 4 },
    free: { first: 24, again: 8 },
    busy: silent.slice(0, 2),
    servedAt: () => undefined,
  });
  expect(chosen.filter(({ owner }) => owner === 'a')).toHaveLength(4);
  expect(chosen).toEqual(expect.arrayContaining(others));
});
