import type { Http } from '../server.ts';

/** Accepts forms, and ignores what they say: mail programs that end mails (RFC 8058) send one with a single known field. */
export function ignoreForms(http: Http): void {
  http.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, _body, done) => done(null, undefined),
  );
}
