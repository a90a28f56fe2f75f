import { z } from 'zod';
import { Timestamp, Uuid } from '../lib/wire.ts';
import { SKADNETWORK_OUTCOMES } from './outcomes.ts';
import { entityVersion } from '../lib/version.ts';

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

/** The operator's input for an ad network. */
export const NetworkInput = z.object({
  /** Its number in the IAB Tech Lab's list of SKAdNetwork ids; null without one. */
  iab_number: z
    .number()
    .int('Enter a whole number')
    .min(1, 'Enter 1 or more')
    .max(1_000_000)
    .nullable()
    .default(null),
  /**
   * Whether postbacks of AdAttributionKit that a device for development signed are verified, as tests which count nowhere; they are of an
   * unknown key otherwise.
   */
  development_postbacks: z.boolean().default(false),
  /**
   * The private key as PEM (SEC1 or PKCS#8, P-256). Never returned. If absent, the stored one stays, and an added network gets a new one;
   * one whose key was lost has to be given it.
   */
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

export const networkVersion = entityVersion(Network);

/** Whether bids are signed with an exchange or for an app. */
export const SigningSwitch = z.object({ enabled: z.boolean() });

/** An exchange, and the outcomes of its requests of iOS apps in the last seven days (UTC). */
export const NetworkExchange = z.object({
  slug: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  /** All counted requests; the following fields split them by the outcome that a bid would have had. */
  requests: z.number().int(),
  outcomes: z.array(z.object({ outcome: z.enum(SKADNETWORK_OUTCOMES), requests: z.number().int() })),
});
export type NetworkExchange = z.infer<typeof NetworkExchange>;

/** Why postbacks of devices are not counted. `unknown_app`: no company has the app with signed bids, or several have and no ad set has the number. */
export const UNCOUNTED_POSTBACKS = [
  'unknown_app',
  'bad_signature',
  'unknown_key',
  'unknown_network',
  'unsupported_version',
  'unreadable',
  'test',
] as const;

/** The postbacks of devices in the last seven days (UTC), of all companies. */
export const NetworkPostbacks = z.object({
  /** The address to register with Apple. */
  url: z.url(),
  /** False where PUBLIC_URL is not set, and the address is one of this machine. */
  url_is_set: z.boolean(),
  /** Postbacks that count for a company, and when the last one arrived. */
  counted: z.number().int(),
  last_counted_at: Timestamp.nullable(),
  /** The others by reason, the most frequent first; repeated ones are not among them. */
  uncounted: z.array(
    z.object({ reason: z.enum(UNCOUNTED_POSTBACKS), count: z.number().int(), last_at: Timestamp }),
  ),
});
export type NetworkPostbacks = z.infer<typeof NetworkPostbacks>;

export const SkadnetworkSettings = z.object({
  networks: z.array(Network),
  exchanges: z.array(NetworkExchange),
  postbacks: NetworkPostbacks,
});
export type SkadnetworkSettings = z.infer<typeof SkadnetworkSettings>;

/** Which iOS apps to list: a part of the app's or the company's name, or a number of the store. */
export const NetworkAppQuery = z.object({ q: z.string().trim().max(200).optional() });

/** An iOS app of a company. */
export const NetworkApp = z.object({
  uuid: Uuid,
  name: z.string(),
  company_uuid: Uuid,
  company: z.string(),
  /** Its number in the store; null where its store link has none. */
  item_id: z.number().int().nullable(),
  enabled: z.boolean(),
});
export type NetworkApp = z.infer<typeof NetworkApp>;

/** iOS apps, those with signed bids first: a hundred at most, of `total`. */
export const NetworkAppList = z.object({ apps: z.array(NetworkApp), total: z.number().int() });
export type NetworkAppList = z.infer<typeof NetworkAppList>;

/** An ad set and its number in postbacks. */
export const SourceIdentifier = z.object({
  /** The app's number in the store that the number belongs to: the present one, or one that its store link had before. */
  item_id: z.number().int(),
  number: z.number().int(),
  /** The last two digits, which every postback has: `campaign` up to SKAdNetwork 3.0. */
  digits: z.number().int(),
  adset_uuid: Uuid,
  /** Null for an ad set that does not exist any more. */
  adset: z.string().nullable(),
  allocated_at: Timestamp,
  last_bid_at: Timestamp.nullable(),
  /** When the number was given to another ad set; null while it is this one's. */
  released_at: Timestamp.nullable(),
});
export type SourceIdentifier = z.infer<typeof SourceIdentifier>;

/**
 * The numbers of an app's ad sets, also of its former numbers in the store, whose postbacks still count, and the ad sets that have none.
 */
export const SourceIdentifierList = z.object({
  /** Whether bids for the app, with its present number in the store, are switched on to be signed. */
  enabled: z.boolean(),
  /** Whether the installation has an ad network with a private key: without one no bid is signed. */
  has_network: z.boolean(),
  item_id: z.number().int().nullable(),
  source_identifiers: z.array(SourceIdentifier),
  without_number: z.array(z.object({ uuid: Uuid, name: z.string() })),
});
export type SourceIdentifierList = z.infer<typeof SourceIdentifierList>;
