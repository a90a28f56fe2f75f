import type { ModerationItem } from '@bidwell/contract/moderation/schema';
import { Paper, Text, UnstyledButton } from '@mantine/core';
import {
  IconApps,
  IconDeviceGamepad2,
  IconLink,
  IconPhoto,
  IconPlayerPlay,
  IconTextCaption,
} from '@tabler/icons-react';
import { memo, useEffect, useRef } from 'react';
import { Caption } from '../../ui/layout/text.tsx';
import { RowCheckbox } from '../../ui/table/row-checkbox.tsx';
import { ageText, kindNames } from './kinds.ts';
import classes from './review.module.css';
import { useNow } from './use-now.ts';

interface QueueListProps {
  items: readonly ModerationItem[];
  /** How many items match the filters, including items that are not loaded. */
  matching: number;
  current: string | undefined;
  selected: ReadonlySet<string>;
  maySelect: boolean;
  onOpen: (uuid: string) => void;
  onToggle: (uuid: string) => void;
  onToggleAll: () => void;
}

/** The loaded part of the queue, oldest first. */
export function QueueList(props: QueueListProps) {
  const { items, matching, current, selected, maySelect, onOpen, onToggle, onToggleAll } = props;
  const nowMs = useNow();
  return (
    <Paper withBorder className={classes['queue']} component="section" aria-label="Queue" tabIndex={0}>
      <div className={classes['head']}>
        {maySelect && (
          <RowCheckbox
            label="Select all that are shown"
            checked={selected.size > 0 && items.every(({ uuid }) => selected.has(uuid))}
            onChange={onToggleAll}
          />
        )}
        <Caption span>
          {matching > items.length
            ? `The oldest ${items.length} of ${matching}`
            : `${items.length}, oldest first`}
        </Caption>
      </div>
      {items.map((item) => (
        <Row
          key={item.uuid}
          item={item}
          age={ageText(item.since, nowMs)}
          isCurrent={item.uuid === current}
          isSelected={selected.has(item.uuid)}
          maySelect={maySelect}
          onOpen={onOpen}
          onToggle={onToggle}
        />
      ))}
    </Paper>
  );
}

interface RowProps extends Pick<QueueListProps, 'maySelect' | 'onOpen' | 'onToggle'> {
  item: ModerationItem;
  age: string;
  isCurrent: boolean;
  isSelected: boolean;
}

/** Scrolls the list to a row, and never the page: on a phone the list is below the reviewed item. */
function showInList(row: HTMLElement): void {
  const list = row.parentElement!;
  const [shown, place] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
  // The head stays above the rows.
  const top = place.top + list.firstElementChild!.clientHeight;
  if (shown.top < top) list.scrollTop -= top - shown.top;
  else if (shown.bottom > place.bottom) list.scrollTop += shown.bottom - place.bottom;
}

/** Memoized: a key press changes two rows of a hundred. */
const Row = memo(function Row({ item, age, isCurrent, isSelected, maySelect, onOpen, onToggle }: RowProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isCurrent && row.current) showInList(row.current);
  }, [isCurrent]);
  return (
    <div ref={row} className={`${classes['row']} ${isCurrent ? classes['current'] : ''}`}>
      {maySelect && (
        <RowCheckbox
          label={`Select ${item.name}`}
          checked={isSelected}
          onChange={() => onToggle(item.uuid)}
        />
      )}
      <UnstyledButton
        className={classes['open']}
        onClick={() => onOpen(item.uuid)}
        aria-current={isCurrent || undefined}
      >
        <Thumbnail item={item} />
        <span style={{ minWidth: 0 }}>
          <Text span size="sm" fw={500} truncate display="block">
            {item.name}
          </Text>
          <Caption span className={classes['line']!}>
            <Text span inherit truncate>
              {kindNames[item.kind].one} · {item.company_name}
            </Text>
            <span>&nbsp;· {age}</span>
          </Caption>
        </span>
      </UnstyledButton>
    </div>
  );
});

const icons = {
  app: IconApps,
  Banner: IconPhoto,
  Video: IconPlayerPlay,
  Playable: IconDeviceGamepad2,
  Native: IconPhoto,
  creative_group: IconTextCaption,
  tracking_link: IconLink,
} as const;

function Thumbnail({ item }: { item: ModerationItem }) {
  const picture = item.files.find(({ content_type: type }) => type.startsWith('image/'))?.url;
  const Icon = icons[item.kind];
  return (
    <span className={classes['thumbnail']}>
      {picture && item.entity === 'creative' ? (
        <img src={picture} alt="" loading="lazy" />
      ) : (
        <Icon size={20} stroke={1.5} aria-hidden />
      )}
    </span>
  );
}
