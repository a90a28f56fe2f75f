import { useNavigate, useSearch } from '@tanstack/react-router';

/** What the campaigns screen lists. */
export type Depth = 'campaign' | 'adset' | 'creative';

/** Maximum number of row ids in the URL, to limit its length. */
const OPEN_MAX = 40;

/** The list, and which campaigns and ad sets of the tree are expanded. The URL holds both. */
export function useOpenRows() {
  const { depth = 'campaign', open = '' } = useSearch({ strict: false }) as { depth?: Depth; open?: string };
  const navigate = useNavigate();
  const opened = open === '' ? [] : open.split(',');
  const change = (search: object) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...search }), replace: true });
  return {
    depth,
    opened,
    isOpen: (id: string) => opened.includes(id),
    toggle: (id: string) => {
      const next = opened.includes(id) ? opened.filter((other) => other !== id) : [...opened, id];
      change({ open: next.slice(-OPEN_MAX).join(',') || undefined });
    },
    // The lists have different columns and statuses.
    setDepth: (next: Depth) =>
      change({
        depth: next === 'campaign' ? undefined : next,
        open: undefined,
        page: undefined,
        sort: undefined,
        status: undefined,
        kind: undefined,
      }),
  };
}
