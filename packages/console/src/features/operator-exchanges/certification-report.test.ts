import type { Certification } from '@bidwell/contract/operator/certification';
import { expect, test } from 'vitest';
import { reportText, stateOf, summaryOf } from './certification-report.ts';

const check = { text: 'The seat is a number.', source: 'https://docs.example', fault: null };
const passed = {
  title: 'A banner',
  documented: true,
  passed: true,
  checks: [check],
  request: '{"id":"1"}',
  response: '{"seatbid":[]}',
  took_ms: 3.5,
};
const failed = { ...passed, title: 'A video', passed: false, checks: [{ ...check, fault: 'It is “x”.' }] };
const report: Certification = {
  slug: 'xandr',
  profile: 'xandr',
  at: '2026-11-29T12:00:00.000Z',
  cases: [passed, failed, { ...passed, title: 'No bid', documented: false, response: '' }],
  not_documented: ['timeout_ms', 'cached_seconds'],
};

test('a case is passed, failed, or not documented; a failed one is failed in any case', () => {
  expect(report.cases.map(stateOf)).toEqual(['passed', 'failed', 'not documented']);
  expect(stateOf({ ...failed, documented: false })).toBe('failed');
});

test('the summary counts the cases that the exchange does not document apart', () => {
  expect(summaryOf(report)).toBe(
    '1 of 2 cases failed; 1 follow OpenRTB, as the exchange documents nothing on them',
  );
  expect(summaryOf({ ...report, cases: [passed] })).toBe('All 1 cases passed');
});

test('the report names the exchange, each check with its source, requests, responses, and what is not public', () => {
  const text = reportText(report);
  expect(text).toContain('# Bids against the public documents of Xandr');
  expect(text).toContain('## A video: failed');
  expect(text).toContain('- NO: The seat is a number. It is “x”. (https://docs.example)');
  expect(text).toContain('Response, after 3.5 ms:');
  expect(text).toContain('Nothing public was found on: timeout, cached ads.');
});
