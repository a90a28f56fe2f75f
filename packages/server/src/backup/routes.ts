import * as endpoints from '@bidwell/contract/operator/endpoints';
import type { FastifyReply } from 'fastify';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Context } from '../context.ts';
import { operatorOf } from '../platform/http/auth/operator-auth.ts';
import { route } from '../platform/http/route.ts';
import type { Http } from '../platform/http/server.ts';
import { encodeBackup } from './frames.ts';
import { streamBackup } from './stream-backup.ts';

/** Folder in DATA_DIR for the parts of backups in progress. */
const SPOOL = 'backup-spool';

/** Registers the call that streams a backup to the command line, for databases in this process. One backup runs at a time. */
export async function registerBackup(http: Http, ctx: Context): Promise<void> {
  const { config, log } = ctx;
  const spool = join(config.dataDir, SPOOL);
  // Removes leftovers of a killed server.
  await rm(spool, { recursive: true, force: true });
  const turn = { isTaken: false };
  route(http, endpoints.readBackup, async (request, reply) => {
    const encoded = encodeBackup(streamBackup(ctx, operatorOf(request), { spool, turn }), (err) =>
      log.error({ err }, 'a backup failed'),
    );
    return send(reply, encoded);
  });
}

function send(reply: FastifyReply, encoded: AsyncIterable<Buffer>): FastifyReply {
  return reply
    .type(endpoints.BACKUP)
    .header('cache-control', 'no-store')
    .send(Readable.from(encoded, { objectMode: false }));
}
