/** Reads the no-bid counters of one exchange from the text of GET /metrics (Prometheus). */
export function noBidCounters(metrics: string, ssp: string): Map<string, number> {
  const counters = new Map<string, number>();
  for (const [, labels, value] of metrics.matchAll(/^bidwell_no_bids_total\{([^}\s]*)\} (\S+)/gm)) {
    const label = (name: string) => new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels!)?.[1];
    const reason = label('reason');
    if (label('ssp') === ssp && reason) counters.set(reason, Number(value));
  }
  return counters;
}

/** Increases of counters, the largest first; unchanged counters are omitted. */
export function risen(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): Record<string, number> {
  const differences = [...after].map(
    ([reason, count]) => [reason, count - (before.get(reason) ?? 0)] as const,
  );
  return Object.fromEntries(differences.filter(([, count]) => count > 0).sort((a, b) => b[1] - a[1]));
}
