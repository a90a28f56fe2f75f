import type { PostbackReport } from '@bidwell/contract/skadnetwork/report';
import { postbackTexts } from '@bidwell/contract/text/skadnetwork-text';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { ButtonLink } from '../../../ui/layout/links.tsx';

interface NoPostbacksProps {
  apps: PostbackReport['apps'];
  /** Uuid of the only app of the report; undefined for all. */
  appId: string | undefined;
}

/** Says why a range has no postbacks: without an app of the App Store, or with signing switched off, there is nothing to wait for. */
export function NoPostbacks({ apps: { ios, signed }, appId }: NoPostbacksProps) {
  if (signed > 0) return <EmptyState {...postbackTexts.empty} />;
  const action =
    appId === undefined ? (
      <ButtonLink to="/assets" search={{ tab: 'apps' }} variant="default">
        Apps
      </ButtonLink>
    ) : (
      <ButtonLink to="/edit-app" search={{ uuid: appId }} variant="default">
        Open the app
      </ButtonLink>
    );
  return <EmptyState {...(ios === 0 ? postbackTexts.noIosApp : postbackTexts.signingOff)} action={action} />;
}
