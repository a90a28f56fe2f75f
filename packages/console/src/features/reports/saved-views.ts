import { useLocalStorage } from '@mantine/hooks';
import { z } from 'zod';
import { userId } from '../../lib/session.ts';

const VIEWS_MAX = 50;
export const VIEW_NAME_MAX = 50;

/** A report that was given a name: the query of its address. */
const SavedViews = z
  .array(z.object({ name: z.string().min(1).max(VIEW_NAME_MAX), query: z.string().max(20_000) }))
  .max(VIEWS_MAX);
export type SavedView = z.infer<typeof SavedViews>[number];

/** The saved views with one more, or in place of the one that has its name; the oldest goes when there are too many. Pure. */
export function withView(views: readonly SavedView[], view: SavedView): SavedView[] {
  return [...views.filter(({ name }) => name !== view.name), view].slice(-VIEWS_MAX);
}

/** The person's named reports, kept in this browser. */
export function useSavedViews(): {
  views: readonly SavedView[];
  save: (view: SavedView) => void;
  remove: (name: string) => void;
} {
  const [views, setViews] = useLocalStorage<SavedView[]>({
    key: `bidwell.report-views.${userId() ?? ''}`,
    defaultValue: [],
    getInitialValueInEffect: false,
    deserialize: (text) => readViews(text),
  });
  return {
    views,
    save: (view) => setViews(withView(views, view)),
    remove: (name) => setViews(views.filter((view) => view.name !== name)),
  };
}

function readViews(text: string | undefined): SavedView[] {
  try {
    return SavedViews.catch([]).parse(JSON.parse(text ?? '[]'));
  } catch {
    return [];
  }
}
