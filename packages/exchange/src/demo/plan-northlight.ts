import type { CompanyPlan } from './plan.ts';

const SMALL = [
  [320, 50],
  [300, 250],
  [728, 90],
] as const;
/** Sizes of the new banners. */
const REFRESH = [
  [468, 60],
  [336, 280],
  [970, 90],
] as const;
/** Sizes of the videos: portrait and landscape. */
const CLIPS = [
  [320, 480],
  [480, 320],
] as const;
const FULL = [
  [320, 480],
  [480, 320],
  [768, 1024],
  [1024, 768],
] as const;

/** The demo's main company: an agency with a game on iOS and a shop on Android. */
export const northlight: CompanyPlan = {
  name: 'Northlight Growth',
  user: { login: 'demo.bidwell', password: 'demo-bidwell' },
  firstName: 'Elena',
  lastName: 'Marsh',
  email: 'elena.marsh@northlight.example',
  team: {
    colleagues: [
      {
        login: 'demo.editor',
        firstName: 'Tomás',
        lastName: 'Ribeiro',
        email: 'tomas.ribeiro@northlight.example',
        role: 'editor',
        joinedDaysAgo: 90,
      },
      {
        login: 'aiko.brandt',
        firstName: 'Aiko',
        lastName: 'Brandt',
        email: 'aiko.brandt@northlight.example',
        role: 'analyst',
        joinedDaysAgo: 61,
      },
      {
        login: 'samuel.okafor',
        firstName: 'Samuel',
        lastName: 'Okafor',
        email: 'samuel.okafor@northlight.example',
        role: 'finance',
        joinedDaysAgo: 88,
      },
    ],
    invited: { email: 'lena.hoffmann@northlight.example', role: 'analyst' },
    approvalAboveDollars: 200,
    budget: {
      campaign: 'Lumen Drift launch',
      adset: 'Europe, price per install',
      dollars: 90,
      note: 'Installs cost less than $2.40 since we raised the price, and the budget is used up by Friday evening.',
    },
    comments: [
      {
        campaign: 'Lumen Drift launch',
        by: 'aiko.brandt',
        to: 'demo.bidwell',
        daysAgo: 2,
        hour: 12,
        text: 'North America has spent twice the usual since yesterday. Is a price of $25 per install on purpose?',
      },
      {
        campaign: 'Lumen Drift launch',
        by: 'demo.bidwell',
        to: 'aiko.brandt',
        daysAgo: 2,
        hour: 13,
        text: 'No, that was meant for another ad set. It is back at $5.40. Thank you!',
      },
    ],
    draft: {
      app: 'Lumen Drift',
      name: 'Lumen Drift season two',
      description: 'New season, once its creatives are approved',
      comment: 'Please wait for the review of the new videos before you start this.',
    },
    report: { name: 'Campaigns of the week', to: ['demo.bidwell', 'aiko.brandt'] },
    apiKey: 'Revenue dashboard',
  },
  billing: {
    legal_name: 'Northlight Growth Ltd',
    address: '14 Harbour Lane\nBristol BS1 5TY',
    country: 'GB',
    tax_id: 'GB 123 4567 89',
    email: 'accounts@northlight.example',
    currency: null,
  },
  credits: [
    { daysAgo: 92, dollars: 5000, reason: 'Bank transfer, first payment' },
    { daysAgo: 50, dollars: 5000, reason: 'Bank transfer' },
    { daysAgo: 21, dollars: 5000, reason: 'Bank transfer' },
    { daysAgo: 6, dollars: 5000, reason: 'Bank transfer' },
  ],
  marginPercent: 12,
  topUpDollars: 5000,
  lastReadDaysAgo: 2,
  apps: [
    {
      name: 'Lumen Drift',
      description: 'A calm puzzle of lanterns and tides',
      os: 'ios',
      storeLink: 'https://apps.apple.com/us/app/lumen-drift/id9900900117',
      bundleId: '9900900117',
      sizeKb: 184_320,
      category: 'IAB9-30',
      model: 'game',
      advertiserDomain: 'lumendrift.example',
      rating: 4.7,
      mmp: 'appsflyer',
      linkWithoutPublisher: 'Lumen Drift Asia link',
      brand: {
        name: 'Lumen Drift',
        tagline: 'A puzzle of light and tide',
        callToAction: 'Play free',
        motif: 'moon',
        palettes: [
          {
            name: 'Night',
            from: '#151238',
            to: '#3b2a7a',
            accent: '#ffc857',
            glow: '#8f7bff',
            text: '#f6f2ff',
            onAccent: '#2a1c05',
          },
          {
            name: 'Dusk',
            from: '#3a1038',
            to: '#b23a5d',
            accent: '#ffd9a0',
            glow: '#ff8f70',
            text: '#fff4ee',
            onAccent: '#4a1328',
          },
        ],
      },
      groups: {
        'Lumen banners': { description: 'Small formats, night and dusk', banners: SMALL, palettes: 2 },
        'Lumen full screen': {
          description: 'Interstitials for phone and tablet',
          banners: FULL,
        },
        'Lumen video and playable': {
          description: 'Animated clips with end cards, and a small game',
          videos: CLIPS,
          playable: true,
        },
        'Lumen more sizes': {
          description: 'Further small formats, not in use yet',
          banners: REFRESH,
          addedDaysAgo: 1,
        },
      },
      waiting: {
        group: {
          name: 'Lumen season two',
          hour: 11,
          plan: {
            description: 'For the update of next month',
            tagline: 'Season two is here',
            banners: [
              [320, 50],
              [320, 480],
            ],
            videos: [[320, 480]],
            playable: true,
          },
        },
      },
      campaigns: [
        {
          name: 'Lumen Drift launch',
          description: 'Players in North America and Europe',
          startedDaysAgo: 90,
          adsets: [
            {
              name: 'North America, iOS games',
              algorithm: 'Target CPI',
              cpmDollars: 60,
              cpiDollars: 5.4,
              dailyBudgetDollars: 45,
              changes: [
                { daysAgo: 44, dailyBudgetDollars: 80 },
                { daysAgo: 20, dailyBudgetDollars: 110 },
                { daysAgo: 11, dailyBudgetDollars: 130 },
                // A price of $25 by mistake, until someone saw it the next day: the anomaly of the history.
                { daysAgo: 3, hour: 11, cpiDollars: 25, cpmDollars: 150, dailyBudgetDollars: 220 },
                { daysAgo: 2, hour: 13, cpiDollars: 5.4, cpmDollars: 60, dailyBudgetDollars: 130 },
              ],
              groups: ['Lumen full screen', 'Lumen video and playable'],
              target: {
                name: 'US and Canada',
                countries: ['US', 'CA'],
                regionsExcluded: ['US-AK', 'US-HI'],
                carriersExcluded: ['Boost Mobile'],
              },
            },
            {
              name: 'Europe, price per install',
              algorithm: 'Target CPI',
              cpmDollars: 40,
              cpiDollars: 2.1,
              dailyBudgetDollars: 22,
              changes: [
                { daysAgo: 26, dailyBudgetDollars: 34 },
                // The change with a visible effect.
                { daysAgo: 8, cpiDollars: 2.4, dailyBudgetDollars: 80 },
              ],
              groups: ['Lumen banners', 'Lumen full screen', 'Lumen video and playable'],
              target: {
                name: 'Western Europe',
                countries: ['DE', 'GB', 'FR', 'ES', 'IT'],
                osVersionMin: '16',
              },
            },
          ],
        },
        {
          name: 'Lumen Drift players who pay',
          description: 'The revenue of the first week pays for two fifths of the ads',
          startedDaysAgo: 16,
          adsets: [
            {
              name: 'North America and Britain, return on ad spend',
              algorithm: 'Target ROAS',
              cpmDollars: 60,
              roasPercent: 40,
              dailyBudgetDollars: 20,
              frequencyCaps: [
                { impressions: 4, minutes: 1440 },
                { impressions: 12, minutes: 10_080 },
              ],
              groups: ['Lumen banners', 'Lumen full screen'],
              target: { name: 'US, Canada and Britain', countries: ['US', 'CA', 'GB'] },
            },
          ],
        },
        {
          name: 'Lumen Drift East Asia',
          description: 'Players in East Asia and Australia, spread over the day',
          startedDaysAgo: 34,
          adsets: [
            {
              name: 'Japan, Korea and Australia',
              algorithm: 'Max installs',
              // Below most floors of these countries: this campaign uses a third to a half of its budget.
              cpmDollars: 20,
              dailyBudgetDollars: 22,
              groups: ['Lumen full screen', 'Lumen video and playable'],
              usesLinkWithoutPublisher: true,
              target: {
                name: 'Japan, Korea and Australia',
                countries: ['JP', 'KR', 'AU'],
              },
            },
          ],
        },
      ],
    },
    {
      name: 'Basket Bloom',
      description: 'Groceries from the market around the corner',
      os: 'android',
      storeLink: 'https://play.google.com/store/apps/details?id=com.basketbloom.market',
      bundleId: 'com.basketbloom.market',
      sizeKb: 48_128,
      category: 'IAB22',
      model: 'shop',
      advertiserDomain: 'basketbloom.example',
      rating: 4.4,
      mmp: 'adjust',
      linkToken: 'bw3d3mo',
      brand: {
        name: 'Basket Bloom',
        tagline: 'Your market, at your door',
        callToAction: 'Get the app',
        motif: 'leaf',
        palettes: [
          {
            name: 'Orchard',
            from: '#0d3b33',
            to: '#1f7a5c',
            accent: '#ffb13d',
            glow: '#7ed6a5',
            text: '#fbf7ea',
            onAccent: '#3a2402',
          },
          {
            name: 'Citrus',
            from: '#b7410e',
            to: '#f08a24',
            accent: '#1c5b4a',
            glow: '#ffdf80',
            text: '#fffaf0',
            onAccent: '#f3fff8',
          },
        ],
      },
      groups: {
        'Bloom banners': { description: 'Small formats, orchard and citrus', banners: SMALL, palettes: 2 },
        'Bloom full screen': {
          description: 'Interstitials for phone and tablet',
          banners: FULL,
        },
        'Bloom native': {
          description: 'Native ads for feeds',
          palettes: 2,
          native: {
            title: 'Your market, at your door',
            description:
              'Fruit, bread and flowers from the stalls around the corner, delivered within the hour.',
            sponsor: 'Basket Bloom',
          },
        },
        'Bloom welcome offer': {
          description: 'The offer for new customers',
          native: {
            title: 'Half price on your first basket',
            description: 'New here? Your first order costs half.',
            sponsor: 'Basket Bloom',
          },
          rejected: {
            daysAgo: 9,
            reason: 'The ad promises half price, but the store page names no such offer.',
          },
        },
      },
      waiting: {
        group: {
          name: 'Bloom breakfast',
          hour: 13,
          plan: {
            description: 'For the mornings',
            tagline: 'Breakfast by eight',
            native: {
              title: 'Breakfast by eight',
              description: 'Warm bread, berries and coffee, at your door before the day begins.',
              sponsor: 'Basket Bloom',
            },
          },
        },
        texts: {
          group: 'Bloom native',
          title: 'Your market, now delivered free',
          description: 'Fruit, bread and flowers from the stalls around the corner. No delivery fee, ever.',
        },
      },
      audiences: [
        {
          name: 'Newsletter readers',
          description: 'Ids of people who order already, from the newsletter',
          ids: 3200,
        },
        {
          name: 'Shoppers of the last 30 days',
          description: 'People who bought something in the app',
          rule: { type: 'paid', days: 30 },
        },
        {
          name: 'Customers away for a week',
          description: 'People who have the app, and were not in it for seven days',
          rule: { type: 'inactive', days: 7 },
        },
      ],
      campaigns: [
        {
          name: 'Basket Bloom everywhere',
          description: 'Shoppers in North America and Europe',
          startedDaysAgo: 90,
          pause: { fromDaysAgo: 41, untilDaysAgo: 37 },
          adsets: [
            {
              name: 'North America, price per install',
              algorithm: 'Target CPI',
              cpmDollars: 50,
              cpiDollars: 5.2,
              dailyBudgetDollars: 30,
              changes: [
                { daysAgo: 30, dailyBudgetDollars: 36 },
                { daysAgo: 17, dailyBudgetDollars: 46 },
              ],
              audiencesExcluded: ['Newsletter readers'],
              groups: ['Bloom banners', 'Bloom full screen', 'Bloom native'],
              target: { name: 'US and Canada', countries: ['US', 'CA'], osVersionMin: '11' },
            },
            {
              name: 'Germany and France on Wi-Fi',
              algorithm: 'Max installs',
              cpmDollars: 19,
              dailyBudgetDollars: 8,
              changes: [{ daysAgo: 19, dailyBudgetDollars: 11 }],
              groups: ['Bloom full screen'],
              target: {
                name: 'Germany and France, phones on Wi-Fi',
                countries: ['DE', 'FR'],
                deviceTypes: ['Phone'],
                connections: ['WiFi'],
              },
            },
          ],
        },
        {
          name: 'Basket Bloom first orders',
          description: 'People who order something in their first week',
          startedDaysAgo: 18,
          adsets: [
            {
              name: 'Southern Europe and Poland, price per first order',
              algorithm: 'Target CPA',
              cpmDollars: 50,
              cpaDollars: 46,
              dailyBudgetDollars: 8,
              groups: ['Bloom banners', 'Bloom native'],
              target: { name: 'Spain, Italy and Poland', countries: ['ES', 'IT', 'PL'] },
            },
          ],
        },
        {
          name: 'Basket Bloom come back',
          description: 'Customers who have not ordered for a week',
          reEngages: true,
          startedDaysAgo: 24,
          adsets: [
            {
              name: 'Europe, back to the market',
              algorithm: 'Manual CPM',
              cpmDollars: 12,
              dailyBudgetDollars: 4,
              frequencyCaps: [{ impressions: 6, minutes: 1440 }],
              comeback: {
                deepLink: 'basketbloom://market/today?from={campaign_short_id}',
                audience: 'Customers away for a week',
              },
              groups: ['Bloom banners', 'Bloom native'],
              target: { name: 'Germany, France and Britain', countries: ['DE', 'FR', 'GB'] },
            },
          ],
        },
        {
          name: 'Basket Bloom welcome offer',
          description: 'New customers in the United Kingdom and Germany',
          startedDaysAgo: 48,
          pause: { fromDaysAgo: 8 },
          adsets: [
            {
              name: 'United Kingdom and Germany, native',
              algorithm: 'Manual CPM',
              cpmDollars: 9,
              dailyBudgetDollars: 10,
              bidding: {
                hours: Object.fromEntries(
                  ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, [[6, 24]]]),
                ),
                hours_zone: 'device',
                bid_multipliers: [
                  { dimension: 'hour', value: '20', factor: 1.3 },
                  { dimension: 'hour', value: '21', factor: 1.3 },
                  { dimension: 'device_type', value: 'Tablet', factor: 0.8 },
                ],
                countries: [
                  { country: 'GB', bet_cpm: 10.5, daily_budget: 6 },
                  { country: 'DE', daily_budget: 5 },
                ],
              },
              groups: ['Bloom welcome offer'],
              target: { name: 'United Kingdom and Germany', countries: ['GB', 'DE'] },
            },
          ],
        },
      ],
    },
  ],
};
