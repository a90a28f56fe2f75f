import type { AdsetFaults } from '@bidwell/server/delivery/snapshot/adset-faults';

/** Expects no faulty ad sets: reporting one fails the test. */
export const noFaults: AdsetFaults = {
  report(fault, { adsetId }, error) {
    throw new Error(`The ad set ${adsetId} is at fault: ${fault}`, { cause: error });
  },
  flushed: async () => {},
};
