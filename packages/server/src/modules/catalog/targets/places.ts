import { targetMessages } from '@bidwell/contract/targets/messages';
import {
  cityText,
  foldedName,
  networkCodeOf,
  parseCity,
  parsePostalPrefix,
  postalPrefixText,
} from '@bidwell/contract/targets/place-values';
import type { TargetSettings } from '@bidwell/contract/targets/schema';
import { messages } from '@bidwell/contract/text/messages';
import type { ReferenceList } from '../reference/service.ts';

/** The lists of countries and regions that places name. */
interface PlaceLists {
  countries: ReferenceList;
  regions: ReferenceList;
}

/** The text of a place in one spelling, and the key by which two are the same; or why it is none. */
type Written = { text: string; key: string } | { message: string };

/**
 * Writes the cities, postal codes and carriers of a target in one spelling, without duplicates. Adds to `errors` the fields with a country
 * or a region that is in no list.
 */
export function withPlaces<Input extends Partial<TargetSettings>>(
  input: Input,
  lists: PlaceLists,
  errors: { field: string; message: string }[],
): Input {
  const written: Partial<TargetSettings> = {};
  const write = (field: PlaceField, one: (text: string) => Written): void => {
    const texts = input[field];
    if (texts === undefined) return;
    const known = new Map<string, string>();
    for (const text of texts) {
      const result = one(text);
      if ('message' in result) {
        errors.push({ field, message: result.message });
        return;
      }
      if (!known.has(result.key)) known.set(result.key, result.text);
    }
    written[field] = [...known.values()];
  };
  for (const field of ['city_include', 'city_exclude'] as const)
    write(field, (text) => writtenCity(text, lists));
  for (const field of ['postal_include', 'postal_exclude'] as const)
    write(field, (text) => writtenPostalCode(text, lists));
  for (const field of ['carrier_include', 'carrier_exclude'] as const) write(field, writtenCarrier);
  return { ...input, ...written };
}

type PlaceField =
  | 'city_include'
  | 'city_exclude'
  | 'postal_include'
  | 'postal_exclude'
  | 'carrier_include'
  | 'carrier_exclude';

function writtenCity(text: string, { countries, regions }: PlaceLists): Written {
  const city = parseCity(text);
  if (!city) return { message: targetMessages.cityForm([text]) };
  const country = countries.values.get(city.country.toLowerCase());
  if (!country) return { message: messages.notInList(city.country, countries.noun) };
  const region =
    city.region && regions.values.get(`${country}${city.region.slice(city.country.length)}`.toLowerCase());
  if (city.region !== null && !region) return { message: messages.notInList(city.region, regions.noun) };
  const written = { country, region: region ?? null, name: city.name };
  return { text: cityText(written), key: cityText({ ...written, name: foldedName(city.name) }) };
}

function writtenPostalCode(text: string, { countries }: PlaceLists): Written {
  const postal = parsePostalPrefix(text);
  if (!postal) return { message: targetMessages.postalForm([text]) };
  const country = countries.values.get(postal.country.toLowerCase());
  if (!country) return { message: messages.notInList(postal.country, countries.noun) };
  const written = postalPrefixText({ country, prefix: postal.prefix });
  return { text: written, key: written };
}

function writtenCarrier(text: string): Written {
  return { text, key: networkCodeOf(text) ?? foldedName(text) };
}
