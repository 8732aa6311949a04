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
    request: fetchReadable(source, name).then((message) => ({
      message,
      moved: [message.bytes.buffer],
    })),
    seconds: most.seconds,
  });
  const article = writeReading(reading);
  restrictLinks(article);
  stage.append(article);
}

/** Archives of both kinds are for the worker; texts of a document of Word are read by the page first. */
async function fetchReadable(source: string, name: string): Promise<ReadingRequest> {
  const bytes = await fetchFile(source, most.bytes);
  if (!/\.(?:doc|mht|mhtml)$/i.test(name) || bytes[0] === 0xd0 || bytes[0] === 0x50)
    return { name, bytes };
  if (bytes.length > most.textBytes) throw new ViewerError('The file is too large to show here.');
  const { pageAsXml } = await import('./reader/page-as-xml.ts');
  return { name, ...pageAsXml(bytes) };
}

await runViewer(showReading);
