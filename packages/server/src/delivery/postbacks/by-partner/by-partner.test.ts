import { MMPS, type Mmp } from '@bidwell/contract/apps/fields';
import { type PostbackParameter } from '@bidwell/contract/measurement/partners/description';
import { PARTNERS, postbackQueries } from '@bidwell/contract/measurement/partners/partners';
import type { PostbackOutcome } from '@bidwell/contract/postbacks/schema';
import { dateAt } from '@bidwell/contract/lib/calendar';
import { appBody, make } from '@bidwell/testing/advertising';
import { caseFiles } from '@bidwell/testing/case-files';
import { FORMATS, answersWhenDecided, partnersOf } from '@bidwell/testing/partners';
import { testApp } from '@bidwell/testing/test-app';
import { isWhole } from '@bidwell/testing/whole-run';
import { v4 as uuidv4 } from 'uuid';
import { expect, test } from 'vitest';
import { sampleRef } from '../../trackers/sample-ref.ts';

/** A report of a partner about a person, by one of the postbacks that docs/measurement.md and the console have for it. */
interface Step {
  of: 'install' | 'event' | 'rejection';
  /** By our parameters; a number is a time, in seconds from now. A partner without such a macro does not send it. */
  values: Partial<Record<PostbackParameter, string | number>>;
  /** Values of parameters that only some partners have. */
  own?: Partial<Record<Mmp, Record<string, string>>>;
  outcome: PostbackOutcome;
}

/** One file of ./cases: the steps after one click, and the expected counts of the reports. */
interface Case {
  /** Default: two minutes. */
  bidDaysAgo?: number;
  /** Whether the person clicked; otherwise the postbacks name the app. */
  hasClick?: false;
  steps: Step[];
  counts: Record<'installs' | 'app_events' | 'revenue', number>;
}

const app = await testApp({}, undefined, answersWhenDecided);
const { signer, touch, send, freshAdvertiser } = partnersOf(app);
const MINUTES_MS = 120_000;
const DAY_MS = 86_400_000;

/** Adjust's kinds of the postbacks; other partners have a postback of its own for each. */
const ACTIVITY_KINDS = { install: 'install', event: 'event', rejection: 'rejected_install' };

/** The template of a postback of a partner; the template of all partners if it has none. */
function templateOf(mmp: Mmp, of: Step['of']): [name: string, macro: string][] {
  const queries = postbackQueries(mmp);
  const found = {
    install: queries[0],
    event: queries.find(({ purpose }) => /event (postback|callback)/i.test(purpose)),
    rejection: queries.find(({ purpose }) => purpose.startsWith('Rejected')),
  }[of];
  return (found ?? postbackQueries('other').find(({ purpose }) => purpose.startsWith('Rejected'))!)
    .parameters;
}

/** The parameters that a partner sends: its template with the macros replaced, as far as it has a value. */
function sentBy(
  mmp: Mmp,
  { of, values, own }: Step,
  more: Record<string, string>,
  campaignId: string,
): Record<string, string> {
  const nowMs = app.clock.now.getTime();
  const text = (value: string | number) => {
    if (typeof value === 'string') return value;
    const atMs = nowMs + value * 1000;
    // Branch documents its times in milliseconds.
    return String(mmp === 'branch' ? atMs : Math.floor(atMs / 1000));
  };
  const { undocumented } = PARTNERS[mmp].postbacks;
  const sent: Record<string, string> = {};
  const valueOf = (name: string) => {
    const parameter = (name === 'revenue_float' ? 'revenue' : name) as PostbackParameter;
    if (name === 'activity_kind') return ACTIVITY_KINDS[of];
    const value = values[parameter];
    if (value === undefined) return undefined;
    // A partner's id belongs to one event of one person.
    return name === 'event_id' ? `${value} ${campaignId}` : text(value);
  };
  for (const [name, macro] of templateOf(mmp, of)) {
    const isMacro = /[{(]/.test(macro) || macro === 'EVENT_NAME';
    sent[name] = isMacro ? (valueOf(name) ?? macro) : macro;
  }
  for (const name of undocumented) {
    const value = valueOf(name);
    if (value !== undefined) sent[name] ??= value;
  }
  return { ...sent, ...own?.[mmp], ...more };
}

test.each(caseFiles<Case>(import.meta.url))(
  '%s is read and counted alike from every partner, by GET, as a form and as JSON',
  async (_name, { bidDaysAgo, hasClick = true, steps, counts }) => {
    const { company, secret } = await freshAdvertiser();
    const appUuid = await make(company, '/app', appBody());
    const { now } = app.clock;
    const bidMs = now.getTime() - (bidDaysAgo === undefined ? MINUTES_MS : bidDaysAgo * DAY_MS);
    // Each partner in one format, in turn, where not every one is tried.
    const people = MMPS.flatMap((mmp, index) =>
      FORMATS.filter((_, at) => isWhole || at === index % FORMATS.length).map((format) => {
        const ref = sampleRef({ companyId: company.companyId, campaignId: uuidv4() }, bidMs);
        return { mmp, format, ref, name: `${mmp} ${format}` };
      }),
    );
    if (hasClick) {
      app.clock.now = new Date(bidMs);
      await Promise.all(people.map(async ({ ref }) => touch(ref)));
      app.clock.now = now;
    }
    const outcomes = await Promise.all(
      people.map(async ({ mmp, format, ref, name }) => {
        const person: Record<string, string> = hasClick
          ? { click_id: signer.clickIdFor(ref) }
          : { app: appUuid };
        const of: PostbackOutcome[] = [];
        for (const step of steps)
          of.push(
            await send(`/postback/${mmp}/${secret}`, sentBy(mmp, step, person, ref.campaignId), format),
          );
        return [name, of];
      }),
    );
    const expected = steps.map(({ outcome }) => outcome);
    expect(outcomes).toEqual(people.map(({ name }) => [name, expected]));

    await app.settled();
    const today = dateAt(now.getTime(), 'UTC');
    const { data } = await company.call('POST', '/analytics/level', {
      start_date: dateAt(now.getTime() - DAY_MS, 'UTC'),
      end_date: today,
      levels: { campaign: '' },
      metrics: Object.keys(counts),
    });
    const rows: { value: string }[] = data.rows;
    const nothing = { installs: 0, app_events: 0, revenue: 0 };
    const counted = { ...counts, revenue: expect.closeTo(counts.revenue, 6) };
    expect(
      people.map(({ name, ref }) => [name, rows.find(({ value }) => value === ref.campaignId) ?? nothing]),
    ).toEqual(people.map(({ name }) => [name, expect.objectContaining(counted)]));
  },
);
