import { z } from 'zod';
import type { Context } from '../../../../context.ts';
import type { Place } from '../../../../platform/encryption.ts';
import type { DestinationRow } from './destination-store.ts';

/** What signs requests to S3, as it is stored. */
const S3Keys = z.object({ accessKeyId: z.string(), secretAccessKey: z.string() });
export type S3Keys = z.infer<typeof S3Keys>;

/** Where the secret of a destination is stored. */
export function destinationSecretPlace(uuid: string): Place {
  return { table: 'report_destinations', column: 'secret', row: uuid };
}

/** The secret of a destination in plain text; null where its encryption key was lost. */
export function secretOf(
  { encryption }: Pick<Context, 'encryption'>,
  { uuid, secret }: Pick<DestinationRow, 'uuid' | 'secret'>,
): string | null {
  return secret === null ? null : encryption.decrypt(secret, destinationSecretPlace(uuid));
}

/** The keys in the secret of an S3 bucket. */
export function s3KeysOf(secret: string): S3Keys {
  return S3Keys.parse(JSON.parse(secret));
}
