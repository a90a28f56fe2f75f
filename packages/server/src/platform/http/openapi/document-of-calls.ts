import { CONSOLE_API, type Endpoint } from '@bidwell/contract/lib/endpoint';
import Fastify from 'fastify';
import { type ZodTypeProvider, validatorCompiler } from 'fastify-type-provider-zod';
import { serializerCompiler } from '../bodies/serializer.ts';
import { formRoute, route } from '../route.ts';
import type { Http } from '../server.ts';
import { describeRoutes, documentOf } from './document.ts';
import type { ApiDocument } from './page.ts';

/** The document that {@link documentOf} makes of a server, for these calls of the console's API alone. Starts no server. */
export async function documentOfCalls(endpoints: readonly Endpoint[]): Promise<ApiDocument> {
  const http: Http = Fastify()
    .withTypeProvider<ZodTypeProvider>()
    .setValidatorCompiler(validatorCompiler)
    .setSerializerCompiler(serializerCompiler);
  await describeRoutes(http);
  const never = async () => undefined as never;
  await http.register(
    async (scope: Http) => {
      for (const { form, ...endpoint } of endpoints)
        if (form) formRoute(scope, { ...endpoint, form }, never);
        else route(scope, endpoint, never);
    },
    { prefix: CONSOLE_API },
  );
  await http.ready();
  return documentOf(http);
}
