import multipart from '@fastify/multipart';
import { InternalCreativeUpdate } from '@bidwell/contract/creatives/schema';
import * as endpoints from '@bidwell/contract/creatives/endpoints';
import { limits } from '@bidwell/contract/lib/limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../context.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { goneSignal } from '../../../platform/http/gone-signal.ts';
import { fairQueue } from '../../../platform/concurrency/fair-queue.ts';
import { listRoute } from '../../../platform/http/list-route.ts';
import { limitSlowUpload } from '../../../platform/http/bodies/request-body.ts';
import { dataRoute, named } from '../../../platform/http/data-route.ts';
import { formRoute } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { created } from '../../../platform/idempotency/idempotency.ts';
import { createRoute } from '../../../platform/idempotency/create-route.ts';
import { updateFromForm, uploadCreative } from './upload.ts';
import { type UploadedForm, identityOf, parseTexts, withForm } from './receive.ts';
import {
  addressCreative,
  listCreatives,
  requireUploadRoom,
  updateCreative,
  updateInternalCreative,
} from './service.ts';

/** Transfers at once: each takes disk space and, at its end, CPU time. The slow ones of one company leave room for others. */
const UPLOADS = { running: 32, runningEach: 4, waiting: 400, waitingEach: 40, waitMs: 60_000 };

/**
 * Registers the calls on creatives. Needs a Fastify scope of its own, because the multipart parser applies to all of
 * it.
 */
export async function registerCreatives(http: Http, ctx: Context): Promise<void> {
  const uploads = fairQueue(UPLOADS, 'uploads');
  let receiving = 0;
  const isCrowded = () => receiving >= UPLOADS.running && uploads.waiting > 0;
  const inTurn = <T>(
    request: FastifyRequest,
    reply: FastifyReply,
    /** The least storage that the form needs. */
    least: Parameters<typeof requireUploadRoom>[2],
    work: (form: UploadedForm) => Promise<T>,
  ): Promise<T> => {
    const signal = goneSignal(reply);
    const receive = async () => {
      receiving += 1;
      try {
        await requireUploadRoom(ctx, actorOf(request), least);
        limitSlowUpload(request.raw, isCrowded);
        return await withForm(ctx, request, signal, work);
      } finally {
        receiving -= 1;
      }
    };
    return uploads.run(actorOf(request).companyId, receive, { signal });
  };
  await http.register(multipart, {
    limits: { files: 3, fields: 30, fieldSize: 10_000, parts: 40, fileSize: limits.videoBytesMax + 1 },
  });

  listRoute(http, ctx, endpoints.listCreatives, named('internal_creatives', listCreatives));
  formRoute(
    http,
    endpoints.uploadCreative,
    { bodyLimit: limits.videoBytesMax + limits.jsonBodyBytesMax },
    async (request, reply) =>
      inTurn(request, reply, { bytes: Math.max(1, leastBytesOf(request)) }, (form) => {
        const create = () => uploadCreative(ctx, actorOf(request), form);
        return created(ctx, request, reply, create, identityOf(form));
      }),
  );
  formRoute(http, endpoints.updateInternalCreative, {}, async (request, reply) => {
    const actor = actorOf(request);
    const { uuid } = request.params;
    if (request.isMultipart())
      return inTurn(request, reply, { bytes: leastBytesOf(request), replaces: uuid }, async (form) => ({
        data: await updateFromForm(ctx, actor, uuid, form),
      }));
    const texts = parseTexts(InternalCreativeUpdate, request.body);
    return { data: await updateInternalCreative(ctx, actor, uuid, texts) };
  });
  createRoute(http, ctx, endpoints.createCreative, addressCreative);
  dataRoute(http, ctx, endpoints.updateCreative, updateCreative);
}

/** The least that the files of a form have, by the length of the form; 0 where the client does not say it. */
function leastBytesOf({ headers }: FastifyRequest): number {
  return Math.max(0, (Number(headers['content-length']) || 0) - limits.jsonBodyBytesMax);
}
