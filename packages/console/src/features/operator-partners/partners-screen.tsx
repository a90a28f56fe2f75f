import { MMPS, type Mmp } from '@bidwell/contract/apps/fields';
import { LISTING_FACTS } from '@bidwell/contract/measurement/partners/listing';
import { PARTNERS, mmpNames, partnerInText } from '@bidwell/contract/measurement/partners/partners';
import { VIEW_FACTS } from '@bidwell/contract/measurement/partners/views';
import {
  Alert,
  Anchor,
  Code,
  CopyButton,
  Group,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
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
import {
  CONTACTS,
  type Contacts,
  type KitOwner,
  type KitPart,
  kitText,
  linkNote,
  linksOf,
  postbacksOf,
} from './kit-text.ts';

const CHOICE_WIDTH_PX = 260;
const PREVIEW_HEIGHT_PX = 360;

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
  const [contacts, setContacts] = useLocalStorage<Contacts>({
    key: 'bidwell.partner-contacts',
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const text = kitText(mmp, owner, contacts);
  const partner = partnerInText(mmp);
  return (
    <Stack>
      {!isAddressSet && (
        <Alert color="yellow" title="PUBLIC_URL is not set">
          The addresses of the logo and of postbacks are of this machine: no partner reaches them.
        </Alert>
      )}
      <Section
        title="Contacts"
        description="For the kits of all partners. They are remembered in this browser only."
      >
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          {CONTACTS.map(({ key, label, form }) => (
            <TextInput
              key={key}
              label={label}
              placeholder={form}
              value={contacts[key] ?? ''}
              onChange={({ currentTarget: { value } }) => setContacts({ ...contacts, [key]: value })}
            />
          ))}
        </SimpleGrid>
      </Section>
      <Section
        title="Kit"
        description={`One text to send to ${partner}. Fill in what is still in square brackets.`}
        actions={<KitActions file={fileName(mmp, owner)} text={text} logoUrl={owner.logoUrl} />}
      >
        <Code
          block
          tabIndex={0}
          role="group"
          aria-label="Text of the kit"
          mah={PREVIEW_HEIGHT_PX}
          style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', overflowY: 'auto' }}
        >
          {text}
        </Code>
      </Section>
      <Parts
        title="Links"
        description="For forms that ask for each link. They are checked with sample values, without a call to the partner."
        parts={linksOf(mmp, owner.publicUrl)}
        note={({ value }) => linkNote(mmp, value)}
      />
      <Parts
        title="Postbacks"
        description="For forms that ask for each postback. ADVERTISER_SECRET stands for the secret of an advertiser."
        parts={postbacksOf(mmp, owner.publicUrl)}
      />
    </Stack>
  );
}

interface KitActionsProps {
  file: string;
  text: string;
  logoUrl: string;
}

function KitActions({ file, text, logoUrl }: KitActionsProps) {
  return (
    <Group gap="xs">
      <Anchor href={logoUrl} download size="sm" underline="always">
        Download the logo
      </Anchor>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <SecondaryButton onClick={copy}>{copied ? 'Copied' : 'Copy the kit'}</SecondaryButton>
        )}
      </CopyButton>
      <SecondaryButton onClick={() => saveFile(file, new Blob([text], { type: 'text/markdown' }))}>
        Download the kit
      </SecondaryButton>
    </Group>
  );
}

interface PartsProps {
  title: string;
  description: string;
  parts: readonly KitPart[];
  /** A sentence about a part. */
  note?: (part: KitPart) => string;
}

function Parts({ title, description, parts, note }: PartsProps) {
  return (
    <Section title={title} description={description}>
      <Stack gap="sm">
        {parts.map((part) => (
          <Stack key={part.label} gap={4}>
            <CopyableValue {...part} copyLabel={`Copy: ${part.label}`} />
            {note && <Caption>{note(part)}</Caption>}
          </Stack>
        ))}
      </Stack>
    </Section>
  );
}

const fileName = (mmp: Mmp, { name }: KitOwner) =>
  `${name}-${PARTNERS[mmp].name}.md`.toLowerCase().replaceAll(/[^\w.-]+/g, '-');
