import type { Mmp } from '../../apps/fields.ts';
import { type SourcePage, article } from './description.ts';

/** How a tracking link passes the deep link of a re-engagement campaign to a measurement partner, as public documents say. */
export interface DeepLinkFacts {
  /** What to append to a click URL, with the macro of the deep link. */
  query: string;
  /** What it does, and what else the partner needs. */
  how: string;
  /** What no public document says; '' for nothing. */
  notDocumented: string;
  sources: readonly SourcePage[];
}

const page = (title: string, url: string): SourcePage => ({ title, url });

/** The facts about deep links by measurement partner. Read on 29 November 2026. */
export const DEEP_LINK_FACTS: Readonly<Record<Mmp, DeepLinkFacts>> = {
  appsflyer: {
    query: 'is_retargeting=true&af_dp={deep_link}',
    how: 'is_retargeting=true has AppsFlyer count re-engagements, and af_dp is the link that opens the app. On iOS use a OneLink whose template has universal links.',
    notDocumented: '',
    sources: [
      page(
        'support.appsflyer.com 207033796',
        'https://support.appsflyer.com/hc/en-us/articles/207033796-Re-Targeting-Macros',
      ),
      page(
        'help.moloco.com 4415074498839',
        'https://help.moloco.com/hc/en-us/articles/4415074498839-AppsFlyer-tracking-links-RE',
      ),
    ],
  },
  adjust: {
    query: 'deep_link={deep_link}',
    how: 'deep_link takes the place of the redirect to the store. On iOS set up universal links at Adjust.',
    notDocumented: '',
    sources: [
      page('help.adjust.com article/link-parameters', 'https://help.adjust.com/en/article/link-parameters'),
      page('help.adjust.com article/deep-link-faqs', 'https://help.adjust.com/en/article/deep-link-faqs'),
    ],
  },
  appmetrica: {
    query: 'deep_link={deep_link}',
    how: 'Create a remarketing tracker whose deep link is {deep_link}: AppMetrica puts the parameter of that name there.',
    notDocumented: 'Whether a tracker takes a whole link from a parameter.',
    sources: [
      page(
        'appmetrica.yandex.ru add-remarketing-tracker',
        'https://appmetrica.yandex.ru/docs/en/mobile-tracking/add-remarketing-tracker',
      ),
      page(
        'appmetrica.yandex.com tracking-specification',
        'https://appmetrica.yandex.com/docs/en/mobile-tracking/tracking-specification',
      ),
    ],
  },
  singular: {
    query: '_dl={deep_link}',
    how: '_dl is the deep link for people who have the app. Switch on re-engagement tracking for the link, and enter a fallback to the store.',
    notDocumented: '',
    sources: [
      article('support.singular.net', '360018879491'),
      page(
        'help.remerge.io 4403092799762',
        'https://help.remerge.io/hc/en-us/articles/4403092799762-Android-iOS-Tracking-Link-Generation',
      ),
    ],
  },
  branch: {
    query: '%24deeplink_path={deep_link}',
    how: 'Branch’s SDK hands $deeplink_path to the app, which has to route it. Branch itself opens the app, by its own universal links.',
    notDocumented: 'Whether $deeplink_path may be a whole link.',
    sources: [
      page('help.branch.io deep-link-reference', 'https://help.branch.io/docs/deep-link-reference'),
      page(
        'help.branch.io re-engagement-attribution-logic-settings',
        'https://help.branch.io/re-engagement-attribution-logic-settings',
      ),
    ],
  },
  kochava: {
    query: 'deeplink={deep_link}',
    how: 'Create a tracker of the type Reengagement whose deep link is {deeplink}, with a custom parameter of the key deeplink.',
    notDocumented: '',
    sources: [
      page(
        'support.kochava.com dynamic-deep-linking',
        'https://support.kochava.com/links-overview/dynamic-deep-linking',
      ),
      page(
        'help.remerge.io 360014054920',
        'https://help.remerge.io/hc/en-us/articles/360014054920-Android-iOS-Tracking-Link-Generation',
      ),
    ],
  },
  tenjin: {
    query: 'deeplink_url={deep_link}',
    how: 'Tenjin’s SDK hands deeplink_url to the app after the install.',
    notDocumented: 'Whether it opens an app that is there, and how Tenjin counts re-engagement.',
    sources: [
      page('docs.tenjin.com tracking/deeplinks', 'https://docs.tenjin.com/en/tracking/deeplinks.html'),
    ],
  },
  other: {
    query: 'deep_link={deep_link}',
    how: 'Your partner says which parameter has the deep link, and how a link of re-engagement is marked.',
    notDocumented: '',
    sources: [],
  },
};

/** A click URL of a partner with the parameters of re-engagement that it lacks; the URL itself where it has the deep link already. */
export function withDeepLink(clickUrl: string, mmp: Mmp): string {
  if (clickUrl.includes('{deep_link}')) return clickUrl;
  const [address = '', ...fragment] = clickUrl.split(/(?=#)/);
  const { query } = DEEP_LINK_FACTS[mmp];
  return `${address}${address.includes('?') ? '&' : '?'}${query}${fragment.join('')}`;
}
