import { fetchFile, ViewerError } from './parts/fetch-file.ts';
import { restrictLinks } from './parts/restrict-links.ts';
import { runViewer, type ViewerRoot } from './parts/viewer-root.ts';
import { runWorker } from './parts/worker-answer.ts';
import type { Reading } from './reader/blocks.ts';
import type { ReadingRequest } from './reader/read-document.ts';
import { writeReading } from './reader/write-reading.ts';

const mebibyte = 1024 * 1024;
const most = { bytes: 100 * mebibyte, textBytes: 20 * mebibyte, seconds: 30 } as const;

async function showReading({ source, name, stage }: ViewerRoot): Promise<void> {
  const reading = await runWorker<ReadingRequest, Reading>({
    script: stage.dataset['worker'] ?? '',
    request: fetchReadable(source, name, stage.dataset['pageWorker']).then((message) => ({
      message,
      moved: [message.bytes.buffer],
    })),
    seconds: most.seconds,
  });
  const article = writeReading(reading);
  restrictLinks(article);
  stage.append(article);
}

/** A text that is named as a document of Word is made a page in XML by a worker of its own: its parser is large. */
async function fetchReadable(
  source: string,
  name: string,
  pageWorker: string | undefined,
): Promise<ReadingRequest> {
  const bytes = await fetchFile(source, most.bytes);
  if (pageWorker === undefined || isDocument(bytes)) return { name, bytes };
  if (bytes.length > most.textBytes) throw new ViewerError('The file is too large to show here.');
  const page = await runWorker<Uint8Array<ArrayBuffer>, Omit<ReadingRequest, 'name'>>({
    script: pageWorker,
    request: Promise.resolve({ message: bytes, moved: [bytes.buffer] }),
    seconds: most.seconds,
  });
  return { name, ...page };
}

/** An archive of either kind, RTF, or XML of Word 2003. */
function isDocument(bytes: Uint8Array): boolean {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 2000));
  if (/^(?:\u00D0|PK|\s*\{\\rtf)/.test(start)) return true;
  return /^\W*<\?xml/.test(start) && !/<html[\s>]/i.test(start);
}

await runViewer(showReading);
