import { existsSync } from 'node:fs';
import { installByApt } from './apt.mjs';

const places = ['/usr/sbin/nats-server', '/usr/bin/nats-server', '/usr/local/bin/nats-server'];
const isThere = () => [process.env.NATS_SERVER_PATH, ...places].some((path) => path && existsSync(path));

/** Installs a NATS server by apt where that is possible and none is there; otherwise answers a sentence that says what is left out. */
export function ensureNats() {
  if (!isThere()) installByApt('nats-server');
  return isThere()
    ? null
    : 'Without a NATS server (Debian: sudo apt-get install nats-server, or NATS_SERVER_PATH) its tests are left out.';
}
