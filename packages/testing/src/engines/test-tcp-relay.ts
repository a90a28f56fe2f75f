import { afterAll } from 'vitest';
import { type TcpRelay, openTcpRelay } from './tcp-relay.ts';

/** Like {@link openTcpRelay}, but closed after the file's tests. */
export async function tcpRelay(to: () => number | string): Promise<TcpRelay> {
  const line = await openTcpRelay(to);
  afterAll(() => line.close());
  return line;
}
