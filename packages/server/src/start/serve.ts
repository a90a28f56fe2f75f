import { readConfig } from '../config/config.ts';
import { explainFailure, start, untilSignal } from './main.ts';

try {
  const server = await start(readConfig(process.env));
  console.log(`Bidwell is at ${server.url}`);
  await untilSignal(() => server.close());
} catch (error) {
  process.exitCode = explainFailure(error);
}
