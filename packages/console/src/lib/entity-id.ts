import { z } from 'zod';

/** The id of an entity in an address. Text that is no id stays in it, so that the screen can say that there is no such page. */
export const entityId = z
  .string()
  .optional()
  .catch(({ value }) => String(value));

const Uuid = z.uuid();

/** Whether the id of an entity in an address can be one. Pure. */
export const isEntityId = (id: string): boolean => Uuid.safeParse(id).success;
