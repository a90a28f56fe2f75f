import type { Metrics } from '@bidwell/contract/metrics';
import { metricsOf } from '@bidwell/contract/metrics';

/** The figures of what was never shown. */
export const zeroMetrics: Metrics = metricsOf({ clicks: 0, installs: 0, impressions: 0, spendMicros: 0 });
