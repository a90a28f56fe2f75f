import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { killScenario } from '../../testing/chaos/kill.ts';
import type { ChaosResult } from '../../testing/chaos/scenario.ts';

const program = fileURLToPath(new URL('../../serve.ts', import.meta.url));

test(
  'kill -9 again and again under traffic: what was acknowledged is counted once',
  { timeout: 240_000 },
  async () => {
    const result = (await killScenario.run({ rounds: 2, program, log: () => {} })) as ChaosResult;
    expect(result).toMatchObject({ lost: 0, doubled: 0, failures: [] });
    // Two rounds of 1,500 bids with three notices each, all of which are sent again until they are acknowledged.
    expect(result.acknowledged).toBe(9000);
  },
);
