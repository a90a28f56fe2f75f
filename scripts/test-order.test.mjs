import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './install.mjs';
import { SlowestFirst, workers } from './test-order.mjs';

const file = (project, path) => ({ moduleId: `/checkout/${path}`, project: { name: project, config } });
const config = { isolate: false, sequence: { groupOrder: 0 } };

test('files that are slow for their size run first in their project', async () => {
  const sizes = { 'a.test.ts': 10, 'b.test.ts': 1000, 'kill.exhaustive.test.ts': 1 };
  const cache = {
    getFileTestResults: () => undefined,
    getFileStats: (key) => ({ size: sizes[key.split('/').at(-1)] }),
  };
  const kill = 'packages/server/src/delivery/event-log/kill.exhaustive.test.ts';
  const sequencer = new SlowestFirst({ cache, config: { root: '/checkout', sequence: {} } });
  const sorted = await sequencer.sort([
    file('server', 'packages/server/src/a.test.ts'),
    file('server', kill),
    file('server', 'packages/server/src/b.test.ts'),
    file('console', 'packages/console/src/a.test.ts'),
  ]);
  expect(sorted.map(({ moduleId }) => moduleId.replace('/checkout/', ''))).toEqual([
    'packages/console/src/a.test.ts',
    kill,
    'packages/server/src/b.test.ts',
    'packages/server/src/a.test.ts',
  ]);
});

test('a seed alone decides the order of a shuffled run, within each project', async () => {
  const files = Array.from({ length: 20 }, (_, n) => file(n % 2 ? 'server' : 'console', `${n}.test.ts`));
  const orderOf = async (seed, given) => {
    const sequencer = new SlowestFirst({
      config: { root: '/checkout', sequence: { shuffle: true, seed } },
    });
    const sorted = await sequencer.sort(given);
    return sorted.map(({ moduleId, project }) => `${project.name} ${moduleId}`);
  };
  const order = await orderOf(1, files);
  expect(order.toSorted()).toEqual((await orderOf(2, files)).toSorted());
  expect(order).not.toEqual(await orderOf(2, files));
  expect(order).toEqual(await orderOf(1, files.toReversed()));
  expect(order.findLastIndex((name) => name.startsWith('console'))).toBe(9);
});

test('every file that is called slow exists', () => {
  const source = readFileSync(join(root, 'scripts/test-order.mjs'), 'utf8');
  const paths = [...source.matchAll(/'(packages\/[^']+)'/g)].map(([, path]) => path);
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test.each([
  [2, 16, 3],
  [2, 7, 2],
  [1, 1, 1],
  [16, 64, 8],
])('%d cores and %d GiB run tests in %d processes', (cores, gib, expected) => {
  expect(workers(cores, gib * 1024)).toBe(expected);
});
