import type { CompanyRole } from '@bidwell/contract/accounts/permission';
import {
  type InvitationInput,
  type InvitedRegistration,
  type NewInvitation,
  type Person,
  personVersion,
} from '@bidwell/contract/accounts/people';
import * as endpoints from '@bidwell/contract/accounts/people-endpoints';
import { listCompanySummaries } from '@bidwell/contract/company-overview/endpoints';
import { queryOptions } from '@tanstack/react-query';
import { accountQuery } from '../../lib/api/account.ts';
import { api } from '../../lib/api/api-client.ts';
import { changeAsShown } from '../../lib/api/change-as-shown.ts';
import { queryClient, readAgain } from '../../lib/api/query-client.ts';
import { deleteDrafts } from '../../lib/draft.ts';
import {
  accessToken,
  endSessionEverywhere,
  endSessionOfOtherTabs,
  mayHaveSession,
} from '../../lib/api/session.ts';

/** The people of the company, and its open invitations. */
export const peopleQuery = queryOptions({
  queryKey: ['people'],
  queryFn: () => api.call(endpoints.listPeople),
});

/** The companies of the logged-in person. */
export const ownCompaniesQuery = queryOptions({
  queryKey: ['own-companies'],
  queryFn: async () => (await api.call(endpoints.listOwnCompanies)).companies,
});

/** The companies of the logged-in person, with what they may see of each. */
export const companySummariesQuery = queryOptions({
  queryKey: ['company-summaries'],
  queryFn: async () => (await api.call(listCompanySummaries)).companies,
});

/** Invites someone; only this response has the link. */
export async function invite(input: InvitationInput): Promise<NewInvitation> {
  const made = await api.call(endpoints.invite, { body: input });
  await queryClient.invalidateQueries({ queryKey: peopleQuery.queryKey });
  return made;
}

export async function revokeInvitation(uuid: string): Promise<void> {
  await api.call(endpoints.revokeInvitation, { params: { uuid } });
  await queryClient.invalidateQueries({ queryKey: peopleQuery.queryKey });
}

/**
 * Changes the role of a person, unless someone else changed the one that is shown; of one's own, everything is read again, since other
 * things may be shown.
 */
export async function changeRole({ uuid, role: shown }: Person, role: CompanyRole): Promise<void> {
  await changeAsShown({
    read: async () => (await readAgain(peopleQuery)).people.find((person) => person.uuid === uuid),
    version: personVersion,
    isAsShown: (person) => person.role === shown,
    send: async (version) =>
      api.change(endpoints.changeRole, version, { params: { user_id: uuid }, body: { role } }),
  });
  await queryClient.invalidateQueries({ queryKey: peopleQuery.queryKey });
  await queryClient.invalidateQueries({ queryKey: accountQuery.queryKey });
}

export async function removePerson(userUuid: string): Promise<void> {
  await api.call(endpoints.removePerson, { params: { user_id: userUuid } });
  await queryClient.invalidateQueries({ queryKey: peopleQuery.queryKey });
}

/** Leaves the company, which ends the session. */
export async function leaveCompany(): Promise<void> {
  await api.call(endpoints.leaveCompany);
  queryClient.clear();
  deleteDrafts();
  endSessionEverywhere();
}

/** Acts for another company: the page is loaded again, so that nothing of the present one stays. */
export async function switchCompany(uuid: string): Promise<void> {
  await api.call(endpoints.switchCompany, { params: { uuid } });
  deleteDrafts();
  endSessionOfOtherTabs();
  location.assign('/');
}

/** What the link of an invitation offers. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: () => api.call(endpoints.readInvitation, { body: { token } }),
    enabled: token !== '',
    retry: false,
  });

/** Joins a company as a new person, who is logged in if that is possible. */
export const registerInvited = async (input: InvitedRegistration): Promise<unknown> =>
  api.call(endpoints.registerInvited, { body: input });

/** Joins a company as the logged-in person, and acts for it, unless it requires single sign-on. */
export async function acceptInvitation(token: string, needsSso: boolean): Promise<void> {
  const { uuid } = await api.call(endpoints.acceptInvitation, { body: { token } });
  if (!needsSso) await switchCompany(uuid);
}

/** The logged-in person; null without a session. */
export const visitorQuery = queryOptions({
  queryKey: ['visitor'],
  queryFn: async () =>
    mayHaveSession() && (await accessToken().catch(() => null)) !== null
      ? queryClient.fetchQuery(accountQuery)
      : null,
});
