import { type Finding, type UrlField, error, missingClickId, warning } from './findings.ts';
import type { ParsedLink } from './parsed-link.ts';
import {
  type LinkedApp,
  type MmpRules,
  appsflyerId,
  mmpRules,
} from '../../entities/measurement/mmp-rules.ts';
import { mmpOfHost } from '@bidwell/contract/measurement/mmp-links';

/** Findings by the rules of the app's measurement partner. */
export function checkWithMmp(
  field: UrlField,
  address: ParsedLink,
  other: ParsedLink | null,
  app: LinkedApp,
): Finding[] {
  const mmp = app.mobile_measurement_partner;
  const rules = mmpRules[mmp];
  const owner = mmpOfHost(address.host);
  if (owner !== undefined && owner !== mmp) {
    return [error(`This is a URL of ${mmpRules[owner].name}; the app is measured by ${rules.name}.`)];
  }
  const own = owner === mmp;
  return [
    ...(own
      ? checkHost(field, address.host, rules)
      : [
          warning(
            `${address.host} is not a host of ${rules.name}: correct only if it redirects there with all parameters.`,
          ),
        ]),
    ...(Object.keys(rules.clickIdIn).some((param) =>
      /\{(?:click_id|install_token)\}/.test(valueOf(address, param) ?? ''),
    )
      ? []
      : [missingClickId(field, app)]),
    ...checkRedirect(field, address, rules),
    ...checkDevice(address, rules, app),
    ...(own && mmp === 'appsflyer' ? checkAppsflyer(address, app) : []),
    ...(rules.tokenHost?.test(address.host) ? checkToken(address, other, rules) : []),
  ];
}

function checkHost(field: UrlField, host: string, { name, clickHost, viewHost }: MmpRules): Finding[] {
  if (field === 'click_url' && viewHost.test(host))
    return [error(`${host} is the host of ${name} for views: no user would reach the store.`)];
  if (field === 'view_url' && clickHost.test(host))
    return [error(`${host} is the host of ${name} for clicks: every view would be counted as a click.`)];
  return [];
}

function checkRedirect(field: UrlField, address: ParsedLink, { noRedirect }: MmpRules): Finding[] {
  const { param, value } = noRedirect;
  return field === 'click_url' && valueOf(address, param) === value
    ? [error(`With ${param}=${value} the user is not sent to the store.`)]
    : [];
}

function checkDevice(address: ParsedLink, { name, deviceId }: MmpRules, { os }: LinkedApp): Finding[] {
  const macro = os === 'ios' ? '{idfa}' : '{gaid}';
  return valueOf(address, deviceId[os])?.includes(macro)
    ? []
    : [warning(`No ${deviceId[os]}=${macro}: ${name} attributes installs less reliably without it.`)];
}

/**
 * AppsFlyer parameters limited to 24 characters, the longer macros that do not fit, and the parameters to use
 * instead.
 */
const shortParams = {
  af_c_id: ['{campaign_id}', 'af_sub1'],
  af_adset_id: ['{adset_id}', 'af_adset'],
  af_ad_id: ['{creative_id}', 'af_ad'],
  af_siteid: ['{bundle}', 'af_sub_siteid'],
} as const;

function checkAppsflyer(address: ParsedLink, app: LinkedApp): Finding[] {
  const findings: Finding[] = [];
  const id = appsflyerId(app);
  const [named] = address.segments;
  if (address.host.endsWith('appsflyer.com') && named !== id)
    findings.push(error(`The URL contains ${named ? `the app ${named}` : 'no app'}; this one is ${id}.`));
  if (!valueOf(address, 'pid'))
    findings.push(error('No pid: AppsFlyer cannot tell which media source the link belongs to.'));
  if (!valueOf(address, 'af_siteid'))
    findings.push(warning('No af_siteid: AppsFlyer may block installs without a publisher.'));
  for (const [param, [macro, better]] of Object.entries(shortParams)) {
    if (valueOf(address, param) === macro)
      findings.push(
        warning(`${param} is limited to 24 characters, ${macro} is often longer: use ${better}.`),
      );
  }
  return findings;
}

/** Adjust and AppMetrica identify a link by a token, the last segment of its path. */
function checkToken(address: ParsedLink, other: ParsedLink | null, { name }: MmpRules): Finding[] {
  const token = address.segments.at(-1);
  if (token === undefined) return [error(`No link token: ${name} cannot identify the link.`)];
  const theirs = other?.segments.at(-1);
  return theirs !== undefined && theirs !== token
    ? [warning(`The click URL and the view URL have different tokens of ${name}.`)]
    : [];
}

/** The raw value of a parameter; undefined without it. */
function valueOf({ params }: ParsedLink, name: string): string | undefined {
  return params.find((param) => param.name === name)?.value;
}
