/** On whose behalf a verb runs. `userId` is null for an operator. */
export interface Actor {
  companyId: string;
  userId: string | null;
  /** Which page asked, where it says so: its own changes are no news to it. */
  tab?: string | undefined;
}
