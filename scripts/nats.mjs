import { existsSync } from 'node:fs';

const paths = ['/usr/sbin/nats-server', '/usr/bin/nats-server', '/usr/local/bin/nats-server'];

/** The NATS server of the tests of live updates between processes. */
export const nats = {
  isThere: () => [process.env.NATS_SERVER_PATH, ...paths].some((path) => path && existsSync(path)),
  packages: ['nats-server'],
  hint: 'Without a NATS server (Debian: sudo apt-get install nats-server, or NATS_SERVER_PATH) its tests are left out.',
};
