import {
  EVENT_PARAMETERS,
  FALSE,
  INSTALL_PARAMETERS,
  IS_REJECTED,
  IS_RETARGETING,
  type Partner,
  documented,
  notDocumented,
  ofMoloco,
} from './description.ts';

// Callbacks configured at Adjust return the label; the link's own callback carries a token for this click.
const common =
  'TOKEN?campaign={campaign_name}&adgroup={adset_id}&creative={creative_id}&<device>&ip_address={ip}&user_agent={ua}&language={lang}&label={click_id}&<callback>';

/** The parameter that distinguishes the kinds of Adjust's callbacks. */
const KIND = 'activity_kind={activity_kind}';
/** Uses its own name, since callbacks that were set up by hand send cents as `revenue`. */
const REVENUE = 'revenue_float={revenue_float}';

const ofAdjust = (path: string) => ({
  title: `help.adjust.com ${path}`,
  url: `https://help.adjust.com/en/${path}`,
});

export const adjust: Partner = {
  name: 'Adjust',
  links: {
    click: `https://app.adjust.com/${common}`,
    view: `https://view.adjust.com/impression/${common}`,
    placeholders: { TOKEN: 'the link token that Adjust shows for your campaign' },
    domains: ['adjust.com', 'adjust.net.in', 'adjust.world', 'adj.st', 'go.link'],
    clickHost: /^app\.|\.adj\.st$|\.go\.link$/,
    viewHost: /^view\./,
    clickIdIn: { install_callback: '{install_token}', label: '{click_id}' },
    device: { android: 'gps_adid={gaid}', ios: 'idfa={idfa}' },
    noRedirect: { param: 's2s', value: '1' },
    tokenHost: /adjust\.(com|net\.in|world)$/,
    appHost: null,
    required: {},
    advised: {},
    short: {},
  },
  postbacks: {
    macros: {
      click_id: '{label}',
      event: '{event}',
      event_name: '{event_name}',
      revenue: '{revenue_float}',
      currency: '{currency}',
      revenue_usd: '{revenue_usd}',
      event_time: '{created_at}',
      install_time: '{installed_at}',
      touch: '{impression_based}',
      reject_reason: '{rejection_reason}',
      gaid: '{gps_adid}',
      idfa: '{idfa}',
      idfv: '{idfv}',
    },
    undocumented: [],
    setups: [
      {
        purpose: 'Install callback, in the app’s settings at Adjust; the link needs label={click_id}',
        parameters: [KIND, ...INSTALL_PARAMETERS],
      },
      {
        purpose: 'Rejected install callback, in the app’s settings at Adjust',
        parameters: [KIND, 'click_id', 'reject_reason'],
      },
      {
        purpose: 'Event callback, in the app’s settings at Adjust',
        parameters: [KIND, ...EVENT_PARAMETERS.map((name) => (name === 'revenue' ? REVENUE : name))],
      },
    ],
    replace: null,
    method: documented('GET'),
    encoding: documented('each value is percent-encoded once'),
    retries: notDocumented,
    credential: {
      kind: 'signature',
      header: 'authorization',
      label: 'Signing secret',
      description: 'Adjust signs callbacks with it, using SHA-1 or SHA-256.',
    },
    kinds: [
      {
        kind: 'rejected',
        parameters: ['activity_kind'],
        is: ['rejected_install'],
      },
      {
        kind: 'retargeting',
        parameters: ['activity_kind'],
        is: ['rejected_reattribution'],
        isRejection: true,
      },
      {
        kind: 'retargeting',
        parameters: ['activity_kind'],
        is: ['reattribution', 'reinstall', 'reattribution_reinstall'],
      },
      { kind: 'event', parameters: ['activity_kind'], isNot: ['install'] },
      IS_RETARGETING,
      { kind: 'rejected', parameters: ['rejection_reason', 'reject_reason'], isNot: FALSE },
      IS_REJECTED,
      // Also sent together with the token or the name of an event.
      { kind: 'install', parameters: ['activity_kind'], is: ['install'] },
    ],
    events: {
      // Names the events that have no token.
      parameters: { name: ['activity_kind'] },
      // Its callbacks that were set up by hand.
      cents: ['revenue'],
    },
    installNames: ['install'],
  },
  sources: [
    { about: 'tracking links', pages: [ofMoloco('8204616932503')] },
    {
      about: 'macros of postbacks',
      pages: [
        ofAdjust('article/event-callbacks'),
        ofAdjust('article/ad-revenue-callbacks'),
        ofAdjust('partner/placeholders'),
      ],
    },
  ],
};
