import {
  type Announcements,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  closestCenter,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  SortableContext,
  arrayMove,
  rectSortingStrategy,
  sortableKeyboardCoordinates,
  useSortable,
} from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import type { HighlightMetric } from '@bidwell/contract/reports/metrics';
import { HighlightCard, type HighlightCardProps } from './highlight-card.tsx';
import { metricViews } from './highlights.ts';

interface SortableCardsProps {
  cards: readonly HighlightCardProps[];
  onOrder: (metrics: HighlightMetric[]) => void;
}

/** Cards that are reordered by their handles, by pointer and by keyboard. */
export function SortableCards({ cards, onOrder }: SortableCardsProps) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const shown = cards.map(({ metric }) => metric);
  const drop = ({ active, over }: DragEndEvent) => {
    if (!over) return;
    const indexOf = (id: UniqueIdentifier) => shown.indexOf(id as HighlightMetric);
    onOrder(arrayMove(shown, indexOf(active.id), indexOf(over.id)));
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
        {cards.map((card) => (
          <SortableCard key={card.metric} {...card} />
        ))}
      </SortableContext>
    </DndContext>
  );
}

function SortableCard(card: HighlightCardProps) {
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } =
    useSortable({ id: card.metric });
  return (
    <HighlightCard
      {...card}
      dragging={{
        ref: setNodeRef,
        style: { transform: CSS.Translate.toString(transform), transition },
        isDragging,
        handle: { ref: setActivatorNodeRef, ...attributes, ...listeners },
      }}
    />
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
