import { companyRoleHas } from '@bidwell/contract/accounts/permission';
import { useIsFetching } from '@tanstack/react-query';
import { useMatches } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { lazyPart } from '../../ui/layout/lazy-part.tsx';
import { useKnown } from '../../lib/loadable.ts';
import { accountQuery } from '../../lib/api/account.ts';
import { noteRole, openedFewScreens } from '../../lib/api/role-hint.ts';
import { viewing } from '../../lib/api/viewing.ts';
import { PageLoader } from '../../ui/layout/page-loader.tsx';
import { EntityOutlet } from './entity-outlet.tsx';
import { rightFor } from '../screen-rights.ts';

const RefusedScreen = lazyPart(() => import('../refused-screen.tsx'), 'RefusedScreen');

/**
 * The screen at the address. Where the role of the user does not include what it shows, a sentence says so in its place. Until the role is
 * known, the screen loads at the same time, except in a browser where the role was one of few screens.
 */
export function PermittedOutlet() {
  // The screen that is drawn now: during a navigation the address is already the next screen's.
  const right = rightFor(useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '' }));
  // Where it could not be read, the notice above the page says so.
  const role = useKnown(accountQuery)?.role;
  const isLoading = useIsFetching({ queryKey: accountQuery.queryKey, exact: true }) > 0;
  useEffect(() => {
    if (role) noteRole(role);
  }, [role]);
  // An operator reads everything of the company, in any role.
  if (!right || viewing) return <EntityOutlet area="company" />;
  if (!role) return isLoading && openedFewScreens() ? <PageLoader /> : <EntityOutlet area="company" />;
  if (companyRoleHas(role, right.permission)) return <EntityOutlet area="company" />;
  return (
    <Suspense fallback={<PageLoader />}>
      <RefusedScreen role={role} shows={right.shows} />
    </Suspense>
  );
}
