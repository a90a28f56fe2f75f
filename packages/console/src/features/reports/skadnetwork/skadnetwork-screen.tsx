import { POSTBACK_KEYS, POSTBACK_KEYS_MAX, type PostbackReport } from '@bidwell/contract/skadnetwork/report';
import { Group, MultiSelect, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { appsQuery } from '../../../entities/apps/queries.ts';
import { postbackKeyTexts, postbackProblemTexts } from '../../../entities/skadnetwork/postback-text.ts';
import { comparisonQuery, postbacksQuery } from '../../../entities/skadnetwork/postback-queries.ts';
import { UncountedList } from '../../../entities/skadnetwork/uncounted-list.tsx';
import { csvFile, csvText, saveFile } from '../../../lib/format/csv-file.ts';
import { type Loadable, knownData, mapped, useLoadable } from '../../../lib/loadable.ts';
import { useRangeSearch } from '../../../lib/range-search.ts';
import { FigureFrame } from '../../../ui/chart/figure-frame.tsx';
import { DateRangePicker } from '../../../ui/form/date-range-picker.tsx';
import { useSave } from '../../../ui/form/use-save.ts';
import { SearchSelect } from '../../../ui/form/picker/search-select.tsx';
import { SecondaryButton } from '../../../ui/layout/buttons.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { Section } from '../../../ui/layout/section.tsx';
import { ReportViews } from '../report-views.tsx';
import { ComparisonSection } from './comparison-section.tsx';
import { PostbackTable } from './postback-table.tsx';
import { postbackCsv } from './skadnetwork-csv.ts';
import { type SkadnetworkSearch, keysIn } from './skadnetwork-search.ts';

const keyOptions = POSTBACK_KEYS.map((value) => ({ value, label: postbackKeyTexts[value] }));

/** Postbacks of SKAdNetwork and AdAttributionKit, compared with the installs of measurement partners. The URL holds all settings. */
export function SkadnetworkScreen() {
  const dates = useRangeSearch('Last 30 Days');
  const { range } = dates;
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as SkadnetworkSearch;
  const keys = useMemo(() => keysIn({ by: search.by }), [search.by]);
  const figures = useLoadable(postbacksQuery(range, keys, search.app));
  const comparison = useLoadable(comparisonQuery(range, search.app));
  const change = (changes: SkadnetworkSearch) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...changes }), replace: true });
  const report = knownData(figures);
  const { save: download, busy } = useSave({
    send: async () => {
      if (report)
        saveFile(
          `bidwell-skadnetwork-${range.start}-${range.end}.csv`,
          csvFile(await csvText(postbackCsv(keys, report))),
        );
    },
  });
  return (
    <>
      <PageHeader
        title="SKAdNetwork"
        description="Installs that Apple reports without naming a device, by SKAdNetwork and AdAttributionKit."
        actions={
          <Group gap="xs" className="no-print">
            <DateRangePicker choice={dates} />
            <SecondaryButton
              leftSection={<IconDownload size={16} />}
              loading={busy}
              disabled={!report || report.rows.length === 0 || figures.state === 'stale'}
              onClick={() => download()}
            >
              CSV
            </SecondaryButton>
          </Group>
        }
      />
      <ReportViews />
      <Group gap="xs" mb="md" className="no-print" align="flex-start">
        <AppChoice value={search.app} onChange={(app) => change({ app })} />
        <MultiSelect
          aria-label="Group by"
          data={keyOptions}
          value={[...keys]}
          maxValues={POSTBACK_KEYS_MAX}
          onChange={(chosen) => change({ by: chosen.length === 0 ? undefined : chosen.join() })}
          w={{ base: '100%', sm: 420 }}
        />
      </Group>
      <Stack gap="md">
        <PostbackTable figures={figures} keys={keys} appId={search.app} />
        <PostbackProblems figures={figures} />
        <ComparisonSection
          figures={comparison}
          range={range}
          chosen={search.group}
          onChoose={(group) => change({ group })}
        />
      </Stack>
    </>
  );
}

interface AppChoiceProps {
  value: string | undefined;
  onChange: (app: string | undefined) => void;
}

function AppChoice({ value, onChange }: AppChoiceProps) {
  const apps = mapped(useLoadable(appsQuery), (known) =>
    known.filter(({ os }) => os === 'ios').map(({ uuid, name }) => ({ value: uuid, label: name })),
  );
  return (
    <SearchSelect
      label="App"
      hideLabel
      placeholder="All apps"
      clearable
      emptyText="There is no iOS app yet"
      options={apps}
      value={value ?? null}
      onChange={(uuid) => onChange(uuid ?? undefined)}
      w={220}
    />
  );
}

/** Rejected and unmatched postbacks, and what they mean; nothing without any. The table above says why there are no figures. */
function PostbackProblems({ figures }: { figures: Loadable<PostbackReport> }) {
  const problems = knownData(figures)?.problems;
  if (!problems || problems.length === 0) return null;
  return (
    <Section title="Rejected and unmatched postbacks">
      <FigureFrame figures={figures} isSilent>
        <UncountedList
          label="Rejected and unmatched postbacks"
          rows={problems}
          textOf={(reason) => postbackProblemTexts[reason]}
        />
      </FigureFrame>
    </Section>
  );
}
