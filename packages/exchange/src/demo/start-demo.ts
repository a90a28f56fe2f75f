import { readConfig } from '@bidwell/server/config';
import { start } from '@bidwell/server/main';
import type { Counts } from '../counts.ts';
import { startExchange } from '../run.ts';
import { DEMO_SSP, ensureDemoCompany } from './company.ts';

/** A running demo. */
export interface Demo {
  url: string;
  counts(): Readonly<Counts>;
  /** Stops the exchange, then the server. */
  close(): Promise<void>;
}

interface DemoOptions {
  requestsPerSecond: number;
  onProgress: (line: string) => void;
  /** Time after which the exchange abandons a call to the server; two seconds by default. */
  callTimeoutMs?: number;
}

/**
 * Starts the server in this process, creates the demo company and starts the sample exchange. `env` configures the server;
 * by default, the demo uses the data folder data/demo.
 */
export async function startDemo(
  env: Record<string, string | undefined>,
  { requestsPerSecond, onProgress, callTimeoutMs }: DemoOptions,
): Promise<Demo> {
  const config = readConfig({
    ...env,
    DATA_DIR: env['DATA_DIR'] || 'data/demo',
    LOG_LEVEL: env['LOG_LEVEL'] || 'error',
  });
  onProgress('Starting the server …');
  const server = await start(config);
  try {
    onProgress('Preparing the demo company …');
    const { postbackSecret, exchangeSecret } = await ensureDemoCompany(server.url, server.operatorToken);
    const stop = new AbortController();
    const exchange = startExchange({
      url: server.url,
      ssp: DEMO_SSP,
      secret: exchangeSecret,
      requestsPerSecond,
      callTimeoutMs,
      seed: Date.now(),
      postback: { mmp: 'appsflyer', secret: postbackSecret },
      signal: stop.signal,
    });
    return {
      url: server.url,
      counts: () => exchange.counts(),
      async close() {
        stop.abort();
        await exchange.finished;
        await server.close();
      },
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}
