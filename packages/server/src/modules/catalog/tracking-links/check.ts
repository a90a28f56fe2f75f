import type { AppSummary } from '@bidwell/contract/apps/schema';
import {
  LINK_HOPS_MAX,
  type LinkCheck,
  type LinkCheckInput,
  type LinkHop,
} from '@bidwell/contract/tracking-links/link-check';
import { PARTNERS, mmpOfHost } from '@bidwell/contract/measurement/partners/partners';
import { sampleValues } from '@bidwell/contract/tracking-links/sample-values';
import { fillTrackingMacros } from '@bidwell/contract/tracking-links/macros';
import { truncate } from '@bidwell/contract/lib/truncate';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Unavailable } from '../../../platform/errors.ts';
import { type FollowedLink, TooManyLinks } from '../../../platform/outbound/follow-link.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { appsOf, requireApp } from '../apps/service.ts';
import { requireNoSecret } from '../partners/service.ts';
import { findingsOf } from './link-findings.ts';
import { storeAppOf } from './store-target.ts';

const URL_CHARS_MAX = 2000;

/**
 * Follows the redirects of a click URL with sample values as a device would, and says what is wrong with the chain. Throws
 * Invalid for an unknown app and for an address with the postback secret; Unavailable while too many links are checked.
 */
export async function checkTrackingLink(
  ctx: Context,
  actor: Actor,
  { app_id: appUuid, click_url: clickUrl }: LinkCheckInput,
): Promise<LinkCheck> {
  requirePermission(actor, 'tracking_link.write');
  const { companyId } = actor;
  const { db } = ctx;
  await requireApp(db, companyId, appUuid, 'app_id');
  await requireNoSecret(db, companyId, { click_url: clickUrl });
  const app = (await appsOf(db, companyId, [{ app_uuid: appUuid }]))({ app_uuid: appUuid });
  const values = sampleValues(app, Math.floor(ctx.now().getTime() / 1000));
  const followed = await ctx
    .followLink(fillTrackingMacros(clickUrl, values).trim(), {
      userAgent: values.ua,
      hopsMax: LINK_HOPS_MAX,
      isTarget: (url) => storeAppOf(url.href) !== null,
    })
    .catch((error: unknown) => {
      if (error instanceof TooManyLinks) throw new Unavailable();
      throw error;
    });
  const hops = hopsOf(followed, app, [values.click_id, values.install_token]);
  return { hops, findings: findingsOf({ clickUrl, followed, hops, values, app }) };
}

function hopsOf(
  { hops, end, target }: FollowedLink,
  app: AppSummary,
  clickIds: readonly string[],
): LinkHop[] {
  let isPastPartner = false;
  const mmp = app.mobile_measurement_partner;
  // Where the partner's hosts are not known, the link is taken to begin with it.
  const firstHost = PARTNERS[mmp].links.domains.length === 0 ? hops[0]?.url.hostname : undefined;
  const hopOf = (url: URL, rest: Pick<LinkHop, 'status' | 'ms'>, isStore: boolean): LinkHop => {
    const isPartner = mmpOfHost(url.hostname) === mmp || url.hostname === firstHost;
    const hop: LinkHop = {
      url: truncate(url.href, URL_CHARS_MAX),
      host: url.host || url.protocol,
      ...rest,
      has_click_id: isPastPartner || isStore ? null : clickIds.some((id) => url.href.includes(id)),
      kind: isStore ? 'store' : isPartner ? 'partner' : 'other',
    };
    isPastPartner ||= isPartner;
    return hop;
  };
  const followed = hops.map(({ url, status, ms, failure }) =>
    hopOf(url, { status, ms: failure === 'private' ? null : ms }, false),
  );
  return end === 'target'
    ? [...followed, hopOf(new URL(target), { status: null, ms: null }, storeAppOf(target) !== null)]
    : followed;
}
