import type { PostbackOutcome } from '@bidwell/contract/postbacks/schema';
import type { BidRef } from '@bidwell/server/delivery/model/event';
import { pathOf, sampleRef } from '@bidwell/server/delivery/trackers/sample-ref';
import { createSigner } from '@bidwell/server/delivery/trackers/signer';
import { expect } from 'vitest';
import type { TestApp } from './test-app.ts';

/** The browser of a phone, whose clicks are no invalid traffic. */
export const PHONE = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Mobile Safari/537.36';

/** An option of `testApp`: requests wait for the decision of their postback, which takes seconds on a busy machine. */
export const answersWhenDecided = { postbackAnswerMs: () => 2 ** 31 - 1 };

/** The ways in which a partner sends the parameters of a postback. */
export const FORMATS = ['GET', 'form', 'JSON'] as const;
type Format = (typeof FORMATS)[number];

/** A report about a bid or a click id, and the outcome that its postback must have. */
type Reported = readonly [
  of: BidRef | string,
  parameters: Readonly<Record<string, string>>,
  outcome: PostbackOutcome,
  format?: Format,
];

/** What devices and measurement partners send to the server of a test. */
export function partnersOf(app: TestApp) {
  const signer = createSigner(app.ctx.config.signingSecret, 'http://bidwell.test');

  /** Calls a tracker of a bid as a device, by default the tracker of its click. Resolves to the bid. */
  const touch = async (ref: BidRef, kind: 'click' | 'impression' = 'click', userAgent = PHONE) => {
    const url = pathOf(signer.urlsFor(ref)[kind]);
    await app.http.inject({ url, headers: { 'user-agent': userAgent } });
    return ref;
  };

  /** Sends a postback; resolves to its outcome. Rejects unless the status is 200. */
  const send = async (path: string, parameters: Record<string, string>, format: Format = 'GET') => {
    const form = new URLSearchParams(parameters).toString();
    const [type, payload] =
      format === 'form'
        ? ['application/x-www-form-urlencoded', form]
        : ['application/json', JSON.stringify(parameters)];
    const response = await app.http.inject(
      format === 'GET'
        ? { url: `${path}?${form}` }
        : { method: 'POST', url: path, headers: { 'content-type': type }, payload },
    );
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${response.body}`);
    return response.json<{ data: { outcome: PostbackOutcome } }>().data.outcome;
  };

  /** A company with the address to which a partner sends its postbacks. */
  const freshAdvertiser = async (mmp = 'appsflyer') => {
    const company = await app.freshCompany();
    const { companyId } = company;
    const { postback_secret: secret } = await app.ctx.db
      .selectFrom('companies')
      .select('postback_secret')
      .where('uuid', '=', companyId)
      .executeTakeFirstOrThrow();
    /** Reports the install of a bid or of a click id, or what the parameters say. Resolves to the outcome. */
    const report = async (of: BidRef | string, parameters: Record<string, string> = {}, format?: Format) => {
      const clickid = typeof of === 'string' ? of : signer.clickIdFor(of);
      return send(`/postback/${mmp}/${secret}`, { clickid, ...parameters }, format);
    };
    return {
      company,
      secret,
      /** A bid of the company that is clicked now. */
      clicked: async (over: Partial<BidRef> = {}) =>
        touch(sampleRef({ companyId, ...over }, app.clock.now.getTime())),
      report,
      /** Sends reports at the same time; expects each to have its outcome. */
      expectOutcomes: async (reports: readonly Reported[]) => {
        const outcomes = await Promise.all(
          reports.map(async ([of, parameters, , format]) => report(of, parameters, format)),
        );
        expect(outcomes).toEqual(reports.map(([, , outcome]) => outcome));
      },
    };
  };

  return { signer, touch, send, freshAdvertiser };
}
