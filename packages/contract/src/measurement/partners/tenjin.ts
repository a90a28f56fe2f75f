import {
  EVENT_PARAMETERS,
  INSTALL_PARAMETERS,
  type Partner,
  notDocumented,
  plainLinks,
  tokenIn,
  undocumentedBut,
} from './description.ts';

const common = 'click_id={click_id}&<device>&ip_address={ip}&country={country}';

export const tenjin: Partner = {
  name: 'Tenjin',
  links: {
    click: `https://track.tenjin.com/v0/click/LINK_ID?${common}`,
    view: `https://track.tenjin.com/VIEW_PATH?${common}`,
    placeholders: {
      LINK_ID: 'the id in the click URL that Tenjin shows',
      VIEW_PATH: 'the path of the view URL that Tenjin shows',
    },
    domains: ['tenjin.com', 'tenjin.io'],
    clickHost: null,
    viewHost: null,
    clickIdIn: {},
    device: { android: 'advertising_id={gaid}', ios: 'advertising_id={idfa}' },
    ...plainLinks,
  },
  postbacks: {
    // Only the form of macros is documented.
    macros: { click_id: '{{click_id}}' },
    undocumented: undocumentedBut('event', 'revenue_usd'),
    setups: [
      { purpose: 'Install callback', parameters: [...INSTALL_PARAMETERS, 'event_name=install'] },
      {
        purpose: 'Event callback, one for each event',
        parameters: [...EVENT_PARAMETERS, 'event_name=EVENT_NAME'],
      },
    ],
    replace: 'Replace EVENT_NAME with the name of the event, and have Tenjin confirm the macros.',
    method: notDocumented,
    encoding: notDocumented,
    retries: notDocumented,
    credential: tokenIn('authorization'),
    kinds: [],
    events: {},
    installNames: ['install'],
  },
  sources: [
    {
      about: 'tracking links',
      pages: [{ title: 'tenjin.com callback-macros', url: 'https://tenjin.com/docs/callback-macros/' }],
    },
    {
      about: 'the form of macros in postbacks',
      pages: [{ title: 'docs.tenjin.com callbacks', url: 'https://docs.tenjin.com/docs/callbacks' }],
    },
  ],
};
