import { fileURLToPath } from 'node:url';

// The sources of the server are bundled into packages/server/dist, as deep in the tree as this file.

/** Folder of the built programs and of the databases' templates. */
export const PROGRAM_FOLDER = fileURLToPath(new URL('../dist', import.meta.url));
/** Folder of the built console. */
export const CONSOLE_FOLDER = fileURLToPath(new URL('../../console/dist', import.meta.url));
