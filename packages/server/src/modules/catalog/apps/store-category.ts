/** IAB categories of the game genres that have their own; other games are IAB9-30. */
const games: Record<string, string> = {
  BOARD: 'IAB9-5',
  CARD: 'IAB9-7',
  CASINO: 'IAB9-7',
  PUZZLE: 'IAB9-5',
  ROLE_PLAYING: 'IAB9-25',
  TRIVIA: 'IAB9-5',
  WORD: 'IAB9-5',
};

/** Genres of the App Store and Google Play in a common notation, with the nearest IAB category. */
const apps: Record<string, string> = {
  ART_AND_DESIGN: 'IAB9-2',
  AUTO_AND_VEHICLES: 'IAB2',
  BEAUTY: 'IAB18-1',
  BOOKS: 'IAB1-1',
  BOOKS_AND_REFERENCE: 'IAB1-1',
  BUSINESS: 'IAB3',
  COMICS: 'IAB9-11',
  COMMUNICATION: 'IAB19-6',
  DATING: 'IAB14-1',
  DEVELOPER_TOOLS: 'IAB19',
  EDUCATION: 'IAB5',
  ENTERTAINMENT: 'IAB1',
  EVENTS: 'IAB1',
  FINANCE: 'IAB13',
  FOOD_AND_DRINK: 'IAB8',
  GRAPHICS_AND_DESIGN: 'IAB19-16',
  HEALTH_AND_FITNESS: 'IAB7',
  HOUSE_AND_HOME: 'IAB10',
  KIDS: 'IAB6',
  LIBRARIES_AND_DEMO: 'IAB19',
  LIFESTYLE: 'IAB14',
  MAGAZINES_AND_NEWSPAPERS: 'IAB12',
  MAPS_AND_NAVIGATION: 'IAB20',
  MEDICAL: 'IAB7',
  MUSIC: 'IAB1-6',
  MUSIC_AND_AUDIO: 'IAB1-6',
  NAVIGATION: 'IAB20',
  NEWS: 'IAB12',
  NEWS_AND_MAGAZINES: 'IAB12',
  PARENTING: 'IAB6',
  PERSONALIZATION: 'IAB19-6',
  PHOTO_AND_VIDEO: 'IAB9-23',
  PHOTOGRAPHY: 'IAB9-23',
  PRODUCTIVITY: 'IAB19',
  REFERENCE: 'IAB5',
  SHOPPING: 'IAB22',
  SOCIAL: 'IAB14',
  SOCIAL_NETWORKING: 'IAB14',
  SPORTS: 'IAB17',
  TOOLS: 'IAB19',
  TRAVEL: 'IAB20',
  TRAVEL_AND_LOCAL: 'IAB20',
  UTILITIES: 'IAB19',
  VIDEO_PLAYERS: 'IAB1',
  VIDEO_PLAYERS_AND_EDITORS: 'IAB1',
  WEATHER: 'IAB15-10',
};

const GAME = 'IAB9-30';

/**
 * Maps an app's store genres, main genre first, to an IAB category. Genres are given as `Food & Drink`,
 * `GAME_PUZZLE`, or `Games` followed by `Puzzle`. Null for an unknown genre.
 */
export function categoryOf(genres: readonly string[]): string | null {
  const [main = '', ...others] = genres.map(notation);
  if (/^GAMES?$/.test(main)) return others.map((genre) => games[genre]).find(Boolean) ?? GAME;
  if (main.startsWith('GAME_')) return games[main.slice('GAME_'.length)] ?? GAME;
  return apps[main] ?? null;
}

function notation(genre: string): string {
  return genre
    .toUpperCase()
    .replaceAll('&', ' AND ')
    .replaceAll(/[^A-Z]+/g, '_');
}
