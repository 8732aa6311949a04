import type * as z from 'zod';
import type { Tool } from '../../contract/tool.ts';
import type { AccountCaller } from '../../core/caller.ts';
import { requirePlan } from '../accounts/sign-in.ts';
import { type Agent, requireScope } from './admit.ts';
import { type Block, text, toolError, type ToolResult } from './tool-result.ts';
import { toolInput } from './tool-input.ts';

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
  /** Never throws: every error is a result. */
  call(agent: Agent, args: unknown): Promise<ToolResult>;
}

/** Binds a tool to its use case. Fields that the tool\'s output does not name are removed. */
export function bindTool<I extends z.ZodObject, O extends z.ZodObject>(
  tool: Tool<I, O>,
  run: (caller: AccountCaller, input: z.infer<I>) => Promise<ToolAnswer<O>>,
): BoundTool {
  return {
    tool,
    async call(agent, args) {
      try {
        requireScope(tool, agent);
        requirePlan(tool.operation, agent.caller);
        const answer = await run(agent.caller, toolInput(tool, args));
        const structuredContent = tool.output.parse(answer.output);
        const words = answer.text ?? JSON.stringify(structuredContent);
        return { content: [text(words), ...(answer.more ?? [])], structuredContent };
      } catch (error) {
        const { requestId } = agent.caller;
        return toolError(error, { tool: tool.name, args, requestId });
      }
    },
  };
}
