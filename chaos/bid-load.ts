import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { OpenLoopResult } from '@bidwell/testing/load/open-loop';

const LOADER = new URL('../scripts/typescript.mjs', import.meta.url);
const PROGRAM = new URL('./bid-load-program.ts', import.meta.url);

/** Bid requests that all get a bid from a bidder with time for them; see `sendOpenLoop`. */
export interface BidLoad {
  port: number;
  path: string;
  perSecond: number;
  durationMs: number;
}

/** Offers bid requests from another process, which ends when the signal aborts. Throws if it fails. */
export async function offerBidRequests(load: BidLoad, signal: AbortSignal): Promise<OpenLoopResult> {
  const args = ['--import', LOADER.href, fileURLToPath(PROGRAM), JSON.stringify(load)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { signal, killSignal: 'SIGKILL' });
  return JSON.parse(stdout) as OpenLoopResult;
}
