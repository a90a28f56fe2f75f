/** Messages of reports that only the server writes, in responses of the API. */
export const reportApiMessages = {
  filterOfTime: 'Choose the days by start_date and end_date',
  filterValues: (max: number) => `Filter by at most ${max} values`,
  filterUuids: 'Filter by uuids',
  filterNumbers: 'Filter by whole numbers',
  rangeMax: (max: number, unit: string) => `Choose a range of at most ${max} ${unit}s`,
  dates: (first: string, last: string) => `Choose dates between ${first} and ${last}`,
} as const;
