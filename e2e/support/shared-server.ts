import { rm } from 'node:fs/promises';
import { type Server, serverAt, startServer, temporaryFolder } from './server.ts';

const URL_VARIABLE = 'BROWSER_TESTS_URL';
const MARKET_VARIABLE = 'BROWSER_TESTS_MARKET_URL';
const EMPTY_VARIABLE = 'BROWSER_TESTS_EMPTY_FOLDER';

/**
 * Starts the two servers that all workers share, before the first test, and copies the folder of a server without companies.
 * Resolves to the function that stops the servers and removes the copy.
 */
export default async function startSharedServer(): Promise<() => Promise<void>> {
  const { server, folder, halt, resume, stop } = await startServer('serve');
  await halt();
  const copy = await temporaryFolder(folder);
  const [market] = await Promise.all([startServer('serve', {}, copy), resume()]);
  // Workers inherit the environment.
  process.env[URL_VARIABLE] = server.url;
  process.env[MARKET_VARIABLE] = market.server.url;
  process.env[EMPTY_VARIABLE] = copy;
  return async () => {
    await Promise.all([stop(), market.stop()]);
    await rm(copy, { recursive: true, force: true });
  };
}

/** The server that all workers share. */
export const sharedServer = (): Server => serverAt(process.env[URL_VARIABLE]!);

/** The server that all workers share for campaigns that buy. */
export const sharedMarket = (): Server => serverAt(process.env[MARKET_VARIABLE]!);

/** The folder of a halted server without companies: a server with a copy of it starts in half of the time. */
export const emptyFolder = (): string | undefined => process.env[EMPTY_VARIABLE];
