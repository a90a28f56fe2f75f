import { ConfigError, readConfig } from '../config.ts';
import { commands, usage } from './commands.ts';
import { OperatorError, createClient, takeKey } from './client.ts';

const [name = '', ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (!command) {
  console.error(usage());
  process.exitCode = name === '' || name === 'help' ? 0 : 2;
} else {
  try {
    const config = readConfig(process.env);
    const url = process.env['BIDWELL_URL'] ?? config.publicUrl ?? `http://127.0.0.1:${config.port}`;
    const { key, rest } = takeKey(args);
    await command.run(createClient(url, config.operatorToken, { ...(key && { key }) }), rest);
  } catch (error) {
    const known =
      error instanceof OperatorError || error instanceof ConfigError || error instanceof TypeError;
    console.error(known ? (error as Error).message : error);
    process.exitCode = 1;
  }
}
