import { readBackup } from '@bidwell/contract/operator/endpoints';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { explained } from '../backup/backup-failed.ts';
import { makeBackup } from '../backup/make-backup.ts';
import { move } from '../backup/move.ts';
import { openSource, openTarget } from '../backup/locations.ts';
import { restore } from '../backup/restore.ts';
import { readConfig } from '../config/config.ts';
import { restrictNewFiles } from '../platform/files/private-folder.ts';
import { OperatorError } from './client.ts';
import { type Command, command } from './command.ts';

const SAY_EVERY_MS = 1000;
/** Exit code of a backup that lacks events which are not stored. */
const EVENTS_MISSING = 2;

/** The command `backup`. It reads the database servers itself; embedded databases are read by their server while it runs. */
export const backupCommand: Command = {
  usage: 'FOLDER|s3://BUCKET/PREFIX',
  summary:
    'Make a backup of everything, also while the servers run, in a new folder or prefix; {date} becomes the date',
  async run(client, args) {
    const given = placeOf(args, 'Where to? Give a folder, or s3://BUCKET/PREFIX.');
    const place = given.replaceAll('{date}', new Date().toISOString().slice(0, 10));
    await withReasons(async () => {
      const config = readConfig(process.env, { createsSecrets: false });
      const { BIDWELL_URL: url, OPERATOR_TOKEN: token } = process.env;
      const { files, bytes, missing } = await makeBackup(config, async () => openTarget(place, config), {
        openStream: async () => client.stream(readBackup),
        say: progress(),
        isServerNamed: Boolean(url && token),
      });
      for (const sentence of missing) console.error(sentence);
      const size = `${files} files, ${bytes} bytes in ${place}`;
      console.log(
        missing.length > 0
          ? `The backup has everything else that is there: ${size}.`
          : `The backup is complete: ${size}. It has no encryption keys: keep a copy of them apart from it.`,
      );
      if (missing.length > 0) process.exitCode = EVENTS_MISSING;
    });
  },
};

/** The command `restore`. It calls no server. */
export const restoreCommand: Command = {
  usage: 'FOLDER|s3://BUCKET/PREFIX',
  summary: 'Restore a backup into an empty DATA_DIR or empty databases; after an interruption, repeat it',
  async run(_client, args) {
    const place = placeOf(args, 'From where? Give a folder, or s3://BUCKET/PREFIX.');
    await withReasons(async () => {
      const config = readConfig(process.env);
      const source = await openSource(place, config);
      try {
        await restore(config, source, { say: progress() });
        console.log(
          'The backup is restored. Start the server with the encryption keys of the one that was backed up, then run check-ledger.',
        );
      } finally {
        await source.close();
      }
    });
  },
};

/** The command `move`. The server of DATA_DIR must be stopped. */
export const moveCommand = command({
  options: z.object({ scratch: z.string().default(tmpdir()) }),
  summary:
    'Move a stopped installation from DATA_DIR to DATABASE_URL, CLICKHOUSE_URL and, if set, S3, and compare the sums',
  async run(_client, { scratch }) {
    await withReasons(async () => {
      const config = readConfig(process.env);
      const compared = await move(config, { scratch, say: progress() });
      console.table(compared);
      const differing = compared.filter(({ same }) => !same);
      if (differing.length > 0)
        throw new OperatorError(`The servers differ in ${differing.map(({ what }) => what).join(', ')}.`);
      console.log(
        `The installation is on the servers; ${config.dataDir} is as it was. The funnel of the delivery report and the samples of requests and bids begin anew.`,
      );
    });
  },
});

function placeOf(args: string[], question: string): string {
  const [place, ...others] = parseArgs({ args, allowPositionals: true }).positionals;
  if (!place || others.length > 0) throw new OperatorError(question);
  return place;
}

async function withReasons(work: () => Promise<void>): Promise<void> {
  restrictNewFiles();
  try {
    await work();
  } catch (error) {
    throw explained(error);
  }
}

/** Prints a line of progress now and then, on standard error. */
function progress(): (line: string) => void {
  let lastMs = -Infinity;
  return (line) => {
    if (performance.now() - lastMs < SAY_EVERY_MS) return;
    lastMs = performance.now();
    console.error(line);
  };
}
