import type { AdsetFaults } from '../delivery/snapshot/adset-faults.ts';

/** Where no ad set is at fault: a report of one fails the test. */
export const noFaults: AdsetFaults = {
  report(fault, { adsetId }, error) {
    throw new Error(`The ad set ${adsetId} is at fault: ${fault}`, { cause: error });
  },
  flushed: async () => {},
};
