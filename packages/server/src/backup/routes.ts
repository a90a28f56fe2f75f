import * as endpoints from '@bidwell/contract/operator/endpoints';
import type { FastifyReply } from 'fastify';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { operatorOf } from '../platform/http/auth/operator-auth.ts';
import { type Operator, requireOperatorPermission } from '../platform/operator.ts';
import { route } from '../platform/http/route.ts';
import type { Http } from '../platform/http/server.ts';
import { type BackupStep, backup } from './backup.ts';
import { encodeBackup } from './frames.ts';
import { secretsOf } from './installation.ts';
import { recordBackup } from './recorded.ts';

/** Folder in DATA_DIR for the parts of backups in progress. */
const SPOOL = 'backup-spool';
const WAIT_MS = 1000;

/** Registers the call that streams a backup to the command line, for databases in this process. One backup runs at a time. */
export async function registerBackup(http: Http, ctx: Context): Promise<void> {
  const { config, db, clickhouse, files, log } = ctx;
  const spool = join(config.dataDir, SPOOL);
  // What a killed server left there.
  await rm(spool, { recursive: true, force: true });
  const turn = { isTaken: false };
  function makeBackup(operator: Operator): AsyncGenerator<BackupStep> {
    requireOperatorPermission(operator, 'backup.read');
    return inTurn(operator);
  }
  async function* inTurn(operator: Operator): AsyncGenerator<BackupStep> {
    while (turn.isTaken) {
      yield { note: 'another backup is being made; this one waits' };
      await pause(WAIT_MS);
    }
    turn.isTaken = true;
    try {
      const isShared = config.databaseUrl === undefined;
      const parts = { db, clickhouse, files, secrets: secretsOf(config), isShared };
      const missing = yield* backup(parts, join(spool, randomUUID()));
      await recordBackup(ctx, operator, missing);
    } finally {
      turn.isTaken = false;
    }
  }
  route(http, endpoints.readBackup, async (request, reply) => {
    const encoded = encodeBackup(makeBackup(operatorOf(request)), (err) =>
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
