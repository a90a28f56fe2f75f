import type { Mmp } from '../../apps/fields.ts';
import { type SourcePage, article } from './description.ts';

/** What the advertiser does in the partner's screens, in their order, with the pages that describe it. */
export interface SetupSteps {
  steps: readonly string[];
  sources: readonly SourcePage[];
}

const page = (title: string, url: string): SourcePage => ({ title, url });

const ENTER_POSTBACKS = 'Enter the postback URLs below, unless the partner has them already.';

/** The steps by measurement partner. Names of screens as the pages have them on 29 November 2026. */
export const SETUP_STEPS: Readonly<Record<Mmp, SetupSteps>> = {
  appsflyer: {
    steps: [
      'Open Collaboration > Partner Marketplace, and search for the ad network.',
      'Set up the integration: choose the app and activate the partner.',
      'In the integration, choose the in-app events to send, each under its own name and with its revenue.',
      'In the attribution link, switch on view-through attribution, and copy the click and the impression link into the fields above.',
    ],
    sources: [article('support.appsflyer.com', '4410395957521')],
  },
  adjust: {
    steps: [
      'Open Campaign Lab > Partners, choose New partner, and then the ad network.',
      'Choose the app, and create a link: it has a click and an impression URL. Copy both into the fields above.',
      'Under Enable data sharing, enter what the network asks for and map the events to send, with their revenue.',
      'For installs after views, switch on device matching for impressions in the app’s attribution settings.',
    ],
    sources: [
      page(
        'help.adjust.com manage-ad-network-setup',
        'https://help.adjust.com/en/article/manage-ad-network-setup',
      ),
      page(
        'help.adjust.com data-sharing-ad-network',
        'https://help.adjust.com/en/article/data-sharing-ad-network',
      ),
      page('docs.adjust.com impression-tracking', 'https://docs.adjust.com/en/impression-tracking/'),
    ],
  },
  appmetrica: {
    steps: [
      'Open Tracking, and add a tracker with a name.',
      'Select the media source. One that is not in the list can be added; it cannot be changed later.',
      'Set how clicks and views are attributed.',
      `Configure the postbacks. ${ENTER_POSTBACKS}`,
      'Save the tracker, and copy the tracking id of its URLs into the fields above.',
    ],
    sources: [
      page(
        'appmetrica.yandex.ru add-tracker',
        'https://appmetrica.yandex.ru/docs/en/mobile-tracking/add-tracker',
      ),
    ],
  },
  singular: {
    steps: [
      'Open Attribution > Partner Configuration, search for the ad network, and add the app site.',
      `Choose the install and event postbacks to send. ${ENTER_POSTBACKS}`,
      'Open Attribution > Manage Links, choose the app and Create Link with the type Partner and the ad network as its source.',
      'Save the link, and copy the click and the view-through link of its summary into the fields above.',
    ],
    sources: [
      article('support.singular.net', '360053018851'),
      page(
        'docs.unity.com singular-attribution',
        'https://docs.unity.com/acquire/en-us/manual/singular-attribution',
      ),
    ],
  },
  branch: {
    steps: [
      'Open Configuration > Ad Partners and select the ad network; one that is not listed is added as a custom partner.',
      `Add a postback for each event. ${ENTER_POSTBACKS}`,
      'Set the partner’s attribution windows; the window for impressions must not be zero.',
      'Create an ad link. The last step shows the click and the impression link: copy both into the fields above.',
    ],
    sources: [
      page(
        'help.branch.io ad-partner-integration-guide-new',
        'https://help.branch.io/marketer-hub/docs/ad-partner-integration-guide-new',
      ),
      page(
        'help.branch.io adding-custom-partners',
        'https://help.branch.io/using-branch/docs/adding-custom-partners',
      ),
      page(
        'help.branch.io how-do-i-set-up-impression-tracking',
        'https://help.branch.io/faq/docs/how-do-i-set-up-impression-tracking',
      ),
    ],
  },
  kochava: {
    steps: [
      'Open Engagement > Campaign Manager, select the app, and add a campaign, a segment and a tracker of the type Acquisition with the ad network as its media partner.',
      'Copy the click URL and the impression URL of the tracker into the fields above.',
      'Open Apps & Assets > Partner Configuration, select the app, and add a configuration of the ad network.',
      `Edit its install postback: deliver all conversions after impressions, in real time, with retries. ${ENTER_POSTBACKS}`,
    ],
    sources: [
      page('docs.digitalturbine.com kochava', 'https://docs.digitalturbine.com/dt-growth/mmp-guides/kochava'),
      page(
        'developers.axon.ai kochava-tracking',
        'https://developers.axon.ai/en/app-discovery/tracking/kochava-tracking',
      ),
    ],
  },
  tenjin: {
    steps: [
      'Open Configure > Channels, choose Add a Channel, and then the ad network, or a custom channel.',
      'Copy the click and the view URL that Tenjin shows into the fields above.',
      `Add the callbacks for the install and for each event. ${ENTER_POSTBACKS}`,
      'Open Configure > Apps > Attribution, and set the app’s windows for clicks and views.',
    ],
    sources: [
      page(
        'support.axon.ai tenjin-tracking',
        'https://support.axon.ai/en/growth/promoting-your-apps/tracking/tenjin-tracking',
      ),
      page('docs.tenjin.com callbacks', 'https://docs.tenjin.com/docs/callbacks'),
    ],
  },
  other: {
    steps: [
      'Create a link for this ad network, and copy its click and view URL into the fields above.',
      ENTER_POSTBACKS,
    ],
    sources: [],
  },
};
