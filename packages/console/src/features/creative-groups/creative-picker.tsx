import type { Creative, CreativeType } from '@bidwell/contract/creatives/schema';
import { messages } from '@bidwell/contract/text/messages';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Card, Checkbox, Group, Input, Paper, SimpleGrid, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { CreativeThumbnail } from '../../entities/creatives/creative-thumbnail.tsx';
import { currentOnly } from '../../lib/current-only.ts';
import type { Loadable } from '../../lib/loadable.ts';
import { AppFilter } from '../../entities/apps/app-filter.tsx';
import { CreativeTypeSwitch } from '../../entities/creatives/creative-type-switch.tsx';
import { FigureFrame, ListSkeleton } from '../../ui/chart/figure-frame.tsx';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';
import { Muted } from '../../ui/layout/text.tsx';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';

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
          <SecondaryButton size="xs" onClick={() => setShownMax(shownMax + STEP)}>
            Show {Math.min(STEP, hidden)} more of {hidden}
          </SecondaryButton>
        </Group>
      )}
    </>
  );
}

interface CreativeCardProps {
  creative: Creative;
  chosen: boolean;
  onToggle: () => void;
}

/** A creative that can be put into a group: picture, name, size, app and status. */
function CreativeCard({ creative, chosen, onToggle }: CreativeCardProps) {
  const { status, rejection_reason: reason, app, internal_creative: asset } = creative;
  const size = asset.width && asset.height ? `${asset.width}×${asset.height} · ` : '';
  return (
    <Card
      withBorder
      p="xs"
      style={chosen ? { borderColor: 'var(--mantine-primary-color-filled)' } : undefined}
    >
      <Group justify="center" mb={6} onClick={onToggle} style={{ cursor: 'pointer' }} aria-hidden>
        <CreativeThumbnail asset={asset} width={180} height={90} />
      </Group>
      <Checkbox
        size="xs"
        label={asset.name}
        description={`${size}${app.name}`}
        checked={chosen}
        onChange={onToggle}
        mb={6}
        styles={{ label: { overflowWrap: 'anywhere' } }}
      />
      <StatusBadge status={status} reason={reason} />
    </Card>
  );
}

/** Which creatives a picker shows. */
interface CreativeFilter {
  type: CreativeType;
  /** Null for all apps. */
  appUuid: string | null;
  search: string;
  onlyChosen: boolean;
}

/** State of choosing the creatives of a group: the filter, the creatives that match it, and the choice among them. */
function useCreativeChoice(
  creatives: readonly Creative[],
  chosen: ReadonlySet<string>,
  onChange: (type: CreativeType, uuids: string[]) => void,
) {
  const [filter, setFilter] = useState<CreativeFilter>({
    type: 'Banner',
    appUuid: null,
    search: '',
    onlyChosen: false,
  });
  const all = currentOnly(creatives, ...chosen);
  const ofType = all.filter((creative) => creative.internal_creative.type === filter.type);
  const text = filter.search.trim().toLowerCase();
  const found = ofType.filter(
    (creative) =>
      (!filter.appUuid || creative.app.uuid === filter.appUuid) &&
      (!filter.onlyChosen || chosen.has(creative.uuid)) &&
      searchText(creative).includes(text),
  );
  return {
    filter,
    setFilter: (changes: Partial<CreativeFilter>) => setFilter((before) => ({ ...before, ...changes })),
    /** Names of the apps that have creatives, by uuid. */
    apps: new Map(all.map(({ app }) => [app.uuid, app.name])),
    ofType,
    found,
    /** Number of chosen creatives of a type. */
    countOf: (type: CreativeType) =>
      all.filter(({ uuid, internal_creative: asset }) => asset.type === type && chosen.has(uuid)).length,
    /** Number of chosen creatives among those found. */
    foundChosen: found.filter(({ uuid }) => chosen.has(uuid)).length,
    /** Adds creatives of the type to the choice, or removes them. */
    setChosen: (uuids: readonly string[], on: boolean) => {
      const others = ofType
        .map(({ uuid }) => uuid)
        .filter((uuid) => chosen.has(uuid) && !uuids.includes(uuid));
      onChange(filter.type, on ? [...others, ...uuids] : others);
    },
  };
}

/** What {@link useCreativeChoice} returns. */
type CreativeChoice = ReturnType<typeof useCreativeChoice>;

function searchText({ uuid, app, internal_creative: { name, width, height } }: Creative): string {
  return `${name} ${width}×${height} ${width}x${height} ${app.name} ${uuid}`.toLowerCase();
}
