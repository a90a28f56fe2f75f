import type { NetworkPostbacks } from '@bidwell/contract/skadnetwork/schema';
import type { Context } from '../../../context.ts';
import { INSTALL_POSTBACK_PATH } from '../../../delivery/public.ts';
import { publicUrlOf } from '../../../platform/http/public-url.ts';
import { type Operator, requireOperatorPermission } from '../../../platform/operator.ts';
import { countedSince, uncountedSince } from './received-postback-store.ts';

/** What became of the postbacks that devices sent since a day (YYYY-MM-DD, UTC), of all companies, and where they send them. */
export async function receivedPostbacks(
  ctx: Context,
  operator: Operator,
  sinceDay: string,
): Promise<NetworkPostbacks> {
  requireOperatorPermission(operator, 'exchange.read');
  const [counted, uncounted] = await Promise.all([
    countedSince(ctx.db, sinceDay),
    uncountedSince(ctx.db, sinceDay),
  ]);
  return {
    url: `${publicUrlOf(ctx.config)}${INSTALL_POSTBACK_PATH}`,
    url_is_set: ctx.config.publicUrl !== undefined,
    counted: counted.count,
    last_counted_at: counted.lastAt?.toISOString() ?? null,
    uncounted: uncounted.map(({ reason, count, lastAt }) => ({
      reason,
      count,
      last_at: lastAt.toISOString(),
    })),
  };
}
