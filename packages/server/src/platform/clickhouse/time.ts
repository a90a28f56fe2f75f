/** The event database knows no instant beyond these; no event lies there either. */
const EARLIEST_MS = 0;
const LATEST_MS = Date.UTC(2100, 0, 1);

/** Unix ms as ClickHouse writes a DateTime64(3) in UTC. */
export function clickhouseTime(atMs: number): string {
  const held = Math.min(Math.max(atMs, EARLIEST_MS), LATEST_MS);
  return new Date(held).toISOString().replace('T', ' ').replace('Z', '');
}
