import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
// The sources of the server are bundled into packages/server/dist.
const server = basename(folder) === 'dist' ? dirname(folder) : join(folder, '../..');

/** Folder of the built programs and of the databases' templates. */
export const PROGRAM_FOLDER = join(server, 'dist');
/** Folder of the built console. */
export const CONSOLE_FOLDER = join(server, '../console/dist');
