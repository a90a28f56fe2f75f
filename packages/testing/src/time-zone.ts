import type { Context } from '@bidwell/server/context';

/** Sets the time zone whose days a company has, also to one that its settings would refuse. */
export async function setTimeZone(
  { db }: Pick<Context, 'db'>,
  { companyId }: { companyId: string },
  timeZone: string,
): Promise<void> {
  await db.updateTable('companies').set({ time_zone: timeZone }).where('uuid', '=', companyId).execute();
}
