import { type Kysely, type Migration, sql } from 'kysely';

/**
 * The spend and the leases of each company in one row, so that a bidder's request reads neither over all ad sets, and
 * locks only its companies. Triggers keep the rows, whichever version of the server writes. `held_ms` is how long bids may
 * reserve money of a lease after the last of them; null where 0.1.0 wrote it.
 */
export const companyLeases: Migration = {
  async up(db) {
    await addSums(db, { of: 'adset_spend', column: 'ever_micros', into: 'company_spend' });
    await addSums(db, { of: 'budget_leases', column: 'micros', into: 'company_leases' });
    await createFunctions(db);
    await sql`alter table budget_leases add column held_ms int`.execute(db);
  },
};

/** Creates the table `into`, the sums of a table's column by company. Does not round: numeric, regardless of what the rows contain. */
async function addSums(
  db: Kysely<unknown>,
  { of, column, into }: { of: string; column: string; into: string },
): Promise<void> {
  const [table, amount, sums] = [sql.table(of), sql.ref(column), sql.table(into)];
  await sql`
    create table ${sums} (
      company_uuid uuid primary key,
      micros numeric not null default 0
    ) with (fillfactor = 50)`.execute(db);
  const add = (rows: ReturnType<typeof sql>) => sql`
    insert into ${sums} as s (company_uuid, micros)
    select company_uuid, sum(change) from (${rows}) as r group by company_uuid having sum(change) <> 0 order by company_uuid
    on conflict (company_uuid) do update set micros = s.micros + excluded.micros`;
  const added = sql`select company_uuid, ${amount} as change from new_rows`;
  const removed = sql`select company_uuid, -${amount} as change from old_rows`;
  const name = sql.ref(`add_to_${into}`);
  // In the order of companies, as all writers of these rows lock them.
  await sql`
    create function ${name}() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then ${add(added)};
      elsif tg_op = 'DELETE' then ${add(removed)};
      else ${add(sql`${added} union all ${removed}`)};
      end if;
      return null;
    end $$`.execute(db);
  const tables = {
    insert: sql`new table as new_rows`,
    update: sql`new table as new_rows old table as old_rows`,
    delete: sql`old table as old_rows`,
  };
  for (const [event, referenced] of Object.entries(tables))
    await sql`
      create trigger ${sql.ref(`add_${event}`)} after ${sql.raw(event)} on ${table} referencing ${referenced}
      for each statement execute function ${name}()`.execute(db);
  // Creating the triggers locked out other writers until the end of the migration.
  await sql`
    insert into ${sums} (company_uuid, micros)
    select company_uuid, sum(${amount}) from ${table} group by company_uuid`.execute(db);
}

/**
 * `lock_lease_accounts` begins a bidder's request: records its heartbeat, locks its companies, and reads the data that the decision
 * needs. Each of its statements sees everything committed before it, so it reads the state at the lock. Null, without
 * an effect, where leases of silent bidders must be ended first.
 */
async function createFunctions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function has_silent_bidders(ended_ms int, lease_ms int) returns boolean language sql stable as $$
      select exists (
        select from bidders where seen_at < clock_timestamp()
          - case when ended then lease_ms else ended_ms end * interval '1 millisecond'
      ) or exists (
        select from bidders b join bid_outcomes o on o.bidder_tag = right(b.uuid::text, 8) where b.ended
      )
    $$`.execute(db);
  // The plans are cached while the tables may grow, so they must not depend on their sizes. Compiling them is never worth
  // it, and the cost of disabled plan nodes would cause it.
  await sql`
    create function lock_lease_accounts(
      bidder uuid, companies uuid[], adsets uuid[], silence_ms int, ended_ms int, lease_ms int, is_forced boolean
    ) returns json language plpgsql
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
    declare
      at timestamptz;
    begin
      if not is_forced and has_silent_bidders(ended_ms, lease_ms) then return null; end if;
      -- The key of lease-store.ts, which ends silent bidders, as do requests of older servers, alone.
      perform pg_advisory_xact_lock_shared(4216003);
      insert into bidders (uuid, seen_at) values (bidder, clock_timestamp())
      on conflict (uuid) do update set seen_at = excluded.seen_at, ended = false;
      insert into company_leases (company_uuid)
      select c.uuid from unnest(companies) as c (uuid)
      where not exists (select from company_leases l where l.company_uuid = c.uuid) order by c.uuid
      on conflict do nothing;
      perform from company_leases where company_uuid = any(companies) order by company_uuid for update;
      at := clock_timestamp();
      return (
        select json_build_object(
          'nowMs', floor(extract(epoch from at) * 1000),
          'bidders', (select count(*) from bidders where seen_at > at - silence_ms * interval '1 millisecond'),
          'companies', (
            select coalesce(json_agg(json_build_object(
              'id', c.uuid, 'spentMicros', coalesce(s.micros, 0), 'leasedMicros', l.micros)), '[]')
            from unnest(companies) as c (uuid)
            join company_leases l on l.company_uuid = c.uuid
            left join company_spend s on s.company_uuid = c.uuid
          ),
          'adsets', (
            select coalesce(json_agg(json_build_object(
              'id', a.uuid, 'everMicros', coalesce(s.ever_micros, 0), 'day', s.day, 'dayMicros', s.day_micros,
              'leasedMicros', coalesce(l.leased, 0), 'ownMicros', coalesce(l.own, 0), 'pace', p.state)), '[]')
            from unnest(adsets) as a (uuid)
            left join adset_spend s on s.adset_uuid = a.uuid
            left join adset_pace p on p.adset_uuid = a.uuid
            left join lateral (
              select sum(micros) as leased, sum(micros) filter (where bidder_uuid = bidder) as own
              from budget_leases where adset_uuid = a.uuid
            ) as l on true
          )
        )
      );
    end $$`.execute(db);
}
