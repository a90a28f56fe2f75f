/** The items that can be selected: those not archived, and those already selected (`chosen`, by uuid). Pure. */
export function currentOnly<Item extends { uuid: string; archived_at: string | null }>(
  items: readonly Item[],
  ...chosen: (string | null | undefined)[]
): Item[] {
  return items.filter(({ uuid, archived_at: archivedAt }) => archivedAt === null || chosen.includes(uuid));
}
