import { startTracing } from '../../platform/telemetry/trace-exporter.ts';
import type { Lifetime } from './lifetime.ts';

/** Starts sending traces if a collector is named. They are stopped last, so that the stop itself is traced. */
export async function openTracing({ config, closing }: Lifetime): Promise<void> {
  if (!config.tracing) return;
  const tracing = await startTracing(config.tracing);
  closing('tracing', tracing, () => tracing.stop());
}
