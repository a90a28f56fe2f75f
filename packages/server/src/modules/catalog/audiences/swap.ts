import { noteUnusedFiles } from '../../../platform/files/unused-files.ts';
import type { Digest } from '../../../platform/files/digest.ts';
import { type OwnedRow, insertOwned, updateOwned } from '../../../platform/postgres/stores/owned-store.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

/**
 * Puts another file, which is in the file store, in the place of the file of an audience that the transaction has locked. The caller
 * removes the earlier file from the store afterwards.
 */
export async function replaceFile(
  db: Db,
  audience: OwnedRow<'audiences'>,
  {
    file: { uuid, bytes, sha256 },
    size,
    hash,
    at,
  }: {
    file: Pick<Digest, 'bytes' | 'sha256'> & { uuid: string };
    size: number;
    hash: OwnedRow<'audiences'>['id_hash'];
    at: Date;
  },
): Promise<void> {
  const { company_uuid: companyId, file_uuid: earlier } = audience;
  await insertOwned(db, 'files', companyId, {
    uuid,
    content_type: 'application/octet-stream',
    extension: 'audience',
    size_bytes: bytes,
    sha256,
    width: null,
    height: null,
    duration_ms: null,
    created_at: at,
  });
  await updateOwned(db, 'audiences', companyId, audience.uuid, {
    file_uuid: uuid,
    size,
    id_hash: size > 0 ? hash : null,
  });
  if (earlier === null) return;
  await noteUnusedFiles(db, [earlier]);
  await db.deleteFrom('files').where('company_uuid', '=', companyId).where('uuid', '=', earlier).execute();
}
