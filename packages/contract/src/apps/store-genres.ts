import { GENRES } from '../reference/genres.ts';

/** Genres of the App Store by the numeric ids that some exchanges send in `app.cat`. */
const appStoreNumbers = new Map(
  Object.entries({
    6000: 'Business',
    6001: 'Weather',
    6002: 'Utilities',
    6003: 'Travel',
    6004: 'Sports',
    6005: 'Social Networking',
    6006: 'Reference',
    6007: 'Productivity',
    6008: 'Photo & Video',
    6009: 'News',
    6010: 'Navigation',
    6011: 'Music',
    6012: 'Lifestyle',
    6013: 'Health & Fitness',
    6014: 'Games',
    6015: 'Finance',
    6016: 'Entertainment',
    6017: 'Education',
    6018: 'Books',
    6020: 'Medical',
    6021: 'Magazines & Newspapers',
    6023: 'Food & Drink',
    6024: 'Shopping',
    6025: 'Stickers',
    6026: 'Developer Tools',
    6027: 'Graphics & Design',
    7001: 'Games: Action',
    7002: 'Games: Adventure',
    7003: 'Games: Casual',
    7004: 'Games: Board',
    7005: 'Games: Card',
    7006: 'Games: Casino',
    7009: 'Games: Family',
    7011: 'Games: Music',
    7012: 'Games: Puzzle',
    7013: 'Games: Racing',
    7014: 'Games: Role Playing',
    7015: 'Games: Simulation',
    7016: 'Games: Sports',
    7017: 'Games: Strategy',
    7018: 'Games: Trivia',
    7019: 'Games: Word',
  }),
);

const byName = new Map<string, string>();
for (const { name } of GENRES) byName.set(plain(name), name);
for (const { name } of GENRES) {
  const game = /^Games: (.+)$/.exec(name)?.[1];
  if (game === undefined) continue;
  // Google Play writes GAME_PUZZLE; others omit GAME, which is accepted unless the rest names another genre.
  byName.set(`game${plain(game)}`, name);
  if (!byName.has(plain(game))) byName.set(plain(game), name);
}
byName.set('game', 'Games');

/**
 * The genres for a store's name or id of a genre: `Puzzle`, `GAME_PUZZLE`, `Games: Puzzle`, `7012`; case-insensitive. A
 * genre of games also yields `Games`. Empty for unknown text.
 */
export function genresOfStore(text: string): readonly string[] {
  const genre = appStoreNumbers.get(text.trim()) ?? byName.get(plain(text));
  if (genre === undefined) return [];
  return genre.startsWith('Games: ') ? ['Games', genre] : [genre];
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/\band\b|_and_/g, '')
    .replaceAll(/[^a-z]/g, '');
}
