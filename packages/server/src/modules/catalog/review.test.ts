import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Review, reviewAfter } from './review.ts';

interface Version {
  title: string;
}
const manual = { moderation: 'manual' } as const;
const approvedReview: Review<Version> = { status: 'Approved', rejection_reason: null, approved: null };

test('invisible changes cause no review', () => {
  expect(reviewAfter(manual, approvedReview, { title: 'A' }, { title: 'A' })).toBeNull();
});

test('with automatic moderation, everything is approved at once', () => {
  expect(reviewAfter({ moderation: 'auto' }, approvedReview, { title: 'A' }, { title: 'B' })).toEqual(
    approvedReview,
  );
});

test('in any order of edits and decisions, only approved versions run', () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ edit: fc.constantFrom('A', 'B', 'C') }),
      fc.constantFrom({ decide: 'Approved' as const }, { decide: 'Rejected' as const }),
    ),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(steps, (all) => {
      const decided = new Set<string>();
      let version: Version = { title: 'A' };
      let review: Review<Version> = { status: 'Moderation', rejection_reason: null, approved: null };
      for (const step of all) {
        if ('edit' in step) {
          const to = { title: step.edit };
          review = reviewAfter(manual, review, version, to) ?? review;
          version = to;
        } else if (step.decide === 'Approved') {
          decided.add(version.title);
          review = { status: 'Approved', rejection_reason: null, approved: null };
        } else if (review.status === 'Moderation') review = { ...review, status: 'Rejected' };
        const running = review.status === 'Approved' ? version : review.approved;
        if (running) expect(decided).toContain(running.title);
        // An approved version is never lost by an edit.
        if (decided.size > 0) expect(running).not.toBeNull();
      }
    }),
  );
});
