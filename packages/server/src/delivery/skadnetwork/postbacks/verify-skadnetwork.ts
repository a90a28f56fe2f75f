import { z } from 'zod';
import type { PostbackKeys } from './apple-keys.ts';
import {
  type ClaimedBy,
  type InstallPostback,
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
import { type KeyObject, verify } from 'node:crypto';

/** U+2063, between the fields that are signed. */
const SEPARATOR = '\u2063';
/** Longest signature in base64: 72 bytes of DER. */
const SIGNATURE_CHARS_MAX = 100;

const common = {
  'ad-network-id': NetworkId,
  'app-id': ItemId,
  'transaction-id': TransactionId,
  redownload: z.boolean(),
  'source-app-id': ItemId.optional(),
  'attribution-signature': z.string().max(SIGNATURE_CHARS_MAX),
  ...unsignedFields,
};
const campaign = { 'campaign-id': z.int().min(1).max(100) };
const Fidelity = z.union([z.literal(0), z.literal(1)]);

/**
 * The fields of each version that are signed, in this order, and those that are not. A field that its version does not have is not
 * read: anyone could have added it.
 */
const VERSIONS = {
  '2.1': z.object({ version: z.literal('2.1'), ...common, ...campaign }),
  '2.2': z.object({ version: z.literal('2.2'), ...common, ...campaign, 'fidelity-type': Fidelity }),
  '3.0': z.object({
    version: z.literal('3.0'),
    ...common,
    ...campaign,
    'fidelity-type': Fidelity,
    'did-win': z.boolean(),
  }),
  '4.0': z.object({
    version: z.literal('4.0'),
    ...common,
    ...coarseField,
    'source-identifier': Digits,
    /** Present for ads on the web; a number would be the id of an app in another field. */
    'source-domain': z
      .string()
      .max(253)
      .regex(/^[^\s\u2063]+$/)
      .regex(/\D/)
      .optional(),
    'fidelity-type': Fidelity,
    'did-win': z.boolean(),
    'postback-sequence-index': WindowIndex,
  }),
} as const;

type Version = keyof typeof VERSIONS;
const AnyVersion = z.discriminatedUnion('version', [
  VERSIONS['2.1'],
  VERSIONS['2.2'],
  VERSIONS['3.0'],
  VERSIONS['4.0'],
]);
type Fields = z.infer<typeof AnyVersion>;

/** The app and the ad network that a postback names, before it is verified. */
export function networkOfPostback(body: Readonly<Record<string, unknown>>): ClaimedBy {
  return claimsOf(body['app-id'], body['ad-network-id']);
}

/** Reads and verifies a postback of SKAdNetwork, version 2.1 to 4.0; others are refused. Never rejects. */
export async function verifySkadnetworkPostback(
  body: Readonly<Record<string, unknown>>,
  keys: PostbackKeys,
): Promise<Verification> {
  const refused = (fault: PostbackFault): Verification => ({
    fault,
    claimed: networkOfPostback(body),
  });
  const { version } = body;
  if (typeof version !== 'string' || !Object.hasOwn(VERSIONS, version))
    return refused('attribution-signature' in body ? 'unsupported_version' : 'unreadable');
  const read = VERSIONS[version as Version].safeParse(body);
  if (!read.success) return refused('unreadable');
  const fields: Fields = read.data;
  const signature = bytesOfBase64(fields['attribution-signature']);
  if (!signature) return refused('bad_signature');
  for (const { text, isTest } of signedTexts(fields))
    if (await isSignedBy(keys.production, Buffer.from(text), signature))
      return { postback: postbackOf(fields), isTest };
  return refused('bad_signature');
}

/**
 * The texts, one of which is signed: the fields of the version in Apple's order, without absent ones. A test device of version 2.2 has
 * been seen to sign in the order of 2.1; its `source-app-id` is 0, as in all tests.
 */
function signedTexts(fields: Fields): { text: string; isTest: boolean }[] {
  const isTest = fields['source-app-id'] === 0 || mayBeTest(fields);
  const texts = [{ text: signedText(fields, true), isTest }];
  if (fields['source-app-id'] === 0 && fields.version === '2.2')
    texts.push({ text: signedText(fields, false), isTest });
  return texts;
}

/**
 * Whether a postback of version 2.2 may come from a test device and the sender has removed its `source-app-id` of 0: the signed text is
 * then the same, and its 0 stands for the fidelity.
 */
function mayBeTest(fields: Fields): boolean {
  return fields.version === '2.2' && fields['source-app-id'] === undefined && fields['fidelity-type'] === 0;
}

function signedText(fields: Fields, withFidelity: boolean): string {
  const ofSource =
    fields['source-app-id'] ?? ('source-domain' in fields ? fields['source-domain'] : undefined);
  return [
    fields.version,
    fields['ad-network-id'],
    fields.version === '4.0' ? fields['source-identifier'] : fields['campaign-id'],
    fields['app-id'],
    fields['transaction-id'],
    fields.redownload,
    ofSource,
    withFidelity && 'fidelity-type' in fields ? fields['fidelity-type'] : undefined,
    'did-win' in fields ? fields['did-win'] : undefined,
    'postback-sequence-index' in fields ? fields['postback-sequence-index'] : undefined,
  ]
    .filter((field) => field !== undefined)
    .map(String)
    .join(SEPARATOR);
}

function postbackOf(fields: Fields): InstallPostback {
  const didWin = 'did-win' in fields ? fields['did-win'] : true;
  const sequenceIndex = 'postback-sequence-index' in fields ? fields['postback-sequence-index'] : 0;
  const sourceAppId = fields['source-app-id'];
  return {
    framework: 'skadnetwork',
    version: fields.version,
    networkId: fields['ad-network-id'].toLowerCase(),
    sourceIdentifier: fields.version === '4.0' ? fields['source-identifier'] : String(fields['campaign-id']),
    itemId: String(fields['app-id']),
    transactionId: fields['transaction-id'],
    conversionType: fields.redownload ? 'redownload' : 'download',
    sourceAppId: sourceAppId === undefined ? null : String(sourceAppId),
    // If a postback has both, only the app is signed.
    sourceDomain:
      (sourceAppId === undefined && 'source-domain' in fields ? fields['source-domain'] : undefined) ?? null,
    fidelity: 'fidelity-type' in fields ? fields['fidelity-type'] : null,
    didWin,
    sequenceIndex,
    ...valuesOf(fields, { didWin, sequenceIndex }),
  };
}

/**
 * Whether one of some P-256 keys signed the bytes, with SHA-256; the signature is in DER. The work is done in the thread pool, so that the
 * event loop goes on.
 */
async function isSignedBy(keys: readonly KeyObject[], bytes: Buffer, signature: Buffer): Promise<boolean> {
  for (const key of keys) if (await isSigned(key, bytes, signature)) return true;
  return false;
}

async function isSigned(key: KeyObject, bytes: Buffer, signature: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    // A signature that cannot be decoded is one that does not fit.
    verify('sha256', bytes, { key, dsaEncoding: 'der' }, signature, (error, isValid) =>
      resolve(error === null && isValid),
    );
  });
}

const BASE64 = /^[A-Za-z\d+/]+={0,2}$/;

/** The bytes of a text in base64; null where it is none. */
function bytesOfBase64(text: string): Buffer | null {
  return BASE64.test(text) ? Buffer.from(text, 'base64') : null;
}
