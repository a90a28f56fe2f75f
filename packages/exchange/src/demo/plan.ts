import type { Mmp, Os } from '@bidwell/contract/app';
import type { Algorithm } from '@bidwell/contract/adset';
import type { Brand } from './artwork.ts';

/** An app of the demo company with its creatives and campaigns, which refer to each other by name. */
export interface AppPlan {
  name: string;
  description: string;
  os: Os;
  storeLink: string;
  bundleId: string;
  sizeKb: number;
  category: string;
  /** The developer's own domain. */
  advertiserDomain: string;
  rating: number;
  mmp: Mmp;
  brand: Brand;
  /** Creative groups by name: the sizes of their banners, and the number of palettes for each. */
  groups: Record<
    string,
    { description: string; sizes: readonly (readonly [number, number])[]; palettes: number }
  >;
  campaigns: readonly CampaignPlan[];
}

export interface CampaignPlan {
  name: string;
  description: string;
  adsets: readonly AdsetPlan[];
}

export interface AdsetPlan {
  name: string;
  algorithm: Algorithm;
  cpmDollars: number;
  cpiDollars?: number;
  dailyBudgetDollars?: number;
  totalBudgetDollars?: number;
  groups: readonly string[];
  target: {
    name: string;
    countries: readonly string[];
    deviceTypes?: readonly string[];
    connections?: readonly string[];
    genres?: readonly string[];
    osVersionMin?: string;
  };
}

const SMALL = [
  [320, 50],
  [300, 250],
  [728, 90],
] as const;
const FULL = [
  [320, 480],
  [480, 320],
  [768, 1024],
  [1024, 768],
] as const;

export const PLAN: readonly AppPlan[] = [
  {
    name: 'Lumen Drift',
    description: 'A calm puzzle of lanterns and tides',
    os: 'ios',
    storeLink: 'https://apps.apple.com/us/app/lumen-drift/id6400900117',
    bundleId: '6400900117',
    sizeKb: 184_320,
    category: 'IAB9-30',
    advertiserDomain: 'lumendrift.example',
    rating: 4.7,
    mmp: 'appsflyer',
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
      'Lumen banners': { description: 'Small formats, night and dusk', sizes: SMALL, palettes: 2 },
      'Lumen full screen': { description: 'Interstitials for phone and tablet', sizes: FULL, palettes: 2 },
    },
    campaigns: [
      {
        name: 'Lumen Drift launch',
        description: 'Players in North America and Europe',
        adsets: [
          {
            name: 'North America, every format',
            algorithm: 'Manual CPM',
            cpmDollars: 4.2,
            dailyBudgetDollars: 400,
            groups: ['Lumen banners', 'Lumen full screen'],
            target: { name: 'US and Canada', countries: ['US', 'CA'] },
          },
          {
            name: 'Europe, price per install',
            algorithm: 'Target CPI',
            cpmDollars: 4,
            cpiDollars: 2.4,
            dailyBudgetDollars: 250,
            groups: ['Lumen banners', 'Lumen full screen'],
            target: { name: 'Western Europe', countries: ['DE', 'GB', 'FR', 'ES', 'IT'], osVersionMin: '16' },
          },
        ],
      },
      {
        name: 'Lumen Drift East Asia',
        description: 'Full screen in games, a fixed sum a day',
        adsets: [
          {
            name: 'Japan and Korea, games',
            algorithm: 'Max installs',
            cpmDollars: 5.5,
            dailyBudgetDollars: 180,
            totalBudgetDollars: 4000,
            groups: ['Lumen full screen'],
            target: { name: 'Japan and Korea, in games', countries: ['JP', 'KR', 'AU'], genres: ['Games'] },
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
    advertiserDomain: 'basketbloom.example',
    rating: 4.4,
    mmp: 'adjust',
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
      'Bloom banners': { description: 'Small formats, orchard and citrus', sizes: SMALL, palettes: 2 },
      'Bloom full screen': { description: 'Interstitials for phone and tablet', sizes: FULL, palettes: 1 },
    },
    campaigns: [
      {
        name: 'Basket Bloom everywhere',
        description: 'Shoppers in the Americas and Asia',
        adsets: [
          {
            name: 'Latin America',
            algorithm: 'Manual CPM',
            cpmDollars: 1.1,
            dailyBudgetDollars: 220,
            groups: ['Bloom banners', 'Bloom full screen'],
            target: { name: 'Brazil and Mexico', countries: ['BR', 'MX'] },
          },
          {
            name: 'India and Indonesia, price per install',
            algorithm: 'Target CPI',
            cpmDollars: 0.8,
            cpiDollars: 0.7,
            dailyBudgetDollars: 120,
            groups: ['Bloom banners', 'Bloom full screen'],
            target: { name: 'India and Indonesia', countries: ['IN', 'ID'], osVersionMin: '11' },
          },
          {
            name: 'Europe on Wi-Fi',
            algorithm: 'Max installs',
            cpmDollars: 2.8,
            dailyBudgetDollars: 200,
            groups: ['Bloom full screen'],
            target: {
              name: 'Europe, phones on Wi-Fi',
              countries: ['DE', 'PL', 'FR', 'IT', 'ES', 'TR'],
              deviceTypes: ['Phone'],
              connections: ['WiFi'],
            },
          },
        ],
      },
    ],
  },
];
