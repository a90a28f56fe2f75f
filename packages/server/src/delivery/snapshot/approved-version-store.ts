import { sql } from 'kysely';
import type { NativeTexts } from '../../platform/postgres/schema.ts';

type Reviewed = 'apps' | 'creatives' | 'tracking_links';

/** Whether the row has a version that may run: the current one, or an approved earlier one. */
export function isApproved(table: Reviewed) {
  return sql<boolean>`(${sql.ref(`${table}.status`)} = 'Approved' or ${sql.ref(`${table}.approved`)} is not null)`;
}

/** A reviewed text, of the version that may run. `current` is the column of the current text, if in another table. */
export function approvedText<Text extends string | null = string>(
  table: Reviewed,
  column: string,
  current = `${table}.${column}`,
) {
  const approved = sql.ref(`${table}.approved`);
  return sql<Text>`case when ${approved} is null then ${sql.ref(current)} else ${approved} ->> ${sql.lit(column)} end`;
}

/** The number in the App Store of an app's version that may run; null where its store link has none. */
export function approvedItemId() {
  return sql<
    number | null
  >`store_item_of(${approvedText('apps', 'os')}, ${approvedText('apps', 'store_link')})`;
}

/** An approved text of a creative group; '' when none was approved. */
export function approvedGroupText(column: keyof NativeTexts) {
  return sql<string>`
    case when creative_groups.texts_status = 'Approved' then ${sql.ref(`creative_groups.${column}`)}
      else coalesce(creative_groups.approved ->> ${sql.lit(column)}, '') end`;
}
