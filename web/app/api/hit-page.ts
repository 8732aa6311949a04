import { type HitPage, nextOf } from '../views/project/hit-pages.ts';
import { ApiError } from './api-error.ts';

/**
 * Reads a page of the CSV of hits.
 * @throws ApiError
 */
export async function hitPage(address: string, signal?: AbortSignal): Promise<HitPage> {
  const response = await fetch(address, { cache: 'no-store', ...(signal && { signal }) });
  if (!response.ok) throw new ApiError(response.status, await response.json());
  return { csv: await response.text(), next: nextOf(response.headers.get('link')) };
}
