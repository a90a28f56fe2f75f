/** Messages of SKAdNetwork that only the server writes, in responses of the API. */
export const skadnetworkApiMessages = {
  installPostbacks: 'install postbacks',
  conversionVersions: (max: number) =>
    `The conversion values of an app can be changed on ${max} days at most.`,
  conversionValuesOs: 'Only apps of the App Store have conversion values',
} as const;
