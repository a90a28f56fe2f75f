import { iso31661 } from 'iso-3166';
import type { ConnectionType, DeviceType } from '@bidwell/contract/reference';
import { memoizeText } from '../../platform/memoize-text.ts';
import type { JsonObject } from './json.ts';
import { arrayOf, integerOf, objectOf, textOf } from './json.ts';
import { mayUsePersonalData } from './read-privacy.ts';
import type { ParsedDevice } from '../model/bid-request.ts';

const alpha2 = new Map<string, string>();
for (const country of iso31661) {
  alpha2.set(country.alpha3, country.alpha2);
  alpha2.set(country.alpha2, country.alpha2);
}
// Codes outside ISO 3166-1 that exchanges use.
alpha2.set('UK', 'GB').set('ROM', 'RO').set('XK', 'XK').set('XKX', 'XK');

/** OpenRTB 2.6, 3.2.18; AdCOM list "Connection Types". */
const connections: Record<number, ConnectionType> = {
  1: 'Ethernet',
  2: 'WiFi',
  3: 'Cellular',
  4: 'Celular2G',
  5: 'Celular3G',
  6: 'Celular4G',
  7: 'Celular5G',
};

/** Reads `device` (OpenRTB 2.6, 3.2.18). Personal data is included only where {@link mayUsePersonalData} allows it. */
export function readDevice(
  device: JsonObject,
  user: JsonObject,
  regs: unknown,
  tcfVendorId: number | null,
): ParsedDevice {
  const userAgent = textOf(device['ua']).slice(0, USER_AGENT_CHARS_MAX);
  const model = textOf(device['model']).trim().slice(0, MODEL_CHARS_MAX);
  const platform = objectOf(objectOf(device['sua'])['platform']);
  const os = osOf(textOf(device['os']), textOf(platform['brand']), model, userAgent);
  const geo = objectOf(device['geo']);
  const mayShare = mayUsePersonalData(device, user, regs, tcfVendorId);
  return {
    os,
    osVersion: versionIn(textOf(device['osv']) || arrayOf(platform['version'], 8).map(textOf).join('.')),
    model,
    type: deviceType(integerOf(device['devicetype'], 0), os, `${model} ${userAgent}`),
    connection: connections[integerOf(device['connectiontype'], 0)] ?? '',
    country: countryOf(geo['country']) || countryOf(objectOf(user['geo'])['country']),
    language: languageOf(textOf(device['language']) || textOf(device['langb'])),
    ip: mayShare ? (textOf(device['ip']) || textOf(device['ipv6'])).slice(0, ADDRESS_CHARS_MAX) : '',
    userAgent: mayShare ? userAgent : '',
    ifa: mayShare ? advertisingId(textOf(device['ifa'])) : '',
  };
}

const VERSION_CHARS_MAX = 64;
const USER_AGENT_CHARS_MAX = 512;
const MODEL_CHARS_MAX = 100;
/** Enough for an IPv6 address with an embedded IPv4 address and a zone. */
const ADDRESS_CHARS_MAX = 64;

const versionIn = memoizeText(
  (text) => /\d+([._]\d+)*/.exec(text.slice(0, VERSION_CHARS_MAX))?.[0].replaceAll('_', '.') ?? '',
);

/** ISO 639-1 code of a tag such as `en`, `en-US`, `en_US`, `eng` or `ger`; '' for anything else. */
export const languageOf = memoizeText((text) => {
  const code = /^[a-z]{2,3}(?![a-z])/i.exec(text.trim())?.[0].toLowerCase() ?? '';
  if (code.length < 3) return code;
  const canonical = Intl.getCanonicalLocales(code)[0] ?? '';
  return canonical.length === 2 ? canonical : '';
});

/** Codes of AdCOM 1.0, "Operating Systems", which some exchanges send instead of names. */
const systemCodes = new Map<string, ParsedDevice['os']>([
  ['2', 'android'],
  ['13', 'ios'],
]);

/** The operating system that the first of these texts names. */
function osOf(os: string, brand: string, model: string, userAgent: string): ParsedDevice['os'] {
  return systemCodes.get(os) ?? (osIn(os) || osIn(brand) || osIn(model) || osIn(userAgent));
}

const osIn = memoizeText((text): ParsedDevice['os'] => {
  if (/\b(ios\b|iphone|ipad|ipod)/i.test(text)) return 'ios';
  return /android/i.test(text) ? 'android' : '';
});

function deviceType(code: number, os: ParsedDevice['os'], hints: string): DeviceType | '' {
  switch (code) {
    case 2:
      return 'Computer';
    case 4:
      return 'Phone';
    case 5:
      return 'Tablet';
    case 0:
    case 1:
      if (os === '' && code === 0) return '';
      return /ipad|tablet/i.test(hints) ? 'Tablet' : 'Phone';
    default:
      return '';
  }
}

function countryOf(value: unknown): string {
  const code = textOf(value);
  return alpha2.get(code) ?? alpha2.get(code.trim().toUpperCase()) ?? '';
}

/** The advertising id; '' if malformed or all zeros, which stands for an opt-out. */
function advertisingId(ifa: string): string {
  return /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(ifa) && !/^[0-]+$/.test(ifa)
    ? ifa
    : '';
}
