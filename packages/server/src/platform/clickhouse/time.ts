/** Bounds of the instants that the event database can store; no event lies outside. */
const EARLIEST_MS = 0;
const LATEST_MS = Date.UTC(2100, 0, 1);

/** Formats Unix ms as a DateTime64(3) of ClickHouse in UTC. */
export function clickhouseTime(atMs: number): string {
  const clamped = Math.min(Math.max(atMs, EARLIEST_MS), LATEST_MS);
  return new Date(clamped).toISOString().replace('T', ' ').replace('Z', '');
}
