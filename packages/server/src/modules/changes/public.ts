/** Interface of changes for other parts of the server. */
export { listAuditEntries, recordAuditEntries, recordAuditEntry, recordOperatorChange } from './audit-log.ts';
export {
  changedFields,
  changesOfEntities,
  getChange,
  lastLoggedNames,
  listChanges,
  recordChange,
  recordCopied,
  recordSaved,
} from './service.ts';
export type { ChangeRecord, LoggedFields } from './service.ts';
export { changeJobs } from './jobs.ts';
