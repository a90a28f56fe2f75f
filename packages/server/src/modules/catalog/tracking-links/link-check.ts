import type { AppSummary } from '@bidwell/contract/apps/schema';
import type { Os } from '@bidwell/contract/apps/fields';
import {
  LINK_HOPS_MAX,
  type LinkCheck,
  type LinkCheckInput,
  type LinkHop,
  type LinkFinding,
  type ViewCheckInput,
} from '@bidwell/contract/tracking-links/link-check';
import { responseToLink, storePageOf } from '@bidwell/contract/measurement/partners/link-response';
import { PARTNERS, mmpOfHost, mmpNames } from '@bidwell/contract/measurement/partners/partners';
import { sampleValues } from '@bidwell/contract/tracking-links/sample-values';
import { fillTrackingMacros, type TrackingMacro } from '@bidwell/contract/tracking-links/macros';
import { truncate } from '@bidwell/contract/lib/truncate';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Unavailable } from '../../../platform/errors.ts';
import { type FollowedLink, TooManyLinks, type FollowedHop } from '../../../platform/outbound/follow-link.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { appsOf, requireApp } from '../apps/service.ts';
import { requireNoSecret } from '../postbacks/service.ts';
import { parseStoreLink } from '@bidwell/contract/apps/store-link';
import { canParseUrl } from '@bidwell/contract/lib/can-parse-url';

const URL_CHARS_MAX = 2000;

/**
 * Follows the redirects of a click URL with sample values as a device would, and returns the problems of the chain; or, without calling the
 * partner, what its documents say about the URL. Throws Invalid for an unknown app and for an address with the postback secret; Unavailable
 * while too many links are checked.
 */
export async function checkTrackingLink(
  ctx: Context,
  actor: Actor,
  { click_url: link, ...input }: LinkCheckInput,
): Promise<LinkCheck> {
  requirePermission(actor, 'tracking_link.write');
  const checked = await prepare(ctx, actor.companyId, { ...input, field: 'click_url', link });
  if (!input.calls_partner) return documented(checked, checkEnd);
  const followed = await follow(ctx, checked);
  return { hops: [...followed.hops], findings: findingsOf(followed, checkEnd, checkSpeed) };
}

/** Loads a view URL with sample values as a device would, and returns its problems. Throws like {@link checkTrackingLink}. */
export async function checkViewUrl(
  ctx: Context,
  actor: Actor,
  { view_url: link, ...input }: ViewCheckInput,
): Promise<LinkCheck> {
  requirePermission(actor, 'tracking_link.write');
  const checked = await prepare(ctx, actor.companyId, { ...input, field: 'view_url', link });
  if (!input.calls_partner) return documented(checked, checkEndOfView);
  const followed = await follow(ctx, checked);
  return { hops: [...followed.hops], findings: findingsOf(followed, checkEndOfView) };
}

/** A link that is checked, before anything is called. */
interface FilledLink {
  field: 'click_url' | 'view_url';
  link: string;
  /** The link with sample values in place of its macros. */
  address: string;
  values: Record<TrackingMacro, string>;
  app: AppSummary;
}

async function prepare(
  ctx: Context,
  companyId: string,
  { app_id: appUuid, field, link }: { app_id: string } & Pick<FilledLink, 'field' | 'link'>,
): Promise<FilledLink> {
  const { db } = ctx;
  await requireApp(db, companyId, appUuid, 'app_id');
  await requireNoSecret(db, companyId, { [field]: link });
  const app = (await appsOf(db, companyId, [{ app_uuid: appUuid }]))({ app_uuid: appUuid });
  const values = sampleValues(app, Math.floor(ctx.now().getTime() / 1000));
  return { field, link, address: fillTrackingMacros(link, values).trim(), values, app };
}

async function follow(ctx: Context, checked: FilledLink): Promise<CheckedLink> {
  const { values } = checked;
  const followed = await ctx
    .followLink(checked.address, {
      userAgent: values.ua,
      hopsMax: LINK_HOPS_MAX,
      isTarget: (url) => storeAppOf(url.href) !== null,
    })
    .catch((error: unknown) => {
      if (error instanceof TooManyLinks) throw new Unavailable();
      throw error;
    });
  return linkOf(checked, followed);
}

