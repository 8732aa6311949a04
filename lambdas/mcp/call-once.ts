import * as z from 'zod';
import { runIdempotent } from '../../core/idempotency/run-idempotent.ts';
import { requestFingerprint } from '../../core/idempotency/seal.ts';
import { idempotencyServices } from '../shared/idempotency-services.ts';
import type { Agent } from './admit.ts';
import type { ToolResult } from './tool-result.ts';

const Keyed = z.looseObject({ idempotencyKey: z.string().optional() });
const StoredResult = z.looseObject({
  content: z.array(z.custom<ToolResult['content'][number]>()),
  structuredContent: z.record(z.string(), z.unknown()),
});

/**
 * Runs a call, or returns the result of the same call with the same `idempotencyKey` in the last 24
 * hours. Errors are not kept: nothing was changed, and the agent may correct its input under the same key.
 * `work` gets an id of the call, which is the same when the call is repeated after a crash.
 * @throws CodedError IDEMPOTENCY_CONFLICT; what `work` throws
 */
export async function callOnce(
  agent: Agent,
  { tool, input }: { tool: string; input: object },
  work: (callId?: string) => Promise<ToolResult>,
): Promise<ToolResult> {
  const { idempotencyKey: key, ...fields } = Keyed.parse(input);
  if (key === undefined) return work();
  const accountId = agent.caller.account.id;
  const callId = requestFingerprint(Buffer.from(`${accountId} ${key}`), [tool, fields]);
  // Keys of the HTTP interface are separate: the same key there does not repeat a call.
  const request = { operation: tool, scope: `tools ${accountId}`, key, input: fields };
  const deps = { ...idempotencyServices(), remainingMs: () => agent.remainingMs() };
  const { response } = await runIdempotent(deps, request, async () => ({
    status: 200,
    headers: {},
    body: JSON.stringify(await work(callId)),
  }));
  return StoredResult.parse(JSON.parse(response.body));
}
