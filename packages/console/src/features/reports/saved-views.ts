import { useLocalStorage } from '@mantine/hooks';
import { z } from 'zod';
import { userId } from '../../lib/api/session.ts';

const VIEWS_MAX = 50;
export const VIEW_NAME_MAX = 50;

/** Named reports, each as the query of its URL. */
const SavedViews = z
  .array(z.object({ name: z.string().min(1).max(VIEW_NAME_MAX), query: z.string().max(20_000) }))
  .max(VIEWS_MAX);
export type SavedView = z.infer<typeof SavedViews>[number];

/** Adds a view or replaces the one of the same name; drops the oldest beyond the maximum. Pure. */
export function withView(views: readonly SavedView[], view: SavedView): SavedView[] {
  return [...views.filter(({ name }) => name !== view.name), view].slice(-VIEWS_MAX);
}

/** The user's named reports, stored in this browser. */
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
