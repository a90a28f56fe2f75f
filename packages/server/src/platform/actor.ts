/** The user on whose behalf an operation runs. `userId` is null for an operator. */
export interface Actor {
  companyId: string;
  userId: string | null;
  /** Id of the page that made the call, where it sent one; it skips live updates of its own changes. */
  tab?: string | undefined;
}
