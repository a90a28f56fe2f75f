import type { Place } from '../../../platform/encryption.ts';

/** Where the secret of a channel is stored. */
export function channelSecretPlace(uuid: string): Place {
  return { table: 'alert_channels', column: 'secret', row: uuid };
}
