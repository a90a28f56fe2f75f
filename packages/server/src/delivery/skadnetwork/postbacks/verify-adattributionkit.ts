import type { KeyObject } from 'node:crypto';
import { compactVerify, errors } from 'jose';
import { z } from 'zod';
import { PRODUCTION_KEY_ID, type PostbackKeys } from './apple-keys.ts';
import {
  type ClaimedBy,
  type PostbackFault,
  type Verification,
  Digits,
  ItemId,
  NetworkId,
  TransactionId,
  WindowIndex,
  claimsOf,
  coarseField,
  unsignedFields,
  valuesOf,
} from './postback.ts';

/** Longest compact JWS; Apple's have less than a thousand characters. */
const JWS_CHARS_MAX = 8192;

const ALGORITHM = 'ES256';

const Body = z.object({
  'jws-string': z.string().max(JWS_CHARS_MAX),
  'ad-interaction-type': z.enum(['view', 'click']).optional().catch(undefined),
  ...unsignedFields,
  ...coarseField,
});
/** A header that demands extensions (`crit`, section 4.1.11 of RFC 7515) is not understood. */
const Header = z.object({
  alg: z.literal(ALGORITHM),
  kid: z.string().max(100),
  crit: z.undefined().optional(),
});
const Claims = z.object({
  'postback-identifier': TransactionId,
  'ad-network-identifier': NetworkId,
  'source-identifier': Digits,
  'advertised-item-identifier': ItemId,
  'publisher-item-identifier': ItemId.optional(),
  'conversion-type': z.enum(['download', 'redownload', 're-engagement']),
  'did-win': z.boolean(),
  'postback-sequence-index': WindowIndex,
});

/** The app and the ad network that a postback names, before it is verified. */
export function networkOfJws(body: Readonly<Record<string, unknown>>): ClaimedBy {
  const jws = Body.safeParse(body).data?.['jws-string'];
  return claimedBy(jsonOf(jws?.split('.', 2)[1]));
}

/**
 * Reads and verifies a postback of AdAttributionKit: a JWS that is signed with ES256 by Apple's production key or, for a network that
 * accepts development postbacks, by a key of development devices. Never rejects.
 */
export async function verifyAdAttributionKitPostback(
  body: Readonly<Record<string, unknown>>,
  keys: PostbackKeys,
  acceptsDevelopment: boolean,
): Promise<Verification> {
  const read = Body.safeParse(body);
  const [header, payload, signature, ...rest] = read.data?.['jws-string'].split('.') ?? [];
  const claims: unknown = jsonOf(payload);
  const refused = (fault: PostbackFault): Verification => ({ fault, claimed: networkOfJws(body) });
  if (!read.success || signature === undefined || rest.length > 0) return refused('unreadable');
  const parsed = Claims.safeParse(claims);
  const head = Header.safeParse(jsonOf(header));
  if (!parsed.success || !head.success) return refused('unreadable');

  const { kid } = head.data;
  const development = acceptsDevelopment ? keys.development.get(kid) : undefined;
  const candidates = kid === PRODUCTION_KEY_ID ? keys.production : development ? [development] : [];
  if (candidates.length === 0) return refused('unknown_key');
  // The text as it was received: JSON that is written again differs, as Apple escapes the slash of the key id.
  if (!(await isSignedBy(candidates, read.data['jws-string']))) return refused('bad_signature');

  const publisher = parsed.data['publisher-item-identifier'];
  const didWin = parsed.data['did-win'];
  const sequenceIndex = parsed.data['postback-sequence-index'];
  const interaction = read.data['ad-interaction-type'];
  return {
    isTest: development !== undefined || publisher === 0,
    postback: {
      framework: 'adattributionkit',
      version: '',
      networkId: parsed.data['ad-network-identifier'].toLowerCase(),
      sourceIdentifier: parsed.data['source-identifier'],
      itemId: String(parsed.data['advertised-item-identifier']),
      transactionId: parsed.data['postback-identifier'],
      conversionType: parsed.data['conversion-type'],
      sourceAppId: publisher === undefined ? null : String(publisher),
      sourceDomain: null,
      fidelity: interaction === undefined ? null : interaction === 'click' ? 1 : 0,
      didWin,
      sequenceIndex,
      ...valuesOf(read.data, { didWin, sequenceIndex }),
    },
  };
}

async function isSignedBy(keys: readonly KeyObject[], jws: string): Promise<boolean> {
  for (const key of keys)
    try {
      await compactVerify(jws, key, { algorithms: [ALGORITHM] });
      return true;
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
    }
  return false;
}

function claimedBy(claims: unknown): ClaimedBy {
  const named = z.record(z.string(), z.unknown()).safeParse(claims).data ?? {};
  return claimsOf(named['advertised-item-identifier'], named['ad-network-identifier']);
}

const BASE64URL = /^[\w-]+$/;

/** The JSON in a part of a JWS; undefined where it is none. */
function jsonOf(part: string | undefined): unknown {
  if (part === undefined || !BASE64URL.test(part)) return undefined;
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
