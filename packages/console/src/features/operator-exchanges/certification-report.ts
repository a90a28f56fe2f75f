import type { Certification, CertifiedCase } from '@bidwell/contract/operator/certification';
import { profileOf } from '@bidwell/contract/operator/exchange-profiles';
import { fieldTexts, ruleTexts } from './exchange-text.ts';

/** Passed, failed, or passed where the exchange documents nothing of its own. */
export type CaseState = 'passed' | 'failed' | 'not documented';

export function stateOf({ passed, documented }: CertifiedCase): CaseState {
  if (!passed) return 'failed';
  return documented ? 'passed' : 'not documented';
}

/** The names of what nothing public was found on. */
export function unknownTexts({ not_documented: names }: Certification): string[] {
  const texts: Readonly<Record<string, string>> = { ...fieldTexts, ...ruleTexts };
  return names.map((name) => (texts[name] ?? name).toLowerCase());
}

/** “6 of 7 cases passed”; the cases that the exchange does not document are counted apart. */
export function summaryOf({ cases }: Certification): string {
  const count = (state: CaseState): number => cases.filter((one) => stateOf(one) === state).length;
  const failed = count('failed');
  const apart = count('not documented');
  const documented = cases.length - apart;
  const own = failed === 0 ? `All ${documented} cases passed` : `${failed} of ${documented} cases failed`;
  return apart === 0 ? own : `${own}; ${apart} follow OpenRTB, as the exchange documents nothing on them`;
}

/** The report as a text in Markdown, for the exchange: each case with its checks, their sources, request and response. */
export function reportText(report: Certification): string {
  const { cases, at, profile } = report;
  const unknown = unknownTexts(report);
  return [
    `# Bids against the public documents of ${profileOf(profile).name}`,
    `${at}. ${summaryOf(report)}. A sample advertiser made the bids.`,
    ...cases.flatMap((one) => [
      `## ${one.title}: ${stateOf(one)}`,
      one.checks
        .map(
          ({ text, source, fault }) =>
            `- ${fault === null ? 'yes' : 'NO'}: ${text}${fault === null ? '' : ` ${fault}`} (${source})`,
        )
        .join('\n'),
      ...(one.request === '' ? [] : [`Request:\n\n${fenced(one.request)}`]),
      ...(one.response === '' ? [] : [`Response, after ${one.took_ms} ms:\n\n${fenced(one.response)}`]),
    ]),
    ...(unknown.length > 0 ? [`Nothing public was found on: ${unknown.join(', ')}.`] : []),
    '',
  ].join('\n\n');
}

const FENCE = '```';
const fenced = (json: string): string => `${FENCE}json\n${json}\n${FENCE}`;
