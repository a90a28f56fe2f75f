import { z } from 'zod';
import { Timestamp } from '../lib/wire.ts';

/** An ad network's id at Apple, in lower case; one of either framework works in both. */
export const NetworkId = z.object({
  id: z
    .string()
    .trim()
    .toLowerCase()
    .regex(
      /^[a-z0-9]{4,32}\.(?:skadnetwork|adattributionkit)$/,
      'An id of Apple, such as abcd1234ef.skadnetwork',
    ),
});

/** What the operator enters of an ad network. */
export const NetworkInput = z.object({
  /** Its number in the IAB Tech Lab's list of SKAdNetwork ids; null without one. */
  iab_number: z
    .number()
    .int('Enter a whole number')
    .min(1, 'Enter 1 or more')
    .max(1_000_000)
    .nullable()
    .default(null),
  /** Whether postbacks of development builds are accepted too. */
  development_postbacks: z.boolean().default(false),
  /** The private key as PEM (SEC1 or PKCS#8, P-256). Never returned. If absent, the stored one stays, or a new one is made. */
  private_key: z.string().trim().min(1).max(4000).optional(),
});
export type NetworkInput = z.infer<typeof NetworkInput>;

/** An ad network in responses. */
export const Network = NetworkInput.omit({ private_key: true }).extend(NetworkId.shape).extend({
  /** PEM, to be registered with Apple. */
  public_key: z.string(),
  /** False once the key that encrypted the private one was lost. */
  has_private_key: z.boolean(),
  created_at: Timestamp,
  changed_at: Timestamp,
});
export type Network = z.infer<typeof Network>;
