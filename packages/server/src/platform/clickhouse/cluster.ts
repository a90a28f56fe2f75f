/** A ClickHouse cluster with one copy of the tables: sharded, and each shard replicated. */
export interface Cluster {
  /** Name of the cluster in `remote_servers` of the servers. */
  name: string;
  /** The database with the tables, on all servers. */
  database: string;
}

/** Seconds that a definition waits for all servers: less than the client waits for its response. */
export const DEFINITION_SECONDS = 25;

/** Sum of the weights of all shards, at most: a fence has a row for each (`fenceInsert` of the events). */
export const SHARDS_MAX = 256;

/**
 * The key that distributes rows among the shards. All events of a bid are on one, because the charge of a bid and the
 * tokens of inserts are looked up and kept by shard; the number is the one by which the event stream is partitioned.
 */
const SHARDED_BY: Readonly<Record<string, string>> = {
  events: 'toUInt16(intDiv(toUInt128(bid_id), 4294967296) % 65536)',
  bid_sample: 'toUInt16(intDiv(toUInt128(bid_id), 4294967296) % 65536)',
  postbacks: 'sipHash64(click_id)',
  funnel: 'sipHash64(adset_id)',
  device_ids: 'sipHash64(adset_id)',
  request_sample: 'sipHash64(id)',
  bid_prices: 'sipHash64(exchange, country)',
  publisher_apps: 'sipHash64(bundle)',
  schema_migrations: 'version',
};

const CREATE = /^create table if not exists (\w+) (\(.*\)) engine = (Summing)?MergeTree\b(.*)$/s;
const ALTER = /^alter table (\w+) (.*)$/s;
/** Changes that the Distributed table needs too: only columns. */
const CHANGES_COLUMNS = /^(add|drop|rename) column\b/;

/**
 * The statements that define a table on this installation. Without a cluster, `statement` itself. On a cluster, a table
 * becomes a replicated one on each shard, `…_local`, and a Distributed one with the table's name, which all queries and
 * inserts use. Throws for statements that it does not know.
 */
export function definitionsOn(cluster: Cluster | null, statement: string): string[] {
  if (!cluster) return [statement];
  const on = `on cluster '${cluster.name}'`;
  const nameOf = (table: string) => `\`${cluster.database}\`.${table}`;
  const created = CREATE.exec(statement);
  if (created) {
    const [, table = '', columns, kind = '', rest] = created;
    const key = SHARDED_BY[table];
    if (key === undefined) throw new Error(`The table ${table} has no sharding key.`);
    const local = nameOf(localTable(cluster, table));
    return [
      `create table if not exists ${local} ${on} ${columns} engine = Replicated${kind}MergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')${rest}`,
      `create table if not exists ${nameOf(table)} ${on} as ${local} engine = Distributed('${cluster.name}', '${cluster.database}', '${localTable(cluster, table)}', ${key})`,
    ];
  }
  const [, table, change] = ALTER.exec(statement) ?? [];
  if (table === undefined || change === undefined)
    throw new Error(`This statement cannot be run on a cluster: ${statement}`);
  const local = `alter table ${nameOf(localTable(cluster, table))} ${on} ${change.replace('non_replicated_', 'replicated_')}`;
  return CHANGES_COLUMNS.test(change) ? [local, `alter table ${nameOf(table)} ${on} ${change}`] : [local];
}

/** The table that stores the rows of `table` on a server. */
export function localTable(cluster: Cluster | null, table: string): string {
  return cluster ? `${table}_local` : table;
}

/**
 * For FROM: a table with all rows whose insert has succeeded. On a cluster an insert succeeds when most replicas of a
 * shard have it, and one replica may be late: so this reads all that respond, and rows occur several times.
 */
export function everyReplica(cluster: Cluster | null, table: string): string {
  return cluster
    ? `clusterAllReplicas('${cluster.name}', '${cluster.database}', '${localTable(cluster, table)}')`
    : table;
}

/** Settings of a query that reads {@link everyReplica}: the rows of an unavailable server are on other servers. */
export function everyReplicaSettings(cluster: Cluster | null): Record<string, number> {
  return cluster ? { skip_unavailable_shards: 1 } : {};
}

/**
 * Settings of an insert. On a cluster it succeeds when most replicas of each shard have the rows, so that none is lost with
 * a server; inserts do not wait for each other.
 */
export function insertSettings(cluster: Cluster | null): Record<string, string | number> {
  return cluster
    ? {
        distributed_foreground_insert: 1,
        insert_quorum: "'auto'",
        insert_quorum_parallel: 1,
        insert_quorum_timeout: 20_000,
      }
    : {};
}
