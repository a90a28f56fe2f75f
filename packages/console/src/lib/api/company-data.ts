const deleters = new Set<() => void>();

/** Registers a callback that deletes company data; called after the session has ended and no screen shows the data. */
export function onCompanyDataDelete(deleteData: () => void): void {
  deleters.add(deleteData);
}

/** Deletes all company data held in memory. */
export function deleteCompanyData(): void {
  for (const deleteData of deleters) deleteData();
}
