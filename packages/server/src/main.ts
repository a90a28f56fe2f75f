import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { ConfigError } from './config.ts';
import { DataFolderInUse } from './platform/clickhouse/client.ts';

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

/** Runs until SIGINT, SIGTERM or the end of the program that started this one; a second signal ends the process at once. */
export async function untilSignal(close: () => Promise<void>): Promise<void> {
  await new Promise<void>((stop) => {
    for (const event of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.once(event, () => stop());
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  await close();
  if (process.connected) process.disconnect();
}

/** Prints why a start failed, in one sentence where the reason is known, and returns the exit code. */
export function explainFailure(error: unknown): number {
  console.error(sentenceOf(error) ?? error);
  if (process.connected) process.disconnect();
  return 1;
}

function sentenceOf(error: unknown): string | null {
  if (error instanceof ConfigError || error instanceof DataFolderInUse) return error.message;
  const { code, port } = error as { code?: string; port?: number };
  return code === 'EADDRINUSE' ? `Port ${port} is taken: set PORT to another one.` : null;
}
