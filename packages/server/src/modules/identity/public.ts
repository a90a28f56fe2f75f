/** Interface of identity for other parts of the server. */
export { confirmationMails, sendConfirmation } from './address-confirmation.ts';
export {
  registerOperatorAccounts,
  registerOperatorLogin,
  registerViewerSessions,
} from './operators/routes.ts';
export { operatorOfSession } from './operators/service.ts';
export { operatorSessionOf } from './operators/session-cookie.ts';
export { hasOperators } from './operators/store.ts';
export { prepareOneTimePassword, setOneTimePassword } from './passwords/one-time-password.ts';
export { passwordMails } from './passwords/password-reset.ts';
export { invitationMails } from './people/invitations.ts';
export type { CompanyStanding } from './people/own-companies.ts';
export { listStandings } from './people/own-companies.ts';
export { registerPeople } from './people/routes.ts';
export { endLoggedOutSession, registerPublicAccounts, registerUsers } from './routes.ts';
export { closeUnenrolled, enrolledSessionOf, hasSecondFactor, sessionOf, timeZoneOf } from './service.ts';
export { usersOfSessions } from './sessions/session-store.ts';
export { prepareViewerSession } from './sessions/viewer-sessions.ts';
export { accountMails } from './sign-in/notify-person.ts';
export { removeSecondFactorOf } from './sign-in/authenticator.ts';
export { registerSignIn } from './sign-in/routes.ts';
export { proveDomain } from './sso/domains.ts';
export { registerSso } from './sso/routes.ts';
export { registerApiTokens } from './tokens/routes.ts';
export { apiTokenSession } from './tokens/api-tokens.ts';
export { identityJobs } from './jobs.ts';
