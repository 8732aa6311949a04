/** Enough for as many projects as can be published in a minute. */
const maxConcurrentItems = 16;
/** More items than one run can process. */
const maxWaiting = 1000;

interface PlacesOptions {
  /** No further item begins while this is true. */
  isClosed?: () => boolean;
  size?: number;
}

/**
 * Processes at most `size` items at once.
 * @param process never rejects
 */
export function processingPlaces<Item extends object>(
  process: (item: Item) => Promise<void>,
  { isClosed = () => false, size = maxConcurrentItems }: PlacesOptions = {},
) {
  const running = new Map<Item, Promise<void>>();
  const waiting: Item[] = [];
  const start = (item: Item) => {
    const done = process(item).then(() => {
      running.delete(item);
      const following = isClosed() ? undefined : waiting.shift();
      if (following !== undefined) start(following);
    });
    running.set(item, done);
  };
  return {
    /** Begins an item, and waits until there is a place for another. */
    async take(item: Item): Promise<void> {
      start(item);
      if (running.size >= size) await Promise.race(running.values());
    },
    /** Begins an item once there is a place for it; one that finds none is left out. */
    enqueue(item: Item): void {
      if (isClosed()) return;
      if (running.size < size) start(item);
      else if (waiting.length < maxWaiting) waiting.push(item);
    },
    async allDone(): Promise<void> {
      while (running.size > 0) await Promise.all(running.values());
    },
    unfinished: (): readonly Item[] => [...running.keys()],
  };
}

/** Waits for work, but no longer than this. */
export async function withinMs(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([work, timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
