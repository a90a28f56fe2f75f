import { pathToFileURL } from 'node:url';
import type { App } from './app.ts';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { ConfigError, readConfig } from './config.ts';

/** A server that listens. */
export interface RunningServer {
  /** Where the console answers, without a slash at its end. */
  url: string;
  operatorToken: string;
  /** Stops taking requests, stores what was acknowledged, closes the engines. */
  close(): Promise<void>;
}

/** Opens the engines, brings them to the newest form and listens. */
export async function start(config: Config): Promise<RunningServer> {
  const app = await createApp(config);
  try {
    const url = await app.listen();
    return { url, operatorToken: config.operatorToken, close: () => app.close() };
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** Runs until SIGINT or SIGTERM; a second signal ends the process at once. */
export async function untilSignal(close: () => Promise<void>): Promise<void> {
  await new Promise<void>((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop());
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  await close();
}

/** Prints why a start failed, in one sentence where the reason is known, and returns the exit code. */
export function explainFailure(error: unknown): number {
  const known = error instanceof ConfigError || (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  console.error(known ? (error as Error).message : error);
  return 1;
}

export type { App };

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    const server = await start(readConfig(process.env));
    console.log(`Bidwell is at ${server.url}`);
    await untilSignal(() => server.close());
  } catch (error) {
    process.exitCode = explainFailure(error);
  }
}
