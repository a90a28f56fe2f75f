/** A publisher's app. All are fictional. */
export interface PublisherApp {
  name: string;
  os: 'ios' | 'android';
  /** Numeric id in the App Store, or package name on Google Play. */
  bundle: string;
  storeUrl: string;
  /** IAB content categories, taxonomy 1.0. */
  categories: readonly string[];
  publisher: string;
  version: string;
  /** Share of the traffic of its operating system, relative to other apps. */
  popularity: number;
  /** Domain of the company that resells its requests; null if it sells to exchanges itself. */
  reseller: string | null;
  /** Whether its supply chain names everyone who sells its requests. */
  hasWholeChain: boolean;
}

type Title = readonly [name: string, slug: string, popularity: number, ...categories: string[]];

/** Publishers and their titles in both stores, with declining popularity. */
const publishers: Record<string, readonly Title[]> = {
  'Marmalade Dock': [
    ['Tile Orchard', 'tileorchard', 100, 'IAB9-30', 'IAB9-5'],
    ['Harbor Merge', 'harbormerge', 74, 'IAB9-30'],
    ['Paper Rally', 'paperrally', 38, 'IAB9-30', 'IAB17'],
  ],
  'Nine Lanterns': [
    ['Word Lantern', 'wordlantern', 82, 'IAB9-30', 'IAB9-5'],
    ['Quiet Sudoku', 'quietsudoku', 55, 'IAB9-30', 'IAB9-5'],
    ['Solitaire Cove', 'solitairecove', 61, 'IAB9-30', 'IAB9-7'],
  ],
  'Copper Otter': [
    ['Otter Dash', 'otterdash', 47, 'IAB9-30'],
    ['Block Burrow', 'blockburrow', 66, 'IAB9-30', 'IAB9-5'],
  ],
  'Tidewind Weather': [['Skies Over', 'skiesover', 44, 'IAB15-10']],
  'Fern & Falcon': [
    ['Morning Brief', 'morningbrief', 30, 'IAB12'],
    ['Pitchside Live', 'pitchside', 33, 'IAB17'],
  ],
  'Loom Utilities': [
    ['Pocket Scanner', 'pocketscanner', 26, 'IAB19'],
    ['Beam Flashlight', 'beamlight', 19, 'IAB19'],
  ],
  'Velvet Radio': [['Velvet Radio', 'velvetradio', 24, 'IAB1-6']],
  'Saffron Table': [['Saffron Table', 'saffrontable', 17, 'IAB8']],
  'Waypoint Nine': [
    ['Trailmark', 'trailmark', 14, 'IAB20'],
    ['Fare Compass', 'farecompass', 12, 'IAB20'],
  ],
  'Good Ledger': [['Penny Ledger', 'pennyledger', 11, 'IAB13']],
  'Bright Slate': [['Vocab Slate', 'vocabslate', 15, 'IAB5']],
  Stillpond: [['Stillpond Sleep', 'stillpond', 13, 'IAB7']],
  'Chatterbox Lane': [['Lane Chat', 'lanechat', 28, 'IAB24', 'IAB14-1']],
  'Pinecone Arcade': [['Marble Alley', 'marblealley', 42, 'IAB9-30']],
  'Blue Kettle Games': [['Kettle Quest', 'kettlequest', 36, 'IAB9-30']],
  'Rookery Play': [['Chess Rookery', 'chessrookery', 31, 'IAB9-30', 'IAB9-5']],
  'Tin Robot': [['Gear Garden', 'geargarden', 29, 'IAB9-30']],
  'Lakeside Puzzle Co': [['Jigsaw Lake', 'jigsawlake', 27, 'IAB9-30', 'IAB9-5']],
  'Sunday Cartographers': [['Map & Mallet', 'mapmallet', 22, 'IAB9-30']],
  'Little Foundry': [['Idle Foundry', 'idlefoundry', 34, 'IAB9-30']],
  'Owl Street': [['Crossword Owl', 'crosswordowl', 25, 'IAB9-30', 'IAB9-5']],
  'Mint Condition': [['Card Mint', 'cardmint', 20, 'IAB9-30', 'IAB9-7']],
  'Harvest Loop': [['Farm Loop', 'farmloop', 37, 'IAB9-30']],
  'Glass Harbour': [['Ship It Down', 'shipitdown', 18, 'IAB9-30']],
  'Domino Works': [['Domino Row', 'dominorow', 23, 'IAB9-30', 'IAB9-7']],
  'Nimble Fox': [['Fox Runner', 'foxrunner', 32, 'IAB9-30']],
  'Paper Moon': [['Bedtime Tales', 'bedtimetales', 12, 'IAB5']],
  'Northwind Sports': [['Goal Alert', 'goalalert', 21, 'IAB17']],
  'Velour Fitness': [['Step Club', 'stepclub', 14, 'IAB7']],
};

/** Who resells the requests of some publishers, and publishers whose chains leave someone out. */
const resellers: Readonly<Record<string, string>> = {
  'Loom Utilities': 'bundleyard.example',
  'Owl Street': 'bundleyard.example',
  'Glass Harbour': 'adcourier.example',
};
const incomplete: ReadonlySet<string> = new Set(['Loom Utilities', 'Chatterbox Lane']);

/** Every app once in each store. */
export const PUBLISHER_APPS: readonly PublisherApp[] = Object.entries(publishers).flatMap(
  ([publisher, titles], house) =>
    titles.flatMap(([name, slug, popularity, ...categories], index): PublisherApp[] => {
      const storeNumber = String(9_900_100_000 + house * 10_000 + index * 137);
      const company = publisher.toLowerCase().replaceAll(/[^a-z]/g, '');
      const packageName = `com.${company}.${slug}`;
      const reseller = resellers[publisher] ?? null;
      const hasWholeChain = !incomplete.has(publisher);
      const shared = {
        name,
        categories,
        publisher,
        reseller,
        hasWholeChain,
        version: `${2 + (house % 4)}.${3 + index}.1`,
      };
      return [
        {
          ...shared,
          os: 'ios',
          bundle: storeNumber,
          storeUrl: `https://apps.apple.com/app/id${storeNumber}`,
          // Popularity differs between the stores.
          popularity: popularity * (house % 2 === 0 ? 1 : 0.6),
        },
        {
          ...shared,
          os: 'android',
          bundle: packageName,
          storeUrl: `https://play.google.com/store/apps/details?id=${packageName}`,
          popularity: popularity * (house % 3 === 0 ? 0.7 : 1),
        },
      ];
    }),
);
