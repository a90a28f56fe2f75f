import { z } from 'zod';
import { endpoint } from '../lib/endpoint.ts';
import { OperatingSystem, PhoneModel, ReferenceItem, Region, SubRegion } from './schema.ts';
import { CountryCodes } from './country-codes.ts';
import { envelope } from '../lib/wire.ts';

/** Most characters of a search for regions, and most regions that it finds. */
export const REGION_SEARCH_MAX = 100;
export const REGIONS_FOUND_MAX = 100;

/** A list under its own name, like other lists. */
const listOf = <Shape extends z.ZodRawShape>(path: `/${string}`, summary: string, shape: Shape) =>
  endpoint(`GET ${path}`, {
    companyPermission: 'reference.read',
    summary,
    response: { 200: envelope(z.object(shape)) },
  });

const items = z.array(ReferenceItem);

export const listSubRegions = listOf('/sub_region', 'List sub regions', { sub_regions: z.array(SubRegion) });
export const listRegions = endpoint('GET /regions', {
  companyPermission: 'reference.read',
  summary: 'List regions',
  query: z.object({
    countries: CountryCodes,
    search: z
      .string()
      .trim()
      .max(REGION_SEARCH_MAX)
      .optional()
      .describe('Words of the name or code of a region or of its country; at most 100 regions then.'),
  }),
  response: { 200: envelope(z.object({ regions: z.array(Region) })) },
});
export const listLanguages = listOf('/languages', 'List languages', { languages: items });
export const listConnectionTypes = listOf('/connection_types', 'List connection types', {
  connection_types: items,
});
export const listDeviceTypes = listOf('/device_types', 'List device types', { device_types: items });
export const listStoreGenres = listOf('/store_genres', 'List store genres', { store_genres: items });
export const listIabCategories = listOf('/iab_categories', 'List iab categories', { iab_categories: items });
export const listPhoneModels = listOf('/phone_models', 'List phone models', {
  phone_models: z.array(PhoneModel),
});
export const listOperatingSystems = listOf('/operating_systems', 'List operating systems', {
  operating_systems: z.array(OperatingSystem),
});
export const listAlgorithms = listOf('/algorithms', 'List algorithms', { algorithms: items });
export const listSsps = listOf('/ssps', 'List ssps', { ssps: items });
