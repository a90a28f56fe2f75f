import type { Creative, CreativeType } from '@bidwell/contract/creatives/schema';
import { messages } from '@bidwell/contract/text/messages';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Button, Checkbox, Group, Input, Paper, SimpleGrid, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import type { Loadable } from '../../lib/loadable.ts';
import { AppFilter } from '../../entities/apps/app-filter.tsx';
import { CreativeTypeSwitch } from '../../entities/creatives/creative-type-switch.tsx';
import { FigureFrame, ListSkeleton } from '../../ui/chart/figure-frame.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';
import { Muted } from '../../ui/layout/muted.tsx';
import { CreativeCard } from './creative-card.tsx';
import { type CreativeChoice, useCreativeChoice } from './use-creative-choice.ts';

/** Number of creatives shown at first, and added by each click on more. */
const STEP = 24;

interface CreativePickerProps {
  /** All creatives of the company. */
  creatives: Loadable<readonly Creative[]>;
  /** Uuids of the group's creatives. */
  chosen: ReadonlySet<string>;
  onChange: (type: CreativeType, uuids: string[]) => void;
  /** Error of the video list: the required field while the group has no creative of any type. */
  error?: ReactNode;
}

/** Selects the creatives of a group by type, app and name. */
export function CreativePicker({ creatives, chosen, onChange, error }: CreativePickerProps) {
  const errorId = useId();
  return (
    <Paper
      withBorder
      p="md"
      component="section"
      aria-label="Creatives of the group"
      aria-describedby={error ? errorId : undefined}
      tabIndex={-1}
      data-path="video_creatives"
    >
      {error && (
        <Input.Error id={errorId} mb="sm" role="alert">
          {error}
        </Input.Error>
      )}
      <FigureFrame figures={creatives} what="The creatives" skeleton={<ListSkeleton height={72} />}>
        {(known) => <KnownCreatives creatives={known} chosen={chosen} onChange={onChange} />}
      </FigureFrame>
    </Paper>
  );
}

interface KnownCreativesProps extends Pick<CreativePickerProps, 'chosen' | 'onChange'> {
  creatives: readonly Creative[];
}

function KnownCreatives({ creatives, chosen, onChange }: KnownCreativesProps) {
  const choice = useCreativeChoice(creatives, chosen, onChange);
  const { filter, setFilter, ofType } = choice;
  return (
    <>
      <Group justify="space-between" mb="sm" gap="xs">
        <CreativeTypeSwitch
          value={filter.type}
          onChange={(type) => setFilter({ type })}
          countOf={choice.countOf}
        />
        <Muted aria-live="polite">{chosen.size} chosen</Muted>
      </Group>
      {ofType.length === 0 ? (
        <EmptyState
          title={messages.emptyTable}
          text={screenMessages.creativesFirst}
          action={
            <ButtonLink to="/creatives/add-creative" search={{ type: filter.type }} variant="light">
              Add creatives
            </ButtonLink>
          }
        />
      ) : (
        <>
          <PickerFilters choice={choice} />
          <FoundCreatives key={filter.type} choice={choice} chosen={chosen} />
        </>
      )}
    </>
  );
}

/** Search, app and choice among the creatives of a type. */
function PickerFilters({ choice }: { choice: CreativeChoice }) {
  const { filter, setFilter, found, foundChosen } = choice;
  const allChosen = found.length > 0 && foundChosen === found.length;
  const width = { base: '100%', xs: 200 };
  return (
    <Group gap="xs" mb="sm">
      <TextInput
        aria-label="Search creatives"
        placeholder="Name or size"
        leftSection={<IconSearch size={15} />}
        value={filter.search}
        onChange={(event) => setFilter({ search: event.currentTarget.value })}
        w={width}
      />
      <AppFilter
        apps={choice.apps}
        value={filter.appUuid}
        onChange={(appUuid) => setFilter({ appUuid })}
        w={width}
      />
      <Checkbox
        label="Only chosen"
        checked={filter.onlyChosen}
        onChange={(event) => setFilter({ onlyChosen: event.currentTarget.checked })}
      />
      <Checkbox
        ml="auto"
        label={`All ${found.length}`}
        aria-label={`Choose all ${found.length} shown`}
        disabled={found.length === 0}
        checked={allChosen}
        indeterminate={!allChosen && foundChosen > 0}
        onChange={() =>
          choice.setChosen(
            found.map(({ uuid }) => uuid),
            !allChosen,
          )
        }
      />
    </Group>
  );
}

interface FoundCreativesProps {
  choice: CreativeChoice;
  chosen: ReadonlySet<string>;
}

/** The creatives that match the filters, a step of them at a time. */
function FoundCreatives({ choice: { found, setChosen }, chosen }: FoundCreativesProps) {
  const [shownMax, setShownMax] = useState(STEP);
  const hidden = found.length - shownMax;
  if (found.length === 0) {
    return (
      <Muted py="lg" ta="center">
        No creative matches.
      </Muted>
    );
  }
  return (
    <>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 4 }} spacing="sm">
        {found.slice(0, shownMax).map((creative) => (
          <CreativeCard
            key={creative.uuid}
            creative={creative}
            chosen={chosen.has(creative.uuid)}
            onToggle={() => setChosen([creative.uuid], !chosen.has(creative.uuid))}
          />
        ))}
      </SimpleGrid>
      {hidden > 0 && (
        <Group justify="center" mt="sm">
          <Button variant="default" size="xs" onClick={() => setShownMax(shownMax + STEP)}>
            Show {Math.min(STEP, hidden)} more of {hidden}
          </Button>
        </Group>
      )}
    </>
  );
}
