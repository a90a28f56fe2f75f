import { type Finding, type UrlField, error, missingClickId, warning } from './findings.ts';
import type { ParsedLink } from './parsed-link.ts';
import type { Partner, PartnerLinks } from '@bidwell/contract/measurement/partners/description';
import type { Mmp } from '@bidwell/contract/apps/fields';
import { VIEW_FACTS } from '@bidwell/contract/measurement/partners/views';
import { PARTNERS, mmpOfHost } from '@bidwell/contract/measurement/partners/partners';
import { paramName } from '@bidwell/contract/tracking-links/click-id';
import { type LinkedApp, storeIdOf } from '../../entities/measurement/linked-app.ts';

/** Findings by the rules of the app's measurement partner. */
export function checkWithMmp(
  field: UrlField,
  address: ParsedLink,
  other: ParsedLink | null,
  app: LinkedApp,
): Finding[] {
  const mmp = app.mobile_measurement_partner;
  const partner = PARTNERS[mmp];
  const { name, links } = partner;
  const owner = mmpOfHost(address.host);
  if (owner !== undefined && owner !== mmp)
    return [error(`This is a URL of ${PARTNERS[owner].name}; the app is measured by ${name}.`)];
  const own = owner === mmp;
  return [
    ...checkHost(field, address.host, partner, own),
    ...(hasClickId(address, links) ? [] : [missingClickId(field, app)]),
    ...checkRedirect(field, address, links),
    ...(field === 'view_url' ? checkOfServers(address, mmp, name) : []),
    ...checkDevice(address, partner, app),
    ...(own ? [...checkApp(address, partner, app), ...checkParams(address, links)] : []),
    ...(links.tokenHost?.test(address.host) ? checkToken(address, other, name) : []),
  ];
}

function hasClickId(address: ParsedLink, { clickIdIn }: PartnerLinks): boolean {
  const params = Object.keys(clickIdIn);
  const values =
    params.length > 0
      ? params.map((param) => valueOf(address, param))
      : address.params.map(({ value }) => value);
  return values.some((value) => /\{(?:click_id|install_token)\}/.test(value ?? ''));
}

function checkHost(field: UrlField, host: string, { name, links }: Partner, own: boolean): Finding[] {
  const { domains, clickHost, viewHost } = links;
  if (!own)
    return domains.length === 0
      ? []
      : [
          warning(
            `${host} is not a host of ${name}: correct only if it redirects there with all parameters.`,
          ),
        ];
  if (field === 'click_url' && viewHost?.test(host))
    return [error(`${host} is the host of ${name} for views: no user would reach the store.`)];
  if (field === 'view_url' && clickHost?.test(host))
    return [error(`${host} is the host of ${name} for clicks: every view would be counted as a click.`)];
  return [];
}

function checkRedirect(field: UrlField, address: ParsedLink, { noRedirect }: PartnerLinks): Finding[] {
  return field === 'click_url' && noRedirect && valueOf(address, noRedirect.param) === noRedirect.value
    ? [error(`With ${noRedirect.param}=${noRedirect.value} the user is not sent to the store.`)]
    : [];
}

/** A device loads the view URL, which must not say that a server sends it. */
function checkOfServers(address: ParsedLink, mmp: Mmp, name: string): Finding[] {
  const { param, value, host, why } = VIEW_FACTS[mmp].ofServers ?? {};
  const isMarked = param !== undefined && valueOf(address, param) === value;
  return isMarked || (host !== undefined && address.host === host)
    ? [error(`The device loads this URL, but it is one for servers, from which ${name} ${why}.`)]
    : [];
}

function checkDevice(address: ParsedLink, { name, links }: Partner, { os }: LinkedApp): Finding[] {
  const [written = ''] = links.device[os].split('=');
  const macro = os === 'ios' ? '{idfa}' : '{gaid}';
  return valueOf(address, written)?.includes(macro)
    ? []
    : [warning(`No ${written}=${macro}: ${name} attributes installs less reliably without it.`)];
}

function checkApp(address: ParsedLink, { links }: Partner, app: LinkedApp): Finding[] {
  const id = storeIdOf(app);
  const [named] = address.segments;
  return links.appHost?.test(address.host) && named !== id
    ? [error(`The URL contains ${named ? `the app ${named}` : 'no app'}; this one is ${id}.`)]
    : [];
}

function checkParams(address: ParsedLink, { required, advised, short }: PartnerLinks): Finding[] {
  const missing = (params: Readonly<Record<string, string>>, finding: typeof error) =>
    Object.entries(params).flatMap(([param, why]) =>
      valueOf(address, param) ? [] : [finding(`No ${param}: ${why}.`)],
    );
  const tooShort = Object.entries(short).flatMap(([param, [macro, better]]) =>
    valueOf(address, param) === macro
      ? [warning(`${param} is limited to 24 characters, ${macro} is often longer: use ${better}.`)]
      : [],
  );
  return [...missing(required, error), ...missing(advised, warning), ...tooShort];
}

/** Adjust and AppMetrica identify a link by a token, the last segment of its path. */
function checkToken(address: ParsedLink, other: ParsedLink | null, name: string): Finding[] {
  const token = address.segments.at(-1);
  if (token === undefined) return [error(`No link token: ${name} cannot identify the link.`)];
  const theirs = other?.segments.at(-1);
  return theirs !== undefined && theirs !== token
    ? [warning(`The click URL and the view URL have different tokens of ${name}.`)]
    : [];
}

/** The raw value of a parameter, however its name is escaped; undefined without it. */
function valueOf({ params }: ParsedLink, name: string): string | undefined {
  return params.find((param) => paramName(param.name) === paramName(name))?.value;
}
