import { explainFailure, untilSignal } from '@bidwell/server/start/main';
import { ApiError } from './demo/api.ts';
import { PreparationInterrupted } from './demo/once.ts';
import { REQUESTS_PER_SECOND } from './demo/exchanges.ts';
import { startDemo } from './demo/start-demo.ts';

try {
  const demo = await startDemo(process.env, {
    requestsPerSecond: REQUESTS_PER_SECOND,
    onProgress: (line) => console.log(line),
  });
  const width = Math.max(...demo.logins.map(({ of }) => of.length));
  const logins = demo.logins.map(
    ({ of, login, password }) => `  ${of.padEnd(width)}   ${login} / ${password}`,
  );
  console.log(`
  Bidwell is at ${demo.url}

  Log in as
${logins.join('\n')}
  The operator's first login sets up one-time passwords: have an authenticator app ready.
${demo.outboxUrl === null ? '' : `\n  The mails that it sends are at ${demo.outboxUrl}\n`}
  Look first at Campaigns, with Delivery above the table, at Reports, and at Assets with its tab Audiences.
  docs/demo.md says what each company shows.

Four sample exchanges send about ${REQUESTS_PER_SECOND} bid requests a second. Ctrl-C stops.`);
  await untilSignal(() => demo.close());
} catch (error) {
  if (error instanceof ApiError) console.error(`The demo could not be prepared: ${error.message}`);
  else if (error instanceof PreparationInterrupted) console.error(error.message);
  const isKnown = error instanceof ApiError || error instanceof PreparationInterrupted;
  process.exitCode = isKnown ? 1 : explainFailure(error);
}
