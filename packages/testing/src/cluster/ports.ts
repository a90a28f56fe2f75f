import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the range from which Linux takes ports of outgoing connections: a stopped process finds its port free again. */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;
const ATTEMPTS = 200;

/** Different free ports of this machine that no outgoing connection takes. Throws if there are too few. */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  for (let attempt = 0; found.size < count; attempt += 1) {
    if (attempt >= ATTEMPTS + count) throw new Error(`This machine has no ${count} free ports.`);
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));
    if (!found.has(port) && (await isFree(port))) found.add(port);
  }
  return [...found];
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    probe.close();
  }
}
