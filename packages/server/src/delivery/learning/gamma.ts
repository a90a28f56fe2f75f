/**
 * Samples the Gamma distribution with the given shape, at least 1, and scale 1 (G. Marsaglia and W. Tsang, "A Simple
 * Method for Generating Gamma Variables", ACM TOMS 26, 2000). `random` is uniform between 0 and 1.
 */
export function drawGamma(shape: number, random: () => number): number {
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = drawNormal(random);
    const v = (1 + c * x) ** 3;
    if (v <= 0) continue;
    const u = 1 - random();
    if (Math.log(u) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** Samples the standard normal distribution by the Box–Muller transform. */
function drawNormal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
