import { BackupFailed } from '../backup/backup-failed.ts';
import { adminUrl, readConfig } from '../config/config.ts';
import { ConfigError } from '../config/environment.ts';
import { commandIn, helpOf, usage } from './commands.ts';
import { OperatorError, createClient, takeKey } from './client.ts';

const HELP = ['', 'help', '--help', '-h'];
const words = process.argv.slice(2);
const [name = ''] = words;
const found = commandIn(words);
if (!found) {
  if (!HELP.includes(name)) console.error(`There is no command ${name}.\n`);
  console.error(usage());
  process.exitCode = HELP.includes(name) ? 0 : 2;
} else if (found.args.some((word) => word === '--help' || word === '-h')) {
  console.log(helpOf(found));
} else {
  try {
    const config = readConfig(process.env, { createsSecrets: false });
    const url =
      process.env['BIDWELL_URL'] ||
      (config.admin && adminUrl(config.admin)) ||
      config.publicUrl ||
      `http://127.0.0.1:${config.port}`;
    const { key, rest } = takeKey(found.args);
    await found.command.run(createClient(url, config.operatorToken, { ...(key && { key }) }), rest);
  } catch (error) {
    const known = [OperatorError, BackupFailed, ConfigError, TypeError];
    const isKnown = error instanceof Error && known.some((kind) => error instanceof kind);
    console.error(isKnown ? error.message : error);
    process.exitCode = 1;
  }
}
