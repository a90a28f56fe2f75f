import type { OperatingSystem } from '@bidwell/contract/reference/schema';

/** Last minor version of each iOS version. Apple went from 18 to 26. */
const lastMinors: readonly (readonly [major: number, lastMinor: number])[] = [
  [9, 3],
  [10, 3],
  [11, 4],
  [12, 5],
  [13, 7],
  [14, 8],
  [15, 8],
  [16, 7],
  [17, 7],
  [18, 7],
  [26, 6],
  [27, 0],
];

/** Android versions. There are minor versions up to 8.1, and 12.1 for large screens. */
const android = '5.0 5.1 6.0 7.0 7.1 8.0 8.1 9 10 11 12 12.1 13 14 15 16 17';

/**
 * Versions that occur in bid requests, oldest first. A target may name others: versions are compared by their
 * numbers, and a maximum of 12 includes every 12.x (docs/delivery.md).
 */
export const operatingSystems: readonly OperatingSystem[] = [
  { value: 'android', name: 'Android', versions: android.split(' ') },
  {
    value: 'ios',
    name: 'iOS',
    versions: lastMinors.flatMap(([major, lastMinor]) =>
      Array.from({ length: lastMinor + 1 }, (_, minor) => `${major}.${minor}`),
    ),
  },
];
