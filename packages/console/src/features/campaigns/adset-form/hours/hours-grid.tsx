import { DAY_HOURS, type Hours, WEEKDAYS, openHours, weekOf } from '@bidwell/contract/adsets/hours';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import classes from './hours-grid.module.css';

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** A place in the grid; −1 is the head of a row or column. */
interface Place {
  row: number;
  column: number;
}

/** How the days and hours are placed. */
interface Axes {
  rows: number;
  columns: number;
  rowName: (row: number) => string;
  columnName: (column: number) => string;
  hourAt: (place: Place) => number;
}

const dayName = (day: number) => DAYS[day]!.slice(0, 3);
const WIDE: Axes = {
  rows: WEEKDAYS.length,
  columns: DAY_HOURS,
  rowName: dayName,
  columnName: String,
  hourAt: ({ row, column }) => row * DAY_HOURS + column,
};
/** For phones: an hour of a row of 24 would be narrower than a finger. */
const TALL: Axes = {
  rows: DAY_HOURS,
  columns: WEEKDAYS.length,
  rowName: String,
  columnName: dayName,
  hourAt: ({ row, column }) => column * DAY_HOURS + row,
};

/** An hour of the week as screen readers say it. */
function hourName(hour: number): string {
  const from = hour % DAY_HOURS;
  return `${DAYS[Math.floor(hour / DAY_HOURS)]} ${from} to ${from + 1}`;
}

interface HoursGridProps {
  hours: Hours;
  onChange: (hours: Hours) => void;
  /** With the hours below each other. */
  tall?: boolean;
}

/**
 * The hours of a week, which the mouse paints and a finger along rows. Keys: arrows move, the space bar opens or closes an hour, a
 * whole row or a column, and Shift with an arrow extends the hour where it was pressed first.
 */
export function HoursGrid({ hours, onChange, tall = false }: HoursGridProps) {
  const axes = tall ? TALL : WIDE;
  const open = openHours(hours);
  const [focus, setFocus] = useState<Place>({ row: 0, column: 0 });
  const anchor = useRef<Place>({ row: 0, column: 0 });
  const painting = useRef<{ from: Place; base: Uint8Array; value: number } | null>(null);
  const grid = useRef<HTMLDivElement>(null);

  const paint = (base: Uint8Array, from: Place, to: Place, value: number) => {
    const next = base.slice();
    for (const place of placesBetween(from, to, axes)) next[axes.hourAt(place)] = value;
    onChange(weekOf(next));
  };
  const toggle = (place: Place) => {
    const places = placesBetween(place, place, axes);
    const value = places.every((one) => open[axes.hourAt(one)] === 1) ? 0 : 1;
    paint(open, place, place, value);
  };
  const moveTo = (place: Place) => {
    setFocus(place);
    grid.current?.querySelector<HTMLElement>(`[data-place="${place.row} ${place.column}"]`)?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      anchor.current = focus;
      toggle(focus);
      return;
    }
    const next = placeAfter(event, focus, axes);
    if (!next) return;
    event.preventDefault();
    if (!event.shiftKey) anchor.current = next;
    else if (!isHead(anchor.current) && !isHead(next))
      paint(open, anchor.current, next, open[axes.hourAt(anchor.current)]!);
    moveTo(next);
  };
  const onPointerDown = (event: PointerEvent) => {
    const place = placeOf(event);
    if (!place || event.button !== 0) return;
    anchor.current = place;
    setFocus(place);
    toggle(place);
    if (isHead(place)) return;
    painting.current = { from: place, base: open, value: open[axes.hourAt(place)] === 1 ? 0 : 1 };
  };
  const onPointerMove = (event: PointerEvent) => {
    const place = painting.current && placeOf(event);
    if (!painting.current || !place || isHead(place)) return;
    const { base, from, value } = painting.current;
    paint(base, from, place, value);
  };
  const stop = () => {
    painting.current = null;
  };

  const head = (place: Place, role: 'columnheader' | 'rowheader', text: string, name: string) => (
    <div
      key={place.column}
      role={role}
      aria-label={name}
      className={classes['head']}
      {...placed(place, focus)}
    >
      {text}
    </div>
  );
  return (
    <div
      ref={grid}
      role="grid"
      aria-label="Hours of the week"
      aria-multiselectable
      className={`${classes['grid']} ${classes[tall ? 'tall' : 'wide']}`}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={stop}
      onPointerLeave={stop}
      onPointerCancel={stop}
    >
      <div role="row" className={classes['row']}>
        {head({ row: -1, column: -1 }, 'columnheader', 'All', 'All hours')}
        {Array.from({ length: axes.columns }, (_, column) =>
          head({ row: -1, column }, 'columnheader', axes.columnName(column), columnLabel(column, tall)),
        )}
      </div>
      {Array.from({ length: axes.rows }, (_row, row) => (
        <div key={row} role="row" className={classes['row']}>
          {head({ row, column: -1 }, 'rowheader', axes.rowName(row), columnLabel(row, !tall))}
          {Array.from({ length: axes.columns }, (_cell, column) => {
            const hour = axes.hourAt({ row, column });
            return (
              <div
                key={column}
                role="gridcell"
                aria-label={hourName(hour)}
                aria-selected={open[hour] === 1}
                className={classes['cell']}
                {...placed({ row, column }, focus)}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}

const columnLabel = (index: number, isDay: boolean): string =>
  isDay ? `All of ${DAYS[index]}` : `${index} to ${index + 1} on all days`;

const isHead = ({ row, column }: Place): boolean => row < 0 || column < 0;

/** Only the focused place is reached by Tab. */
const placed = ({ row, column }: Place, focus: Place) => ({
  'data-place': `${row} ${column}`,
  tabIndex: focus.row === row && focus.column === column ? 0 : -1,
});

/** The place under a pointer; the target of a finger stays the place where it began. */
function placeOf(event: PointerEvent): Place | null {
  // Not in simulated documents.
  const under = (document.elementFromPoint as Document['elementFromPoint'] | undefined)?.call(
    document,
    event.clientX,
    event.clientY,
  );
  const element = (under ?? (event.target as Element)).closest<HTMLElement>('[data-place]');
  if (!element || !event.currentTarget.contains(element)) return null;
  const [row = 0, column = 0] = element.dataset['place']!.split(' ').map(Number);
  return { row, column };
}

/** The hours in the rectangle between two places; a head stands for its whole row or column. */
function placesBetween(from: Place, to: Place, { rows, columns }: Axes): Place[] {
  const range = (a: number, b: number, length: number): [number, number] =>
    a < 0 ? [0, length - 1] : [Math.min(a, b), Math.max(a, b)];
  const [top, bottom] = range(from.row, to.row, rows);
  const [left, right] = range(from.column, to.column, columns);
  const places: Place[] = [];
  for (let row = top; row <= bottom; row += 1)
    for (let column = left; column <= right; column += 1) places.push({ row, column });
  return places;
}

const STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Where a key moves the focus; null for other keys. */
function placeAfter({ key, ctrlKey }: KeyboardEvent, { row, column }: Place, axes: Axes): Place | null {
  if (key === 'Home') return { row: ctrlKey ? 0 : row, column: 0 };
  if (key === 'End') return { row: ctrlKey ? axes.rows - 1 : row, column: axes.columns - 1 };
  const step = STEPS[key];
  if (!step) return null;
  const within = (value: number, length: number) => Math.min(length - 1, Math.max(-1, value));
  return { row: within(row + step[0], axes.rows), column: within(column + step[1], axes.columns) };
}
