/** Messages of SKAdNetwork for users, some shared by server and console. */
export const skadnetworkMessages = {
  fineValue: 'Enter a value between 0 and 63',
  fineOrder: 'Not before the first value',
  fineWindow: 'Only the first window has fine values',
  fineOrCoarse: 'Either fine values or a coarse one',
  revenueOrder: 'Not below the lower amount',
  conversionMeaning: 'Enter an event or a range of revenue',
  valueTwice: 'Another rule has this value',
} as const;
