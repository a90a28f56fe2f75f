import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '@bidwell/testing/eventually';
import { testApp } from '@bidwell/testing/test-app';

const app = await testApp();
const ready = async () =>
  (await app.http.inject({ url: '/readyz' })).json<{ data: { clickhouse: boolean; degraded: string[] } }>()
    .data;

test("files of the reports' database that are deleted below a running server are noticed, and events wait", async () => {
  expect(await ready()).toMatchObject({ clickhouse: true, degraded: [] });
  await rm(join(app.ctx.config.dataDir, 'clickhouse'), { recursive: true });
  const sentence =
    "Files of the reports' database in DATA_DIR/clickhouse were deleted while it runs: reports lack what was in them, and events wait in the event log. Stop the server, put the files back or restore a backup, and start it.";
  // A response of /readyz is reused for half a second.
  await eventually(async () =>
    expect(await ready()).toMatchObject({ clickhouse: false, degraded: [sentence] }),
  );
  await expect(app.ctx.clickhouse.insert('events', [{ kind: 'click' }])).rejects.toThrow(sentence);
});
