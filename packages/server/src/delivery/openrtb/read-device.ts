import { iso31661 } from 'iso-3166';
import type { ConnectionType, DeviceType } from '@bidwell/contract/reference';
import type { JsonObject } from './json.ts';
import { flagOf, integerOf, objectOf, textOf } from './json.ts';
import type { ParsedDevice } from './request.ts';

const alpha2 = new Map<string, string>();
for (const country of iso31661) {
  alpha2.set(country.alpha3, country.alpha2);
  alpha2.set(country.alpha2, country.alpha2);
}
// Not assigned by the standard, but written by exchanges.
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

/** Reads `device` (OpenRTB 2.6, 3.2.18), and of what points to a person only that which `regs` (3.2.3) lets be used. */
export function readDevice(device: JsonObject, user: JsonObject, regs: JsonObject): ParsedDevice {
  const child = flagOf(regs['coppa']);
  const gdpr = flagOf(regs['gdpr']) || flagOf(objectOf(regs['ext'])['gdpr']);
  const userAgent = textOf(device['ua']).slice(0, 512);
  const model = textOf(device['model']).trim();
  const os = osOf(textOf(device['os']), model, userAgent);
  const geo = objectOf(device['geo']);
  const ownChoice = flagOf(device['lmt']) || flagOf(device['dnt']);
  return {
    os,
    osVersion: /\d+([._]\d+)*/.exec(textOf(device['osv']))?.[0].replaceAll('_', '.') ?? '',
    model,
    type: deviceType(integerOf(device['devicetype'], 0), os, `${model} ${userAgent}`),
    connection: connections[integerOf(device['connectiontype'], 0)] ?? '',
    country: countryOf(geo['country']) || countryOf(objectOf(user['geo'])['country']),
    language:
      /^[a-z]{2}/i.exec(textOf(device['language']) || textOf(device['langb']))?.[0].toLowerCase() ?? '',
    ip: child ? '' : textOf(device['ip']) || textOf(device['ipv6']),
    userAgent: child ? '' : userAgent,
    ifa: !child && !gdpr && !ownChoice ? advertisingId(textOf(device['ifa'])) : '',
  };
}

function osOf(os: string, model: string, userAgent: string): ParsedDevice['os'] {
  for (const hint of [os, model, userAgent]) {
    if (/\b(ios\b|iphone|ipad|ipod)/i.test(hint)) return 'ios';
    if (/android/i.test(hint)) return 'android';
  }
  return '';
}

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
  return alpha2.get(textOf(value).trim().toUpperCase()) ?? '';
}

/** Ids of zeros stand for a person who opted out. */
function advertisingId(ifa: string): string {
  return /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(ifa) && !/^[0-]+$/.test(ifa)
    ? ifa
    : '';
}
