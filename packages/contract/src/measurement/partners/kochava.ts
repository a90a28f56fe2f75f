import {
  EVENT_PARAMETERS,
  INSTALL_PARAMETERS,
  type Partner,
  documented,
  notDocumented,
  plainLinks,
  tokenIn,
  undocumentedBut,
  ofMoloco,
  ofSwaarm,
} from './description.ts';

const common =
  'campaign_id=KOCHAVA_CAMPAIGN&network_id=KOCHAVA_NETWORK&click_id={click_id}&<device>&site_id={bundle}&creative_id={creative_id}&partner_campaign_id={campaign_id}&partner_campaign_name={campaign_name}&ip_address={ip}&device_ua={ua}&language={lang}';

export const kochava: Partner = {
  name: 'Kochava',
  links: {
    click: `https://control.kochava.com/v1/cpi/click?${common}`,
    view: `https://imp.control.kochava.com/track/impression?${common}&impression_id={click_id}`,
    placeholders: {
      KOCHAVA_CAMPAIGN: 'the campaign_id of the tracker that Kochava shows',
      KOCHAVA_NETWORK: 'the network_id of the tracker that Kochava shows',
    },
    domains: ['kochava.com', 'smart.link'],
    clickHost: /^control\.kochava\.com$|\.smart\.link$/,
    viewHost: /^imp\.control\.kochava\.com$/,
    clickIdIn: { click_id: '{click_id}' },
    device: { android: 'device_id={gaid}&device_id_type=adid', ios: 'device_id={idfa}&device_id_type=idfa' },
    ...plainLinks,
  },
  postbacks: {
    macros: {
      click_id: '{click_id}',
      event_name: '{event_name}',
      // As Offer18's page about Kochava writes it.
      revenue: '{revenue}',
    },
    undocumented: undocumentedBut('click_id', 'event', 'event_name', 'event_id', 'revenue_usd', 'idfv'),
    setups: [
      { purpose: 'Install postback', parameters: [...INSTALL_PARAMETERS, 'event_name=_install'] },
      { purpose: 'Event postback', parameters: EVENT_PARAMETERS },
    ],
    replace: 'Kochava agrees on the macros with each network: have it confirm them.',
    method: documented('GET or POST, with the parameters in the URL or as JSON'),
    encoding: notDocumented,
    retries: documented('0 to 10 times, with a delay of 0 to 10 minutes, as set at Kochava'),
    credential: tokenIn('authorization'),
    kinds: [],
    events: {},
    installNames: ['_install', 'install'],
  },
  sources: [
    { about: 'tracking links', pages: [ofMoloco('8227069965207'), ofSwaarm('5538475')] },
    {
      about: 'macros of postbacks, repetitions',
      pages: [
        { title: 'support.kochava.com 630', url: 'https://support.kochava.com/?p=630' },
        { title: 'support.kochava.com 607', url: 'https://support.kochava.com/?p=607' },
        { title: 'Offer18’s page about Kochava', url: null },
      ],
    },
  ],
};
