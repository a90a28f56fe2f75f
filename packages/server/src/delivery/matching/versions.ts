/** Splits a version such as `12.4.1` into numbers. */
export function versionOf(version: string): number[] {
  return version.split('.').map(Number);
}

/** Negative when `a` is older than `b`, positive when newer. Missing parts count as 0. */
export function compareVersions(a: readonly number[], b: readonly number[]): number {
  for (let part = 0; part < Math.max(a.length, b.length); part += 1) {
    const difference = (a[part] ?? 0) - (b[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
