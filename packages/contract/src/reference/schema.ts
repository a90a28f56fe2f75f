import { z } from 'zod';

/** GET /sub_region: the United Nations' sub-regions and their countries. */
export const SubRegion = z.object({
  name: z.string(),
  countries: z.array(
    z.object({
      id: z.number().int(),
      name: z.string(),
      code: z.string().length(3),
      code2: z.string().length(2),
    }),
  ),
});
export type SubRegion = z.infer<typeof SubRegion>;

/** GET /regions: a region of a country. */
export const Region = z.object({
  /** ISO 3166-2, such as US-CA. */
  value: z.string(),
  /** The name in a language of the country. */
  name: z.string(),
  /** The English name, where it is another one. */
  english: z.string().optional(),
  /** ISO 3166-1 alpha-2. */
  country: z.string().length(2),
  /** The region that contains it; null for the regions of the highest level. */
  parent: z.string().nullable(),
});
export type Region = z.infer<typeof Region>;

/** An entry of the simple reference lists: a target stores `value`. */
export const ReferenceItem = z.object({ value: z.string(), name: z.string() });
export type ReferenceItem = z.infer<typeof ReferenceItem>;

/** Connection types of targets. The spelling `Celular2G` is part of the API. */
export const CONNECTION_TYPES = [
  'Cellular',
  'Celular2G',
  'Celular3G',
  'Celular4G',
  'Celular5G',
  'Ethernet',
  'WiFi',
] as const;
export type ConnectionType = (typeof CONNECTION_TYPES)[number];

/** Device types in addition to computers, phones and tablets. Only targets that name them match them. */
export const SCREEN_TYPES = ['ConnectedTV', 'ConnectedDevice', 'SetTopBox', 'OutOfHome'] as const;

/** Device types of targets. `Mobile` is a phone or a tablet. */
export const DEVICE_TYPES = ['Computer', 'Phone', 'Mobile', 'Tablet', ...SCREEN_TYPES] as const;
export type DeviceType = (typeof DEVICE_TYPES)[number];

/** GET /phone_models */
export const PhoneModel = z.object({ vendor: z.string(), value: z.string(), name: z.string() });
export type PhoneModel = z.infer<typeof PhoneModel>;

/** GET /operating_systems */
export const OperatingSystem = z.object({
  value: z.string(),
  name: z.string(),
  versions: z.array(z.string()),
});
export type OperatingSystem = z.infer<typeof OperatingSystem>;
