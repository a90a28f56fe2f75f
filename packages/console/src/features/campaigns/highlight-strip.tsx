import type { Announcements, DragEndEvent, UniqueIdentifier } from '@dnd-kit/core';
import {
  DndContext,
  KeyboardSensor,
  PointerSensor,
  closestCenter,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  SortableContext,
  arrayMove,
  rectSortingStrategy,
  sortableKeyboardCoordinates,
} from '@dnd-kit/sortable';
import type { Highlights } from '@bidwell/contract/analytics';
import { limits } from '@bidwell/contract/limits';
import type { HighlightMetric } from '@bidwell/contract/metrics';
import { DEFAULT_HIGHLIGHTS, HIGHLIGHT_METRICS } from '@bidwell/contract/metrics';
import { Group, Menu, SimpleGrid, UnstyledButton } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useRef } from 'react';
import { HighlightCard } from './highlight-card.tsx';
import classes from './highlight-card.module.css';
import { metricViews, shownHighlights } from './highlights.ts';

/** The cards above the chart, one to four; the selection and its order are stored in this browser. */
export function HighlightStrip({ highlights }: { highlights: Highlights | undefined }) {
  const [stored, setShown] = useLocalStorage<HighlightMetric[]>({
    key: 'bidwell.highlights',
    defaultValue: [...DEFAULT_HIGHLIGHTS],
    getInitialValueInEffect: false,
  });
  const addButton = useRef<HTMLButtonElement>(null);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const shown = shownHighlights(stored);
  const others = HIGHLIGHT_METRICS.filter((metric) => !shown.includes(metric));
  const drop = ({ active, over }: DragEndEvent) => {
    if (!over) return;
    const indexOf = (id: UniqueIdentifier) => shown.indexOf(id as HighlightMetric);
    setShown(arrayMove(shown, indexOf(active.id), indexOf(over.id)));
  };
  const remove = (metric: HighlightMetric) => {
    setShown(shown.filter((other) => other !== metric));
    // Removing a card removes the focused button; focus the add button, once it is rendered.
    requestAnimationFrame(() => addButton.current?.focus());
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={drop}
      accessibility={{
        announcements: announcementsOf(shown),
        screenReaderInstructions: {
          draggable:
            'Press space to pick up the card, the arrow keys to move it, space to put it down, escape to cancel.',
        },
      }}
    >
      <SortableContext items={shown} strategy={rectSortingStrategy}>
        <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" mb="md" aria-label="Highlights" role="group">
          {shown.map((metric) => (
            <HighlightCard
              key={metric}
              metric={metric}
              highlights={highlights}
              onRemove={shown.length > 1 ? () => remove(metric) : undefined}
            />
          ))}
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
      </SortableContext>
    </DndContext>
  );
}

/** Screen reader announcements of dragging. */
function announcementsOf(shown: readonly HighlightMetric[]): Announcements {
  const name = (id: UniqueIdentifier) => metricViews[id as HighlightMetric].label;
  const place = (id: UniqueIdentifier) =>
    `place ${shown.indexOf(id as HighlightMetric) + 1} of ${shown.length}`;
  return {
    onDragStart: ({ active }) => `${name(active.id)} is picked up, ${place(active.id)}.`,
    onDragOver: ({ active, over }) => (over ? `${name(active.id)} is over ${place(over.id)}.` : undefined),
    onDragEnd: ({ active, over }) => (over ? `${name(active.id)} is now ${place(over.id)}.` : undefined),
    onDragCancel: ({ active }) => `${name(active.id)} stays at ${place(active.id)}.`,
  };
}
