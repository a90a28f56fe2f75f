import { expect, test } from 'vitest';
import { nodeOptions } from './memory.mjs';

const DATABASE_URL = 'postgres://db/bidwell';
const CLICKHOUSE_URL = 'http://clickhouse:8123';
const heapOf = ({ flags }) => flags.find((flag) => flag.startsWith('--max-old-space-size='));

test.each([
  ['no variable', {}],
  ['PostgreSQL only', { DATABASE_URL }],
  ['ClickHouse only', { CLICKHOUSE_URL }],
  ['an empty variable', { DATABASE_URL, CLICKHOUSE_URL: '' }],
])('with 1 GiB, the heap leaves room for an embedded database: %s', (_which, variables) => {
  const options = nodeOptions({ MEMORY_MIB: '1024', ...variables });
  expect(heapOf(options)).toBe('--max-old-space-size=204');
  expect(options.flags).toContain('--liftoff-only');
  expect(options.environment).toMatchObject({ UV_THREADPOOL_SIZE: '8', MALLOC_ARENA_MAX: '1', ...variables });
});

test('with 1 GiB and both databases external, nothing is limited', () => {
  const env = { MEMORY_MIB: '1024', DATABASE_URL, CLICKHOUSE_URL };
  expect(nodeOptions(env)).toEqual({
    flags: ['--enable-source-maps'],
    environment: { UV_THREADPOOL_SIZE: '16', ...env },
  });
});

test('variables that are set take precedence', () => {
  const { environment } = nodeOptions({ MEMORY_MIB: '1024', UV_THREADPOOL_SIZE: '4', MALLOC_ARENA_MAX: '2' });
  expect(environment).toMatchObject({ UV_THREADPOOL_SIZE: '4', MALLOC_ARENA_MAX: '2' });
});
