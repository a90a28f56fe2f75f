import { type EntityVersion, versionOf } from '@bidwell/contract/lib/version';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { ApiError } from './api-error.ts';

/** Whether someone else changed the entity, so that it has another version than a change was sent for. */
export const isOutdated = (error: unknown): boolean => error instanceof ApiError && error.status === 412;

/** Someone may save again and again; the person can repeat it. */
export const TRIES_MAX = 3;

interface ChangeAsShown<Item extends object, Done> {
  /** Reads the entity as the server has it; undefined if it was deleted. Throws ApiError. */
  read: () => Promise<Item | undefined>;
  version: Pick<EntityVersion, 'ignoring'>;
  /** Whether the fields to change have the values that the person was shown. */
  isAsShown: (present: Item) => boolean;
  /** Changes the entity, only of the version. Throws ApiError. */
  send: (version: string, present: Item) => Promise<Done>;
  /** The message otherwise. */
  message?: string;
}

/**
 * Changes something that is chosen without a form, such as a role: where someone else changed it since it was shown, nothing is sent and
 * an Error says so. What else they changed stays. Throws ApiError.
 */
export async function changeAsShown<Item extends object, Done>({
  read,
  version,
  isAsShown,
  send,
  message = screenMessages.changedAnew,
}: ChangeAsShown<Item, Done>): Promise<Done> {
  for (let tries = 1; ; tries += 1) {
    const present = await read();
    if (!present || !isAsShown(present)) throw new Error(message);
    try {
      return await send(versionOf(version, present), present);
    } catch (error) {
      if (!isOutdated(error) || tries === TRIES_MAX) throw error;
    }
  }
}
