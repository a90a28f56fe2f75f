import type { MultipartFile } from '@fastify/multipart';
import type { Creative } from '@bidwell/contract/creative';
import { UploadFields } from '@bidwell/contract/creative';
import { limits } from '@bidwell/contract/limits';
import { messages } from '@bidwell/contract/messages';
import type { FastifyRequest } from 'fastify';
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { v7 as uuidv7 } from 'uuid';
import type { Actor, Engines } from '../../engines.ts';
import { Invalid, TooLarge, UnsupportedType } from '../../platform/errors.ts';
import { transact } from '../../platform/postgres/transaction.ts';
import { requireApp } from '../apps/service.ts';
import { recordChange } from '../changes/service.ts';
import { bytesMaxOf, fileFieldOf, inspectFile } from './inspect.ts';
import { logged } from './read-form.ts';
import { creativesOf } from './service.ts';
import { countCreatives, insertCreative, insertFile } from './store.ts';

/** A file of the form, on disk under a name of ours. */
interface Received {
  field: string;
  path: string;
  bytes: number;
  sha256: string;
}

/**
 * POST /v2/internal_creative: takes the multipart form, streaming its file to disk, and makes the asset and the creative
 * around it. Throws Invalid on the field at fault, TooLarge, UnsupportedType.
 */
export async function uploadCreative(
  engines: Engines,
  actor: Actor,
  request: FastifyRequest,
): Promise<Creative> {
  if (!request.isMultipart()) throw new UnsupportedType('Send the creative as a multipart form.');
  const folder = join(engines.config.dataDir, 'uploads', randomUUID());
  await mkdir(folder, { recursive: true });
  try {
    const { values, files } = await receive(request, folder);
    return await createFrom(engines, actor, parseFields(values), files);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function receive(
  request: FastifyRequest,
  folder: string,
): Promise<{ values: Record<string, string>; files: Received[] }> {
  const values: Record<string, string> = {};
  const files: Received[] = [];
  for await (const part of request.parts()) {
    if (part.type === 'field') values[part.fieldname] = String(part.value);
    else files.push(await save(part, join(folder, String(files.length))));
  }
  return { values, files };
}

async function save(part: MultipartFile, path: string): Promise<Received> {
  const bytesMax = part.fieldname === 'playable' ? bytesMaxOf.playable : bytesMaxOf.banner;
  const hash = createHash('sha256');
  let bytes = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      const full = bytes > bytesMax;
      done(
        full ? new TooLarge(`"${part.filename}" is larger than ${bytesMax / 1024 / 1024} MB`) : null,
        chunk,
      );
    },
  });
  await pipeline(part.file, meter, createWriteStream(path));
  return { field: part.fieldname, path, bytes, sha256: hash.digest('hex') };
}

function parseFields(values: Record<string, string>): UploadFields {
  const parsed = UploadFields.safeParse(values);
  if (parsed.success) return parsed.data;
  throw new Invalid(
    parsed.error.issues.map((issue) => ({ field: issue.path.join('.'), message: issue.message })),
  );
}

async function createFrom(
  engines: Engines,
  actor: Actor,
  fields: UploadFields,
  files: Received[],
): Promise<Creative> {
  const fileField = fileFieldOf[fields.type];
  if (!fileField)
    throw new Invalid([{ field: 'type', message: 'Videos are not accepted by this server yet' }]);
  const [file] = files.filter(({ field }) => field === fileField);
  const surplus = files.find((other) => other !== file);
  if (surplus) throw new Invalid([{ field: surplus.field, message: `Send one file, as ${fileField}` }]);
  if (!file || file.bytes === 0) throw new Invalid([{ field: fileField, message: messages.required }]);
  const inspected = await inspectFile(fields.type, file.path);
  const fileUuid = uuidv7();
  await engines.files.write(fileUuid, createReadStream(file.path));
  try {
    return await transact(engines.db, async (tx) => {
      const { companyId } = actor;
      await requireApp(tx.db, companyId, fields.app_id, 'app_id');
      if ((await countCreatives(tx.db, companyId, fields.app_id, fields.type)) >= limits.bannersPerType) {
        throw new Invalid([{ field: fileField, message: messages.bannerLimit }]);
      }
      const at = { created_at: engines.now(), updated_at: engines.now() };
      const { contentType, extension, width, height } = inspected;
      await insertFile(tx.db, companyId, {
        uuid: fileUuid,
        content_type: contentType,
        extension,
        size_bytes: file.bytes,
        sha256: file.sha256,
        width,
        height,
        duration_ms: null,
        created_at: at.created_at,
      });
      const uuid = uuidv7();
      const assetUuid = uuidv7();
      const { app_id, ...texts } = fields;
      await insertCreative(
        tx.db,
        companyId,
        {
          uuid: assetUuid,
          ...texts,
          width,
          height,
          duration_ms: null,
          banner_file_uuid: fileField === 'banner' ? fileUuid : null,
          video_file_uuid: null,
          playable_file_uuid: fileField === 'playable' ? fileUuid : null,
          ...at,
        },
        {
          uuid,
          app_uuid: app_id,
          internal_creative_uuid: assetUuid,
          click_url: null,
          view_url: null,
          status: engines.config.moderation === 'auto' ? 'Approved' : 'Moderation',
          rejection_reason: null,
          ...at,
        },
      );
      const [creative] = await creativesOf(tx.db, companyId, [uuid]);
      const change = {
        entity: 'creative',
        uuid,
        name: fields.name,
        action: 'create',
        before: null,
        after: logged(creative!),
      } as const;
      await recordChange(engines, tx, actor, change);
      return creative!;
    });
  } catch (error) {
    await engines.files.remove(fileUuid);
    throw error;
  }
}
