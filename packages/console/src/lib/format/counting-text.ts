/** How rates and counts that differ from screen to screen are counted, in plain words for a tooltip or a note. */
export const countingWords = {
  reportInstalls: 'Installs after a click, and those after a view without a click.',
  reportWinRate:
    'Won bids, of the bids whose exchange reported a win or a loss. Exchanges that report no losses are left out: their rate is not known.',
  reportInstallRate: 'Installs per 100 clicks. Installs after a view without a click are included.',
  reportIpm: 'Installs per 1 000 impressions. Installs after a view without a click are included.',
  invalidClicks: 'Clicks of bots and data centers. They are not part of the clicks.',
  invalidInstalls: 'Installs after invalid clicks. They are not part of the installs.',
  appEvents: 'Events in the app that the measurement partner reported, on the day of its postback.',
  costPerAppEvent: 'Spend divided by all events in the app.',
  payers:
    'People with a purchase, each counted once. The screen of an app can set other events that make a payer, or that do not.',
  payerRate: 'Payers per 100 installs.',
  revenue:
    'Dollars of the events in the app, from the sources that the app counts. Amounts that are not known in dollars are left out, and counted as Amounts unknown.',
  arpu: 'Revenue divided by installs.',
  arppu: 'Revenue divided by payers.',
  roas: 'Revenue in percent of the spend of the same days.',
  unknownAmounts:
    'Events in the app with an amount that cannot be read, or in a currency without a rate. They are not included in the revenue.',
  reEngagementSpend:
    'Spend of re-engagement campaigns. It is part of the spend, and of no CPI or ROAS of installs.',
  reEngagementClicks: 'Clicks of re-engagement campaigns. They are part of the clicks.',
  reattributions:
    'Returns of people who have the app, each click or view once, as the measurement partner reported them.',
  costPerReattribution: 'Spend of re-engagement campaigns divided by re-attributions.',
  reinstalls: 'Installs that re-engagement campaigns led to. They are not part of the installs.',
  reEngagementEvents:
    'Events in the app after clicks and views of re-engagement campaigns. They are not part of the in-app events.',
  reEngagementRevenue:
    'Dollars of these events, from the sources that the app counts. They are not part of the revenue.',
  reEngagementRoas:
    'Re-engagement revenue in percent of the spend of re-engagement campaigns on the same days.',
  funnelWon: 'Impressions shown, or win notices where these are more: some exchanges send none.',
  funnelLost: 'Loss notices. Not every exchange sends them.',
  measurementTakenBack:
    'Installs that had counted and that the partner rejected later. They are subtracted from the installs, as in reports, and are among the rejected postbacks.',
  measurementInstallRate:
    'Installs after a click, per 100 clicks sent. Clicks include invalid ones; installs after a view without a click are left out.',
  exchangeWinRate: 'Win notices in percent of the bids sent in the same time.',
} as const;
