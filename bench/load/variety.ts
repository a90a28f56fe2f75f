/** Countries and sizes that the ad sets of benches vary over. */

export const COUNTRIES = [
  'US',
  'BR',
  'IN',
  'DE',
  'GB',
  'MX',
  'FR',
  'ID',
  'JP',
  'TR',
  'ES',
  'IT',
  'CA',
  'PL',
  'KR',
  'AU',
];

/** Width and height, in pixels. */
export const SIZES = [
  [320, 50],
  [300, 250],
  [320, 480],
  [728, 90],
  [480, 320],
  [320, 100],
] as const;
