/** More values than any operation takes. The schemas report every wrong one, which takes far longer than to read it. */
export const maxJsonValues = 60_000;

/** Whether a JSON value has more fields and items, at all depths together, than {@link maxJsonValues}. Pure. */
export function hasTooManyValues(json: unknown): boolean {
  const open = [json];
  let count = 0;
  while (open.length > 0) {
    const parts: unknown[] = Object.values(open.pop() ?? {});
    count += parts.length;
    if (count > maxJsonValues) return true;
    for (const part of parts) if (typeof part === 'object') open.push(part);
  }
  return false;
}
