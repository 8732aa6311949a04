import type * as z from 'zod';
import { listProjectsTool } from '../../../contract/tools/list-projects.ts';
import type { AccountCaller } from '../../../core/caller.ts';
import { listProjects } from '../../../core/projects/list-projects.ts';
import { services } from '../services.ts';

/** The same twice in an answer, as data and as text, stays far below the 25,000 tokens that clients take. */
export const maxPageBytes = 25_000;

/** A page of the caller's projects, as many as an answer has room for. */
export async function listPage(
  caller: AccountCaller,
  { cursor = '0', limit, ...query }: z.infer<typeof listProjectsTool.input>,
) {
  const offset = Number(cursor);
  const asked = { ...query, limit: limit + 1, offset };
  const { projects: found } = await listProjects(services(), caller, asked);
  const wanted = found
    .slice(0, limit)
    .map((project) => listProjectsTool.output.shape.projects.element.parse(project));
  const projects = fitting(wanted, maxPageBytes);
  const isMore = projects.length < found.length;
  return { output: { projects, nextCursor: isMore ? String(offset + projects.length) : null } };
}

/** The first of a list that fit, and one at least. */
export function fitting<T>(items: readonly T[], maxBytes: number): T[] {
  let bytes = 0;
  const end = items.findIndex((item, index) => {
    bytes += Buffer.byteLength(JSON.stringify(item));
    return bytes > maxBytes && index > 0;
  });
  return end === -1 ? [...items] : items.slice(0, end);
}
