import { ALGORITHMS } from '@bidwell/contract/adsets/goals';
import { GENRES } from '@bidwell/contract/reference/genres';
import {
  CONNECTION_TYPES,
  type ConnectionType,
  DEVICE_TYPES,
  type DeviceType,
  type ReferenceItem,
} from '@bidwell/contract/reference/schema';
import iso6391 from 'iso-639-1';

const connectionNames: Record<ConnectionType, string> = {
  Cellular: 'Cellular',
  Celular2G: 'Cellular 2G',
  Celular3G: 'Cellular 3G',
  Celular4G: 'Cellular 4G',
  Celular5G: 'Cellular 5G',
  Ethernet: 'Ethernet',
  WiFi: 'Wi-Fi',
};

const deviceNames: Record<DeviceType, string> = {
  Computer: 'Computer',
  Phone: 'Phone',
  Mobile: 'Mobile',
  Tablet: 'Tablet',
  ConnectedTV: 'Connected TV',
  ConnectedDevice: 'Connected device',
  SetTopBox: 'Set-top box',
  OutOfHome: 'Digital out-of-home screen',
};

export const connectionTypes: readonly ReferenceItem[] = CONNECTION_TYPES.map((value) => ({
  value,
  name: connectionNames[value],
}));

export const deviceTypes: readonly ReferenceItem[] = DEVICE_TYPES.map((value) => ({
  value,
  name: deviceNames[value],
}));

export const algorithms: readonly ReferenceItem[] = ALGORITHMS.map(named);

export const storeGenres: readonly ReferenceItem[] = GENRES.map((genre) => named(genre.name)).sort(byName);

/** ISO 639-1 codes, as used in bid requests, with their English names. */
export const languages: readonly ReferenceItem[] = iso6391
  .getAllCodes()
  .map((code) => ({ value: code, name: iso6391.getName(code) }))
  .sort(byName);

function named(value: string): ReferenceItem {
  return { value, name: value };
}

function byName(a: ReferenceItem, b: ReferenceItem): number {
  return a.name.localeCompare(b.name, 'en');
}
