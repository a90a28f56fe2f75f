import type { Mmp } from '../../apps/fields.ts';
import { type SourcePage, article } from './description.ts';

/** How an ad network becomes one that a measurement partner lists. */
export interface ListingFacts {
  /** Where the network applies, in a sentence or two. */
  apply: string;
  /** What the partner asks for beyond links and postbacks; '' for nothing documented. */
  asks: string;
  /** What no public document says; '' for nothing. */
  notDocumented: string;
  sources: readonly SourcePage[];
}

const page = (title: string, url: string): SourcePage => ({ title, url });
const FORMS = 'What the form asks for, such as the size of the logo.';

/** The facts about becoming listed, by measurement partner. Read on 29 November 2026. */
export const LISTING_FACTS: Readonly<Record<Mmp, ListingFacts>> = {
  appsflyer: {
    apply:
      'Ask an advertiser who uses AppsFlyer to invite the network to register. Then enter the attribution link and the postbacks under Postback Management.',
    asks: 'AppsFlyer gives the name of the media source (pid), which ends in _int: replace bidwell_int with it in the links. The site id is required. It tests the links with an app before it lists the network.',
    notDocumented: FORMS,
    sources: [
      article('support.appsflyer.com', '360001300998'),
      article('support.appsflyer.com', '360018512658'),
      article('support.appsflyer.com', '360006401937'),
    ],
  },
  adjust: {
    apply: 'Fill in Adjust’s registration form for technology partners, with the callback URLs and macros.',
    asks: 'The install callback, which Adjust then puts into the links of its clients.',
    notDocumented: FORMS,
    sources: [
      page(
        'help.adjust.com integrating-adjust',
        'https://help.adjust.com/en/resources/network-guides/integrating-adjust',
      ),
      page(
        'help.adjust.com callback-structure-partner',
        'https://help.adjust.com/en/article/callback-structure-partner',
      ),
    ],
  },
  appmetrica: {
    apply:
      'Not needed: an advertiser adds a media source that is not in the list. Nothing public says how a network gets into it.',
    asks: '',
    notDocumented: 'How a network gets into the list of media sources.',
    sources: [
      page(
        'appmetrica.yandex.ru add-tracker',
        'https://appmetrica.yandex.ru/docs/en/mobile-tracking/add-tracker',
      ),
    ],
  },
  singular: {
    apply: 'Follow Singular’s guide for partners.',
    asks: 'Singular gives the name of the network, which replaces NETWORK_NAME in the postbacks, and has to note that the network sends views.',
    notDocumented: FORMS,
    sources: [
      article('support.singular.net', '360012249992'),
      article('support.singular.net', '360028646452'),
    ],
  },
  branch: {
    apply:
      'Fill in the web form that Branch links from its page about custom partners. Until then an advertiser adds the network as a custom partner.',
    asks: '',
    notDocumented: FORMS,
    sources: [
      page(
        'help.branch.io adding-custom-partners',
        'https://help.branch.io/using-branch/docs/adding-custom-partners',
      ),
    ],
  },
  kochava: {
    apply: 'Ask Kochava, which agrees on the macros and postbacks with each network.',
    asks: 'Kochava gives the network_id, which replaces KOCHAVA_NETWORK in the links.',
    notDocumented: `Where to apply. ${FORMS}`,
    sources: [page('support.kochava.com 630', 'https://support.kochava.com/?p=630')],
  },
  tenjin: {
    apply:
      'Not needed: an advertiser adds the network as a custom channel. Nothing public says how a network is listed.',
    asks: '',
    notDocumented: `Where to apply. ${FORMS}`,
    sources: [page('docs.tenjin.io macros', 'https://docs.tenjin.io/en/tracking/macros.html')],
  },
  other: { apply: 'Ask the partner.', asks: '', notDocumented: '', sources: [] },
};
