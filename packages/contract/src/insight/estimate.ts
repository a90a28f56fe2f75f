import { z } from 'zod';

/** A number that is estimated from a sample: the true one is within `error` of it in 95 of 100 cases. */
export const Estimate = z.object({ value: z.number(), error: z.number() });
export type Estimate = z.infer<typeof Estimate>;
