/** A store genre, and the IAB content categories (taxonomy 1.0) that exchanges send for it. */
export interface Genre {
  name: string;
  store: 'both' | 'app_store' | 'google_play';
  iab: readonly string[];
}

const both = (name: string, ...iab: string[]): Genre => ({ name, store: 'both', iab });
const apple = (name: string, ...iab: string[]): Genre => ({ name, store: 'app_store', iab });
const google = (name: string, ...iab: string[]): Genre => ({ name, store: 'google_play', iab });

/** The taxonomy's only category for most games: game genres with this category alone cannot be distinguished. */
const anyGame = 'IAB9-30';

/** The genres of the App Store and Google Play, with one for each genre of games. Targets store their names. */
export const GENRES: readonly Genre[] = [
  both('Games', anyGame, 'IAB9-5', 'IAB9-7', 'IAB9-8', 'IAB9-25'),
  both('Games: Action', anyGame),
  both('Games: Adventure', anyGame),
  both('Games: Board', 'IAB9-5', 'IAB9-8'),
  both('Games: Card', 'IAB9-7'),
  both('Games: Casino', 'IAB9-7', anyGame),
  both('Games: Casual', anyGame),
  both('Games: Music', anyGame),
  both('Games: Puzzle', 'IAB9-5'),
  both('Games: Racing', anyGame),
  both('Games: Role Playing', 'IAB9-25'),
  both('Games: Simulation', anyGame),
  both('Games: Sports', anyGame),
  both('Games: Strategy', 'IAB9-8', anyGame),
  both('Games: Trivia', 'IAB9-5'),
  both('Games: Word', 'IAB9-5'),
  apple('Games: Family', anyGame),
  google('Games: Arcade', anyGame),
  google('Games: Educational', anyGame),
  both('Books', 'IAB1-1'),
  both('Business', 'IAB3', 'IAB4'),
  both('Education', 'IAB5'),
  both('Entertainment', 'IAB1', 'IAB9'),
  both('Finance', 'IAB13'),
  both('Food & Drink', 'IAB8'),
  both('Health & Fitness', 'IAB7'),
  both('Lifestyle', 'IAB6', 'IAB10', 'IAB14', 'IAB16', 'IAB18', 'IAB21', 'IAB22', 'IAB23'),
  both('Medical', 'IAB7'),
  both('Music', 'IAB1-6'),
  both('News', 'IAB12', 'IAB11', 'IAB15'),
  both('Productivity', 'IAB19', 'IAB3-4', 'IAB19-15'),
  both('Shopping', 'IAB22'),
  both('Sports', 'IAB17'),
  both('Travel', 'IAB20'),
  both('Weather', 'IAB15-10'),
  apple('Developer Tools', 'IAB19-4', 'IAB19-19', 'IAB19-20', 'IAB19-32', 'IAB19-34'),
  apple('Graphics & Design', 'IAB19-1', 'IAB19-2', 'IAB19-16', 'IAB9-12'),
  apple('Kids', 'IAB6-4', 'IAB6-5'),
  apple('Magazines & Newspapers', 'IAB12'),
  apple('Navigation', 'IAB15-8'),
  apple('Photo & Video', 'IAB9-23', 'IAB19-5', 'IAB19-14'),
  apple('Reference', 'IAB5-11'),
  apple('Social Networking', 'IAB14'),
  apple('Stickers', 'IAB1'),
  apple('Utilities', 'IAB19'),
  google('Art & Design', 'IAB1-3', 'IAB9-2', 'IAB9-12', 'IAB9-22', 'IAB19-16'),
  google('Auto & Vehicles', 'IAB2'),
  google('Beauty', 'IAB18-1'),
  google('Comics', 'IAB9-11'),
  google('Communication', 'IAB19-6', 'IAB19-15', 'IAB19-23'),
  google('Dating', 'IAB14-1'),
  google('Events', 'IAB1'),
  google('House & Home', 'IAB10', 'IAB21'),
  google('Libraries & Demo', 'IAB19-30'),
  google('Maps & Navigation', 'IAB15-8'),
  google('Parenting', 'IAB6-2', 'IAB6-3', 'IAB6-5', 'IAB6-6', 'IAB6-7'),
  google('Personalization', 'IAB19-6'),
  google('Photography', 'IAB9-23', 'IAB19-5'),
  google('Social', 'IAB14'),
  google('Tools', 'IAB19'),
  google('Video Players & Editors', 'IAB19-14', 'IAB19-17'),
];

const genresByCategory = new Map<string, string[]>();
for (const { name, iab } of GENRES) {
  for (const category of iab)
    genresByCategory.set(category, [...(genresByCategory.get(category) ?? []), name]);
}

/** The genres of an app with these IAB categories, matched by the exact category or else by its parent. */
export function genresOf(categories: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const category of categories) {
    const genres = genresByCategory.get(category) ?? genresByCategory.get(category.split('-')[0]!) ?? [];
    for (const genre of genres) found.add(genre);
  }
  return found;
}
