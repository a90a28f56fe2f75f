import multipart from '@fastify/multipart';
import {
  Creative,
  CreativeInput,
  CreativeUpdate,
  InternalCreativeUpdate,
  UploadFields,
} from '@bidwell/contract/creative';
import { limits } from '@bidwell/contract/limits';
import { Failure, UuidParams, envelope } from '@bidwell/contract/wire';
import { z } from 'zod';
import type { Engines } from '../../engines.ts';
import { actorOf } from '../../platform/http/auth.ts';
import { cachedList } from '../../platform/http/response-cache.ts';
import type { Http } from '../../platform/http/server.ts';
import { created } from '../../platform/idempotency/created.ts';
import { updateFromForm } from './end-card.ts';
import { identityOf, parseTexts, withForm } from './receive.ts';
import { addressCreative, listCreatives, updateCreative, updateInternalCreative } from './service.ts';
import { uploadCreative } from './upload.ts';

const file = z.file().optional();
const UploadForm = UploadFields.extend({ banner: file, video: file, playable: file });
const UpdateForm = InternalCreativeUpdate.extend({ banner: file });
const CreativeList = z.object({ internal_creatives: z.array(Creative) });

/**
 * Registers the calls on creatives. Needs a Fastify scope of its own, because the multipart parser applies to all of
 * it.
 */
export async function registerCreatives(http: Http, engines: Engines): Promise<void> {
  await http.register(multipart, {
    limits: { files: 3, fields: 30, fieldSize: 10_000, parts: 40, fileSize: limits.videoBytesMax + 1 },
  });

  http.get(
    '/internal_creative',
    { schema: { summary: 'List creatives', response: { 200: envelope(CreativeList) } } },
    async (request, reply) =>
      cachedList(engines, request, reply, async () => ({
        internal_creatives: await listCreatives(engines, actorOf(request)),
      })),
  );

  http.post(
    '/v2/internal_creative',
    {
      schema: { summary: 'Upload a creative', response: { 201: envelope(Creative), 400: Failure } },
      config: { form: UploadForm },
      bodyLimit: limits.videoBytesMax + limits.jsonBodyBytesMax,
    },
    async (request, reply) =>
      withForm(engines, request, (form) => {
        const create = () => uploadCreative(engines, actorOf(request), form);
        return created(engines, request, reply, create, identityOf(form));
      }),
  );

  http.put(
    '/internal_creative/:uuid',
    {
      schema: {
        summary: 'Update an uploaded creative',
        params: UuidParams,
        response: { 200: envelope(Creative) },
      },
      config: { form: UpdateForm, formOrJson: true },
    },
    async (request) => {
      const actor = actorOf(request);
      const { uuid } = request.params;
      if (request.isMultipart())
        return withForm(engines, request, async (form) => ({
          data: await updateFromForm(engines, actor, uuid, form),
        }));
      const texts = parseTexts(InternalCreativeUpdate, request.body);
      return { data: await updateInternalCreative(engines, actor, uuid, texts) };
    },
  );

  http.post(
    '/creative',
    {
      schema: {
        summary: 'Give a creative its addresses',
        body: CreativeInput,
        response: { 201: envelope(Creative) },
      },
    },
    async (request, reply) =>
      created(engines, request, reply, () => addressCreative(engines, actorOf(request), request.body)),
  );

  http.put(
    '/creative/:uuid',
    {
      schema: {
        summary: 'Update a creative',
        params: UuidParams,
        body: CreativeUpdate,
        response: { 200: envelope(Creative) },
      },
    },
    async (request) => ({
      data: await updateCreative(engines, actorOf(request), request.params.uuid, request.body),
    }),
  );
}
