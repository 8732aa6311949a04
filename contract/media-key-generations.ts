/**
 * The generations of the media key that CloudFront trusts while `generation` signs: the one before,
 * for links and functions of the deployment before, and the next one, so that every edge knows it
 * long before it signs.
 */
export function trustedGenerations(generation: number): number[] {
  return [generation - 1, generation, generation + 1].filter((one) => one > 0);
}
