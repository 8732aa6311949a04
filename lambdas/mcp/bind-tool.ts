import type * as z from 'zod';
import type { Tool } from '../../contract/tool.ts';
import { requireKeyProject } from '../../core/accounts/keys/permissions.ts';
import type { CredentialCaller } from '../../core/caller.ts';
import { limitAnswer, requirePlan } from '../http/authorize.ts';
import { type Agent, requireScope } from './admit.ts';
import { callOnce } from './call-once.ts';
import { type Block, text, toolError, type ToolResult } from './tool-result.ts';
import { toolInput } from './tool-input.ts';
import { nobody, Question, type ToolUser } from './tool-user.ts';

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
