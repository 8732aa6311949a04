import { ask } from '../fixtures/clouds/client.ts';
import { aForm, type FormPart } from '../fixtures/uploads/multipart.ts';

/** A project of an account: its id and its address. */
export async function publishFiles(
  key: string,
  baseUrl: string,
  files: readonly FormPart[],
): Promise<{ projectId: string; url: string }> {
  const { body, contentType } = aForm([{ name: 'title', body: 'Harbour' }, ...files]);
  const headers = { 'content-type': contentType, authorization: `Bearer ${key}` };
  const answer = await ask(`${baseUrl}/v1/projects`, { method: 'POST', headers, body });
  if (answer.status !== 201) throw new Error(`not published: ${answer.text}`);
  return answer.json.data;
}
