import { ignoreMalformedTypes } from './read-json.ts';
import type { Http } from '../server.ts';

/** Largest body of a call that ends mails. A form of one field has a few hundred bytes. */
export const ONE_CLICK_BYTES_MAX = 8 * 1024;

/**
 * Prepares a plugin's scope for the call at `path` that ends mails by one click (RFC 8058). Mail programs send a form with a single known field, as
 * `multipart/form-data` or URL-encoded, and some without a type: its content is ignored. Programs that send no form open the address in a browser,
 * which is led to `page` of the console, where a person confirms.
 */
export function acceptOneClick(http: Http, path: string, page: string): void {
  ignoreMalformedTypes(http);
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined));
  http.get<{ Params: { token: string } }>(path, { schema: { hide: true } }, async ({ params }, reply) =>
    reply.redirect(`${page}#${encodeURIComponent(params.token)}`),
  );
}
