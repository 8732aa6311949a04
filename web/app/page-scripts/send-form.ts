import { siftPaths } from '../../../core/content/left-out/sift-paths.ts';
import { ApiError } from '../api/api-error.ts';
import type { Output } from '../api/contract.ts';
import type { PickedFile } from '../upload/picked.ts';
import { ConnectionLostError } from '../upload/send-part.ts';
import { at, showProgress, showPublishing } from './panels.ts';
import type { UploadChoices } from '../upload/upload-state.ts';

/** The choices about an upload, and who sends it by a file request. */
export interface Choices extends UploadChoices {
  senderName?: string;
  senderEmail?: string;
}

/** An answer that published, and the value of its `Date`. */
export interface Published {
  data: Output<'publishTempProject'> | Output<'publishByLink'>;
  date: string | null;
}

/** Publishes the files with these choices. */
export type Send = (choices: Choices, signal: AbortSignal) => Promise<Published>;

/**
 * Prepares files that fit into one request. More files than a form may have parts are sent as one ZIP.
 * @throws an error of the browser if a file cannot be read
 */
export async function prepareForm(
  files: readonly PickedFile[],
  { includeHidden }: Choices,
): Promise<Send> {
  const { maxParts, verb = 'POST', to } = at('launch').dataset;
  const url = to ?? at('launch').getAttribute('action') ?? '';
  const isZipped = files.length > Number(maxParts);
  const paths = files.map(({ path }) => path);
  const { topFolder } = siftPaths(paths, { includeHidden });
  const parts = isZipped
    ? [[await zipped(files), `${topFolder.slice(0, -1) || 'files'}.zip`] as const]
    : files.map(({ path, file }) => [file, path] as const);
  const home = `${topFolder}index.html`;
  const start: Choices = isZipped && paths.includes(home) ? { zipIndexHtmlPath: home } : {};
  return (choices, signal) => {
    const form = new FormData();
    for (const [file, name] of parts) form.append('files', file, name);
    for (const [name, value] of Object.entries({ ...start, ...choices })) {
      form.append(name, String(value));
    }
    return send(new URL(url, location.href), { verb, form, signal });
  };
}

/** JSZip is loaded by those who need it. */
async function zipped(files: readonly PickedFile[]): Promise<Blob> {
  const { zipFiles } = await import('./zip-files.ts');
  return zipFiles(files);
}

interface FormRequest {
  verb: string;
  form: FormData;
  signal: AbortSignal;
}

/** `fetch` tells no progress of a request, so this is an XMLHttpRequest. */
function send(url: URL, { verb, form, signal }: FormRequest): Promise<Published> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    signal.addEventListener('abort', () => request.abort());
    request.open(verb, url);
    request.setRequestHeader('Accept', 'application/json');
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      showProgress(loaded / total);
      if (loaded === total) showPublishing();
    });
    request.addEventListener('load', () => {
      const body = bodyOf(request.responseText);
      if (body.status === 'success') {
        resolve({ data: body.data, date: request.getResponseHeader('Date') });
      } else reject(new ApiError(request.status, body));
    });
    request.addEventListener('error', () => reject(new ConnectionLostError()));
    request.addEventListener('abort', () => reject(new ConnectionLostError()));
    request.send(form);
  });
}

function bodyOf(text: string) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
