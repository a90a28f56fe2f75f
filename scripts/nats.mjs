import { existsSync } from 'node:fs';
import { installByApt } from './apt.mjs';

const paths = ['/usr/sbin/nats-server', '/usr/bin/nats-server', '/usr/local/bin/nats-server'];
const isThere = () => [process.env.NATS_SERVER_PATH, ...paths].some((path) => path && existsSync(path));

/** Installs a NATS server with apt if it is missing. Returns null, or a sentence that says which tests are skipped. */
export function ensureNats() {
  if (!isThere()) installByApt('nats-server');
  return isThere()
    ? null
    : 'Without a NATS server (Debian: sudo apt-get install nats-server, or NATS_SERVER_PATH) its tests are left out.';
}
