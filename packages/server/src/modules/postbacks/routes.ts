import { Postbacks } from '@bidwell/contract/postback';
import { envelope } from '@bidwell/contract/wire';
import type { Engines } from '../../engines.ts';
import { actorOf } from '../../platform/http/auth.ts';
import type { Http } from '../../platform/http/server.ts';
import { readPostbacks } from './service.ts';

/** GET /postbacks: what an advertiser sets up at the measurement partners, and whether it works. */
export function registerPostbackSettings(http: Http, engines: Engines): void {
  http.get(
    '/postbacks',
    { schema: { summary: 'Read the addresses of postbacks', response: { 200: envelope(Postbacks) } } },
    async (request) => ({
      data: await readPostbacks(engines, actorOf(request), `${request.protocol}://${request.host}`),
    }),
  );
}
