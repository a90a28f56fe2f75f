import type { Os } from '@bidwell/contract/apps/fields';

/** Display names of the operating systems. */
export const osNames: Record<Os, string> = { android: 'Android', ios: 'iOS' };
