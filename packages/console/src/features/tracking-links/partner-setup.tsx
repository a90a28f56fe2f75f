import type { Mmp } from '@bidwell/contract/apps/fields';
import { partnerInText } from '@bidwell/contract/measurement/partners/partners';
import { SETUP_STEPS } from '@bidwell/contract/measurement/partners/setup-steps';
import { DEEP_LINK_FACTS } from '@bidwell/contract/measurement/partners/deep-links';
import { VIEW_FACTS } from '@bidwell/contract/measurement/partners/views';
import { List, Stack, Text } from '@mantine/core';
import { SourcePages } from '../../entities/measurement/source-pages.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { Caption } from '../../ui/layout/text.tsx';

/** What the advertiser does in the partner's screens, and how installs after views come to count. */
export function PartnerSetup({ mmp }: { mmp: Mmp }) {
  const { steps, sources } = SETUP_STEPS[mmp];
  const views = VIEW_FACTS[mmp];
  const deepLinks = DEEP_LINK_FACTS[mmp];
  const name = partnerInText(mmp);
  return (
    <Section title={`Steps at ${name}`} description="What to set up in the partner’s own screens.">
      <Stack gap="sm">
        <List type="ordered" size="sm" spacing={4} style={{ overflowWrap: 'anywhere' }}>
          {steps.map((step) => (
            <List.Item key={step}>{step}</List.Item>
          ))}
        </List>
        <Text size="sm">
          <b>Installs after views:</b> {views.form} {views.enable}
        </Text>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <b>Re-engagement:</b> append <code>{deepLinks.query}</code> to the click URL. {deepLinks.how}
        </Text>
        {deepLinks.notDocumented !== '' && (
          <Caption>Not documented publicly about re-engagement: {deepLinks.notDocumented}</Caption>
        )}
        {views.notDocumented !== '' && (
          <Caption>Not documented publicly about views: {views.notDocumented}</Caption>
        )}
        <Caption style={{ overflowWrap: 'anywhere' }}>
          <SourcePages pages={distinct([...sources, ...views.sources, ...deepLinks.sources])} />
        </Caption>
      </Stack>
    </Section>
  );
}

function distinct<Page extends { title: string }>(pages: readonly Page[]): Page[] {
  return [...new Map(pages.map((page) => [page.title, page])).values()];
}
