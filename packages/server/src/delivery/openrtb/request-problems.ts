import type { RequestProblem } from '@bidwell/contract/operator/exchange-test';
import { ADATTRIBUTIONKIT_KEY } from '../skadnetwork/impression-extension.ts';
import { type JsonObject, isObject, numberOf, objectOf, textOf } from './json.ts';
import { isUnreadableFloor } from './read/unreadable-floor.ts';

/** Problems of one request are limited, since a request may repeat one in each imp. */
const PROBLEMS_MAX = 50;
/** Imps that are checked: as many as bidders read. */
const IMPS_MAX = 50;

type Add = (severity: RequestProblem['severity'], path: string, message: string) => void;

/**
 * Compares a bid request with section 3.2 of OpenRTB 2.6, as far as bids in apps depend on it. Errors are what the
 * standard requires, or what leaves no bid; warnings are what it recommends.
 */
export function requestProblems(body: unknown): RequestProblem[] {
  const problems: RequestProblem[] = [];
  const add: Add = (severity, path, message) => {
    if (problems.length < PROBLEMS_MAX) problems.push({ severity, path, message });
  };
  if (!isObject(body)) {
    add('error', '', 'A bid request is a JSON object.');
    return problems;
  }
  checkTop(body, add);
  checkImps(body['imp'], add);
  checkApp(body, add);
  checkDevice(body['device'], add);
  return problems;
}

function checkTop(body: JsonObject, add: Add): void {
  if (textOf(body['id']) === '') add('error', 'id', 'The request needs an id, a string.');
  else if (typeof body['id'] !== 'string') add('warning', 'id', 'The id should be a string.');
  const { at, tmax, cur } = body;
  if (at !== undefined && ![1, 2].includes(numberOf(at)))
    add('warning', 'at', 'The auction type is 1 (first price) or 2 (second price). Others are read as 2.');
  if (tmax !== undefined && !(numberOf(tmax) > 0))
    add('warning', 'tmax', 'The time limit is a number of milliseconds above 0.');
  if (cur !== undefined && !(Array.isArray(cur) && cur.every((code) => /^[A-Z]{3}$/.test(textOf(code)))))
    add('warning', 'cur', 'Currencies are a list of ISO 4217 codes in capitals.');
}

function checkImps(imps: unknown, add: Add): void {
  if (!Array.isArray(imps) || imps.length === 0)
    return add('error', 'imp', 'The request needs a list with at least one imp.');
  const seen = new Set<string>();
  for (const [index, value] of imps.slice(0, IMPS_MAX).entries()) {
    const path = `imp[${index}]`;
    const imp = objectOf(value);
    const id = textOf(imp['id']);
    if (id === '') add('error', `${path}.id`, 'An imp needs an id, a string.');
    else if (seen.has(id)) add('error', `${path}.id`, 'Another imp of the request has the same id.');
    seen.add(id);
    checkFormats(imp, path, add);
    checkSkadnetwork(objectOf(imp['ext']), `${path}.ext`, add);
    const { bidfloor } = imp;
    if (isUnreadableFloor(bidfloor))
      add('error', `${path}.bidfloor`, 'The floor cannot be read: it is a number of at least 0.');
    else if (bidfloor !== undefined && !(numberOf(bidfloor) >= 0))
      add('warning', `${path}.bidfloor`, 'The floor is a number of at least 0.');
  }
  if (imps.length > IMPS_MAX)
    add('warning', 'imp', `Bidders read the first ${IMPS_MAX} imps of ${imps.length}.`);
}

function checkFormats(imp: JsonObject, path: string, add: Add): void {
  const { banner, video, native, audio } = imp;
  if (!isObject(banner) && !isObject(video) && !isObject(native))
    add(
      'error',
      path,
      isObject(audio)
        ? 'The imp is audio only. Only banners, videos and native ads get bids.'
        : 'An imp needs a banner, video or native object.',
    );
  if (isObject(banner)) {
    const hasSize = numberOf(banner['w']) > 0 && numberOf(banner['h']) > 0;
    if (!hasSize && !Array.isArray(banner['format']))
      add('warning', `${path}.banner`, 'The banner has neither w and h nor format: every size fits.');
  }
  if (isObject(video)) checkVideo(video, `${path}.video`, add);
  if (isObject(native) && textOf(native['request']) === '' && !isObject(native['request']))
    add('error', `${path}.native.request`, 'A native object needs its request.');
}

