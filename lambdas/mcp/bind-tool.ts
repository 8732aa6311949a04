import type * as z from 'zod';
import type { Tool } from '../../contract/tool.ts';
import type { AccountCaller } from '../../core/caller.ts';
import { requirePlan } from '../accounts/sign-in.ts';
import { type Agent, requireScope } from './agent.ts';
import { toolError } from './tool-error.ts';
import { toolInput } from './tool-input.ts';
import { type Block, text, type ToolResult } from './tool-result.ts';

/** What a use case tells an agent. */
export interface ToolAnswer<O extends z.ZodObject> {
  output: z.input<O>;
  /** For people and for clients that read nothing else; the output as JSON where nothing is said. */
  text?: string;
  /** Beside the text. */
  more?: readonly Block[];
}

/** A tool and what serves it. */
export interface BoundTool {
  tool: Tool;
  /** Never throws: every error is a result. */
  call(agent: Agent, args: unknown): Promise<ToolResult>;
}

/** Joins a tool to its use case; what it answers is reduced to what its output names. */
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
