import { audienceApiMessages } from '@bidwell/contract/audiences/api-messages';
import type { Context } from '../../../context.ts';
import { isInternalHost } from '../../../platform/outbound/receivers.ts';

/**
 * What is wrong with the address of a file, in words; null for one from which a file may be fetched. It is over https, unless operators allow
 * its host (`ALERT_INTERNAL_HOSTS`), and has neither a user nor a password, which would be shown to everyone who sees the audience.
 */
export function fileAddressFault({ config }: Pick<Context, 'config'>, address: string): string | null {
  const url = new URL(address);
  if (url.protocol !== 'https:' && !isInternalHost(url, config.alertInternalHosts))
    return audienceApiMessages.https;
  return url.username !== '' || url.password !== '' ? audienceApiMessages.noPassword : null;
}
