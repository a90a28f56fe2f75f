import { limits } from '@bidwell/contract/lib/limits';
import {
  DEFAULT_HIGHLIGHTS,
  HIGHLIGHT_METRICS,
  type HighlightMetric,
} from '@bidwell/contract/reports/metrics';
import { Group, Menu, SimpleGrid, UnstyledButton } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { HighlightCard, type HighlightCardProps } from './highlight-card.tsx';
import classes from './highlight-card.module.css';
import { metricViews, shownHighlights } from './highlights.ts';
import type { SortableCards } from './sortable-cards.tsx';

/** How often it is checked whether a pressed button is released. */
const PRESSED_POLL_MS = 20;

/** The cards above the chart, one to four; the selection and its order are stored in this browser. */
export function HighlightStrip({
  highlights,
  comparison,
}: Pick<HighlightCardProps, 'highlights' | 'comparison'>) {
  const [stored, setShown] = useLocalStorage<HighlightMetric[]>({
    key: 'bidwell.highlights',
    defaultValue: [...DEFAULT_HIGHLIGHTS],
    getInitialValueInEffect: false,
  });
  const addButton = useRef<HTMLButtonElement>(null);
  const { grid, Sortable, load } = useSortableCards();
  const shown = shownHighlights(stored);
  const others = HIGHLIGHT_METRICS.filter((metric) => !shown.includes(metric));
  const remove = (metric: HighlightMetric) => {
    setShown(shown.filter((other) => other !== metric));
    // Removing a card removes the focused button; focus the add button, once it is rendered.
    requestAnimationFrame(() => addButton.current?.focus());
  };
  const cards = shown.map((metric): HighlightCardProps => ({
    metric,
    highlights,
    comparison,
    onRemove: shown.length > 1 ? () => remove(metric) : undefined,
  }));
  return (
    <SimpleGrid
      ref={grid}
      cols={{ base: 2, md: 4 }}
      spacing="sm"
      mb="md"
      aria-label="Highlights"
      role="group"
      onPointerEnter={load}
      onFocus={load}
    >
      {Sortable ? (
        <Sortable cards={cards} onOrder={setShown} />
      ) : (
        cards.map((card) => <HighlightCard key={card.metric} {...card} />)
      )}
      {shown.length < limits.highlightCardsMax && (
        <Menu>
          <Menu.Target>
            <UnstyledButton ref={addButton} className={classes['add']}>
              <Group gap={6} justify="center">
                <IconPlus size={16} /> Add Metric
              </Group>
            </UnstyledButton>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map((metric) => (
              <Menu.Item key={metric} onClick={() => setShown([...shown, metric])}>
                {metricViews[metric].label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </SimpleGrid>
  );
}

const pause = () =>
  new Promise((resolve) => {
    setTimeout(resolve, PRESSED_POLL_MS);
  });

/**
 * The cards that can be dragged, loaded when a card is first pointed at or focused: most visits reorder nothing. They
 * replace the plain cards, so the focus moves to the same button among them. A button that is being pressed is replaced
 * once it is released: its click would be lost.
 */
function useSortableCards() {
  const grid = useRef<HTMLDivElement>(null);
  const isLoading = useRef(false);
  const [Sortable, setSortable] = useState<typeof SortableCards>();
  const load = () => {
    if (isLoading.current) return;
    isLoading.current = true;
    import('./sortable-cards.tsx').then(
      async (loaded) => {
        while (grid.current?.querySelector(':active')) await pause();
        const focused = grid.current?.contains(document.activeElement) && document.activeElement;
        const label = focused ? focused.getAttribute('aria-label') : null;
        flushSync(() => setSortable(() => loaded.SortableCards));
        if (label !== null)
          grid.current?.querySelector<HTMLElement>(`button[aria-label="${label}"]`)?.focus();
      },
      () => {
        isLoading.current = false;
      },
    );
  };
  return { grid, Sortable, load };
}
