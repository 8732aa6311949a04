import { errorCatalogue } from '../../contract/errors.ts';
import { toolNextSteps } from '../../contract/tool-errors.ts';
import { CodedError } from '../../core/errors.ts';
import { logger } from '../shared/logger.ts';
import { text, type ToolResult } from './tool-result.ts';

/** What was called, for the answer to an error and for the log. */
export interface Called {
  tool: string;
  args: unknown;
  requestId: string;
}

/** A refusal in the words of tools. */
export interface ToolFault {
  error: string;
  nextStep: string;
  /** The code and its own fields. */
  data: Record<string, unknown>;
}

/**
 * What an agent is told of an error: what was wrong, with the values that it sent, and the next
 * call. What is not one of our own refusals is a bug: it is logged, and nothing of it leaves.
 */
export function toolError(error: unknown, called: Called): ToolResult {
  const { error: problem, nextStep, data } = faultOf(error, called);
  const sent = shortValues(called.args);
  const fields = JSON.stringify(Object.keys(sent).length === 0 ? data : { ...data, sent });
  return { isError: true, content: [text(`${problem}\nNext: ${nextStep}\n${fields}`)] };
}

/** An error in the words of tools. */
export function faultOf(error: unknown, { tool, requestId }: Omit<Called, 'args'>): ToolFault {
  const known = error instanceof CodedError ? error : unexpected(error, requestId);
  if (known.status >= 500)
    logger.error('tool failed', { requestId, tool, error: asError(known.cause ?? error) });
  const { status: _, error: problem, nextStep: __, ...data } = known.body;
  return { error: String(problem), nextStep: nextStepOf(known), data: shortLists(data) };
}

/** A step of its own tells more than the code's, unless it speaks of HTTP. */
export function nextStepOf({ code, fields }: CodedError): string {
  const own = fields.nextStep;
  if (own !== undefined && !own.includes('/v1/')) return own;
  return toolNextSteps[code] ?? errorCatalogue[code].nextStep;
}

const maxListed = 20;

/** A ZIP may hold thousands of pages to choose from: an answer names the first, and how many there are. */
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

function unexpected(cause: unknown, requestId: string): CodedError {
  const error = 'Something went wrong on our side.';
  return new CodedError('INTERNAL', { error, requestId }, { cause });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

const maxShownLength = 100;
/** Not even whoever sent them is told these again: answers are kept in logs of conversations. */
const untold = new Set(['password', 'zipBase64']);

/** The plain values of a call, so that an agent sees what it sent. */
function shortValues(args: unknown): Record<string, unknown> {
  if (typeof args !== 'object' || args === null) return {};
  return Object.fromEntries(
    Object.entries(args)
      .filter(([name, value]) => !untold.has(name) && isShort(name) && isShort(value))
      .slice(0, 10),
  );
}

function isShort(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= maxShownLength;
  return typeof value === 'number' || typeof value === 'boolean';
}
