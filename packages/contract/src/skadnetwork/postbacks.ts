/** Apple's frameworks that attribute installs without naming a device. */
export const APPLE_FRAMEWORKS = ['skadnetwork', 'adattributionkit'] as const;
export type AppleFramework = (typeof APPLE_FRAMEWORKS)[number];

/** Conversion values of devices with little privacy: less than a fine value says. */
export const COARSE_VALUES = ['low', 'medium', 'high'] as const;
export type CoarseValue = (typeof COARSE_VALUES)[number];

/** The largest fine conversion value: six bits. */
export const FINE_VALUE_MAX = 63;
