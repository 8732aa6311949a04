import * as z from 'zod';
import type { Tool } from '../../contract/tool.ts';
import { requireKeyProject } from '../../core/accounts/keys/permissions.ts';
import { type CredentialCaller, idempotencyScope } from '../../core/caller.ts';
import { limitAnswer, requirePlan } from '../http/authorize.ts';
import { type Agent, requireScope } from './admit.ts';
import { type Block, text, toolError, type ToolResult } from './tool-result.ts';
import { toolInput } from './tool-input.ts';
import { nobody, Question, type ToolUser } from './tool-user.ts';
import { runIdempotent } from '../../core/idempotency/run-idempotent.ts';
import { requestFingerprint } from '../../core/idempotency/seal.ts';
import { idempotencyServices } from '../shared/idempotency-services.ts';

/** The result of a use case for an agent. */
export interface ToolAnswer<O extends z.ZodObject> {
  output: z.input<O>;
  /** Text for people, and for clients that ignore structured content. Default: the output as JSON. */
  text?: string;
  /** Further content blocks. */
  more?: readonly Block[];
}

/** A tool, and its implementation. */
export interface BoundTool {
  tool: Tool;
  /**
   * Every error is a result.
   * @throws Question only if the user can answer
   */
  call(agent: Agent, args: unknown, user?: ToolUser): Promise<ToolResult>;
}

/** The facts about a call that a tool may need besides its input. */
export interface CallContext {
  /** The id of a call with an `idempotencyKey`; the same when the call is repeated. */
  callId: string | undefined;
  user: ToolUser;
  /** The agent's scopes; some parts of a result depend on them. */
  scopes: Agent['scopes'];
}

/** Binds a tool to its use case. Fields that the tool's output does not name are removed. */
export function bindTool<I extends z.ZodObject, O extends z.ZodObject>(
  tool: Tool<I, O>,
  run: (
    caller: CredentialCaller,
    input: z.infer<I>,
    context: CallContext,
  ) => Promise<ToolAnswer<O>>,
): BoundTool {
  return {
    tool,
    async call(agent, args, user = nobody) {
      try {
        requireScope(tool, agent);
        requirePlan(tool.operation, agent.caller);
        const input = toolInput(tool, args);
        requireKeyProject(tool.operation, agent.caller, input);
        return await callOnce(agent, { tool: tool.name, input }, async (callId) => {
          const answer = await run(agent.caller, input, { callId, user, scopes: agent.scopes });
          const structuredContent = tool.output.parse(answer.output);
          const words = answer.text ?? JSON.stringify(structuredContent);
          const content = [text(words), ...(answer.more ?? [])];
          const result = { content, structuredContent };
          await limitAnswer(agent.caller, Buffer.byteLength(JSON.stringify(result)));
          return result;
        });
      } catch (error) {
        if (error instanceof Question) throw error;
        const { requestId } = agent.caller;
        return toolError(error, { tool: tool.name, args, requestId });
      }
    },
  };
}

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
async function callOnce(
  agent: Agent,
  { tool, input }: { tool: string; input: object },
  work: (callId?: string) => Promise<ToolResult>,
): Promise<ToolResult> {
  const { idempotencyKey: key, ...fields } = Keyed.parse(input);
  if (key === undefined) return work();
  const caller = idempotencyScope(agent.caller);
  const callId = requestFingerprint(Buffer.from(`${caller} ${key}`), [tool, fields]);
  // Keys of the HTTP interface are separate: the same key there does not repeat a call.
  const request = { operation: tool, scope: `tools ${caller}`, key, input: fields };
  const deps = { ...idempotencyServices(), remainingMs: () => agent.remainingMs() };
  const { response } = await runIdempotent(deps, request, async () => ({
    status: 200,
    headers: {},
    body: JSON.stringify(await work(callId)),
  }));
  return StoredResult.parse(JSON.parse(response.body));
}
