import type { CompanyPlan } from './plan.ts';

/** A small studio with one app on iOS. */
export const tidewell: CompanyPlan = {
  name: 'Tidewell Studio',
  user: { login: 'demo.tidewell', password: 'demo-bidwell' },
  firstName: 'Noor',
  lastName: 'Haddad',
  email: 'noor@tidewell.example',
  credits: [
    { daysAgo: 72, dollars: 1000, reason: 'Bank transfer, first payment' },
    { daysAgo: 20, dollars: 2000, reason: 'Bank transfer' },
  ],
  marginPercent: 15,
  lastReadDaysAgo: 1,
  apps: [
    {
      name: 'Tidewell',
      description: 'Sounds of the sea for deep sleep',
      os: 'ios',
      storeLink: 'https://apps.apple.com/us/app/tidewell/id9900900230',
      bundleId: '9900900230',
      sizeKb: 96_256,
      category: 'IAB7',
      model: 'subscription',
      advertiserDomain: 'tidewell.example',
      rating: 4.8,
      mmp: 'appsflyer',
      brand: {
        name: 'Tidewell',
        tagline: 'Fall asleep to the sea',
        callToAction: 'Try it free',
        motif: 'wave',
        palettes: [
          {
            name: 'Deep sea',
            from: '#06283d',
            to: '#1363a0',
            accent: '#ffe3a3',
            glow: '#47b5ff',
            text: '#f2fbff',
            onAccent: '#3a2b05',
          },
        ],
      },
      groups: {
        'Tidewell everything': {
          description: 'Banners, clips and a playable',
          banners: [
            [320, 50],
            [300, 250],
            [320, 480],
            [480, 320],
            [768, 1024],
            [1024, 768],
          ],
          videos: [[320, 480]],
          playable: true,
        },
      },
      waiting: {
        group: {
          name: 'Tidewell naps',
          hour: 12,
          plan: {
            description: 'For a quarter of an hour at noon',
            tagline: 'Twenty minutes of sea',
            banners: [
              [300, 250],
              [320, 480],
            ],
          },
        },
      },
      campaigns: [
        {
          name: 'Tidewell sleepers',
          description: 'Listeners in Britain, Canada and Australia',
          startedDaysAgo: 70,
          adsets: [
            {
              name: 'Britain, Canada and Australia',
              algorithm: 'Target CPI',
              cpmDollars: 60,
              cpiDollars: 3.4,
              dailyBudgetDollars: 25,
              changes: [
                { daysAgo: 24, dailyBudgetDollars: 40 },
                { daysAgo: 12, dailyBudgetDollars: 50 },
              ],
              groups: ['Tidewell everything'],
              target: { name: 'Britain, Canada and Australia', countries: ['GB', 'CA', 'AU'] },
            },
          ],
        },
      ],
    },
  ],
};

/** A company with one app on Android. */
export const kestrel: CompanyPlan = {
  name: 'Kestrel Rides',
  user: { login: 'demo.kestrel', password: 'demo-bidwell' },
  firstName: 'Marek',
  lastName: 'Nowak',
  email: 'marek.nowak@kestrelrides.example',
  billing: {
    legal_name: 'Kestrel Rides GmbH',
    address: 'Hafenstraße 8\n20457 Hamburg',
    country: 'DE',
    tax_id: 'DE 123456789',
    email: 'invoices@kestrelrides.example',
    currency: null,
  },
  credits: [{ daysAgo: 91, dollars: 100, reason: 'Bank transfer, first payment' }],
  marginPercent: 18,
  creditLimitDollars: 1500,
  lowersCreditLimit: { daysAgo: 2, hour: 10, leftDollars: 120 },
  lastReadDaysAgo: 1,
  apps: [
    {
      name: 'Kestrel',
      description: 'Rides across town, by bike or by car',
      os: 'android',
      storeLink: 'https://play.google.com/store/apps/details?id=com.kestrelrides.app',
      bundleId: 'com.kestrelrides.app',
      sizeKb: 61_440,
      category: 'IAB20',
      model: 'rides',
      advertiserDomain: 'kestrelrides.example',
      rating: 4.3,
      mmp: 'appmetrica',
      linkToken: '100200300400',
      brand: {
        name: 'Kestrel',
        tagline: 'Across town in minutes',
        callToAction: 'Ride now',
        motif: 'road',
        palettes: [
          {
            name: 'Asphalt',
            from: '#1d2430',
            to: '#3d4d66',
            accent: '#ff6b4a',
            glow: '#8fb3ff',
            text: '#f5f7fb',
            onAccent: '#2b0a02',
          },
        ],
      },
      groups: {
        'Kestrel rides': {
          description: 'Banners, native ads and a clip',
          banners: [
            [320, 50],
            [300, 250],
            [320, 480],
            [480, 320],
            [768, 1024],
            [1024, 768],
          ],
          videos: [[320, 480]],
          native: {
            title: 'Across town in minutes',
            description: 'A bike or a car around the corner, at a price you know before you ride.',
            sponsor: 'Kestrel',
          },
        },
      },
      waiting: {
        group: {
          name: 'Kestrel weekend',
          hour: 14,
          plan: {
            description: 'For Saturday and Sunday',
            tagline: 'Two rides for one',
            banners: [[320, 480]],
            videos: [[320, 480]],
          },
        },
        // A moderator sees that it leads to a file for installing, not to the store.
        link: {
          name: 'Kestrel prize link',
          clickUrl:
            'https://free-ride-prizes.example/go?click_id={click_id}&to=https%3A%2F%2Fapk-mirror.example%2Fkestrel.apk',
          viewUrl: 'https://free-ride-prizes.example/seen?click_id={click_id}',
        },
      },
      campaigns: [
        {
          name: 'Kestrel riders',
          description: 'Riders in British and German cities',
          startedDaysAgo: 89,
          adsets: [
            {
              name: 'Britain and Germany',
              algorithm: 'Target CPI',
              cpmDollars: 40,
              cpiDollars: 3.8,
              dailyBudgetDollars: 12,
              changes: [
                { daysAgo: 25, dailyBudgetDollars: 18 },
                { daysAgo: 14, dailyBudgetDollars: 22 },
              ],
              groups: ['Kestrel rides'],
              target: { name: 'Britain and Germany', countries: ['GB', 'DE'] },
            },
          ],
        },
      ],
    },
  ],
};
