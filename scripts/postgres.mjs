import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where Debian's packages put the programs of each version. */
const folder = '/usr/lib/postgresql';

/** The PostgreSQL server of the tests against services. */
export const postgres = {
  isThere: () =>
    existsSync(folder) &&
    readdirSync(folder).some((version) => existsSync(join(folder, version, 'bin/initdb'))),
  packages: ['postgresql'],
  hint: 'Without PostgreSQL (Debian: sudo apt-get install postgresql) the tests against services are left out.',
};
