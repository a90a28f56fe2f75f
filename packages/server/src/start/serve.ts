import { readConfig } from '../config/config.ts';
import { explainFailure, start, untilSignal } from './main.ts';

try {
  const config = readConfig(process.env);
  const server = await start(config);
  console.log(`Bidwell is at ${server.url}`);
  if (config.admin && config.roles.has('api'))
    console.log(`The operator console is at ${server.operatorUrl}/operator`);
  if (config.roles.has('api') && !server.hasOperators)
    console.log(
      'There is no operator account yet. Operators approve apps and creatives and credit money. Add one: npm run operator -- add-operator --login LOGIN --name "NAME"',
    );
  await untilSignal(() => server.close());
} catch (error) {
  // What has started already would go on, and no one would restart a process that runs and does not listen.
  process.exit(explainFailure(error));
}
