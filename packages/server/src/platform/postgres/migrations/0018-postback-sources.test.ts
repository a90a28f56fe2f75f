import { Kysely, PostgresDialect, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { emptyPostgres } from '@bidwell/testing/empty-engines';
import { embeddedPool } from '../embedded/embedded-pool.ts';
import { postbackSources } from './0018-postback-sources.ts';

const SECRET = 'c2VjcmV0-LXNlY3JldC1zZWNyZXQtc2Vjcm_V0LXNlY';

test('links with the secret as it was suggested get a token for one click; owners of other links are notified', async () => {
  const db = new Kysely<never>({
    dialect: new PostgresDialect({ pool: embeddedPool(await emptyPostgres()) }),
  });
  // Tables as they were then, next to today's tables.
  await sql`create schema earlier`.execute(db);
  onTestFinished(async () => {
    await sql`drop schema earlier cascade`.execute(db);
    await db.destroy();
  });
  await sql`set search_path to earlier`.execute(db);
  await sql`create table companies (uuid uuid primary key, postback_secret text)`.execute(db);
  await sql`create table tracking_links (uuid uuid, company_uuid uuid, name text, click_url text, view_url text)`.execute(
    db,
  );
  await sql`create table notifications (uuid uuid, company_uuid uuid, kind text, title text, text text, entity_type text, entity_uuid uuid, created_at timestamptz)`.execute(
    db,
  );
  await sql`insert into companies values (gen_random_uuid(), ${SECRET}), (gen_random_uuid(), 'of another company')`.execute(
    db,
  );
  const callback = `install_callback=https%3A%2F%2Fads.example%2Fpostback%2Fadjust%2F${SECRET}%3Fclick_id%3D{click_id}`;
  const suggested = `https://app.adjust.com/abc?campaign={campaign_name}&${callback}%26activity_kind%3D%7Bactivity_kind%7D`;
  const plain = `https://app.adjust.com/abc?install_callback=https://ads.example/postback/adjust/${SECRET}?click_id={click_id}`;
  const odd = `https://mmp.example/c?key=${SECRET}`;
  for (const [name, click, view] of [
    ['suggested', suggested, plain],
    ['odd', odd, 'https://mmp.example/v'],
  ])
    await sql`insert into tracking_links select gen_random_uuid(), uuid, ${name}, ${click}, ${view} from companies where postback_secret = ${SECRET}`.execute(
      db,
    );
  await postbackSources.up(db);
  const { rows } = await sql<{ name: string; click_url: string; view_url: string }>`
    select name, click_url, view_url from tracking_links order by name desc`.execute(db);
  expect(rows).toEqual([
    {
      name: 'suggested',
      click_url:
        'https://app.adjust.com/abc?campaign={campaign_name}&install_callback=https%3A%2F%2Fads.example%2Fpostback%2Fadjust%2Fclick%2F{install_token}%3Factivity_kind%3D%7Bactivity_kind%7D',
      view_url:
        'https://app.adjust.com/abc?install_callback=https://ads.example/postback/adjust/click/{install_token}?',
    },
    { name: 'odd', click_url: odd, view_url: 'https://mmp.example/v' },
  ]);
  const { rows: warnings } = await sql<{ text: string }>`select text from notifications`.execute(db);
  expect(warnings.map(({ text }) => text)).toEqual([expect.stringContaining('the link "odd"')]);
});
