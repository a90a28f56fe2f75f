import { brand } from '../../lib/brand.ts';
import type { UncountedEventReason } from '@bidwell/contract/measurement/uncounted-events';

/** Why events in the app of a partner do not count, and what to do about it. Pure. */
export function uncountedText(
  reason: UncountedEventReason,
  partner: string,
): { text: string; remedy: string } {
  return SENTENCES[reason](partner);
}

const SENTENCES: Record<UncountedEventReason, (partner: string) => { text: string; remedy: string }> = {
  unknown_click: (partner) => ({
    text: `The click ID is not one of ${brand.name}’s.`,
    remedy: `Check that the postback URL of events at ${partner} has the macro of the click ID, and that the click URL sends {click_id}.`,
  }),
  no_click_id: (partner) => ({
    text: 'The postback had no click ID.',
    remedy: `Copy the postback URL from the screen of the tracking link to ${partner} again, for events too.`,
  }),
  no_touchpoint: () => ({
    text: 'Neither a click nor a view is stored for the click ID.',
    remedy:
      'Forged events look like this. Set a token or signing secret under Checks on the screen of the tracking link.',
  }),
  before_click: (partner) => ({
    text: 'The event happened before its click or view.',
    remedy: `Check the time zone of the event times that ${partner} sends: times without a zone are read as UTC.`,
  }),
  after_window: () => ({
    text: 'The event happened too long after its click or view.',
    remedy: 'The screen of the app sets for how many days events count.',
  }),
  reported_late: (partner) => ({
    text: 'The event happened more than 30 days before it was reported.',
    remedy: `Ask ${partner} why its postbacks come so late.`,
  }),
  in_future: (partner) => ({
    text: 'The event is dated in the future.',
    remedy: `Check the event times that ${partner} sends.`,
  }),
  rejected: (partner) => ({
    text: `${partner} rejected the event.`,
    remedy: `${partner} lists rejected events in its console.`,
  }),
  install_rejected: (partner) => ({
    text: `${partner} rejected the install before the event.`,
    remedy: 'Block publishers with many rejected installs in the tab Bundles of the campaign.',
  }),
  no_activity: (partner) => ({
    text: 'It happened outside the app: an uninstall, a click, an impression, or an update of costs or of the attribution.',
    remedy: `Nothing to do. To count it as an in-app event, have ${partner} send it under an event name of its own.`,
  }),
  device_address: () => ({
    text: 'The postback came to the address in the link, which devices see.',
    remedy:
      'Set up the postback URL of events at the partner instead: only installs count from the address in the link.',
  }),
};