/** What keeps bids from being signed: it never keeps them from being sent. */
function checkSkadnetwork(ext: JsonObject, path: string, add: Add): void {
  const { skadn } = ext;
  if (skadn !== undefined && !isObject(skadn))
    add('warning', `${path}.skadn`, 'The parameters of SKAdNetwork are an object.');
  else if (isObject(skadn)) {
    for (const name of ['versions', 'skadnetids'])
      if (skadn[name] !== undefined && !isTexts(skadn[name]))
        add('warning', `${path}.skadn.${name}`, 'This is a list of strings.');
    if (skadn['versions'] === undefined && textOf(skadn['version']) === '')
      add(
        'warning',
        `${path}.skadn.versions`,
        'The versions of SKAdNetwork that the app supports are missing.',
      );
    if (!/^\d{1,15}$/.test(textOf(skadn['sourceapp'])))
      add(
        'warning',
        `${path}.skadn.sourceapp`,
        'The number of the publisher’s app in the App Store is missing.',
      );
  }
  const kit = ext[ADATTRIBUTIONKIT_KEY];
  if (kit !== undefined && !isObject(kit))
    add('warning', `${path}.${ADATTRIBUTIONKIT_KEY}`, 'The parameters of AdAttributionKit are an object.');
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function checkVideo({ mimes, protocols }: JsonObject, path: string, add: Add): void {
  if (!Array.isArray(mimes) || mimes.length === 0)
    add('error', `${path}.mimes`, 'A video needs the list of content types that its player shows.');
  if (!Array.isArray(protocols) || protocols.length === 0)
    add('warning', `${path}.protocols`, 'The versions of VAST that the player reads are missing.');
}

function checkApp({ app, site }: JsonObject, add: Add): void {
  if (!isObject(app)) {
    const isWeb = isObject(site);
    return add(
      'error',
      isWeb ? 'site' : 'app',
      isWeb
        ? 'The request is for a website. Only apps get bids.'
        : 'The app object is missing. Only apps get bids.',
    );
  }
  if (isObject(site)) add('error', 'site', 'A request has an app or a site, not both.');
  if (textOf(app['bundle']) === '')
    add(
      'warning',
      'app.bundle',
      'The bundle is missing: ad sets that target or exclude apps cannot match it.',
    );
}

function checkDevice(value: unknown, add: Add): void {
  if (!isObject(value))
    return add('warning', 'device', 'The device is missing. Every ad set is for one operating system.');
  if (textOf(value['os']) === '')
    add('warning', 'device.os', 'The operating system is missing. Every ad set is for one.');
  checkTracking(value, add);
  const country = objectOf(value['geo'])['country'];
  if (country === undefined)
    add('warning', 'device.geo.country', 'The country is missing: ad sets that target countries do not bid.');
  else if (!/^[A-Z]{3}$/.test(textOf(country)))
    add(
      'warning',
      'device.geo.country',
      'The country should be an ISO 3166-1 alpha-3 code in capitals, such as USA.',
    );
}

/** Apple's tracking prompt (IAB Tech Lab, "SKAdNetwork Support"): `atts` and the flags for opting out. */
function checkTracking({ ext, dnt, lmt }: JsonObject, add: Add): void {
  const { atts, ifv } = objectOf(ext);
  if (ifv !== undefined && typeof ifv !== 'string')
    add('warning', 'device.ext.ifv', 'The vendor’s id is a string. Bidders do not read it.');
  if (atts === undefined || atts === null) return;
  if (![0, 1, 2, 3].includes(numberOf(atts)))
    return add(
      'warning',
      'device.ext.atts',
      'The state of the tracking prompt is 0, 1, 2 or 3. Others are read as no permission.',
    );
  const optedOut = numberOf(atts) === 3 ? 0 : 1;
  for (const [name, flag] of Object.entries({ dnt, lmt }))
    if (flag !== undefined && flag !== null && numberOf(flag) !== optedOut)
      add(
        'warning',
        `device.${name}`,
        `With atts ${numberOf(atts)} this is ${optedOut}. Of the two, the one without permission counts.`,
      );
}
