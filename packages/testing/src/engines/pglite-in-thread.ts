import type { PGlite } from '@electric-sql/pglite';
import type { EmbeddedPostgres } from '@bidwell/server/platform/postgres/embedded/embedded-postgres';

/** An open PGlite of this thread as an embedded database: starting a thread for each test file would take a second. */
export function inThread(pglite: PGlite): EmbeddedPostgres {
  return {
    async exchange(messages, respond) {
      await pglite.waitReady;
      await pglite.execProtocolRawStream(messages, { onRawData: (bytes) => respond(bytes.slice()) });
    },
    close: async () => pglite.close(),
  };
}
