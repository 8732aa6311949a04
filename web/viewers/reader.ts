import { fetchFile } from './parts/fetch-file.ts';
import { restrictLinks } from './parts/restrict-links.ts';
import { runViewer, type ViewerRoot } from './parts/viewer-root.ts';
import { runWorker } from './parts/worker-answer.ts';
import type { Reading } from './reader/blocks.ts';
import type { ReadingRequest } from './reader/read-document.ts';
import { writeReading } from './reader/write-reading.ts';

const most = { bytes: 100 * 1024 * 1024, seconds: 30 } as const;

async function showReading({ source, name, stage }: ViewerRoot): Promise<void> {
  const reading = await runWorker<ReadingRequest, Reading>({
    script: stage.dataset['worker'] ?? '',
    request: fetchFile(source, most.bytes).then((bytes) => ({
      message: { name, bytes },
      moved: [bytes.buffer],
    })),
    seconds: most.seconds,
  });
  const article = writeReading(reading);
  restrictLinks(article);
  stage.append(article);
}

await runViewer(showReading);
