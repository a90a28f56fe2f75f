/**
 * A server with the clock of a test: `serve-with-clock.ts`, with the environment of a {@link TestClock}. Its timers and its databases keep the
 * real time.
 */
import { readConfig } from '@bidwell/server/config/config';
import { explainFailure, open, untilSignal } from '@bidwell/server/start/main';
import { clockOf } from './doors/test-clock.ts';

try {
  const app = await open(readConfig(process.env), { now: clockOf(process.env) });
  await app.listen();
  await untilSignal(async () => {
    await app.drain();
    await app.close();
  });
} catch (error) {
  process.exit(explainFailure(error));
}
