import { brand } from '../../lib/brand.ts';
import type { MeasurementCounts, RejectionReason } from '@bidwell/contract/measurement/schema';
import { formatNumber } from '../../lib/format/format.ts';

/** Postbacks that were not counted for one reason: how many, why, and what to do about it. */
export interface NotCounted {
  count: number;
  text: string;
  remedy: string;
}

type Sentences = (partner: string) => { text: string; remedy: string };

const SENTENCES: Record<Exclude<RejectionReason, 'partner'>, Sentences> = {
  no_click_id: (partner) => ({
    text: 'The postback had no click ID.',
    remedy: `Copy the postback URL from the screen of the tracking link to ${partner} again, with its macros, and check that the click URL sends {click_id}.`,
  }),
  unknown_click: (partner) => ({
    text: `The click ID is not one of ${brand.name}’s.`,
    remedy: `Check that the click URL sends {click_id} in the parameter that ${partner} returns, and that nothing on the way shortens or changes it.`,
  }),
  no_touchpoint: (partner) => ({
    text: 'Neither a click nor a view is stored for the click ID.',
    remedy: `Forged installs look like this: set a token or signing secret of ${partner} under Checks on the screen of the tracking link.`,
  }),
  wrong_credential: (partner) => ({
    text: 'The token or signature was missing or wrong.',
    remedy: `Under Checks on the screen of the tracking link, enter the token or secret exactly as ${partner} shows it.`,
  }),
  wrong_network: (partner) => ({
    text: 'It came from outside the configured networks.',
    remedy: `Under Checks on the screen of the tracking link, add the networks that ${partner} publishes, or remove all of them.`,
  }),
  unverified: (partner) => ({
    text: 'It did not pass the checks.',
    remedy: `Compare the token and the networks under Checks on the screen of the tracking link with the ones that ${partner} shows.`,
  }),
};

/** Why postbacks of a partner were not counted, the most frequent reason first. Pure. */
export function notCounted(
  { rejections, late }: Pick<MeasurementCounts, 'rejections' | 'late'>,
  partner: string,
): NotCounted[] {
  const listed = rejections.map(({ reason, partner_reason: own, count }): NotCounted => {
    if (reason !== 'partner') return { count, ...SENTENCES[reason](partner) };
    return {
      count,
      text: own === '' ? `${partner} rejected the install.` : `${partner} rejected the install: “${own}”.`,
      remedy: `${partner} lists rejected installs in its console. Block publishers with many of them in the tab Bundles of the campaign.`,
    };
  });
  if (late > 0)
    listed.push({
      count: late,
      text: 'The ad was shown more than 30 days before the install.',
      remedy: `Shorten the attribution window at ${partner} to 30 days or less.`,
    });
  return listed.toSorted((a, b) => b.count - a.count);
}

/** Installs per hundred clicks with their interval; '-' where it is not known. Pure. */
export function installRateText({ install_rate: rate }: Pick<MeasurementCounts, 'install_rate'>): string {
  return rate
    ? `${formatNumber(rate.value, 2)} (${formatNumber(rate.low, 2)}–${formatNumber(rate.high, 2)})`
    : '-';
}

/**
 * Counted installs minus the installs that the partner took back, each on the day of its postback, as reports count them; below 0
 * where more were taken back. Pure.
 */
export function netInstalls({ installs, revoked }: Pick<MeasurementCounts, 'installs' | 'revoked'>): number {
  return installs - revoked;
}
