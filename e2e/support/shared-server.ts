import type { Server } from './server.ts';
import { serverAt, startServer } from './server.ts';

const VARIABLE = 'BROWSER_TESTS_URL';

/** Starts the server that all workers share, before the first test. Resolves to the function that stops it. */
export default async function startSharedServer(): Promise<() => Promise<void>> {
  const { server, stop } = await startServer('serve');
  // Workers inherit the environment.
  process.env[VARIABLE] = server.url;
  return stop;
}

/** The server that all workers share. */
export const sharedServer = (): Server => serverAt(process.env[VARIABLE]!);
