import { commonLabel } from '@bidwell/contract/apps/event-label';
import type { EventLabel } from '@bidwell/contract/reports/schema';
import type { Db } from '../../platform/postgres/transaction.ts';
import { anyOf, anyTextOf } from '../../platform/postgres/client.ts';
import type { Filters } from './filters.ts';

/** What is shown in place of each of these names of events in a report: the label on which the apps of the report agree. */
export async function eventLabels(
  db: Db,
  companyId: string,
  names: readonly string[],
  { app, campaign }: Filters,
): Promise<EventLabel[]> {
  if (names.length === 0) return [];
  const rows = await db
    .selectFrom('app_event_names')
    .select(['name', 'label'])
    .where('company_uuid', '=', companyId)
    .where('name', '=', anyTextOf(names))
    .$if(app !== undefined, (query) => query.where('app_uuid', '=', anyOf(app!)))
    .$if(campaign !== undefined, (query) =>
      query.where('app_uuid', 'in', (of) =>
        of
          .selectFrom('campaigns')
          .select('app_uuid')
          .where('company_uuid', '=', companyId)
          .where('uuid', '=', anyOf(campaign!)),
      ),
    )
    .execute();
  return names.map((name) => ({
    name,
    label: commonLabel(rows.filter((row) => row.name === name).map(({ label }) => label)),
  }));
}
