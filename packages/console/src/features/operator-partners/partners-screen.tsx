import { MMPS, type Mmp } from '@bidwell/contract/apps/fields';
import { LISTING_FACTS } from '@bidwell/contract/measurement/partners/listing';
import { PARTNERS, mmpNames, partnerInText } from '@bidwell/contract/measurement/partners/partners';
import { VIEW_FACTS } from '@bidwell/contract/measurement/partners/views';
import { Anchor, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { exchangesQuery } from '../../entities/exchanges/queries.ts';
import { SourcePages } from '../../entities/measurement/source-pages.tsx';
import { skadnetworkQuery } from '../../entities/skadnetwork/queries.ts';
import { brand, brandLogo } from '../../lib/brand.ts';
import { saveFile } from '../../lib/format/csv-file.ts';
import { combined, useLoadable } from '../../lib/loadable.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { Choice } from '../../ui/form/choice.tsx';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { CopyableValue } from '../../ui/layout/copyable-value.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { Caption } from '../../ui/layout/text.tsx';
import { type KitOwner, kitText } from './kit-text.ts';

const CHOICE_WIDTH_PX = 260;

/** /operator/partners: what to send to each measurement partner, so that it lists this installation as an ad network. */
export function PartnersScreen() {
  const { mmp = 'appsflyer' } = useSearch({ strict: false }) as { mmp?: Mmp };
  const navigate = useNavigate();
  const figures = useLoadable(exchangesQuery);
  const networks = useLoadable(skadnetworkQuery);
  return (
    <>
      <PageHeader
        title="Measurement partners"
        description="Advertisers measure their apps with a partner, which has to know this installation as an ad network. This is what to send to each partner, and where."
      />
      <Stack maw={860}>
        <Choice
          label="Partner"
          w={CHOICE_WIDTH_PX}
          data={MMPS.map((value) => ({ value, label: mmpNames[value] }))}
          value={mmp}
          onChange={(chosen) => void navigate({ to: '.', search: { mmp: chosen } as never, replace: true })}
        />
        <Listing mmp={mmp} />
        <FigureFrame
          figures={combined(figures, networks)}
          what="The kit"
          skeleton={<Skeleton height={320} />}
        >
          {([{ public_url: publicUrl, public_url_is_set: isSet }, { networks: known }]) => (
            <Kit
              mmp={mmp}
              isAddressSet={isSet}
              owner={{
                name: brand.name,
                publicUrl: publicUrl.replace(/\/$/, ''),
                logoUrl: new URL(brandLogo.url, publicUrl).href,
                privacyUrl: brand.privacyUrl,
                networkIds: known.map(({ id }) => id),
              }}
            />
          )}
        </FigureFrame>
      </Stack>
    </>
  );
}

/** Where the network applies, and what nothing public says. */
function Listing({ mmp }: { mmp: Mmp }) {
  const { apply, asks, notDocumented, sources } = LISTING_FACTS[mmp];
  const views = VIEW_FACTS[mmp];
  return (
    <Section title={`How ${partnerInText(mmp)} lists a network`}>
      <Stack gap="sm">
        <Text size="sm">{apply}</Text>
        {asks !== '' && <Text size="sm">{asks}</Text>}
        <Text size="sm">
          <b>Views:</b> {views.form} {views.enable}
          {views.server !== '' && ` Servers that send views in place of devices: ${views.server}`}
        </Text>
        {notDocumented !== '' && <Caption>Not documented publicly: {notDocumented}</Caption>}
        <Caption style={{ overflowWrap: 'anywhere' }}>
          <SourcePages
            pages={[...sources, ...views.sources].filter(
              ({ title }, index, all) => all.findIndex((page) => page.title === title) === index,
            )}
          />
        </Caption>
      </Stack>
    </Section>
  );
}

function Kit({ mmp, owner, isAddressSet }: { mmp: Mmp; owner: KitOwner; isAddressSet: boolean }) {
  const text = kitText(mmp, owner);
  const file = `${owner.name}-${PARTNERS[mmp].name}.md`.toLowerCase().replaceAll(/[^\w.-]+/g, '-');
  return (
    <Section
      title="Kit"
      description="Fill in what is in square brackets before you send it."
      actions={
        <Group gap="xs">
          <Anchor href={owner.logoUrl} download size="sm" underline="always">
            Download the logo
          </Anchor>
          <SecondaryButton onClick={() => saveFile(file, new Blob([text], { type: 'text/markdown' }))}>
            Download the kit
          </SecondaryButton>
        </Group>
      }
    >
      <Stack gap="sm">
        {!isAddressSet && (
          <Text size="sm">
            PUBLIC_URL is not set: the addresses of postbacks below are of this machine, and no partner
            reaches them.
          </Text>
        )}
        <CopyableValue label={`For ${partnerInText(mmp)}`} value={text} copyLabel="Copy the kit" />
      </Stack>
    </Section>
  );
}
