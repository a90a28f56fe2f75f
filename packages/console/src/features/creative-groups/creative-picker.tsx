import type { Creative, CreativeType } from '@bidwell/contract/creative';
import { messages } from '@bidwell/contract/messages';
import {
  Button,
  Card,
  Checkbox,
  Group,
  Input,
  Paper,
  Select,
  SimpleGrid,
  Text,
  TextInput,
} from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useId, useState } from 'react';
import { currentOnly } from '../../lib/current-only.ts';
import { CreativeThumbnail } from '../../ui/creative-thumbnail.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Segments } from '../../ui/segments.tsx';

const pickers = [
  { type: 'Banner', label: 'Images' },
  { type: 'Native', label: 'Native' },
  { type: 'Playable', label: 'Playable' },
  { type: 'Video', label: 'Videos' },
] as const satisfies readonly { type: CreativeType; label: string }[];

/** Number of creatives shown at first, and added by each click on more. */
const STEP = 24;

interface CreativePickerProps {
  /** All creatives of the company; undefined while loading. */
  creatives: readonly Creative[] | undefined;
  /** Uuids of the group's creatives. */
  chosen: ReadonlySet<string>;
  onChange: (type: CreativeType, uuids: string[]) => void;
  /** Error of the video list: the required field while the group has no creative of any type. */
  error?: ReactNode;
}

/** Selects the creatives of a group by type, app and name. */
export function CreativePicker({ creatives, chosen, onChange, error }: CreativePickerProps) {
  const errorId = useId();
  const [type, setType] = useState<CreativeType>('Banner');
  const [appUuid, setAppUuid] = useState<string | null>(null);
  const [search, setSearch] = useState('');
  const [onlyChosen, setOnlyChosen] = useState(false);
  const [shownMax, setShownMax] = useState(STEP);
  const all = currentOnly(creatives ?? [], ...chosen);
  const ofType = all.filter((creative) => creative.internal_creative.type === type);
  const wanted = search.trim().toLowerCase();
  const found = ofType.filter(
    (creative) =>
      (!appUuid || creative.app.uuid === appUuid) &&
      (!onlyChosen || chosen.has(creative.uuid)) &&
      textOf(creative).includes(wanted),
  );
  const apps = new Map(all.map(({ app }) => [app.uuid, app.name]));
  const chosenOf = (list: readonly Creative[]) => list.filter(({ uuid }) => chosen.has(uuid)).length;
  const setChosen = (uuids: readonly string[], on: boolean) => {
    const kept = ofType.map(({ uuid }) => uuid).filter((uuid) => chosen.has(uuid) && !uuids.includes(uuid));
    onChange(type, on ? [...kept, ...uuids] : kept);
  };
  const allFound = found.length > 0 && chosenOf(found) === found.length;

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
      <Group justify="space-between" mb="sm" gap="xs">
        <Segments
          label="Type of creative"
          value={type}
          onChange={(value) => {
            setType(value);
            setShownMax(STEP);
          }}
          options={pickers.map(({ type: value, label }) => {
            const count = chosenOf(all.filter((one) => one.internal_creative.type === value));
            return { value, label: count > 0 ? `${label} ${count}` : label };
          })}
        />
        <Text size="sm" c="dimmed" aria-live="polite">
          {chosen.size} chosen
        </Text>
      </Group>
      {error && (
        <Input.Error id={errorId} mb="sm" role="alert">
          {error}
        </Input.Error>
      )}
      {creatives?.length === 0 || (creatives && ofType.length === 0) ? (
        <EmptyState
          title={messages.emptyTable}
          text="Upload a creative first; then it can be put into a group."
          action={
            <ButtonLink to="/creatives/add-creative" search={{ type }} variant="light">
              Add creatives
            </ButtonLink>
          }
        />
      ) : (
        <>
          <Group gap="xs" mb="sm">
            <TextInput
              aria-label="Search creatives"
              placeholder="Name or size"
              leftSection={<IconSearch size={15} />}
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
              w={{ base: '100%', xs: 200 }}
            />
            {apps.size > 1 && (
              <Select
                aria-label="App of the creatives"
                placeholder="All apps"
                searchable
                clearable
                clearButtonProps={{ 'aria-label': 'Show all apps' }}
                nothingFoundMessage="No app of that name"
                data={[...apps].map(([value, label]) => ({ value, label }))}
                value={appUuid}
                onChange={setAppUuid}
                w={{ base: '100%', xs: 200 }}
              />
            )}
            <Checkbox
              label="Only chosen"
              checked={onlyChosen}
              onChange={(event) => setOnlyChosen(event.currentTarget.checked)}
            />
            <Checkbox
              ml="auto"
              label={`All ${found.length}`}
              aria-label={`Choose all ${found.length} shown`}
              disabled={found.length === 0}
              checked={allFound}
              indeterminate={!allFound && chosenOf(found) > 0}
              onChange={() =>
                setChosen(
                  found.map(({ uuid }) => uuid),
                  !allFound,
                )
              }
            />
          </Group>
          {found.length === 0 && creatives && (
            <Text size="sm" c="dimmed" py="lg" ta="center">
              No creative matches.
            </Text>
          )}
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
          {found.length > shownMax && (
            <Group justify="center" mt="sm">
              <Button variant="default" size="xs" onClick={() => setShownMax(shownMax + STEP)}>
                Show {Math.min(STEP, found.length - shownMax)} more of {found.length - shownMax}
              </Button>
            </Group>
          )}
        </>
      )}
    </Paper>
  );
}

function textOf({ uuid, app, internal_creative: { name, width, height } }: Creative): string {
  return `${name} ${width}×${height} ${width}x${height} ${app.name} ${uuid}`.toLowerCase();
}

interface CreativeCardProps {
  creative: Creative;
  chosen: boolean;
  onToggle: () => void;
}

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
