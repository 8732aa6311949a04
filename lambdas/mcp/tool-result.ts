import { errorCatalogue } from '../../contract/errors.ts';
import { toolNextSteps, toolReferenceSteps } from '../../contract/tool-errors.ts';
import { planFactsOf } from '../shared/plan-facts.ts';
import { upgradeAddress, withUpgradeAddress } from '../shared/upgrade-address.ts';
import type { CodedError } from '../../core/errors.ts';
import { ReferenceNotFound } from '../../core/projects/change/reference-not-found.ts';
import { isRedacted } from './tool-input.ts';
import { logger } from '../shared/logger.ts';
import { asCodedError } from '../shared/unexpected-error.ts';

/** The call that failed, for the error result and for the log. */
export interface ToolCallContext {
  tool: string;
  args: unknown;
  requestId: string;
}

/** An error, described with the names of tools. */
export interface ToolErrorDescription {
  error: string;
  nextStep: string;
  /** The error code and its own fields. */
  data: Record<string, unknown>;
}

/**
 * The error result for an agent: the error, the values that it sent, and the next call. An error
 * that is not a `CodedError` is a bug: it is logged, and the agent gets a fixed text.
 */
export function toolError(error: unknown, context: ToolCallContext): ToolResult {
  const { error: problem, nextStep, data } = describeToolError(error, context);
  const sent = echoedArguments(context.args);
  const fields = JSON.stringify(Object.keys(sent).length === 0 ? data : { ...data, sent });
  return { isError: true, content: [text(`${problem}\nNext: ${nextStep}\n${fields}`)] };
}

/** Describes an error with the names of tools. */
export function describeToolError(
  error: unknown,
  { tool, requestId }: Omit<ToolCallContext, 'args'>,
): ToolErrorDescription {
  const known = asCodedError(error, requestId);
  if (known.status >= 500)
    logger.error('tool failed', { requestId, tool, error: asError(known.cause ?? error) });
  const { status: _, error: problem, nextStep: __, ...own } = known.body;
  const data = { ...own, ...planFactsOf(known) };
  const nextStep = withUpgradeAddress(nextStepOf(known), upgradeAddress());
  return { error: String(problem), nextStep, data: shortLists(data) };
}

/** The error's own next step is more specific than that of its code, unless it names an HTTP endpoint. */
export function nextStepOf(error: CodedError): string {
  if (error instanceof ReferenceNotFound && error.field !== 'rootProjectId')
    return toolReferenceSteps[error.field];
  const { code, fields } = error;
  const own = fields.nextStep;
  if (own !== undefined && !own.includes('/v1/')) return own;
  return toolNextSteps[code] ?? errorCatalogue[code].nextStep;
}

const maxListed = 20;

/** A ZIP may have thousands of HTML files to choose from: the result has the first ones, and their number. */
function shortLists(data: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) =>
      Array.isArray(value) && value.length > maxListed
        ? [
            [name, value.slice(0, maxListed)],
            [`${name}Count`, value.length],
          ]
        : [[name, value]],
    ),
  );
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

const maxShownLength = 100;

/** The short arguments of a call, so that an agent sees what it sent. */
function echoedArguments(args: unknown): Record<string, unknown> {
  if (typeof args !== 'object' || args === null) return {};
  return Object.fromEntries(
    Object.entries(args)
      .filter(([name, value]) => !isRedacted([name]) && isShort(name) && isShort(value))
      .slice(0, 10),
  );
}

function isShort(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= maxShownLength;
  return typeof value === 'number' || typeof value === 'boolean';
}

/** A content block of a result (MCP 2025-06-18 and later). */
export type Block =
  | { type: 'text'; text: string }
  | { type: 'image'; data: string; mimeType: string }
  | { type: 'resource'; resource: { uri: string; text: string } }
  | { type: 'resource_link'; uri: string; name: string; description?: string };

/** The result of `tools/call`, in every version of the protocol. */
export type ToolResult = {
  content: Block[];
  /** Matches the tool's output schema; absent from an error. */
  structuredContent?: Record<string, unknown>;
  isError?: true;
};

/** A text block. */
export function text(words: string): Block {
  return { type: 'text', text: words };
}
