import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs `work` with a temporary folder, which is removed afterwards. The signal that `work` receives aborts when `work` ends,
 * however it ends, or with `signal`: a server that was started with it outlives neither the folder nor a test that timed
 * out.
 */
export async function withFolder<Result>(
  signal: AbortSignal | undefined,
  work: (folder: string, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-chaos-'));
  const end = new AbortController();
  try {
    // oxlint-disable-next-line no-restricted-properties -- none of them is a time limit
    return await work(folder, AbortSignal.any([end.signal, ...(signal ? [signal] : [])]));
  } finally {
    end.abort();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
