/** What can be chosen: everything that is not archived, and what is chosen already (`chosen`, by uuid). Pure. */
export function currentOnly<Item extends { uuid: string; archived_at: string | null }>(
  items: readonly Item[],
  ...chosen: (string | null | undefined)[]
): Item[] {
  return items.filter(({ uuid, archived_at: archivedAt }) => archivedAt === null || chosen.includes(uuid));
}
