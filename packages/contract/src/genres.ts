/** A store genre, and the IAB content categories (taxonomy 1.0) by which exchanges name it. */
export interface Genre {
  name: string;
  store: 'both' | 'app_store' | 'google_play';
  iab: readonly string[];
}

const both = (name: string, ...iab: string[]): Genre => ({ name, store: 'both', iab });
const apple = (name: string, ...iab: string[]): Genre => ({ name, store: 'app_store', iab });
const google = (name: string, ...iab: string[]): Genre => ({ name, store: 'google_play', iab });

/** The genres of the App Store and Google Play. A target stores their names. */
export const GENRES: readonly Genre[] = [
  both('Games', 'IAB9-30', 'IAB9-5', 'IAB9-7', 'IAB9-8', 'IAB9-29'),
  both('Books', 'IAB1-1'),
  both('Business', 'IAB3', 'IAB4'),
  both('Education', 'IAB5'),
  both('Entertainment', 'IAB1', 'IAB9'),
  both('Finance', 'IAB13'),
  both('Food & Drink', 'IAB8'),
  both('Lifestyle', 'IAB6', 'IAB14', 'IAB18', 'IAB22', 'IAB23'),
  both('Medical', 'IAB7'),
  both('Music', 'IAB1-6'),
  both('Productivity', 'IAB19'),
  both('Shopping', 'IAB22'),
  both('Sports', 'IAB17'),
  both('Travel', 'IAB20'),
  both('Weather', 'IAB15-10'),
  both('News', 'IAB12', 'IAB11', 'IAB15'),
  apple('Developer Tools', 'IAB19-17'),
  apple('Graphics & Design', 'IAB9-26'),
  apple('Health & Fitness', 'IAB7'),
  apple('Kids', 'IAB6-4'),
  apple('Navigation', 'IAB19-6'),
  apple('Photo & Video', 'IAB9-23'),
  apple('Reference', 'IAB5-10'),
  apple('Social Networking', 'IAB24', 'IAB14-1'),
  apple('Utilities', 'IAB19'),
  google('Art & Design', 'IAB9-26'),
  google('Auto & Vehicles', 'IAB2'),
  google('Beauty', 'IAB18-1'),
  google('Comics', 'IAB9-11'),
  google('Communication', 'IAB19-6'),
  google('Dating', 'IAB14-1'),
  google('Events', 'IAB1'),
  google('House & Home', 'IAB10', 'IAB21'),
  google('Libraries & Demo', 'IAB19-17'),
  google('Maps & Navigation', 'IAB19-6'),
  google('Parenting', 'IAB6-7'),
  google('Personalization', 'IAB19-3'),
  google('Photography', 'IAB9-23'),
  google('Social', 'IAB24', 'IAB14-1'),
  google('Tools', 'IAB19'),
  google('Video Players & Editors', 'IAB19-34'),
];

/** The genres that an app of these IAB categories belongs to: by the exact category, else by its parent. */
export function genresOf(categories: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const category of categories) {
    const parent = category.split('-')[0]!;
    const exact = GENRES.filter((genre) => genre.iab.includes(category));
    const genres = exact.length > 0 ? exact : GENRES.filter((genre) => genre.iab.includes(parent));
    for (const genre of genres) found.add(genre.name);
  }
  return found;
}
