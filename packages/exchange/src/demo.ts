import { explainFailure, untilSignal } from '@bidwell/server/main';
import { ApiError } from './demo/api.ts';
import { DEMO_USER } from './demo/company.ts';
import { startDemo } from './demo/start-demo.ts';

const REQUESTS_PER_SECOND = 60;

try {
  const demo = await startDemo(process.env, {
    requestsPerSecond: REQUESTS_PER_SECOND,
    onProgress: (line) => console.log(line),
  });
  console.log(`
  Bidwell    ${demo.url}
  log in as  ${DEMO_USER.login}
  password   ${DEMO_USER.password}

A sample exchange sends about ${REQUESTS_PER_SECOND} bid requests a second. Ctrl-C stops.`);
  await untilSignal(() => demo.close());
} catch (error) {
  if (error instanceof ApiError) console.error(`The demo company could not be made: ${error.message}`);
  process.exitCode = error instanceof ApiError ? 1 : explainFailure(error);
}
