import { COHORT_GROUPS, COHORT_METRICS } from '@bidwell/contract/reports/cohorts';
import { REPORT_KEYS } from '@bidwell/contract/reports/metrics';
import { z } from 'zod';
import { entityId } from '../../../lib/entity-id.ts';
import { filterShape } from '../report-search.ts';

/** URL parameters of /reports/cohorts; an invalid one falls back to its default. */
export const cohortSearch = z.object({
  campaign_uuid: entityId,
  group: z.enum(COHORT_GROUPS).optional().catch(undefined),
  by: z.enum(REPORT_KEYS).optional().catch(undefined),
  metric: z.enum(COHORT_METRICS).optional().catch(undefined),
  /** The row whose curve is drawn; without it the total. */
  curve: z.string().max(400).optional().catch(undefined),
  ...filterShape,
});
export type CohortSearch = z.infer<typeof cohortSearch>;
