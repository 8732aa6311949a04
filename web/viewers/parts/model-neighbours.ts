import { LoadingManager } from 'three';
import { ViewerError } from './fetch-file.ts';

/** A model has a few dozen textures at most. */
const mostFiles = 300;

/**
 * Which other files a model may load: those of its own bundle, by relative paths. Without a folder
 * it loads only what is embedded in it.
 */
export class ModelNeighbours {
  readonly manager = new LoadingManager();
  /** The address of the model's folder, with a slash at the end; empty for a model that is alone. */
  readonly folder: string;
  /** Names of files that are not there. */
  readonly missing = new Set<string>();
  #files = 0;
  #isLoading = false;

  constructor(folder = '') {
    this.folder = folder;
    this.manager.setURLModifier((url) => this.#addressOf(url));
    this.manager.onStart = () => {
      this.#isLoading = true;
    };
    this.manager.onLoad = () => {
      this.#isLoading = false;
    };
    this.manager.onError = (url) => {
      if (!url.startsWith('data:')) this.missing.add(decodeURIComponent(nameIn(url)));
    };
  }

  /** Resolves when everything that is being loaded is there or is known to be missing. */
  async loaded(): Promise<void> {
    if (!this.#isLoading) return;
    await new Promise<void>((resolve) => {
      this.manager.onLoad = resolve;
    });
  }

  /** The reason why a model could not be read, if it is a file that is not there. */
  explain(error: unknown): unknown {
    const [missing] = this.missing;
    if (missing === undefined) return error;
    return new ViewerError(
      `The model needs ${missing}, which is not beside it. Add the file to the folder, or save the model as .glb.`,
    );
  }

  /** Whether a reference of the model is to a file of its bundle. */
  isBeside(reference: string): boolean {
    const isFile = neighbourOf(reference, this.folder) !== undefined;
    if (!isFile) this.missing.add(nameIn(reference));
    return isFile;
  }

  #addressOf(url: string): string {
    if (/^(?:data|blob):/.test(url)) return url;
    this.#files += 1;
    const address = this.#files > mostFiles ? undefined : neighbourOf(url, this.folder);
    if (address === undefined) this.missing.add(nameIn(url));
    return address ?? (/\.tga$/i.test(url) ? whiteTga : 'data:,');
  }
}

/** One white pixel: the reader of this format complains about a file without any. */
const whiteTga = 'data:image/x-tga;base64,AAACAAAAAAAAAAAAAQABABgA////';

const nameIn = (url: string) =>
  url.slice(Math.max(url.lastIndexOf('/'), url.lastIndexOf('\\')) + 1);

/** The address of a file that another one refers to; `undefined` for one that is no file of the bundle. */
export function neighbourOf(reference: string, folder: string): string | undefined {
  if (folder === '') return undefined;
  try {
    const url = new URL(reference.replaceAll('\\', '/'), folder);
    if (url.origin !== new URL(folder).origin) return undefined;
    return url.pathname.startsWith('/_slipway/') ? undefined : url.href;
  } catch {
    return undefined;
  }
}
