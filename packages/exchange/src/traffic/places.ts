/** A region of a country, one of its cities, and the beginning of the city's postal codes. */
interface Place {
  region: string;
  city: string;
  zip: string;
}

/** The largest cities of some countries, by ISO 3166-1 alpha-3. */
const PLACES: Readonly<Record<string, readonly Place[]>> = {
  USA: [
    { region: 'CA', city: 'Los Angeles', zip: '900' },
    { region: 'NY', city: 'New York', zip: '100' },
    { region: 'TX', city: 'Houston', zip: '770' },
    { region: 'IL', city: 'Chicago', zip: '606' },
    { region: 'FL', city: 'Miami', zip: '331' },
  ],
  CAN: [
    { region: 'ON', city: 'Toronto', zip: 'M5V' },
    { region: 'QC', city: 'Montreal', zip: 'H2X' },
  ],
  DEU: [
    { region: 'BE', city: 'Berlin', zip: '101' },
    { region: 'HH', city: 'Hamburg', zip: '200' },
    { region: 'BY', city: 'Munich', zip: '803' },
  ],
  GBR: [
    { region: 'ENG', city: 'London', zip: 'SW1' },
    { region: 'SCT', city: 'Glasgow', zip: 'G11' },
  ],
  FRA: [
    { region: 'IDF', city: 'Paris', zip: '750' },
    { region: 'ARA', city: 'Lyon', zip: '690' },
  ],
  JPN: [
    { region: '13', city: 'Tokyo', zip: '150' },
    { region: '27', city: 'Osaka', zip: '530' },
  ],
};

/**
 * Where a person of a country is, always the same for one address; empty for about a third of people, since not every exchange says,
 * and for other countries.
 */
export function placeOf(country: string, ip: string): Partial<Place> {
  const places = PLACES[country];
  const host = Number(ip.slice(ip.lastIndexOf('.') + 1));
  return !places || host % 3 === 0 ? {} : places[host % places.length]!;
}
