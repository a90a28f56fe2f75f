/** Messages of targets for users, some shared by server and console. */
export const targetMessages = {
  versionOrder: 'The newest version is older than the oldest',
  cityForm: 'A city is a country, or a region of it, and a name, such as DE:Berlin or US-OR:Portland',
  postalForm: 'A postal code is a country and the beginning of the code, such as US:900',
  carrierForm: 'A carrier is a name of at most 100 characters, or its numbers, such as 310-410',
} as const;
