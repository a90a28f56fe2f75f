import { endpoint } from '@bidwell/contract/lib/endpoint';
import { envelope } from '@bidwell/contract/lib/wire';
import Fastify from 'fastify';
import { type ZodTypeProvider, validatorCompiler } from 'fastify-type-provider-zod';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { formRoute, route } from './route.ts';
import { serializerCompiler } from './bodies/serializer.ts';

function server() {
  const http = Fastify()
    .withTypeProvider<ZodTypeProvider>()
    .setValidatorCompiler(validatorCompiler)
    .setSerializerCompiler(serializerCompiler);
  const schemas: string[][] = [];
  http.addHook('onRoute', ({ schema = {}, method }) => {
    if (method !== 'HEAD') schemas.push(Object.keys(schema));
  });
  return { http, schemas };
}

const response = { 200: envelope(z.object({ page: z.number() })) };

test('a call is validated by its endpoint, and its response has no other fields', async () => {
  const { http } = server();
  const list = endpoint('GET /thing/:id', {
    summary: 'List',
    companyPermission: 'app.read',
    params: z.object({ id: z.string().max(3) }),
    query: z.object({ page: z.coerce.number().default(1) }),
    response,
  });
  route(http, list, async (request) => {
    const { page } = request.query;
    return { data: { page, id: request.params.id } };
  });
  expect((await http.inject('/thing/one?page=2')).json()).toEqual({ data: { page: 2 } });
  expect((await http.inject('/thing/one')).json()).toEqual({ data: { page: 1 } });
  expect((await http.inject('/thing/long')).statusCode).toBe(400);
  // Otherwise a misspelled filter would return the figures of everything.
  expect((await http.inject('/thing/one?pages=2')).statusCode).toBe(400);
});

test('a route has only the schemas that its endpoint declares', async () => {
  const { http, schemas } = server();
  const plain = { summary: 'Change', response } as const;
  const respond = async () => ({ data: { page: 1 } });
  const body = z.object({});
  route(http, endpoint('PUT /one', { ...plain, permission: 'moderation.read' }), respond);
  route(http, endpoint('PUT /two', { ...plain, body, isPublic: true }), respond);
  formRoute(
    http,
    endpoint('PUT /three', { ...plain, permission: 'moderation.read', body, form: body }),
    {},
    respond,
  );
  await http.ready();
  // Fastify prints a warning for each that is present and undefined.
  expect(schemas).toEqual([
    ['summary', 'response'],
    ['summary', 'body', 'security', 'response'],
    ['summary', 'response'],
  ]);
});
