import * as z from 'zod';

const Capacity = z.object({ CapacityUnits: z.number() });
const Answer = z.object({
  ConsumedCapacity: z.union([Capacity.transform((one) => [one]), z.array(Capacity)]).default([]),
});

const ASKED = '{"ReturnConsumedCapacity":"TOTAL"';

/** The request, which also asks the engine for the capacity units that it uses. */
export function askingForCapacity(body: Buffer): Buffer {
  const text = body.toString('utf8');
  if (text.includes('"ReturnConsumedCapacity"')) return body;
  const rest = text.trimStart().slice(1);
  return Buffer.from(rest.trim() === '}' ? `${ASKED}}` : `${ASKED},${rest}`);
}

/**
 * Capacity units of all tables and indexes of a request; a failed request has none here, although
 * DynamoDB bills a condition that failed.
 */
export function consumedCapacity(body: Buffer | string): number {
  const answer = Answer.safeParse(JSON.parse(body.toString()));
  if (!answer.success) return 0;
  return answer.data.ConsumedCapacity.reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
}