function linkOf(checked: FilledLink, followed: FollowedLink): CheckedLink {
  const { click_id: clickId, install_token: token } = checked.values;
  return { ...checked, followed, hops: hopsOf(followed, checked.app, [clickId, token]) };
}

/** What the documents of the app's partner say about a link, and its problems; nothing is called. Pure. */
function documented(checked: FilledLink, ofEnd: Check): LinkCheck {
  const { field, address, app } = checked;
  const mmp = app.mobile_measurement_partner;
  const partner = mmpNames[mmp];
  const url = canParseUrl(address) ? new URL(address) : null;
  if (!url) return { hops: [], findings: [error('The URL cannot be read: correct it.')] };
  const of = mmpOfHost(url.hostname);
  if (of === undefined)
    return {
      hops: [],
      findings: [
        warning(
          mmp === 'other'
            ? `${url.host} is not known here: only a call shows where it leads.`
            : `${url.host} is no host that ${partner} documents: only a call shows where it leads.`,
        ),
      ],
    };
  const store = canParseUrl(app.store_link) ? app.store_link : storePageOf(app.bundle_id);
  const response = responseToLink(url, store);
  if (of !== mmp || !response) {
    const use = `use the URL of ${partner} for ${field === 'click_url' ? 'clicks' : 'views'}`;
    return {
      hops: [],
      findings: [error(`${url.host} is no host for such links of ${partner}: ${use}.`)],
    };
  }
  const { status, location } = response;
  const link = linkOf(checked, {
    hops: [{ url, status, ms: 0, failure: null }],
    end: location === null ? 'page' : 'target',
    target: location ?? '',
  });
  const names = Object.keys(PARTNERS[mmp].links.clickIdIn);
  const isUnread = response.clickId === '' && names.length > 0 && link.hops[0]!.has_click_id === true;
  const findings = findingsOf(link, ofEnd, () =>
    isUnread ? [error(`${partner} reads the click ID from ${names.join(' or ')}: move it there.`)] : [],
  );
  return { hops: link.hops.map((hop) => ({ ...hop, ms: null })), findings };
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

/** A followed click or view URL. */
interface CheckedLink extends FilledLink {
  followed: FollowedLink;
  hops: readonly LinkHop[];
}

type Check = (link: CheckedLink) => LinkFinding[];

const error = (text: string): LinkFinding => ({ level: 'error', text });
const warning = (text: string): LinkFinding => ({ level: 'warning', text });

/** A slower redirect loses people. */
const SLOW_MS = 1000;

/** The problems of a chain of redirects, by the checks of all links and the checks of its kind; errors first. Pure. */
function findingsOf(link: CheckedLink, ofEnd: Check, ...more: readonly Check[]): LinkFinding[] {
  const checks = [ofEnd, checkStatus, checkClickId, checkMacros, checkCleartext, ...more];
  const findings = checks.flatMap((check) => check(link));
  return findings.toSorted((a, b) => a.level.localeCompare(b.level));
}

function checkEnd(link: CheckedLink): LinkFinding[] {
  const { end, target, hops } = link.followed;
  const last = hops.at(-1);
  switch (end) {
    case 'target':
      return checkStore(target, link.app);
    case 'loop':
      return [
        error(
          `The redirects lead back to ${hostOf(target)}, where they have been before, and never to the store: correct the redirect there.`,
        ),
      ];
    case 'too_many':
      return [
        error(
          `The link does not end after ${LINK_HOPS_MAX} redirects: use the URL of the last service directly.`,
        ),
      ];
    case 'too_long':
      return [error('The redirects take more than 30 seconds together: use fewer or faster ones.')];
    case 'bad_address':
      return [
        error(
          `${last?.url.host ?? 'The link'} redirects to something that is no URL: correct the redirect there.`,
        ),
      ];
    case 'failed':
      return [error(failureText(last!, link))];
    case 'page':
      return last!.status !== null && last!.status >= 400
        ? []
        : [
            error(
              `The link ends at a page of ${last!.url.host} and not in the store: set the redirect to the app’s store page there. Redirects by script are not followed.`,
            ),
          ];
  }
}

/** A view is one response of the partner: a device shows no page of it, and a store is where clicks lead to. */
function checkEndOfView(link: CheckedLink): LinkFinding[] {
  const { followed, hops } = link;
  switch (followed.end) {
    case 'page':
      return [];
    case 'target':
      return [
        error(
          `The URL leads to ${hostOf(followed.target) || 'an app'} like a click URL, so every view would be counted as a click: use the URL for views of ${mmpNames[link.app.mobile_measurement_partner]}.`,
        ),
      ];
    default:
      return hops.length === 0 ? [error('The URL cannot be read: correct it.')] : checkEnd(link);
  }
}

function failureText({ url, failure }: FollowedHop, { hops }: CheckedLink): string {
  switch (failure) {
    case 'private':
      return `${url.host} is not a public address, or not on port 80 or 443: devices cannot reach it, and it was not requested.`;
    case 'timeout':
      return `${url.host} sent no response within 5 seconds: people would see an empty page, so use another redirect or ask its operator.`;
    default:
      return hops.length === 1
        ? `${url.host} could not be reached: check the spelling of the host and its certificate.`
        : `${url.host}, to which the link redirects, could not be reached: correct the redirect, or ask its operator.`;
  }
}

function checkStore(target: string, app: AppSummary): LinkFinding[] {
  const found = storeAppOf(target);
  if (!found) {
    const { protocol } = new URL(target);
    return [
      error(
        `The link ends at an address with ${protocol}, which opens only where the app is installed: set the store page as the fallback.`,
      ),
    ];
  }
  const own = parseStoreLink(app.store_link);
  const expected = own?.bundleId ?? app.bundle_id;
  if (found.os === app.os && sameId(found.bundleId, expected)) return [];
  return [
    error(
      `The link ends at the store page of ${found.bundleId}, but the app is ${expected}: correct the app at ${mmpNames[app.mobile_measurement_partner]}, or choose another app here.`,
    ),
  ];
}

const sameId = (one: string, other: string) =>
  one.toLowerCase().replace(/^id(?=\d)/, '') === other.toLowerCase().replace(/^id(?=\d)/, '');

function checkStatus({ followed: { hops } }: CheckedLink): LinkFinding[] {
  return hops.flatMap(({ url, status }) =>
    status !== null && status >= 400
      ? [
          error(
            `${url.host} responds with the error ${status}: ${status >= 500 ? 'try again later, or ask its operator' : 'check the path and the parameters of the URL there'}.`,
          ),
        ]
      : [],
  );
}

const NAMES = { click_url: 'click URL', view_url: 'view URL' } as const;

function checkClickId({ field, hops, app }: CheckedLink): LinkFinding[] {
  const partner = mmpNames[app.mobile_measurement_partner];
  const needed = hops.filter(({ has_click_id: has }) => has !== null);
  const lostAt = needed.findIndex(({ has_click_id: has }) => !has);
  const findings: LinkFinding[] = [];
  if (lostAt === 0)
    findings.push(
      error(`The ${NAMES[field]} does not send a click ID: add {click_id} as ${partner} expects it.`),
    );
  if (lostAt > 0)
    findings.push(
      error(
        `The click ID is lost at the redirect of ${needed[lostAt - 1]!.host}: let it pass on all parameters, or no install is counted.`,
      ),
    );
  if (!hops.some(({ kind }) => kind === 'partner'))
    findings.push(
      error(`The link does not pass ${partner}, so no install is measured: use the link of ${partner}.`),
    );
  return findings;
}

/** Macros whose sample values are found again in an address. */
const TRACED: readonly TrackingMacro[] = ['campaign_id', 'adset_id', 'creative_id', 'bundle', 'idfa', 'gaid'];

function checkMacros({ link, hops, values }: CheckedLink): LinkFinding[] {
  const toPartner = hops.slice(0, hops.findIndex(({ kind }) => kind === 'partner') + 1);
  const findings: LinkFinding[] = [];
  let sent = TRACED.filter((macro) => link.includes(`{${macro}}`) && values[macro]);
  for (const [at, hop] of toPartner.entries()) {
    const lost = sent.filter((macro) => !hop.url.includes(values[macro]));
    if (at > 0 && lost.length > 0)
      findings.push(
        warning(
          `${lost.map((macro) => `{${macro}}`).join(', ')} ${lost.length === 1 ? 'is' : 'are'} lost at the redirect of ${toPartner[at - 1]!.host}: let it pass on all parameters.`,
        ),
      );
    sent = sent.filter((macro) => !lost.includes(macro));
  }
  for (const { url, host } of hops) {
    const macro = unfilledIn(url);
    if (macro)
      findings.push(
        error(`The URL at ${host} has ${macro}, which nothing replaced: correct the name of the macro.`),
      );
  }
  return findings;
}

/** A macro in an address that was not replaced; null without one. Callbacks are templates for the partner. */
function unfilledIn(address: string): string | null {
  const query = new URL(address).search.slice(1);
  for (const pair of query.split('&')) {
    const [name = '', value = ''] = pair.split('=', 2);
    if (name.endsWith('callback')) continue;
    const [, open] =
      /(\{{1,2}[\w.-]{1,40}\}{1,2})/.exec(value.replaceAll(/%7B/gi, '{').replaceAll(/%7D/gi, '}')) ?? [];
    if (open) return open;
  }
  return null;
}

function checkCleartext({ followed: { hops } }: CheckedLink): LinkFinding[] {
  const hosts = [...new Set(hops.filter(({ url }) => url.protocol === 'http:').map(({ url }) => url.host))];
  return hosts.map((host) =>
    error(
      `${host} is requested by http://, which others on the network can read and change: use https:// there.`,
    ),
  );
}

function checkSpeed({ followed: { hops } }: CheckedLink): LinkFinding[] {
  return hops
    .filter(({ ms, failure }) => failure === null && ms > SLOW_MS)
    .map(({ url, ms }) =>
      warning(
        `${url.host} takes ${(ms / 1000).toFixed(1)} seconds, in which people leave: use fewer redirects, or ask its operator.`,
      ),
    );
}

function hostOf(address: string): string {
  return canParseUrl(address) ? new URL(address).host : address;
}

/** An app's page in a store. */
interface StoreApp {
  os: Os;
  /** The package name or the numeric store id. */
  bundleId: string;
}

/**
 * The app of an address that opens a store: its web page, `market:`, `itms-apps:` and the like, or an Android `intent:` for the
 * store or its page. Null for any other address. Never throws.
 */
function storeAppOf(address: string): StoreApp | null {
  if (/^intent:/i.test(address)) return appOfIntent(address);
  // A bare path is not an address here, though a person may paste one.
  if (!/^[a-z][a-z\d+.-]*:/i.test(address)) return null;
  const link = parseStoreLink(address);
  return link && { os: link.os, bundleId: link.bundleId };
}

/** Android's intent addresses: `intent://details?id=com.example#Intent;scheme=market;package=com.android.vending;end`. */
function appOfIntent(address: string): StoreApp | null {
  const [path = '', intent = ''] = address.slice('intent:'.length).split('#Intent;');
  const part = (name: string) =>
    intent
      .split(';')
      .find((each) => each.startsWith(`${name}=`))
      ?.slice(name.length + 1) ?? '';
  const scheme = part('scheme');
  const opened = scheme === '' ? null : parseStoreLink(`${scheme}:${path}`);
  const fallback = decoded(part('S.browser_fallback_url'));
  const app = opened ?? (/^[a-z][a-z\d+.-]*:/i.test(fallback) ? parseStoreLink(fallback) : null);
  return app && { os: app.os, bundleId: app.bundleId };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
